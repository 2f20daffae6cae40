internal import JSON
internal import Time

/// The record of one owner on its way through a decision: the record after it, and what happens beyond the record.
///
/// Its methods are the steps that every decision is made of: an instance changes, a launch or a push moves on, a push is
/// queued, the log gets a line. The rules stand with the events: ``PlanCommit``, ``Adoption``, ``Dispatch``, ``Attempt``,
/// ``ScopeChange``. A store writes what differs between ``before`` and ``record``, and what is listed beside, see
/// ``LedgerChanges``; it decides nothing. A record may be a part of what the ledger holds of an owner: what is not in it
/// stays as it is.
public struct Transition: Hashable, Sendable {
    /// The record as it was read.
    public let before: Recorded
    /// The record as it is to be.
    public internal(set) var record: Recorded
    /// The transports that were opened.
    public internal(set) var operations: [Operation] = []
    /// The pushes that were queued or moved, each once.
    public internal(set) var deliveries: [RowChange<Delivery>] = []
    /// The scopes that are named anew.
    public internal(set) var scopes: [RowChange<ScopeRow>] = []
    /// The lines that the history gets.
    public internal(set) var history: [HistoryEntry] = []
    /// The tokens that were found dead.
    public internal(set) var deadTokens: [DeadToken] = []
    /// True once the published file is older than the record's widgets.
    public internal(set) var isUnpublished = false

    /// A record that nothing has happened to yet.
    public init(_ record: Recorded) {
        before = record
        self.record = record
    }

    // MARK: - Instances

    /// An instance as it is now.
    func instance(_ id: TargetID) -> Instance? { record.instances.first { $0.id == id } }

    /// Changes an instance; nothing where the record does not have it.
    mutating func change(_ id: TargetID, _ body: (inout Instance) -> Void) {
        guard let index = record.instances.firstIndex(where: { $0.id == id }) else { return }
        body(&record.instances[index])
    }

    /// Moves a launch, or the instance that it became, on; what that resolves is noted.
    ///
    /// - Throws: ``IllegalMove``.
    mutating func move(_ id: TargetID, _ move: LaunchMove, run: RunID?, at now: Moment) throws(IllegalMove) {
        guard let index = record.instances.firstIndex(where: { $0.id == id }) else { return }
        let instance = record.instances[index]
        let next = try instance.phase.after(move)
        record.instances[index].phase = next
        guard
            let resolution = Resolution.of(instance.phase, to: next, isReported: instance.registeredAt > .never),
            let resolved = LaunchResolution(resolution, of: instance, owner: record.owner, run: run, at: now)
        else { return }
        history.append(.resolution(resolved))
    }

    /// Closes a running instance for the reason that it was to end for, or else for this one; nothing where it is over.
    mutating func close(
        _ id: TargetID,
        orElse cause: Instance.Closure,
        run: RunID?,
        at now: Moment
    ) throws(IllegalMove) {
        guard let instance = instance(id), instance.phase == .running else { return }
        try move(id, .close(instance.ending ?? cause), run: run, at: now)
    }

    // MARK: - Deliveries

    /// Opens the transport of a write.
    mutating func open(_ kind: Action.Kind, in step: inout StepContext) -> Receipt.Operation {
        let operation = Operation(
            id: step.nextOperation(),
            kind: kind,
            owner: record.owner,
            run: step.run,
            step: step.step,
            createdAt: step.now
        )
        operations.append(operation)
        return Receipt.Operation(id: operation.id, status: .queued)
    }

    /// Queues a push.
    mutating func queue(_ delivery: Delivery) {
        deliveries.append(RowChange(before: nil, after: delivery))
        record.attach(delivery)
    }

    /// Changes a delivery that is still open; one that is settled by it leaves the record.
    ///
    /// - Returns: The delivery as it is now.
    @discardableResult
    mutating func change(
        _ delivery: Delivery,
        _ body: (inout Delivery) throws(IllegalMove) -> Void
    ) throws(IllegalMove) -> Delivery {
        var changed = delivery
        try body(&changed)
        return set(delivery, to: changed)
    }

    /// Puts another value in the place of a delivery that is still open; one that is settled by it leaves the record.
    ///
    /// - Returns: The delivery as it is now.
    @discardableResult
    mutating func set(_ delivery: Delivery, to changed: Delivery) -> Delivery {
        guard changed != delivery else { return delivery }
        deliveries.note(delivery, is: changed)
        record.replace(delivery, with: changed.state.isOpen ? changed : nil)
        return changed
    }

    /// Moves a delivery on; one that is being sent settles by its own answer.
    ///
    /// - Returns: The delivery as it is now.
    /// - Throws: ``IllegalMove``.
    @discardableResult
    mutating func move(
        _ delivery: Delivery,
        _ move: DeliveryMove,
        note: Text? = nil,
        at now: Moment
    ) throws(IllegalMove) -> Delivery {
        guard move == .lose || move == .adopt || delivery.status != .dispatching else { return delivery }
        return try change(delivery) { (delivery) throws(IllegalMove) in
            try delivery.move(move, note: note, at: now)
        }
    }

    /// Takes what waits for an instance out of sending.
    mutating func move(
        pushesOf id: TargetID,
        kind: Action.Kind? = nil,
        _ move: DeliveryMove,
        note: Text? = nil,
        at now: Moment
    ) throws(IllegalMove) {
        for delivery in instance(id)?.pending ?? [] where kind == nil || delivery.kind == kind {
            try self.move(delivery, move, note: note, at: now)
        }
    }

    /// Cancels a delivery that was not sent, and the launch of a start that certainly was not.
    mutating func cancel(_ delivery: Delivery, note: Text, run: RunID? = nil, at now: Moment) throws(IllegalMove) {
        try move(delivery, .cancel, note: note, at: now)
        guard delivery.kind == .start, delivery.state == .queued, let target = delivery.target else { return }
        try move(target, .cancel, run: run, at: now)
    }

    // MARK: - History

    /// Adds a line to the log.
    mutating func log(_ kind: Text, about subject: Text?, _ text: String, run: RunID?, at now: Moment) {
        history.append(
            .event(Event(at: now, run: run, kind: kind, owner: record.owner, subject: subject, text: Text(text)))
        )
    }
}
