internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// Rows by query; each query reads from an index.
extension SQLiteLedger {
    /// The rows of a statement, as values.
    func rows<Row>(_ sql: String, _ values: [SQLiteValue], read: (Statement) throws -> Row) throws -> [Row] {
        var found: [Row] = []
        try database.each(sql, values: values) { found.append(try read($0)) }
        return found
    }

    func owners(_ query: OwnerQuery) throws -> [Owner] {
        let (sql, values) = Self.select(query)
        return try rows(sql, values) { Owner(row: $0) }
    }

    func count(_ query: OwnerQuery) throws -> Int {
        let (sql, values) = Self.select(query)
        return Int(try rows("SELECT count(*) FROM (\(sql))", values) { $0.integer(0) }.first ?? 0)
    }

    private static func select(_ query: OwnerQuery) -> (sql: String, values: [SQLiteValue]) {
        let order = "ORDER BY subscriber, app"
        return switch query {
        case .unpublished(let last, let limit):
            (
                "SELECT subscriber, app FROM unpublished WHERE (subscriber, app) > (?, ?) \(order) LIMIT ?",
                [.text(last?.subscriber ?? ""), .text(last?.app ?? ""), .integer(Int64(limit))]
            )
        case .isUnpublished(let owner):
            ("SELECT subscriber, app FROM unpublished WHERE subscriber = ? AND app = ?", owner.values)
        case .allUnpublished: ("SELECT subscriber, app FROM unpublished \(order)", [])
        case .withWidgets: ("SELECT DISTINCT subscriber, app FROM widgets \(order)", [])
        case .touched: ("SELECT subscriber, app FROM touched \(order)", [])
        }
    }

    func widgets(_ query: WidgetQuery) throws -> [Owned<RecordedWidget>] {
        let (condition, values): (String, [SQLiteValue]) =
            switch query {
            case .id(let id): ("target = ?", [.text(id.text)])
            case .owner(let owner): ("subscriber = ? AND app = ? ORDER BY name", owner.values)
            }
        return try rows("SELECT subscriber, app, \(RecordedWidget.columns) FROM widgets WHERE \(condition)", values) {
            Owned(Owner(row: $0), try RecordedWidget(row: $0, from: 2))
        }
    }

    func activities(_ query: ActivityQuery) throws -> [RecordedActivity] {
        let (condition, values): (String, [SQLiteValue]) =
            switch query {
            case .named(let owner, let name): ("subscriber = ? AND app = ? AND name = ?", owner.values + [.text(name)])
            }
        return try rows("SELECT \(RecordedActivity.columns) FROM activities WHERE \(condition)", values) {
            try RecordedActivity(row: $0, from: 0)
        }
    }

    func devices(_ query: DeviceQuery) throws -> [DeviceRow] {
        let (condition, values): (String, [SQLiteValue]) =
            switch query {
            case .device(let app, let id): ("app = ? AND device = ?", [.text(app), .text(id)])
            case .owner(let owner): ("subscriber = ? AND app = ? ORDER BY device", owner.values)
            }
        return try rows("SELECT \(DeviceRow.columns) FROM devices WHERE \(condition)", values) { DeviceRow(row: $0) }
    }

    func registrations(_ query: RegistrationQuery) throws -> [OnDevice<WidgetRegistration>] {
        let (condition, values): (String, [SQLiteValue]) =
            switch query {
            case .id(let id): ("id = ?", [.text(id.text)])
            case .device(let app, let id): ("app = ? AND device = ?", [.text(app), .text(id)])
            case .token(let token): ("token = ? ORDER BY app, device", [.text(token)])
            case .live(let owner): ("subscriber = ? AND app = ? AND token IS NOT NULL ORDER BY device", owner.values)
            }
        let columns = "app, device, subscriber, \(WidgetRegistration.columns)"
        return try rows("SELECT \(columns) FROM widget_registrations WHERE \(condition)", values) {
            OnDevice($0, try WidgetRegistration(row: $0, from: 3))
        }
    }

    func startTargets(_ query: StartTargetQuery) throws -> [OnDevice<StartTarget>] {
        let (condition, values): (String, [SQLiteValue]) =
            switch query {
            case .id(let id): ("id = ?", [.text(id.text)])
            case .device(let app, let id):
                ("app = ? AND device = ? ORDER BY attributes_type", [.text(app), .text(id)])
            case .token(let token): ("token = ? ORDER BY app, device, attributes_type", [.text(token)])
            }
        let columns = "app, device, subscriber, \(StartTarget.columns)"
        return try rows("SELECT \(columns) FROM start_targets WHERE \(condition)", values) {
            OnDevice($0, try StartTarget(row: $0, from: 3))
        }
    }

    func instances(_ query: InstanceQuery) throws -> [Owned<Instance>] {
        let (condition, values): (String, [SQLiteValue]) =
            switch query {
            case .id(let id): ("id = ?", [.text(id.text)])
            case .launch(let id): ("launch = ?", [.text(id.text)])
            case .activity(let app, let id): ("app = ? AND activity_id = ?", [.text(app), .text(id)])
            case .open(let app, let device):
                ("app = ? AND device = ? AND phase IN (\(Self.openPhases))", [.text(app), .text(device)])
            case .subscriber(let subscriber): ("subscriber = ?", [.text(subscriber)])
            case .declaration(let owner, let name, let device):
                ("subscriber = ? AND app = ? AND name = ? AND device = ?", owner.values + [.text(name), .text(device)])
            case .startedOver(let id, let app, let device):
                ("app = ? AND device = ? AND start_target = ?", [.text(app), .text(device), .text(id.text)])
            }
        let sql = "SELECT subscriber, app, \(Instance.columns) FROM instances WHERE \(condition) ORDER BY id"
        return try rows(sql, values) { Owned(Owner(row: $0), try Instance(row: $0, from: 2)) }
    }

    private static let openPhases = Instance.Phase.open.map { "'\($0.word)'" }.joined(separator: ", ")

    func deliveries(_ query: DeliveryQuery) throws -> [Delivery] {
        let (condition, values): (String, [SQLiteValue]) =
            switch query {
            case .id(let id): ("id = ?", [.text(id.text)])
            case .openOfSubscriber(let subscriber): ("open = 1 AND subscriber = ?", [.text(subscriber)])
            case .openReloads(let owner):
                (
                    "open = 1 AND subscriber = ? AND app = ? AND kind = ?",
                    owner.values + [.text(Action.Kind.reload.rawValue)]
                )
            case .openOver(let registration, let owner):
                (
                    "open = 1 AND subscriber = ? AND app = ? AND registration = ?",
                    owner.values + [.text(registration)]
                )
            case .openOverAny(let registration): ("open = 1 AND registration = ?", [.text(registration)])
            case .openOfTarget(let id): ("open = 1 AND target = ?", [.text(id.text)])
            case .reportable(let id):
                (
                    "target = ? AND (open = 1 OR kind = ? AND status = ?)",
                    [
                        .text(id.text), .text(Action.Kind.start.rawValue),
                        .text(DeliveryStatus.unknown.rawValue),
                    ]
                )
            case .dispatching: ("status = '\(DeliveryStatus.dispatching.rawValue)'", [])
            }
        return try rows("SELECT \(Delivery.columns) FROM deliveries WHERE \(condition) ORDER BY id", values) {
            try Delivery(row: $0, from: 0)
        }
    }

    func closedEarly(app: Text, device: Text) throws -> Set<Text> {
        let sql = "SELECT key FROM closed_early WHERE app = ? AND device = ?"
        return Set(try rows(sql, [.text(app), .text(device)]) { $0.text(0) })
    }

    func deadToken(_ token: Text) throws -> DeadToken? {
        try database.first("SELECT at FROM dead_tokens WHERE token = ?", .text(token)) {
            DeadToken(token: token, at: $0.moment(0))
        }
    }

    func alias(_ anonymous: Text, app: Text) throws -> Alias? {
        let sql = "SELECT subscriber FROM aliases WHERE app = ? AND anonymous = ?"
        return try database.first(sql, .text(app), .text(anonymous)) {
            Alias(app: app, anonymous: anonymous, person: $0.text(0))
        }
    }

    func earlyReport(digest: Text) throws -> EarlyReport? {
        try database.first("SELECT at FROM early_reports WHERE digest = ?", .text(digest)) {
            EarlyReport(digest: digest, at: $0.moment(0))
        }
    }

    func run(_ query: RunQuery) throws -> RunRecord? {
        let (condition, value): (String, Text) =
            switch query {
            case .id(let id): ("id = ?", id.text)
            case .operation(let id): ("id = (SELECT run FROM operations WHERE id = ?)", id.text)
            }
        return try database.first("SELECT \(RunRecord.columns) FROM runs WHERE \(condition)", .text(value)) {
            RunRecord(row: $0)
        }
    }

    func reloadRequest(key: Text) throws -> ReloadRequestRecord? {
        try database.first("SELECT \(ReloadRequestRecord.columns) FROM idempotency WHERE key = ?", .text(key)) {
            try ReloadRequestRecord(row: $0)
        }
    }
}

/// The order of sending.
extension SQLiteLedger {
    /// The states and kinds of an open delivery that may be sent, as an SQL condition.
    private static let isSendable: String = {
        let states = DeliveryStatus.allCases.map { ($0, DeliveryState($0, isOpen: true)) }
        let conditions = states.compactMap { status, state -> String? in
            let kinds = Action.Kind.allCases.filter(state.isSendable(as:)).map { "'\($0.rawValue)'" }
            return kinds.isEmpty ? nil : "status = '\(status.rawValue)' AND kind IN (\(kinds.joined(separator: ", ")))"
        }
        return "(\(conditions.joined(separator: " OR ")))"
    }()

    private static let dueColumns = "\(Delivery.columns), (SELECT name FROM instances WHERE id = deliveries.target)"
    private static let isAfter = "(rank, commit_number, subscriber, id) > (?, ?, ?, ?)"
    private static let sendingOrder = "rank, commit_number, subscriber, id"

    private static func readDue(_ row: Statement) throws -> DueDelivery {
        DueDelivery(delivery: try Delivery(row: row, from: 0), name: row.optionalText(Delivery.columnCount))
    }

    func lanes(at now: Moment) throws -> [LaneName] {
        let sql = """
            SELECT DISTINCT app, environment FROM deliveries
            WHERE open = 1 AND not_before <= ? AND \(Self.isSendable) ORDER BY app, environment
            """
        return try rows(sql, [.moment(now)]) { LaneName(app: $0.text(0), environment: try $0.environment(1)) }
    }

    func due(_ lane: LaneName, after place: SendingPlace, at now: Moment, limit: Int) throws -> [DueDelivery] {
        let sql = """
            SELECT \(Self.dueColumns) FROM deliveries
            WHERE app = ? AND environment = ? AND open = 1 AND \(Self.isAfter) AND not_before <= ? AND \(Self.isSendable)
            ORDER BY \(Self.sendingOrder) LIMIT ?
            """
        let first: [SQLiteValue] = [.text(lane.app), .text(lane.environment.rawValue)]
        return try rows(sql, first + place.values + [.moment(now), .integer(Int64(limit))], read: Self.readDue)
    }

    func due(_ ids: [DeliveryID]) throws -> [DueDelivery] {
        let sql = "SELECT \(Self.dueColumns) FROM deliveries WHERE id = ? AND open = 1 AND \(Self.isSendable)"
        return try ids.flatMap { try rows(sql, [.text($0.text)], read: Self.readDue) }
    }

    func unbooked(on day: UTCDay, after place: SendingPlace, limit: Int) throws -> [Delivery] {
        let sql = """
            SELECT \(Delivery.columns) FROM deliveries
            WHERE open = 1 AND quota_day IS NOT ? AND status = ? AND cost > 0 AND \(Self.isAfter)
            ORDER BY \(Self.sendingOrder) LIMIT ?
            """
        let first: [SQLiteValue] = [.integer(day.number), .text(DeliveryStatus.queued.rawValue)]
        return try rows(sql, first + place.values + [.integer(Int64(limit))]) { try Delivery(row: $0, from: 0) }
    }
}

extension SendingPlace {
    /// Its parts, in the order of sending.
    fileprivate var values: [SQLiteValue] { [.integer(rank), .integer(step.number), .text(subscriber), .text(id)] }
}

extension Owner {
    /// Its parts, as columns are ordered.
    fileprivate var values: [SQLiteValue] { [.text(subscriber), .text(app)] }
}

extension OnDevice {
    /// A row whose first columns are app, device and subscriber.
    fileprivate init(_ statement: Statement, _ row: Row) {
        self.init(app: statement.text(0), device: statement.text(1), subscriber: statement.optionalText(2), row: row)
    }
}
