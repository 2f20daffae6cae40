public import Time

/// The facts of one step: a group of changes that are written together, of many owners.
public struct StepContext: Hashable, Sendable {
    /// The step.
    public var step: Step
    /// The run that takes it.
    public let run: RunID
    /// The time.
    public let now: Moment
    /// The time that APNs confirmed last, see ``ConfirmedTime``.
    public var clock: ConfirmedTime
    /// The ids of what is created.
    public var ids: IdentifierSupply
    /// The order number of the last launch.
    public var sequence: Int64
    /// The capacity that pushes reserve; `nil` without a quota.
    public var quota: QuotaBook?
    /// The number of operations that it opened.
    private var operations: Int64 = 0
    /// The number of deliveries that it queued.
    private var deliveries: Int64 = 0

    /// The facts of a step.
    public init(
        step: Step,
        run: RunID,
        now: Moment,
        clock: ConfirmedTime = ConfirmedTime(),
        ids: IdentifierSupply,
        sequence: Int64 = 0,
        quota: QuotaBook? = nil
    ) {
        self.step = step
        self.run = run
        self.now = now
        self.clock = clock
        self.ids = ids
        self.sequence = sequence
        self.quota = quota
    }

    /// The id of the next operation.
    mutating func nextOperation() -> OperationID {
        operations += 1
        return OperationID(StepPlace(step: step, ordinal: operations).ulid)
    }

    /// The id of the next delivery.
    mutating func nextDelivery() -> DeliveryID {
        deliveries += 1
        return DeliveryID(StepPlace(step: step, ordinal: deliveries).ulid)
    }
}

/// The last time that APNs confirmed, and what may be concluded from it.
///
/// APNs takes a provider token only if it was signed within an hour of its own time, so each accepted push proves the clock
/// right by so much.
public struct ConfirmedTime: Hashable, Sendable {
    /// The most that a clock is off while APNs takes its tokens.
    public static let tolerance = Span.hours(1)

    /// The clock's time when APNs last took a push, moved on by runs that went on from there without a leap; `nil` before.
    public var at: Moment?

    /// A confirmed time; `nil` where APNs has taken nothing yet.
    public init(_ at: Moment? = nil) {
        self.at = at
    }

    /// True where whatever is over at `now` may be recorded as over for good.
    ///
    /// A clock that is hours ahead would end what still runs; until APNs has taken a push by it, each run decides anew. A
    /// clock that went on from a confirmed time without a leap is as good.
    public func isCertain(_ now: Moment) -> Bool { at.map { now <= $0 + Self.tolerance } ?? false }

    /// True where `now` lies before a confirmed time.
    ///
    /// Both may be off in opposite directions, the second one by little.
    public func isBehind(_ now: Moment) -> Bool { at.map { now < $0 - Self.tolerance - .minutes(5) } ?? false }

    /// True where an instance was over already at the confirmed time, whatever the clock shows now.
    public func wasOver(_ instance: Instance) -> Bool {
        at.map { instance.isExpired(at: $0 - Self.tolerance) } ?? false
    }
}
