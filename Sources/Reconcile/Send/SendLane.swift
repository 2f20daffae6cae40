internal import APNs
internal import Diff
internal import JSON
internal import Ledger

/// The deliveries of one app and environment in the order of sending, and how it goes with them.
final class SendLane {
    /// The care with which it sends.
    enum Mode: Equatable {
        /// As many as there are free streams.
        case open
        /// One push, to see whether a configuration fault of an earlier run is gone.
        case probing
        /// Nothing more in this run.
        case stopped
    }

    let name: LaneName
    let credentials: Credentials.Lane
    let route: any PushRoute
    var mode = Mode.open
    /// The configuration fault that is recorded of it, if any.
    var fault: Fault?
    /// True where the one push of a probing lane was sent.
    var hasProbed = false
    /// The last delivery that was taken.
    var place = SendingPlace.start
    /// Deliveries that were certainly not processed and go out again at once.
    var again: [DeliveryID] = []
    /// The number of times that a delivery which was certainly not processed was sent again.
    private var retries: [DeliveryID: Int] = [:]
    /// True where no delivery is left.
    var isExhausted = false
    /// Pushes that were sent and not settled.
    var inFlight = 0

    var app: Text { name.app }
    var environment: PushEnvironment { name.environment }

    /// True where it has something to send once its connection takes it.
    var isWaiting: Bool { mode != .stopped && (!isExhausted || !again.isEmpty) }

    /// Answers of this run.
    var answers = 0
    /// Accepted pushes of this run.
    var accepted = 0
    /// Pushes whose tokens APNs called bad, which a wrong key, environment or endpoint would do to all of them.
    var suspects: [Suspect] = []

    struct Suspect {
        var push: Push
        var answer: DeliveryAnswer
    }

    init(_ name: LaneName, credentials: Credentials.Lane, route: any PushRoute) {
        self.name = name
        self.credentials = credentials
        self.route = route
    }

    /// The most times that a delivery which is not processed goes out in one run.
    static let attempts = 3

    /// True where a delivery that was certainly not processed goes out again in this run.
    func mayRetry(_ delivery: DeliveryID) -> Bool {
        retries[delivery, default: 1] += 1
        return retries[delivery, default: 1] <= Self.attempts
    }

    /// The number of answers that a run needs before bad tokens are believed one by one.
    static let neededAnswers = 20

    /// The judgement of the suspects, as soon as there is one.
    enum Verdict {
        /// Not enough answers yet.
        case open
        /// The tokens are dead.
        case dead
        /// The configuration is wrong, and the tokens are kept.
        case configuration
    }

    /// The verdict of the answers so far; `isLast` where no further one will come in this run.
    func verdict(isLast: Bool) -> Verdict {
        if suspects.isEmpty { return .open }
        if accepted > 0 { return .dead }
        guard answers >= Self.neededAnswers || isLast else { return .open }
        return suspects.count >= 5 && suspects.count * 5 > answers ? .configuration : .dead
    }
}
