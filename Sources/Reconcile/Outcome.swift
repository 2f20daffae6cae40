public import Diff
internal import Foreign
public import Time

/// What a plan comes to.
public struct PlanOutcome: Hashable, Sendable {
    /// The counts.
    public var summary = Summary()
    /// The limits that apply would refuse it for.
    public var violations: [SafetyViolation] = []
    /// The waiting reports that were taken into account.
    public var reports = Ingest.Result()
    /// Whether there is a ledger.
    public var hasLedger = false
    /// The saved plan, where one was written.
    public var saved: PlanHeader?
    /// What alone was read and looked at, because the index knows the rest; `nil` where that was everything.
    public var part: Part?

    /// Nothing yet.
    public init() {}

    /// What changed since the commit that the index was made of.
    public struct Part: Hashable, Sendable {
        /// How many state files were read.
        public var files: Int
        /// How many owners were looked at.
        public var owners: Int
    }
}

/// What an apply came to.
public struct ApplyOutcome: Sendable {
    /// The plan that was applied.
    public var plan = PlanOutcome()
    /// What became of the lines of the saved plan, where one was applied.
    public var review: PlanReview?
    /// Whether the person agreed.
    public var isConfirmed = true
    /// Deliveries of a run that died, which count as unknown now.
    public var recovered = 0
    /// Declarations that were committed: all of the plan's, unless the run was stopped.
    public var committed = 0
    /// Pushes for which there was room in the day's quota when they were planned, and not any more.
    public var refused = 0
    /// Published files that were written.
    public var published = 0
    /// Why not all of them were; reloads then wait for the next run.
    public var publishError: String?
    /// What became of the pushes.
    public var send = SendOutcome()

    /// Nothing yet.
    public init() {}

    /// Whether there was something to do and none of it was done: the next run would have no less to do.
    public var isWithoutProgress: Bool {
        let settled = send.accepted + send.failed + send.unknown + send.invalidEndpoints
        return plan.summary.hasChanges && committed + published + settled == 0
    }

    /// Pushes that wait for room in the quota of a later day.
    public var deferred: Int { plan.summary.deferred + refused + send.deferred }

    /// Whether everything that was to be sent was accepted, or its dead token removed.
    public var isComplete: Bool { publishError == nil && send.isComplete }
}

/// What became of the pushes of one run.
public struct SendOutcome: Hashable, Sendable {
    /// One app and environment that was stopped, or a host that was not reached, with the remedy.
    public struct Fault: Hashable, Sendable {
        /// A stable snake_case code.
        public var code: String
        /// What is wrong and what to do.
        public var message: String
    }

    /// Pushes that APNs took.
    public var accepted = 0
    /// Pushes that APNs refused.
    public var failed = 0
    /// Pushes that wait for a later run.
    public var held = 0
    /// Pushes that were sent and not answered.
    public var unknown = 0
    /// Pushes that lost their room in the quota when the day changed, and wait for room.
    public var deferred = 0
    /// Dead tokens, whose registrations were removed; that is no failure.
    public var invalidEndpoints = 0
    /// What stopped parts of the run.
    public var faults: [Fault] = []
    /// Why it ended early, where it did.
    public var stopped: StopReason?

    /// Nothing yet.
    public init() {}

    /// Whether nothing failed, is unknown or was stopped.
    public var isComplete: Bool { failed == 0 && unknown == 0 && faults.isEmpty }
}

/// Why a run did not happen.
public enum RunError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Files are wrong; every problem was reported before.
    case invalidFiles(Int)
    /// Limits would be exceeded.
    case unsafe([SafetyViolation])
    /// A secret is not to be had, or is none.
    case secret(String)
    /// The clock shows a time long before one at which APNs took a push.
    case clockBehind(now: Moment, confirmed: Moment)
    /// The proxy that the environment names cannot be used.
    case proxy(String)

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .invalidFiles(let count):
            "\(count) \(count == 1 ? "problem" : "problems") in the files; nothing was sent"
        case .unsafe(let violations): violations.map(\.description).joined(separator: "\n")
        case .secret(let message), .proxy(let message): message
        case .clockBehind(let now, let confirmed):
            "this machine's clock shows \(RFC3339.string(now)), and APNs took a push by it at "
                + "\(RFC3339.string(confirmed)); set the clock and run again. Nothing was done"
        }
    }
}
