public import Diff
public import JSON
public import Time

/// The transport of one write, without its deliveries.
public struct OperationRecord: Hashable, Sendable {
    /// Its id.
    public var id: OperationID
    /// Its kind.
    public var kind: Action.Kind
    /// Whose it was then.
    public var owner: Owner
    /// The run that committed it.
    public var run: RunID
    /// The step that it was committed in.
    public var step: Step
    /// The moment of it.
    public var createdAt: Moment
}

/// One push to one token, as it stands.
public struct DeliveryRecord: Hashable, Sendable {
    /// The push and its receiver; none of it changes but the environment.
    public struct Address: Hashable, Sendable {
        /// The operation that it belongs to.
        public var operation: OperationID
        /// Its kind.
        public var kind: Action.Kind
        /// Whose device it was when it was committed.
        public var owner: Owner
        /// The device that receives it.
        public var device: Text
        /// The instance; `nil` for a reload.
        public var target: TargetID?
        /// `wgt_…` of a reload, `stt_…` of a start.
        public var registration: Text?
        /// The environment in which the token is valid.
        public var environment: PushEnvironment
    }

    /// The turn of a push, and its cost.
    public struct Schedule: Hashable, Sendable {
        /// The order of sending: 0 ends, 1 starts and alerts, 2 silent updates, 3 reloads.
        public var rank: Int64
        /// The step that it was committed in.
        public var step: Step
        /// The moment of it.
        public var createdAt: Moment
        /// The time it may take, where declared.
        public var expiresAfter: Span?
        /// Not to be sent (again) before.
        public var notBefore: Moment?
        /// Its count in the quota: 0 or 1.
        public var cost: Int64
        /// The day that it is booked to; `nil`: free, or no quota.
        public var quotaDay: UTCDay?
    }

    /// The answer of APNs, or the reason that there is none.
    public struct Answer: Hashable, Sendable {
        /// The `apns-id`.
        public var apnsID: Text?
        /// The HTTP status.
        public var status: Int64?
        /// APNs's reason.
        public var reason: Text?
        /// The reason that it is not accepted, where APNs gave none.
        public var note: Text?
        /// The moment of it.
        public var at: Moment?
    }

    /// Its id.
    public var id: DeliveryID
    /// Its receiver.
    public var address: Address
    /// Its status.
    public var status: DeliveryStatus
    /// True while it may still be sent.
    public var isOpen: Bool
    /// The revision of the instance; of a reload, the step that it reloads up to.
    public var revision: Int64
    /// Its turn.
    public var schedule: Schedule
    /// The moment of its first attempt.
    public var dispatchedAt: Moment?
    /// The number of attempts.
    public var attempts: Int64
    /// The outcome of the last attempt.
    public var answer: Answer
    /// The content that the last attempt carried; `nil` where there was none, or where nobody asked for it.
    public var content: Value?
}
