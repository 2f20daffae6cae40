internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// What `status` shows, as JSON objects; tokens by their first 8 digits.
extension Ledger {
    /// The counts of the whole ledger.
    func overview() throws -> Value {
        var object = Object()
        object["lineage"] = try fact("lineage").map(Value.string)
        object["commit"] = .integer(try lastStep().number)
        object["source"] = try appliedCommit().map { .string(Text($0)) }
        let counts: [(Text, String)] = [
            ("devices", "SELECT count(*) FROM devices WHERE subscriber IS NOT NULL"),
            ("widgets", "SELECT count(*) FROM widgets"),
            ("activities", "SELECT count(*) FROM activities WHERE removed = 0"),
            ("running", "SELECT count(*) FROM instances WHERE phase = 'running'"),
            ("outstanding", "SELECT count(*) FROM instances WHERE phase = 'outstanding'"),
            ("unconfirmed", "SELECT count(*) FROM instances WHERE phase = 'unconfirmed'"),
            ("queued", "SELECT count(*) FROM deliveries WHERE open = 1 AND status = 'queued'"),
            ("unknown", "SELECT count(*) FROM deliveries WHERE open = 1 AND status = 'unknown'"),
        ]
        for (key, sql) in counts { object[key] = try database.first(sql) { .integer($0.integer(0)) } }
        object["faults"] = .array(
            try rows("SELECT app, environment, reason, since FROM faults ORDER BY app, environment") {
                ["app": $0.string(0), "environment": $0.string(1), "reason": $0.string(2), "since": $0.time(3)]
            }
        )
        object["restoredSince"] = try moment("restored").map {
            .string(Text(RFC3339.string($0)))
        }
        object["lastRun"] = try rows(Self.runs + " ORDER BY started_at DESC LIMIT 1", read: Self.run).first
        return .object(object)
    }

    /// Everything of one subscriber, aliases resolved; `nil` where nothing was ever recorded.
    func status(
        of subscriber: Text,
        apps: [Text],
        at now: Moment,
        publishedPath: (Owner) -> String?
    ) throws -> Value? {
        var found: [Value] = []
        for app in apps {
            let owner = Owner(subscriber: try resolve(subscriber, app: app), app: app)
            let cursor = try RecordedCursor(self, range: .only(owner.subscriber))
            let recorded = try cursor.take(owner)
            guard recorded != Recorded(owner: owner) else { continue }
            var object = Object()
            object["subscriber"] = .string(owner.subscriber)
            object["app"] = .string(app)
            object["published"] = publishedPath(owner).map { .string(Text($0)) }
            let context = StatusContext(
                owner: owner,
                scopes: try scopes(),
                pending: recorded.pendingStartTargets(at: now)
            )
            let scope = context.scopes[.subscriber(owner.subscriber)]
            object["scope"] = .integer(scope.number)
            object["paused"] = .bool(scope.isPaused)
            object["revoked"] = .bool(scope.isRevoked)
            object["widgets"] = .array(recorded.widgets.map { context.value(of: $0, on: recorded.devices) })
            object["activities"] = .array(recorded.activities.map(\.status))
            object["devices"] = .array(recorded.devices.map(context.value))
            object["instances"] = .array(recorded.instances.map(context.value))
            found.append(.object(object))
        }
        return found.isEmpty ? nil : .array(found)
    }

    /// Anything by its id; `nil` where there is no such thing.
    func status(id: Text, at now: Moment) throws -> Value? {
        let value = SQLiteValue.text(id)
        switch id.string.prefix(while: { $0 != "_" }) {
        case "tgt":
            return try instance("id = ?", value) ?? widget(id)
        case "lrq":
            return try instance("launch = ?", value)
        case "wgt":
            return try rows(
                "SELECT app, device, subscriber, \(WidgetRegistration.columns) FROM widget_registrations WHERE id = ?",
                value
            ) { try Self.registered($0, context(of: $0).value(of: WidgetRegistration(row: $0, from: 3))) }.first
        case "stt":
            return try rows(
                "SELECT app, device, subscriber, \(StartTarget.columns) FROM start_targets WHERE id = ?",
                value
            ) { try startTarget($0, at: now) }.first
        case "op":
            return try operation(id)
        case "dlv":
            return try rows(Self.deliveries + " WHERE id = ?", value, read: Self.delivery).first
        case "run":
            return try rows(Self.runs + " WHERE id = ?", value, read: Self.run).first
        default:
            return nil
        }
    }

    private func rows(
        _ sql: String,
        _ values: SQLiteValue...,
        read: (Statement) throws -> Value
    ) throws -> [Value] {
        let statement = try database.prepare(sql)
        try statement.bind(values)
        var rows: [Value] = []
        while try statement.step() { rows.append(try read(statement)) }
        return rows
    }

    private func instance(_ condition: String, _ value: SQLiteValue) throws -> Value? {
        try rows("SELECT subscriber, app, \(Instance.columns) FROM instances WHERE \(condition)", value) { row in
            let instance = try Instance(row: row, from: 2)
            let owner = Owner(row: row)
            let context = StatusContext(owner: owner, scopes: try scopes())
            var object = context.value(of: instance).object ?? Object()
            object["subscriber"] = row.string(0)
            object["app"] = row.string(1)
            object["deliveries"] = .array(
                try rows(
                    Self.deliveries + " WHERE target = ? ORDER BY id",
                    .text(instance.id.text),
                    read: Self.delivery
                )
            )
            return .object(object)
        }.first
    }

    /// An operation, whose status follows from its deliveries.
    private func operation(_ id: Text) throws -> Value? {
        try rows("SELECT kind, subscriber, app, run, commit_number, created_at FROM operations WHERE id = ?", .text(id))
        {
            let deliveries = try rows(
                Self.deliveries + " WHERE operation = ? ORDER BY id",
                .text(id),
                read: Self.delivery
            )
            let status = OperationStatus.following(
                deliveries.compactMap { $0["status"]?.text.flatMap(DeliveryStatus.init(rawValue:)) }
            )
            return [
                "id": .string(id), "kind": $0.string(0), "subscriber": $0.string(1), "app": $0.string(2),
                "run": $0.string(3), "commit": $0.number(4), "createdAt": $0.time(5),
                "status": status.map { .string($0.rawValue) } ?? .null, "deliveries": .array(deliveries),
            ]
        }.first
    }

    /// The context of a registration's row, whose first and third columns are app and subscriber.
    private func context(of row: Statement) throws -> StatusContext {
        StatusContext(owner: Owner(subscriber: row.optionalText(2) ?? "", app: row.text(0)), scopes: try scopes())
    }

    private func startTarget(_ row: Statement, at now: Moment) throws -> Value {
        var context = try context(of: row)
        if !row.isNull(2) {
            let recorded = try RecordedCursor(self, range: .only(context.owner.subscriber)).take(context.owner)
            context.pending = recorded.pendingStartTargets(at: now)
        }
        return Self.registered(row, context.value(of: try StartTarget(row: row, from: 3)))
    }

    /// A widget declaration by its target id.
    private func widget(_ id: Text) throws -> Value? {
        let owner = try database.first("SELECT subscriber, app FROM widgets WHERE target = ?", .text(id)) {
            Owner(row: $0)
        }
        guard let owner else { return nil }
        let recorded = try RecordedCursor(self, range: .only(owner.subscriber)).take(owner)
        let context = StatusContext(owner: owner, scopes: try scopes())
        return recorded.widgets.first { $0.id.text == id }.map { widget in
            var object = context.value(of: widget, on: recorded.devices).object ?? Object()
            object["kind"] = "widget"
            object["subscriber"] = .string(owner.subscriber)
            object["app"] = .string(owner.app)
            object["changedCommit"] = .integer(widget.changedStep.number)
            return .object(object)
        }
    }

    private static func registered(_ row: Statement, _ status: Value) -> Value {
        var object = status.object ?? Object()
        object["app"] = row.string(0)
        object["device"] = row.string(1)
        object["subscriber"] = row.string(2)
        return .object(object)
    }

    private static let deliveries = """
        SELECT id, operation, kind, device, status, created_at, dispatched_at, attempts, apns_id, apns_status, apns_reason,
            note, answered_at, cost, quota_day FROM deliveries
        """

    private static func delivery(_ row: Statement) -> Value {
        [
            "id": row.string(0), "operation": row.string(1), "kind": row.string(2), "device": row.string(3),
            "status": row.string(4), "createdAt": row.time(5), "dispatchedAt": row.time(6), "attempts": row.number(7),
            "apnsId": row.string(8), "apnsStatus": row.number(9), "reason": row.string(10), "note": row.string(11),
            "answeredAt": row.time(12), "cost": row.number(13),
            "quotaDay": row.optionalInteger(14).map { .string(Text(UTCDay($0).text)) } ?? .null,
        ]
    }

    private static let runs = "SELECT id, command, host, user, pid, started_at, ended_at, status, source FROM runs"

    private static func run(_ row: Statement) -> Value {
        [
            "id": row.string(0), "command": row.string(1), "host": row.string(2), "user": row.string(3),
            "pid": row.number(4), "startedAt": row.time(5), "endedAt": row.time(6), "exitStatus": row.number(7),
            "source": row.string(8),
        ]
    }
}

extension Statement {
    func string(_ column: Int32) -> Value { optionalText(column).map(Value.string) ?? .null }
    func number(_ column: Int32) -> Value { optionalInteger(column).map(Value.integer) ?? .null }
    func time(_ column: Int32) -> Value { optionalMoment(column).map(Value.time) ?? .null }
}

extension Value {
    /// A moment as RFC 3339; `null` for "never".
    static func time(_ moment: Moment) -> Value {
        moment == .never ? .null : .string(Text(RFC3339.string(moment)))
    }

    /// The first 8 digits of a token, which is all that is ever shown of one.
    static func token(_ token: Text?) -> Value {
        token.map { .string(Text("\($0.string.prefix(8))…")) } ?? .null
    }
}

extension RecordedActivity {
    fileprivate var status: Value {
        var object = Object()
        object["name"] = .string(declaration.name)
        object["attributesType"] = .string(declaration.attributesType)
        object["template"] = declaration.template.map(Value.string)
        object["state"] = declaration.state
        object["revision"] = .integer(revision)
        object["life"] = .integer(life)
        object["removed"] = .bool(isRemoved)
        return .object(object)
    }
}
