internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// Every move of a delivery and of a launch, by the state machines of `Diff`: what they forbid is not written.
extension Ledger {
    // MARK: - Deliveries

    /// One delivery as far as its moves need it.
    struct StoredDelivery {
        var id: DeliveryID
        var kind: Action.Kind
        var state: DeliveryState
        var target: TargetID?
        var content: Text?
    }

    /// The deliveries that meet a condition.
    func deliveries(where condition: String, _ values: SQLiteValue...) throws -> [StoredDelivery] {
        let statement = try database.cached(
            "SELECT id, kind, status, open, target, content FROM deliveries WHERE \(condition) ORDER BY id"
        )
        try statement.bind(values)
        defer { statement.reset() }
        var found: [StoredDelivery] = []
        while try statement.step() {
            guard let kind = Action.Kind(rawValue: statement.text(1)),
                let status = DeliveryStatus(rawValue: statement.text(2))
            else { throw UnreadableRow(table: "deliveries", detail: statement.text(0).string) }
            found.append(
                StoredDelivery(
                    id: DeliveryID(statement.text(0)),
                    kind: kind,
                    state: DeliveryState(status, isOpen: statement.integer(3) != 0),
                    target: statement.optionalText(4).map { TargetID($0) },
                    content: statement.optionalText(5)
                )
            )
        }
        return found
    }

    /// Moves deliveries on; one that is being sent settles by its own answer.
    func move(
        _ deliveries: [StoredDelivery],
        _ move: DeliveryMove,
        note: Text? = nil,
        at now: Moment
    ) throws {
        for delivery in deliveries where move == .lose || move == .adopt || delivery.state.status != .dispatching {
            let next = try delivery.state.after(move, of: delivery.kind)
            // Why it is unknown stays true, whatever is done about it later.
            let isExplained = delivery.state.status == .unknown && next.status == .unknown
            try database.run(
                "UPDATE deliveries SET status = ?, open = ?, answered_at = ?, note = coalesce(?, note) WHERE id = ?",
                .text(next.status.rawValue),
                SQLiteValue(next.isOpen),
                .moment(now),
                SQLiteValue(isExplained ? nil : note),
                .text(delivery.id.text)
            )
            guard move == .adopt else { continue }
            // What was answered before, or was not, is in the log; this is what settled it.
            try database.run(
                "UPDATE deliveries SET apns_status = NULL, apns_reason = NULL, note = ? WHERE id = ?",
                "the device reported its launch",
                .text(delivery.id.text)
            )
        }
    }

    /// Takes what waits for an instance out of sending.
    func move(
        deliveriesOf target: TargetID,
        kind: Action.Kind? = nil,
        _ move: DeliveryMove,
        note: Text? = nil,
        at now: Moment
    ) throws {
        let open = try deliveries(
            where: "target = ?1 AND open = 1 AND (?2 IS NULL OR kind = ?2)",
            .text(target.text),
            SQLiteValue(kind?.rawValue)
        )
        try self.move(open, move, note: note, at: now)
    }

    // MARK: - Launches

    /// A launch as far as its moves need it.
    private struct Standing {
        var phase: Instance.Phase
        var ending: Instance.Closure?
        var isReported: Bool
        var launch: LaunchID?
        var device: Text
        var owner: Owner
    }

    private func standing(of target: TargetID) throws -> Standing? {
        try database.first(
            """
            SELECT phase, closure, ending, registered_at, launch, device, subscriber, app FROM instances WHERE id = ?
            """,
            .text(target.text)
        ) { row in
            guard let phase = Instance.Phase(name: row.text(0), closure: row.optionalText(1)) else {
                throw UnreadableRow(table: "instances", detail: target.text.string)
            }
            return Standing(
                phase: phase,
                ending: row.optionalText(2).flatMap(Instance.Closure.init(rawValue:)),
                isReported: row.integer(3) > 0,
                launch: row.optionalText(4).map { LaunchID($0) },
                device: row.text(5),
                owner: Owner(subscriber: row.text(6), app: row.text(7))
            )
        }
    }

    /// Moves a launch, or the instance that it became, on; what that resolves is noted.
    ///
    /// - Throws: ``IllegalMove``, ``LedgerError``.
    func move(_ target: TargetID, _ move: LaunchMove, run: RunID?, at now: Moment) throws {
        guard let standing = try standing(of: target) else { return }
        let next = try standing.phase.after(move)
        try database.run(
            "UPDATE instances SET phase = ?, closure = ? WHERE id = ?",
            .text(next.word),
            SQLiteValue(next.closure?.rawValue),
            .text(target.text)
        )
        guard let resolution = Resolution.of(standing.phase, to: next, isReported: standing.isReported) else { return }
        try resolve(
            standing.launch,
            resolution,
            target: target,
            owner: standing.owner,
            device: standing.device,
            run: run,
            at: now
        )
    }

    /// Closes a running instance for the reason that it was to end for, or else for this one; nothing where it is over.
    func close(_ target: TargetID, orElse cause: Instance.Closure, run: RunID?, at now: Moment) throws {
        guard let standing = try standing(of: target), standing.phase == .running else { return }
        try move(target, .close(standing.ending ?? cause), run: run, at: now)
    }

    /// Notes how a launch was reconciled: a row of the ledger and a line of the log, once.
    func resolve(
        _ launch: LaunchID?,
        _ resolution: Resolution,
        target: TargetID,
        owner: Owner,
        device: Text,
        run: RunID?,
        at now: Moment
    ) throws {
        guard let launch else { return }
        try database.run(
            """
            INSERT INTO resolutions (launch, resolution, target, at, run) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (launch, target, resolution) DO NOTHING
            """,
            .text(launch.text),
            .text(resolution.rawValue),
            .text(target.text),
            .moment(now),
            SQLiteValue(run?.text)
        )
        guard database.changes > 0 else { return }
        try note(
            Event(
                at: now,
                run: run,
                kind: resolution.code,
                owner: owner,
                subject: launch.text,
                text: Text("on device \(device): \(resolution.words)")
            )
        )
    }
}

extension Resolution {
    /// The stable code of its line in the log.
    fileprivate var code: Text { self == .duplicateEnded ? "duplicate_ended" : rawValue }

    fileprivate var words: String {
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
