internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// What `reload` reads and writes.
extension Ledger {
    /// The live widget push tokens of some subscribers, with the reloads that wait for them: each owner once, aliases
    /// resolved.
    func reloadTargets(of subscribers: [Text], apps: [Text]) throws -> [Recorded] {
        var records: [Recorded] = []
        for app in apps {
            var seen: Set<Text> = []
            for subscriber in subscribers {
                let person = try resolve(subscriber, app: app)
                guard seen.insert(person).inserted else { continue }
                records.append(try reloadTargets(of: Owner(subscriber: person, app: app)))
            }
        }
        return records
    }

    private func reloadTargets(of owner: Owner) throws -> Recorded {
        var record = Recorded(owner: owner)
        let key = [SQLiteValue.text(owner.subscriber), .text(owner.app)]
        let live = """
            SELECT device, \(WidgetRegistration.columns) FROM widget_registrations
            WHERE subscriber = ? AND app = ? AND token IS NOT NULL ORDER BY device
            """
        try database.each(live, values: key) { row in
            record.devices.append(Device(id: row.text(0), widgets: try WidgetRegistration(row: row, from: 1)))
        }
        let kind = SQLiteValue.text(Action.Kind.reload.rawValue)
        for reload in try openDeliveries(where: "subscriber = ? AND app = ? AND kind = ?", key + [kind]) {
            record.attach(reload)
        }
        return record
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
