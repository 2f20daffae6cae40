public import Diff
internal import Foreign
public import JSON

/// Reads from a ledger what `status` shows.
public struct StatusReader {
    private let ledger: SQLiteLedger

    private var database: Database { ledger.database }

    /// A reader of a ledger as it is now.
    ///
    /// - Throws: ``LedgerError`` where there is no ledger that can be read.
    public init(_ store: SQLiteStore) throws {
        ledger = try store.open(.read)
    }

    /// The condition of the index of instances that are, or may be, on a device, as that index spells it.
    private static let isOnDevice = {
        let phases = Instance.Phase.onDevice.map { "'\($0.word)'" }
        return "phase IN (\(phases.joined(separator: ", ")))"
    }()

    /// The figures of the whole ledger.
    public func overview() throws -> StatusOverview {
        var overview = StatusOverview()
        let facts = try ledger.facts()
        overview.lineage = facts.lineage
        overview.step = facts.step
        overview.appliedCommit = facts.appliedCommit
        overview.devices = try count("devices WHERE subscriber IS NOT NULL")
        overview.widgets = try count("widgets")
        overview.activities = try count("activities WHERE removed = 0")
        try database.each("SELECT phase, count(*) FROM instances WHERE \(Self.isOnDevice) GROUP BY phase") {
            guard let phase = Instance.Phase(name: $0.text(0), closure: nil) else { return }
            overview.instances[phase] = Int($0.integer(1))
        }
        try database.each("SELECT status, count(*) FROM deliveries WHERE open = 1 GROUP BY status") {
            guard let status = DeliveryStatus(rawValue: $0.text(0)) else { return }
            overview.deliveries[status] = Int($0.integer(1))
        }
        try database.each(Fault.columns, of: "faults", by: "app, environment") {
            overview.faults.append(try Fault(row: $0))
        }
        overview.restoredSince = facts.restoredAt
        overview.lastRun = try database.first(
            "SELECT \(RunRecord.columns) FROM runs ORDER BY started_at DESC LIMIT 1"
        ) { RunRecord(row: $0) }
        return overview
    }

    private func count(_ rows: String) throws -> Int {
        try database.first("SELECT count(*) FROM \(rows)") { Int($0.integer(0)) } ?? 0
    }

    /// Everything of one subscriber in some apps, aliases resolved; empty where nothing was ever recorded.
    public func records(of subscriber: Text, apps: [Text]) throws -> [Recorded] {
        try apps.compactMap { app in
            let owner = Owner(subscriber: try ledger.resolve(subscriber, app: app), app: app)
            let recorded = try records(of: owner)
            return recorded == Recorded(owner: owner) ? nil : recorded
        }
    }

    private func records(of owner: Owner) throws -> Recorded {
        try ledger.recorded([owner]).first ?? Recorded(owner: owner)
    }

    /// Anything by its id; `nil` where there is no such thing.
    public func record(named id: Text) throws -> NamedRecord? {
        switch id.string.prefix(while: { $0 != "_" }) + "_" {
        case IdentifierKinds.Target.prefix: try instance("id", id) ?? widget(id)
        case IdentifierKinds.Launch.prefix: try instance("launch", id)
        case IdentifierKinds.Widgets.prefix: try widgetRegistration(id)
        case IdentifierKinds.StartTarget.prefix: try startTarget(id)
        case IdentifierKinds.Operation.prefix: try operation(id)
        case IdentifierKinds.Delivery.prefix:
            try database.deliveries(where: "id = ?", .text(id)).first.map(NamedRecord.delivery)
        case IdentifierKinds.Run.prefix:
            try database.first("SELECT \(RunRecord.columns) FROM runs WHERE id = ?", .text(id)) {
                .run(RunRecord(row: $0))
            }
        default: nil
        }
    }

    private func instance(_ key: String, _ id: Text) throws -> NamedRecord? {
        try database.first(
            "SELECT subscriber, app, \(Instance.columns) FROM instances WHERE \(key) = ?",
            .text(id)
        ) { row in
            let instance = try Instance(row: row, from: 2)
            return .instance(
                Owned(Owner(row: row), instance),
                try database.deliveries(where: "target = ?", .text(instance.id.text))
            )
        }
    }

    private func widget(_ id: Text) throws -> NamedRecord? {
        let sql = "SELECT subscriber, app FROM widgets WHERE target = ?"
        guard let owner = try database.first(sql, .text(id), read: { Owner(row: $0) }) else { return nil }
        let recorded = try records(of: owner)
        return recorded.widgets.first { $0.id.text == id }.map { .widget($0, recorded) }
    }

    private func widgetRegistration(_ id: Text) throws -> NamedRecord? {
        try database.first(
            "SELECT app, device, subscriber, \(WidgetRegistration.columns) FROM widget_registrations WHERE id = ?",
            .text(id)
        ) {
            .widgetRegistration(onDevice($0, try WidgetRegistration(row: $0, from: 3)))
        }
    }

    private func startTarget(_ id: Text) throws -> NamedRecord? {
        try database.first(
            "SELECT app, device, subscriber, \(StartTarget.columns) FROM start_targets WHERE id = ?",
            .text(id)
        ) { row in
            let target = onDevice(row, try StartTarget(row: row, from: 3))
            let owner = target.subscriber.map { Owner(subscriber: $0, app: target.app) }
            let nobody = Recorded(owner: Owner(subscriber: "", app: target.app))
            return .startTarget(target, try owner.map { try records(of: $0) } ?? nobody)
        }
    }

    /// A row of a device, whose place is in the first three columns.
    private func onDevice<Row>(_ place: Statement, _ row: Row) -> OnDevice<Row> {
        OnDevice(app: place.text(0), device: place.text(1), subscriber: place.optionalText(2), row: row)
    }

    private func operation(_ id: Text) throws -> NamedRecord? {
        try database.first("SELECT \(Operation.columns) FROM operations WHERE id = ?", .text(id)) {
            .operation(try Operation(row: $0), try database.deliveries(where: "operation = ?", .text(id)))
        }
    }
}

extension Database {
    /// The pushes that meet a condition, in the order of their ids.
    func deliveries(where condition: String, _ values: SQLiteValue...) throws -> [Delivery] {
        var found: [Delivery] = []
        try each("SELECT \(Delivery.columns) FROM deliveries WHERE \(condition) ORDER BY id", values: values) {
            found.append(try Delivery(row: $0, from: 0))
        }
        return found
    }
}
