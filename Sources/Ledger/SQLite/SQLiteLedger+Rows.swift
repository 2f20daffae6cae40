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
        case .withWidgets:
            ("SELECT subscriber, app FROM owners WHERE number IN (SELECT owner FROM widgets) \(order)", [])
        case .touched: ("SELECT subscriber, app FROM owners WHERE number IN (SELECT owner FROM touched) \(order)", [])
        }
    }

    func widgets(_ query: WidgetQuery) throws -> [Owned<RecordedWidget>] {
        let (condition, values): (String, [SQLiteValue]) =
            switch query {
            case .id(let id): ("w.target = ?", [id.stored])
            case .owner(let owner): ("w.owner = \(Owner.number) ORDER BY w.name", owner.values)
            }
        let sql = """
            SELECT o.subscriber, o.app, \(RecordedWidget.columns)
            FROM widgets AS w CROSS JOIN owners AS o ON o.number = w.owner WHERE \(condition)
            """
        return try rows(sql, values) { Owned(Owner(row: $0), try RecordedWidget(row: $0, from: 2)) }
    }

    func activities(_ query: ActivityQuery) throws -> [RecordedActivity] {
        let (sql, values): (String, [SQLiteValue]) =
            switch query {
            case .named(let owner, let name): (Self.activityNamed, owner.values + [.text(name)])
            }
        return try rows(sql, values) { try RecordedActivity(row: $0, from: 0) }
    }

    // Statements that run for each push are put together once.
    private static let activityNamed = """
        SELECT \(RecordedActivity.columns) FROM activities AS a WHERE a.owner = \(Owner.number) AND a.name = ?
        """

    /// The number of the bundle id of a value, in a statement.
    private static let appNumber = "(SELECT number FROM words WHERE word = ?)"
    /// The number of the device of two values, in a statement.
    private static let deviceNumber = "(SELECT number FROM devices WHERE id = ? AND app = \(appNumber))"

    /// The values of ``deviceNumber``.
    private static func values(app: Text, device: Text) -> [SQLiteValue] { [Name(text: device).stored, .text(app)] }

    func devices(_ query: DeviceQuery) throws -> [DeviceRow] {
        let (condition, values): (String, [SQLiteValue]) =
            switch query {
            case .device(let app, let id):
                ("v.id = ? AND v.app = \(Self.appNumber)", Self.values(app: app, device: id))
            case .owner(let owner): ("v.owner = \(Owner.number)", owner.values)
            }
        // One that has not reported itself is a name in other rows, and no device yet.
        let sql = "SELECT \(DeviceRow.columns) FROM \(DeviceRow.rows) WHERE \(condition) AND v.last_report IS NOT NULL"
        return try rows(sql, values) { try DeviceRow(row: $0, words) }.ordered { $0.device < $1.device }
    }

    func registrations(_ query: RegistrationQuery) throws -> [OnDevice<WidgetRegistration>] {
        let (condition, values): (String, [SQLiteValue]) =
            switch query {
            case .id(let id): ("r.id = ?", [id.stored])
            case .device(let app, let id): ("r.device = \(Self.deviceNumber)", Self.values(app: app, device: id))
            case .token(let token): (Self.hasToken("r"), Self.values(token: token))
            case .live(let owner): ("v.owner = \(Owner.number) AND r.token IS NOT NULL", owner.values)
            }
        let columns = "\(DevicePlace.columns), \(WidgetRegistration.columns)"
        return try rows("SELECT \(columns) FROM \(WidgetRegistration.rows) WHERE \(condition)", values) {
            try OnDevice($0, words, row: try WidgetRegistration(row: $0, from: 3, words))
        }.ordered { ($0.app, $0.device) < ($1.app, $1.device) }
    }

    func startTargets(_ query: StartTargetQuery) throws -> [OnDevice<StartTarget>] {
        let (condition, values): (String, [SQLiteValue]) =
            switch query {
            case .id(let id): ("s.id = ?", [id.stored])
            case .device(let app, let id): ("s.device = \(Self.deviceNumber)", Self.values(app: app, device: id))
            case .token(let token): (Self.hasToken("s"), Self.values(token: token))
            }
        let columns = "\(DevicePlace.columns), \(StartTarget.columns)"
        return try rows("SELECT \(columns) FROM \(StartTarget.rows) WHERE \(condition)", values) {
            try OnDevice($0, words, row: try StartTarget(row: $0, from: 3, words))
        }.ordered { ($0.app, $0.device, $0.row.attributesType) < ($1.app, $1.device, $1.row.attributesType) }
    }

    /// The condition that a row of a table has a token; the index holds the beginning of each, 8 bytes.
    private static func hasToken(_ table: String) -> String {
        "\(table).token IS NOT NULL AND substr(\(table).token, 1, 8) = substr(?, 1, 8) AND \(table).token = ?"
    }

    /// The values of ``hasToken(_:)``.
    private static func values(token: Text) -> [SQLiteValue] {
        Array(repeating: Digits(text: token).stored, count: 2)
    }

    func instances(_ query: InstanceQuery) throws -> [Owned<Instance>] {
        let (sql, values): (String, [SQLiteValue]) =
            switch query {
            case .id(let id): (Self.instanceByID, [id.stored])
            case .launch(let id): (Self.instancesOfLaunch, [id.stored])
            case .activity(let app, let id): (Self.instancesOfActivity, [Name(text: id).stored, .text(app)])
            case .open(let app, let device): (Self.openInstances, Self.values(app: app, device: device))
            case .subscriber(let subscriber):
                (Self.instances("i.owner IN (SELECT number FROM owners WHERE subscriber = ?)"), [.text(subscriber)])
            case .declaration(let owner, let name, let device):
                (
                    Self.instances("i.owner = \(Owner.number) AND i.name = ? AND v.id = ?"),
                    owner.values + [.text(name), Name(text: device).stored]
                )
            case .startedOver(let id, let app, let device):
                (
                    Self.instances("i.device = \(Self.deviceNumber) AND i.start_target = ?"),
                    Self.values(app: app, device: device) + [id.stored]
                )
            }
        return try rows(sql, values) { Owned(Owner(row: $0), try Instance(row: $0, from: 2, words)) }
            .ordered { $0.row.id < $1.row.id }
    }

    private static func instances(_ condition: String) -> String {
        "SELECT o.subscriber, o.app, \(Instance.columns) FROM \(Instance.rows) WHERE \(condition)"
    }

    private static let instanceByID = instances("i.id = ?")
    private static let instancesOfLaunch = instances("i.launch = ?")
    private static let instancesOfActivity = instances("i.activity_id = ? AND v.app = \(appNumber)")
    private static let openInstances = instances("i.device = \(deviceNumber) AND \(Instance.isOpen)")

    func deliveries(_ query: DeliveryQuery) throws -> [Delivery] {
        switch query {
        case .id(let id):
            return try deliveries("\(Self.name(of: id)) = ?", [id.rowKey])
        case .openOfSubscriber(let subscriber):
            let condition = "d.owner IN (SELECT number FROM owners WHERE subscriber = ?)"
            return try deliveries(condition, [.text(subscriber)], of: [.open])
        case .openReloads(let owner):
            return try deliveries(by: Self.openReloads, owner.values + [Action.Kind.reload.stored])
        case .openOver(let registration, let owner):
            return try deliveries(by: Self.openOver, owner.values + Self.values(over: registration))
        case .openOverAny(let registration):
            return try deliveries(Self.goesOver, Self.values(over: registration), of: [.open])
        case .openOfTarget(let id): return try deliveries(by: Self.openOfTarget, [id.stored, id.stored])
        case .reportable(let id):
            let starts = [id.stored, Action.Kind.start.stored, DeliveryStatus.unknown.stored]
            return try deliveries(by: Self.openOfTarget, [id.stored, id.stored])
                + deliveries(by: Self.lostStarts, starts)
        case .dispatching: return try deliveries("d.status = ?", [DeliveryStatus.dispatching.stored], of: [.open])
        }
    }

    /// Deliveries that meet a condition, by id.
    func deliveries(
        _ condition: String,
        _ values: [SQLiteValue],
        of tables: [Delivery.Table] = Delivery.Table.allCases
    ) throws -> [Delivery] {
        try tables.flatMap { try deliveries(by: Self.deliveries(of: $0, condition), values) }.sorted { $0.id < $1.id }
    }

    /// The deliveries of a statement, by id.
    private func deliveries(by sql: String, _ values: [SQLiteValue]) throws -> [Delivery] {
        try rows(sql, values) { try Delivery(row: $0, from: 0) }.ordered { $0.id < $1.id }
    }

    private static func deliveries(of table: Delivery.Table, _ condition: String) -> String {
        "SELECT \(table.columns) FROM \(table.rows) WHERE \(condition)"
    }

    private static let openReloads = deliveries(of: .open, "d.owner = \(Owner.number) AND d.kind = ?")
    private static let openOver = deliveries(of: .open, "d.owner = \(Owner.number) AND \(goesOver)")
    // Open deliveries are found by their owner, who is that of their instance.
    private static let openOfTarget = deliveries(
        of: .open,
        "d.owner = (SELECT owner FROM instances WHERE id = ?) AND d.instance = \(instanceNumber)"
    )
    private static let lostStarts = deliveries(
        of: .finished,
        "d.instance = \(instanceNumber) AND d.kind = ? AND d.status = ?"
    )

    /// The column that names a delivery.
    private static func name(of id: DeliveryID) -> String { id.number == nil ? "d.id" : "d.number" }

    /// The number of the instance of a value, in a statement.
    private static let instanceNumber = "(SELECT number FROM instances WHERE id = ?)"
    /// The condition that a delivery goes over a registration: a reload over that of its device, a start over that of its
    /// instance.
    private static let goesOver = "(r.id = ? OR d.kind = ? AND i.start_target = ?)"

    /// The values of ``goesOver``.
    private static func values(over registration: Text) -> [SQLiteValue] {
        [WidgetsID(registration).stored, Action.Kind.start.stored, StartTargetID(registration).stored]
    }

    func closedEarly(app: Text, device: Text) throws -> Set<Text> {
        let sql = "SELECT key FROM closed_early WHERE device = \(Self.deviceNumber)"
        return Set(try rows(sql, Self.values(app: app, device: device)) { $0.text(0) })
    }

    func deadToken(_ token: Text) throws -> DeadToken? {
        try database.first("SELECT at FROM dead_tokens WHERE token = ?", Digits(text: token).stored) {
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
        try database.first("SELECT at FROM early_reports WHERE digest = ?", Digits(text: digest).stored) {
            EarlyReport(digest: digest, at: $0.moment(0))
        }
    }

    func run(_ query: RunQuery) throws -> RunRecord? {
        let (condition, values): (String, [SQLiteValue]) =
            switch query {
            case .id(let id): ("id = ?", [.text(id.text)])
            case .operation(let id):
                ("number = (SELECT run FROM steps WHERE number = ?)", [SQLiteValue(try step(of: id)?.number)])
            }
        return try database.first("SELECT \(RunRecord.columns) FROM runs WHERE \(condition)", values: values) {
            RunRecord(row: $0)
        }
    }

    /// The step of an operation; `nil` where there is no such operation.
    private func step(of operation: OperationID) throws -> Step? {
        if let place = operation.ulid.flatMap(StepPlace.init) { return place.step }
        for table in Delivery.Table.allCases {
            let sql = "SELECT number FROM \(table.name) WHERE operation_id = ? LIMIT 1"
            let number = try database.first(sql, operation.stored) { $0.integer(0) }
            if let number { return StepPlace(number: number).step }
        }
        return nil
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
            let kinds = Action.Kind.allCases.filter(state.isSendable(as:)).map { "\($0.number)" }
            return kinds.isEmpty ? nil : "d.status = \(status.number) AND d.kind IN (\(kinds.joined(separator: ", ")))"
        }
        return "(\(conditions.joined(separator: " OR ")))"
    }()

    private static let dueRows = "SELECT \(Delivery.Table.open.columns), i.name FROM \(Delivery.Table.open.rows)"

    private static let dueOfRank = """
        \(dueRows)
        WHERE d.app = ? AND d.environment = ? AND d.rank = ? AND d.number > ? AND d.not_before <= ? AND \(isSendable)
        ORDER BY d.number LIMIT ?
        """
    private static let dueByNumber = "\(dueRows) WHERE d.number = ? AND \(isSendable)"
    private static let dueByID = "\(dueRows) WHERE d.id = ? AND \(isSendable)"

    private static func readDue(_ row: Statement) throws -> DueDelivery {
        DueDelivery(delivery: try Delivery(row: row, from: 0), name: row.optionalText(Delivery.columnCount))
    }

    func lanes(at now: Moment) throws -> [DueLane] {
        let sql = """
            SELECT d.app, d.environment, count(*) FROM open_deliveries AS d
            WHERE d.not_before <= ? AND \(Self.isSendable) GROUP BY d.app, d.environment
            """
        return try rows(sql, [.moment(now)]) { row in
            let name = LaneName(app: try row.word(0, words), environment: try row.numbered(1))
            return DueLane(name, count: Int(row.integer(2)))
        }.sorted { $0.name < $1.name }
    }

    /// One rank at a time: a comparison of both rank and number would step over all of the rank that is done.
    func due(_ lane: LaneName, after place: SendingPlace, at now: Moment, limit: Int) throws -> [DueDelivery] {
        guard let app = try words.known(lane.app) else { return [] }
        let of: [SQLiteValue] = [.integer(app), lane.environment.stored]
        var found: [DueDelivery] = []
        var (rank, number): (Int64?, Int64) = (place.rank, try number(of: place))
        while let current = rank, found.count < limit {
            let values: [SQLiteValue] = [
                .integer(current), .integer(number), .moment(now), .integer(Int64(limit - found.count)),
            ]
            found += try rows(Self.dueOfRank, of + values, read: Self.readDue)
            rank = try nextRank(after: current, of: of)
            number = 0
        }
        return found
    }

    private func nextRank(after rank: Int64, of lane: [SQLiteValue]) throws -> Int64? {
        try database.first(
            """
            SELECT d.rank FROM open_deliveries AS d WHERE d.app = ? AND d.environment = ? AND d.rank > ?
            ORDER BY d.rank LIMIT 1
            """,
            values: lane + [.integer(rank)]
        ) { $0.integer(0) }
    }

    /// The number of the last row up to a place, within its rank.
    private func number(of place: SendingPlace) throws -> Int64 {
        if let number = place.id.number { return number }
        for table in Delivery.Table.allCases {
            let sql = "SELECT number FROM \(table.name) WHERE id = ?"
            if let number = try database.first(sql, place.id.stored, read: { $0.integer(0) }) { return number }
        }
        return StepPlace.numbers(of: place.step).lowerBound
    }

    func due(_ ids: [DeliveryID]) throws -> [DueDelivery] {
        try ids.flatMap { id in
            try rows(id.number == nil ? Self.dueByID : Self.dueByNumber, [id.rowKey], read: Self.readDue)
        }
    }

    func unbooked(on day: UTCDay, after place: SendingPlace, limit: Int) throws -> [Delivery] {
        let sql = """
            SELECT \(Delivery.Table.open.columns) FROM \(Delivery.Table.open.rows)
            WHERE d.quota_day IS NOT ? AND d.status = ? AND d.cost > 0 AND (d.rank, d.number) > (?, ?)
            ORDER BY d.rank, d.number LIMIT ?
            """
        let last: [SQLiteValue] = [.integer(place.rank), .integer(try number(of: place)), .integer(Int64(limit))]
        return try rows(sql, [.integer(day.number), DeliveryStatus.queued.stored] + last) {
            try Delivery(row: $0, from: 0)
        }
    }
}

extension DeliveryID {
    /// The value that names its row: the number that it spells, or else the id itself.
    fileprivate var rowKey: SQLiteValue { number.map(SQLiteValue.integer) ?? stored }
}
