internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// What `reload` reads and writes.
extension Ledger {
    /// A live widget push token of an addressed subscriber.
    struct ReloadTarget {
        var owner: Owner
        var device: Text
        var registration: WidgetRegistration
    }

    /// The live widget push tokens of some subscribers, aliases resolved, each once.
    func reloadTargets(of subscribers: [Text], apps: [Text]) throws -> [ReloadTarget] {
        var targets: [ReloadTarget] = []
        for app in apps {
            var seen: Set<Text> = []
            for subscriber in subscribers {
                let person = try resolve(subscriber, app: app)
                guard seen.insert(person).inserted else { continue }
                let owner = Owner(subscriber: person, app: app)
                try database.each(
                    """
                    SELECT device, \(WidgetRegistration.columns) FROM widget_registrations
                    WHERE subscriber = ? AND app = ? AND token IS NOT NULL ORDER BY device
                    """,
                    .text(person),
                    .text(app)
                ) { row in
                    targets.append(
                        ReloadTarget(
                            owner: owner,
                            device: row.text(0),
                            registration: try WidgetRegistration(row: row, from: 1)
                        )
                    )
                }
            }
        }
        return targets
    }

    /// Queues one reload; one that waits already is sent in its place.
    ///
    /// - Returns: The delivery; `nil` where the day's quota has no room for it.
    func queueReload(
        of target: ReloadTarget,
        operations: inout [Owner: OperationID],
        in step: inout StepContext
    ) throws -> DeliveryID? {
        let waiting = try database.first(
            """
            SELECT id FROM deliveries WHERE subscriber = ? AND app = ? AND open = 1 AND registration = ?
            """,
            .text(target.owner.subscriber),
            .text(target.owner.app),
            .text(target.registration.id.text)
        ) { DeliveryID($0.text(0)) }
        if let waiting {
            try database.run("UPDATE deliveries SET not_before = 0 WHERE id = ?", .text(waiting.text))
            return waiting
        }
        let device = Device(id: target.device, widgets: target.registration)
        var transition = Transition(Recorded(owner: target.owner, devices: [device]))
        let queued = transition.queueReload(of: target.registration, operations[target.owner], in: &step)
        guard let delivery = queued else { return nil }
        operations[target.owner] = delivery.operation
        var changes = LedgerChanges()
        changes.add(transition)
        try write(changes)
        return delivery.id
    }

    /// How a delivery stands: its status, APNs's reason, and a note where there was no answer.
    func standing(of id: DeliveryID) throws -> (status: Text, apnsStatus: Int64?, reason: Text?, note: Text?)? {
        try database.first(
            "SELECT status, apns_status, apns_reason, note FROM deliveries WHERE id = ?",
            .text(id.text)
        ) { ($0.text(0), $0.optionalInteger(1), $0.optionalText(2), $0.optionalText(3)) }
    }

    /// What an idempotency key was first used for.
    func reloadRequest(key: Text) throws -> (request: Text, entries: Value)? {
        try database.first("SELECT request, results FROM idempotency WHERE key = ?", .text(key)) {
            ($0.text(0), try $0.json(1))
        }
    }

    func keepReloadRequest(key: Text, request: Text, entries: Value, at now: Moment) throws {
        try database.run(
            "INSERT INTO idempotency (key, request, results, at) VALUES (?, ?, ?, ?)",
            .text(key),
            .text(request),
            SQLiteValue(json: entries),
            .moment(now)
        )
    }
}
