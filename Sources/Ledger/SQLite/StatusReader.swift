public import Diff
internal import Foreign
public import JSON

/// Reads from a ledger what `status` shows.
public struct StatusReader {
    private let ledger: SQLiteLedger

    private var database: Database { ledger.database }
    /// The ledger that it reads.
    public var snapshot: any Snapshot { ledger }

    /// A reader of a ledger as it is now.
    ///
    /// - Throws: ``LedgerError`` where there is no ledger that can be read.
    public init(_ store: SQLiteStore) throws {
        ledger = try store.open(.read)
    }

    /// The figures of the whole ledger.
    public func overview() throws -> StatusOverview {
        var overview = StatusOverview()
        let facts = try ledger.facts()
        overview.lineage = facts.lineage
        overview.step = facts.step
        overview.appliedCommit = facts.appliedCommit
        overview.devices = try count("devices WHERE owner IS NOT NULL AND last_report IS NOT NULL")
        overview.widgets = try count("widgets")
        overview.activities = try count("activities WHERE removed = 0")
        for phase in Instance.Phase.onDevice {
            let rows = "instances AS i WHERE \(Instance.isOpen) AND i.phase = \(PhaseNumber(phase).number)"
            let found = try count(rows)
            if found > 0 { overview.instances[phase] = found }
        }
        try database.each("SELECT status, count(*) FROM open_deliveries GROUP BY status") {
            overview.deliveries[try $0.numbered(0)] = Int($0.integer(1))
        }
        overview.faults = try ledger.faults()
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
        case IdentifierKinds.Target.prefix: try instance(.id(TargetID(id))) ?? widget(TargetID(id))
        case IdentifierKinds.Launch.prefix: try instance(.launch(LaunchID(id)))
        case IdentifierKinds.Widgets.prefix:
            try ledger.registrations(.id(WidgetsID(id))).first.map(NamedRecord.widgetRegistration)
        case IdentifierKinds.StartTarget.prefix: try startTarget(StartTargetID(id))
        case IdentifierKinds.Operation.prefix: try operation(id)
        case IdentifierKinds.Delivery.prefix:
            try ledger.deliveries(.id(DeliveryID(id))).first.map(NamedRecord.delivery)
        case IdentifierKinds.Run.prefix: try ledger.run(.id(RunID(id))).map(NamedRecord.run)
        default: nil
        }
    }

    private func instance(_ query: InstanceQuery) throws -> NamedRecord? {
        try ledger.instances(query).first.map { instance in
            .instance(instance, try ledger.deliveries(of: instance.row.id))
        }
    }

    private func widget(_ id: TargetID) throws -> NamedRecord? {
        try ledger.widgets(.id(id)).first.map { .widget($0.row, try records(of: $0.owner)) }
    }

    private func startTarget(_ id: StartTargetID) throws -> NamedRecord? {
        try ledger.startTargets(.id(id)).first.map { target in
            let nobody = Recorded(owner: Owner(subscriber: "", app: target.app))
            return .startTarget(target, try target.owner.map { try records(of: $0) } ?? nobody)
        }
    }

    private func operation(_ id: Text) throws -> NamedRecord? {
        let id = OperationID(id)
        let (condition, values): (String, [SQLiteValue]) =
            switch id.ulid.flatMap(StepPlace.init) {
            case let place?:
                (
                    "d.number BETWEEN ?1 AND ?2 AND d.operation = ?3 AND d.operation_id IS NULL",
                    [
                        .integer(StepPlace.numbers(of: place.step).lowerBound),
                        .integer(StepPlace.numbers(of: place.step).upperBound), .integer(place.ordinal),
                    ]
                )
            case nil: ("d.operation_id = ?1", [id.stored])
            }
        return try database.first(Operation.rows(where: condition), values: values) {
            .operation(try Operation(row: $0), try ledger.deliveries(condition, values))
        }
    }
}

extension SQLiteLedger {
    /// All deliveries of an instance.
    func deliveries(of target: TargetID) throws -> [Delivery] {
        try deliveries("d.instance = (SELECT number FROM instances WHERE id = ?)", [target.stored])
    }
}
