internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// A reload as its idempotency key keeps it.
struct ReloadRequest {
    /// The addressed subscribers.
    var subscribers: [Text]
    /// The decisions about their tokens.
    var entries: [ReloadEntry]
}

/// Reads and keeps in a ledger what `reload` is about.
struct ReloadReader {
    private let ledger: Ledger

    private var database: Database { ledger.database }

    init(_ ledger: Ledger) {
        self.ledger = ledger
    }

    /// The live widget push tokens of some subscribers, with the reloads that wait for them: each owner once, aliases
    /// resolved.
    func records(of subscribers: [Text], apps: [Text]) throws -> [Recorded] {
        var records: [Recorded] = []
        for app in apps {
            var seen: Set<Text> = []
            for subscriber in subscribers {
                let person = try ledger.resolve(subscriber, app: app)
                guard seen.insert(person).inserted else { continue }
                records.append(try self.records(of: Owner(subscriber: person, app: app)))
            }
        }
        return records
    }

    private func records(of owner: Owner) throws -> Recorded {
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
        for reload in try ledger.openDeliveries(where: "subscriber = ? AND app = ? AND kind = ?", key + [kind]) {
            record.attach(reload)
        }
        return record
    }

    /// The results of decisions, as the pushes that they queued stand now.
    func results(of entries: [ReloadEntry]) throws -> [ReloadResult] {
        try entries.map { entry in
            guard case .queued(let id) = entry.decision else { return ReloadResult(of: entry, nil) }
            return ReloadResult(of: entry, try database.deliveries(where: "id = ?", .text(id.text)).first)
        }
    }

    /// The reload that an idempotency key was first used for.
    func request(key: Text) throws -> ReloadRequest? {
        try database.first("SELECT request, results FROM idempotency WHERE key = ?", .text(key)) { row in
            let entries = try row.json(1).array ?? []
            return ReloadRequest(subscribers: try row.texts(0), entries: try entries.map { try ReloadEntry(row: $0) })
        }
    }

    /// Keeps a reload under its idempotency key.
    func keep(_ request: ReloadRequest, key: Text, at now: Moment) throws {
        try database.run(
            "INSERT INTO idempotency (key, request, results, at) VALUES (?, ?, ?, ?)",
            .text(key),
            SQLiteValue(texts: request.subscribers),
            SQLiteValue(json: .array(request.entries.map(\.row))),
            .moment(now)
        )
    }
}

extension ReloadEntry {
    /// The entry as a row keeps it.
    fileprivate var row: Value {
        switch decision {
        case .queued(let delivery): ["id": .string(id.text), "delivery": .string(delivery.text)]
        case .refused(let obstacle):
            [
                "id": .string(id.text), "code": .string(obstacle.code.rawValue),
                "reason": obstacle.reason.map(Value.string) ?? .null,
            ]
        }
    }

    /// Reads ``row`` back.
    fileprivate init(row: Value) throws {
        let id = WidgetsID(row["id"]?.text ?? "")
        if let delivery = row["delivery"]?.text {
            self.init(id: id, .queued(DeliveryID(delivery)))
        } else if let code = row["code"]?.text.flatMap(ReloadObstacle.Code.init(rawValue:)) {
            self.init(id: id, .refused(ReloadObstacle(code, row["reason"]?.text)))
        } else {
            throw UnreadableRow(table: "idempotency", detail: row.canonical)
        }
    }
}
