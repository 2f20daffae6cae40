/// The outcome of the pushes of one run.
public struct SendOutcome: Hashable, Sendable {
    /// One app and environment that was stopped, or a host that was not reached, with the remedy.
    public struct Fault: Hashable, Sendable {
        /// A stable snake_case code.
        public var code: String
        /// The fault and the way out.
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
    /// The faults that stopped parts of the run.
    public var faults: [Fault] = []
    /// The reason that it ended early, where it did.
    public var stopped: StopReason?

    /// Nothing yet.
    public init() {}

    /// True where nothing failed, is unknown or was stopped.
    public var isComplete: Bool { failed == 0 && unknown == 0 && faults.isEmpty }
}
