internal import Diff
internal import JSON
internal import Time

/// One committed delivery that is next in its lane.
struct QueuedDelivery {
    var id: DeliveryID
    var kind: Action.Kind
    var owner: Owner
    var device: Text
    var target: TargetID?
    var registration: Text?
    var status: DeliveryStatus
    /// When it was first sent; `nil` before.
    var dispatchedAt: Moment?
    /// How long APNs keeps trying, where declared.
    var expiresAfter: Span?
    /// Its place in the order of sending.
    var place: SendingPlace
    var attempts: Int64
    /// The name of the activity; `nil` for a reload.
    var name: Text?
    /// Why the instance is to end, if it is.
    var ending: Instance.Closure?
}

/// A place in the order of sending: rank, then step, then subscriber, then id.
struct SendingPlace: Hashable {
    var rank: Int64
    var step: Step
    var subscriber: Text
    var id: Text

    static let start = SendingPlace(rank: -1, step: .zero, subscriber: "", id: "")
}

/// A push as it goes out: made when it is marked `dispatching`, of the newest committed state, for the newest token.
struct Outgoing {
    /// What it carries.
    enum Content {
        case reload
        case start(
            attributesType: Text,
            attributes: Value,
            launch: LaunchID,
            content: ActivityContent,
            isSilent: Bool,
            asksForToken: Bool
        )
        case update(ActivityContent, rings: Bool, isHigh: Bool)
        case end(state: Value, dismissAt: Moment?)
    }

    var delivery: QueuedDelivery
    var token: Text
    /// When the token was reported.
    var tokenAt: Moment
    var content: Content
    /// The revision, or of a reload the number of the step, that it carries.
    var revision: Int64
    /// `aps.timestamp`, to the second; strictly increasing per instance.
    var timestamp: Moment
    /// `apns-expiration`, to the second.
    var expiration: Moment
    /// The template version that its instance runs with, which says how times go out.
    var template: Template?
    /// What it counts in the quota: an end without new state is free.
    var cost = 1

    /// Whether the device reported its token again after APNs had found it dead (`nil`: found so now).
    func isNewer(thanDeathAt deadAt: Moment?) -> Bool {
        deadAt.map { $0 < tokenAt } ?? false
    }
}

/// What became of a delivery, as the ledger records it.
enum Settlement {
    /// APNs took it.
    case accepted
    /// The token is dead: its registration goes, unless it was reported after APNs found it dead.
    case invalidEndpoint(at: Moment?)
    /// It was certainly not processed and is sent again, not before this time (``Moment/never``: by the next run).
    case requeued(notBefore: Moment)
    /// It was sent and nobody knows what became of it.
    case unknown(notBefore: Moment)
    /// APNs refused it for good.
    case rejected
}

/// What APNs said, for the record.
struct AnswerRecord {
    var status: Int64?
    var reason: Text?
    var id: Text?
    /// Where there was no answer: why.
    var note: String?

    /// For people: `503 ServiceUnavailable`, or why there was no answer.
    var words: String {
        let answer = [status.map(String.init), reason?.string].compactMap(\.self).joined(separator: " ")
        return answer.isEmpty ? note ?? "no answer" : answer
    }
}
