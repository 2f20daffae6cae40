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
            let launch = instance.launch
        else { return }
        resolve(launch, as: resolution, of: instance, run: run, at: now)
    }

    /// Notes how a launch was reconciled.
    mutating func resolve(
        _ launch: LaunchID,
        as resolution: Resolution,
        of instance: Instance,
        run: RunID?,
        at now: Moment
    ) {
        let event = Event(
            at: now,
            run: run,
            kind: resolution.code,
            owner: record.owner,
            subject: launch.text,
            text: Text("on device \(instance.device): \(resolution.words)")
        )
        history.append(
            .resolution(LaunchResolution(launch: launch, resolution: resolution, target: instance.id, event: event))
        )
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
        guard changed != delivery else { return delivery }
        if let index = deliveries.firstIndex(where: { $0.after?.id == delivery.id }) {
            deliveries[index].after = changed
        } else {
            deliveries.append(RowChange(before: delivery, after: changed))
        }
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
            let next = try delivery.state.after(move, of: delivery.kind)
            // The first reason for being unknown stays true, whatever is done about it later.
            let isExplained = delivery.status == .unknown && next.status == .unknown
            if let note, !isExplained { delivery.answer.note = note }
            delivery.state = next
            delivery.answer.at = now
            guard move == .adopt else { return }
            // Earlier answers are in the log; the report is the one that settled it.
            delivery.answer.status = nil
            delivery.answer.reason = nil
            delivery.answer.note = "the device reported its launch"
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

extension Recorded {
    /// The deliveries of it that are not settled.
    public var openDeliveries: [Delivery] { instances.flatMap(\.pending) + devices.compactMap(\.widgets?.pending) }

    /// Puts an open delivery where the diff looks for it: with its instance, or, a reload, with its registration.
    public mutating func attach(_ delivery: Delivery) {
        if let target = delivery.target {
            guard let index = instances.firstIndex(where: { $0.id == target }) else { return }
            instances[index].pending.append(delivery)
        } else if let registration = delivery.registration {
            guard let index = devices.firstIndex(where: { $0.widgets?.id.text == registration }) else { return }
            devices[index].widgets?.pending = delivery
        }
    }

    /// Puts another value in the place of a delivery, or takes it away.
    mutating func replace(_ delivery: Delivery, with next: Delivery?) {
        if let target = delivery.target {
            guard let index = instances.firstIndex(where: { $0.id == target }),
                let place = instances[index].pending.firstIndex(where: { $0.id == delivery.id })
            else { return }
            instances[index].pending.replaceSubrange(place...place, with: next.map { [$0] } ?? [])
        } else if let index = devices.firstIndex(where: { $0.widgets?.pending?.id == delivery.id }) {
            devices[index].widgets?.pending = next
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
