internal import JSON
internal import Time

/// The record of one owner on its way through a decision: the record after it, and what happens beyond the record.
///
/// The rules of what a commit, a dispatch, an answer or a revocation does are its methods. A store writes what differs
/// between ``before`` and ``record``, and what is listed beside, see ``LedgerChanges``; it decides nothing. A record may be
/// a part of what the ledger holds of an owner: what is not in it stays as it is.
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

    // MARK: - History

    /// Adds a line to the log.
    mutating func log(_ kind: Text, about subject: Text?, _ text: String, run: RunID?, at now: Moment) {
        history.append(
            .event(Event(at: now, run: run, kind: kind, owner: record.owner, subject: subject, text: Text(text)))
        )
    }
}

extension Delivery {
    /// Moves it on, and notes when.
    mutating func move(_ move: DeliveryMove, note: Text? = nil, at now: Moment) throws(IllegalMove) {
        let next = try state.after(move, of: kind)
        // The first reason for being unknown stays true, whatever is done about it later.
        let isExplained = status == .unknown && next.status == .unknown
        if let note, !isExplained { answer.note = note }
        state = next
        answer.at = now
        guard move == .adopt else { return }
        // Earlier answers are in the log; the report is the one that settled it.
        answer.status = nil
        answer.reason = nil
        answer.note = "the device reported its launch"
    }
}

extension [RowChange<Delivery>] {
    /// Notes what a delivery is now; each delivery is in the list once.
    mutating func note(_ delivery: Delivery, is changed: Delivery) {
        if let index = firstIndex(where: { $0.after?.id == delivery.id }) {
            self[index].after = changed
        } else {
            append(RowChange(before: delivery, after: changed))
        }
    }
}

extension LaunchResolution {
    /// The reconciliation of an instance's launch, with its line of the log; `nil` where it has no launch of ours.
    init?(_ resolution: Resolution, of instance: Instance, owner: Owner, run: RunID?, at now: Moment) {
        guard let launch = instance.launch else { return nil }
        let event = Event(
            at: now,
            run: run,
            kind: resolution.code,
            owner: owner,
            subject: launch.text,
            text: Text("on device \(instance.device): \(resolution.words)")
        )
        self.init(launch: launch, resolution: resolution, target: instance.id, event: event)
    }
}

extension Recorded {
    /// The deliveries of it that are not settled.
    public var openDeliveries: [Delivery] {
        instances.flatMap(\.pending) + devices.compactMap(\.widgets?.pending) + strays
    }

    /// Puts an open delivery where the diff looks for it: with its instance, or, a reload, with its registration.
    public mutating func attach(_ delivery: Delivery) {
        if let target = delivery.target, let index = instances.firstIndex(where: { $0.id == target }) {
            instances[index].pending.append(delivery)
        } else if let registration = delivery.registration,
            let index = devices.firstIndex(where: { $0.widgets?.id.text == registration })
        {
            devices[index].widgets?.pending = delivery
        } else {
            strays.append(delivery)
        }
    }

    /// Puts another value in the place of a delivery, or takes it away.
    mutating func replace(_ delivery: Delivery, with next: Delivery?) {
        if let index = instances.firstIndex(where: { $0.id == delivery.target }),
            let place = instances[index].pending.firstIndex(where: { $0.id == delivery.id })
        {
            instances[index].pending.replaceSubrange(place...place, with: next.map { [$0] } ?? [])
        } else if let index = devices.firstIndex(where: { $0.widgets?.pending?.id == delivery.id }) {
            devices[index].widgets?.pending = next
        } else if let index = strays.firstIndex(where: { $0.id == delivery.id }) {
            strays.replaceSubrange(index...index, with: next.map { [$0] } ?? [])
        }
    }
}

extension Resolution {
    /// The stable code of its line in the log.
    var code: Text { self == .duplicateEnded ? "duplicate_ended" : rawValue }

    /// Its line in the log.
    var words: String {
        switch self {
        case .adopted: "the device reported its launch"
        case .failed: "its start was refused"
        case .unconfirmed: "the device did not report it in time; it may be shown or not"
        case .expired: "the device never reported it, and it cannot be shown any more"
        case .duplicateEnded: "ended; another instance of the same declaration was kept"
        case .replaced: "ended; a newer instance took its place"
        }
    }
}
