internal import Diff
internal import Foreign
internal import JSON

/// Marking deliveries `dispatching`, with what they carry.
extension Ledger {
    /// What may be sent: what is queued, and again what is unknown; but a start never on a guess: its launch stays
    /// outstanding until the device reports it.
    private static let isSendable = "(status = 'queued' OR status = 'unknown' AND kind <> 'start')"

    /// The next deliveries of one app and environment that are due, after a place in the order of sending.
    func due(
        app: Text,
        environment: PushEnvironment,
        after place: SendingPlace,
        at now: Int64,
        limit: Int
    ) throws -> [QueuedDelivery] {
        var deliveries: [QueuedDelivery] = []
        try database.each(
            """
            SELECT d.id, d.kind, d.subscriber, d.device, d.target, d.registration, d.status, d.rank, d.commit_number,
                d.attempts, i.name
            FROM deliveries AS d LEFT JOIN instances AS i ON i.id = d.target
            WHERE d.app = ? AND d.environment = ? AND d.open = 1
                AND (d.rank, d.commit_number, d.subscriber, d.id) > (?, ?, ?, ?)
                AND d.not_before <= ? AND \(Self.isSendable)
            ORDER BY d.rank, d.commit_number, d.subscriber, d.id LIMIT ?
            """,
            .text(app),
            .text(environment.rawValue),
            .integer(place.rank),
            .integer(place.commit),
            .text(place.subscriber),
            .text(place.id),
            .integer(now),
            .integer(Int64(limit))
        ) { row in
            guard let kind = Action.Kind(rawValue: row.text(1)), let status = Pending.Status(rawValue: row.text(6))
            else { throw UnreadableRow(table: "deliveries", detail: row.text(0).string) }
            deliveries.append(
                QueuedDelivery(
                    id: DeliveryID(row.text(0)),
                    kind: kind,
                    owner: Owner(subscriber: row.text(2), app: app),
                    device: row.text(3),
                    target: row.optionalText(4).map { TargetID($0) },
                    registration: row.optionalText(5),
                    status: status,
                    place: SendingPlace(
                        rank: row.integer(7),
                        commit: row.integer(8),
                        subscriber: row.text(2),
                        id: row.text(0)
                    ),
                    attempts: row.integer(9),
                    name: row.optionalText(10)
                )
            )
        }
        return deliveries
    }

    /// The apps and environments that have deliveries to send now.
    func lanes(at now: Int64) throws -> [(app: Text, environment: PushEnvironment)] {
        var lanes: [(Text, PushEnvironment)] = []
        try database.each(
            """
            SELECT DISTINCT app, environment FROM deliveries
            WHERE open = 1 AND not_before <= ? AND \(Self.isSendable) ORDER BY app, environment
            """,
            .integer(now)
        ) { lanes.append(($0.text(0), try $0.environment(1))) }
        return lanes
    }

    /// Makes the pushes of a batch of deliveries and marks them `dispatching`, durably, before a byte of them is sent.
    ///
    /// - Returns: The pushes; a delivery that turned out to be pointless is cancelled and has none.
    func dispatch(_ deliveries: [QueuedDelivery], at now: Int64) throws -> [Outgoing] {
        try transaction {
            // A backup from before they were sent must show that it is one.
            if deliveries.contains(where: { $0.kind == .start }) { _ = try nextCommit() }
            var pushes: [Outgoing] = []
            for delivery in deliveries {
                guard let push = try outgoing(delivery, at: now) else {
                    try drop(delivery, at: now)
                    continue
                }
                try mark(push, at: now)
                pushes.append(push)
            }
            return pushes
        }
    }

    private func outgoing(_ delivery: QueuedDelivery, at now: Int64) throws -> Outgoing? {
        switch delivery.kind {
        case .reload: try reload(delivery, at: now)
        case .start: try start(delivery, at: now)
        case .update: try update(delivery, at: now)
        case .end: try end(delivery, at: now)
        }
    }

    private func reload(_ delivery: QueuedDelivery, at now: Int64) throws -> Outgoing? {
        guard let id = delivery.registration else { return nil }
        let commit = try lastCommit()
        return try database.first(
            "SELECT token, at FROM widget_registrations WHERE id = ? AND token IS NOT NULL",
            .text(id)
        ) { row in
            Outgoing(
                delivery: delivery,
                token: row.text(0),
                tokenAt: row.integer(1),
                content: .reload,
                revision: commit,
                timestamp: now / 1000,
                expiration: now / 1000 + 24 * 3600
            )
        }
    }

    /// The instance and the committed declaration of a delivery.
    private func subject(
        _ delivery: QueuedDelivery
    ) throws -> (instance: Instance, declaration: ActivityDeclaration?, isRemoved: Bool, lastTimestamp: Int64)? {
        guard let target = delivery.target else { return nil }
        let found = try database.first(
            "SELECT last_timestamp, \(Instance.columns) FROM instances WHERE id = ?",
            .text(target.text)
        ) { (try Instance(row: $0, from: 1), $0.integer(0)) }
        guard let (instance, lastTimestamp) = found else { return nil }
        let declared = try database.first(
            "SELECT \(RecordedActivity.columns) FROM activities WHERE subscriber = ? AND app = ? AND name = ?",
            .text(delivery.owner.subscriber),
            .text(delivery.owner.app),
            .text(instance.name)
        ) { try RecordedActivity(row: $0, from: 0) }
        return (instance, declared?.declaration, declared?.isRemoved ?? true, lastTimestamp)
    }

    private func start(_ delivery: QueuedDelivery, at now: Int64) throws -> Outgoing? {
        guard let (instance, declaration, isRemoved, _) = try subject(delivery), instance.phase == .queued,
            let launch = instance.launch, let declaration, !isRemoved, declaration.end == nil,
            declaration.staleAt.map({ $0 * 1000 > now }) ?? true, let id = delivery.registration
        else { return nil }
        return try database.first(
            "SELECT token, at, os FROM start_targets WHERE id = ? AND token IS NOT NULL",
            .text(id)
        ) { row in
            let os = row.os(2)
            return Outgoing(
                delivery: delivery,
                token: row.text(0),
                tokenAt: row.integer(1),
                content: .start(
                    attributesType: instance.attributesType,
                    attributes: instance.attributes ?? .object(Object()),
                    launch: launch,
                    content: declaration.content,
                    isSilent: instance.replaces != nil,
                    asksForToken: os.map { $0 >= .inputPushToken } ?? true
                ),
                revision: instance.revision,
                timestamp: now / 1000,
                expiration: now / 1000 + 3600
            )
        }
    }

    private func update(_ delivery: QueuedDelivery, at now: Int64) throws -> Outgoing? {
        guard let (instance, declaration, isRemoved, lastTimestamp) = try subject(delivery),
            instance.phase == .running, instance.ending == nil, let token = instance.token, let declaration, !isRemoved,
            declaration.end == nil
        else { return nil }
        let content = declaration.content
        // A resend of what may have arrived carries the same content again, silently.
        if content == instance.shown, delivery.status != .unknown { return nil }
        // Of a restored ledger nobody knows whether it rang before.
        let rings =
            !isRestored && content.alert != nil && instance.shown != nil && content.alert != instance.shown?.alert
        let lifetime = (instance.startedAt + Instance.lifetime) / 1000
        let staleAt = content.staleAt.flatMap { $0 * 1000 > now ? $0 : nil }
        return Outgoing(
            delivery: delivery,
            token: token,
            tokenAt: instance.tokenAt,
            content: .update(content, rings: rings, isHigh: try isHigh(declaration, instance, delivery)),
            revision: instance.revision,
            timestamp: max(now / 1000, lastTimestamp + 1),
            expiration: staleAt ?? lifetime
        )
    }

    /// Whether silent updates go at priority 10: declared so, and the person did not switch frequent pushes off.
    private func isHigh(
        _ declaration: ActivityDeclaration,
        _ instance: Instance,
        _ delivery: QueuedDelivery
    ) throws -> Bool {
        guard declaration.priority == .high else { return false }
        let allowed = try database.first(
            "SELECT frequent_pushes FROM start_targets WHERE app = ? AND device = ? AND attributes_type = ?",
            .text(delivery.owner.app),
            .text(instance.device),
            .text(instance.attributesType)
        ) { $0.optionalInteger(0) }
        return allowed != .some(.some(0))
    }

    private func end(_ delivery: QueuedDelivery, at now: Int64) throws -> Outgoing? {
        guard let (instance, declaration, _, lastTimestamp) = try subject(delivery), instance.phase == .running,
            let cause = instance.ending, let token = instance.token
        else { return nil }
        let timestamp = max(now / 1000, lastTimestamp + 1)
        let declaredEnd = cause == .declaredEnd ? declaration?.end : nil
        let state = declaredEnd?.state ?? (declaredEnd == nil ? instance.shown?.state : nil) ?? declaration?.state
        // Certainly past, whatever the device's clock.
        let gone = now / 1000 - 3600
        let dismissAt: Int64? =
            switch (cause, declaredEnd?.dismissAt) {
            case (.declaredEnd, .at(let seconds)): seconds
            case (.declaredEnd, .now): gone
            case (.declaredEnd, nil): nil
            default: gone
            }
        return Outgoing(
            delivery: delivery,
            token: token,
            tokenAt: instance.tokenAt,
            content: .end(state: state ?? .object(Object()), dismissAt: dismissAt),
            revision: instance.revision,
            timestamp: timestamp,
            expiration: (instance.startedAt + Instance.unknownLaunchHold) / 1000
        )
    }

    // MARK: - Marks

    private func mark(_ push: Outgoing, at now: Int64) throws {
        let content: Value? =
            switch push.content {
            case .reload: nil
            case .start(_, _, _, let content, _, _): content.value
            case .update(let content, _, _): content.value
            case .end(let state, _): ActivityContent(state: state).value
            }
        try database.run(
            """
            UPDATE deliveries SET status = 'dispatching', revision = ?, content = ?, attempts = attempts + 1,
                dispatched_at = coalesce(dispatched_at, ?), note = NULL WHERE id = ?
            """,
            .integer(push.revision),
            SQLiteValue(json: content),
            .integer(now),
            .text(push.delivery.id.text)
        )
        guard let target = push.delivery.target else { return }
        try database.run(
            "UPDATE instances SET last_timestamp = ? WHERE id = ?",
            .integer(push.timestamp),
            .text(target.text)
        )
        if push.delivery.kind == .start {
            try database.run(
                "UPDATE instances SET phase = 'outstanding', started_at = ?, shown = ? WHERE id = ?",
                .integer(now),
                SQLiteValue(json: content),
                .text(target.text)
            )
        }
    }

    /// A delivery that has nothing to do any more: what is unknown stays so, what is queued is cancelled.
    private func drop(_ delivery: QueuedDelivery, at now: Int64) throws {
        try database.run(
            """
            UPDATE deliveries SET \(Self.closing(as: "cancelled")),
                answered_at = ?, note = 'nothing left to send' WHERE id = ?
            """,
            .integer(now),
            .text(delivery.id.text)
        )
        guard delivery.kind == .start, let target = delivery.target else { return }
        try database.run(
            "UPDATE instances SET phase = 'cancelled' WHERE id = ? AND phase = 'queued'",
            .text(target.text)
        )
    }
}
