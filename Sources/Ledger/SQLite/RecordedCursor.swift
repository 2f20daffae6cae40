internal import Diff
internal import Foreign
internal import JSON

/// The recorded state, owner by owner in byte order, read from indexes as it is asked for.
final class RecordedCursor {
    private let widgets: OwnerRows<RecordedWidget>
    private let activities: OwnerRows<RecordedActivity>
    private let registrations: OwnerRows<(Text, WidgetRegistration)>
    private let startTargets: OwnerRows<(Text, StartTarget)>
    private let instances: OwnerRows<Instance>
    private let deliveries: OwnerRows<Delivery>

    /// A cursor over the owners that a range covers.
    init(_ database: Database, range: OwnerRange = .all) throws {
        func rows<Row>(_ sql: String, read: @escaping (Statement) throws -> Row) throws -> OwnerRows<Row> {
            let statement = try database.prepare(sql)
            try statement.bind([.text(range.first), .text(range.last)])
            return try OwnerRows(statement, read: read)
        }
        widgets = try rows(Self.widgetRows) { try RecordedWidget(row: $0, from: 2) }
        activities = try rows(Self.activityRows) { try RecordedActivity(row: $0, from: 2) }
        registrations = try rows(Self.registrationRows) { ($0.text(2), try WidgetRegistration(row: $0, from: 3)) }
        startTargets = try rows(Self.startTargetRows) { ($0.text(2), try StartTarget(row: $0, from: 3)) }
        instances = try rows(Self.instanceRows) { try Instance(row: $0, from: 2) }
        deliveries = try rows(Self.deliveryRows) { try Delivery(row: $0, from: 2) }
    }

    /// Starts again with the owners that another range covers.
    func seek(_ range: OwnerRange) throws {
        let bounds: [SQLiteValue] = [.text(range.first), .text(range.last)]
        try widgets.restart(bounds)
        try activities.restart(bounds)
        try registrations.restart(bounds)
        try startTargets.restart(bounds)
        try instances.restart(bounds)
        try deliveries.restart(bounds)
    }

    /// Leaves the rows alone until it is started again.
    func reset() {
        widgets.reset()
        activities.reset()
        registrations.reset()
        startTargets.reset()
        instances.reset()
        deliveries.reset()
    }

    // Each is read from an index in the order that it asks for: nothing is sorted.
    private static let widgetRows = select("widgets", RecordedWidget.columns, by: "name")
    private static let activityRows = select("activities", RecordedActivity.columns, by: "name")
    private static let registrationRows = select(
        "widget_registrations",
        "device, " + WidgetRegistration.columns,
        by: "device",
        also: "subscriber IS NOT NULL"
    )
    private static let startTargetRows = select(
        "start_targets",
        "device, " + StartTarget.columns,
        by: "device",
        also: "subscriber IS NOT NULL"
    )
    private static let instanceRows = select("instances", Instance.columns, by: "name, sequence, id")
    private static let deliveryRows = select(
        "deliveries",
        Delivery.columns,
        by: "id",
        also: "open = 1"
    )

    private static func select(
        _ table: String,
        _ columns: String,
        by order: String,
        also condition: String = "1"
    ) -> String {
        """
        SELECT subscriber, app, \(columns) FROM \(table)
        WHERE subscriber >= ? AND subscriber <= ? AND \(condition) ORDER BY subscriber, app, \(order)
        """
    }

    /// The statements of a cursor.
    static let statements = [
        widgetRows, activityRows, registrationRows, startTargetRows, instanceRows, deliveryRows,
    ]

    /// The first owner that is not taken yet; `nil` at the end.
    var owner: Owner? {
        [
            widgets.owner, activities.owner, registrations.owner, startTargets.owner, instances.owner,
            deliveries.owner,
        ].compactMap(\.self).min()
    }

    /// Takes the records of one owner, who may have none; owners have to be asked for in order.
    func take(_ owner: Owner) throws -> Recorded {
        var recorded = Recorded(
            owner: owner,
            widgets: try widgets.take(owner),
            activities: try activities.take(owner),
            instances: try instances.take(owner)
        )
        var devices: [Device] = []
        for (id, registration) in try registrations.take(owner) {
            devices.append(Device(id: id, widgets: registration))
        }
        for (id, target) in try startTargets.take(owner) {
            if let index = devices.firstIndex(where: { $0.id == id }) {
                devices[index].startTargets.append(target)
            } else {
                devices.append(Device(id: id, startTargets: [target]))
            }
        }
        recorded.devices = devices.sorted { $0.id < $1.id }
        for delivery in try deliveries.take(owner) { recorded.attach(delivery) }
        return recorded
    }
}

/// The rows of one ordered statement, taken owner by owner.
final class OwnerRows<Row> {
    private let statement: Statement
    private let read: (Statement) throws -> Row
    /// Whose row is next; `nil` at the end.
    private(set) var owner: Owner?

    /// Starts at the first row; the statement's first two columns are subscriber and app.
    init(_ statement: Statement, read: @escaping (Statement) throws -> Row) throws {
        self.statement = statement
        self.read = read
        try advance()
    }

    /// Starts again, with other values.
    func restart(_ values: [SQLiteValue]) throws {
        try statement.bind(values)
        try advance()
    }

    /// Leaves the rows alone until it is started again.
    func reset() {
        statement.reset()
        owner = nil
    }

    private func advance() throws {
        owner = try statement.step() ? Owner(row: statement) : nil
    }

    /// The rows of one owner; rows of owners before it are passed over.
    func take(_ wanted: Owner) throws -> [Row] {
        var rows: [Row] = []
        while let next = owner, next <= wanted {
            if next == wanted { rows.append(try read(statement)) }
            try advance()
        }
        return rows
    }
}

extension RecordedWidget {
    static let columns = "target, name, body, revision, changed_commit, changed_at"

    init(row: Statement, from column: Int32) throws {
        self.init(
            id: TargetID(row.text(column)),
            declaration: try WidgetDeclaration(name: row.text(column + 1), body: row.json(column + 2)),
            revision: row.integer(column + 3),
            changedStep: Step(row.integer(column + 4)),
            changedAt: row.moment(column + 5)
        )
    }
}

extension RecordedActivity {
    static let columns = "name, body, life, revision, removed, changed_commit, adopted_life, alert_at"

    init(row: Statement, from column: Int32) throws {
        self.init(
            declaration: try ActivityDeclaration(name: row.text(column), body: row.json(column + 1)),
            life: row.integer(column + 2),
            revision: row.integer(column + 3),
            isRemoved: row.integer(column + 4) != 0,
            changedStep: Step(row.integer(column + 5)),
            adoptedLife: row.integer(column + 6),
            alertAt: row.moment(column + 7)
        )
    }
}

extension Owner {
    /// The owner that the first two columns of a row name.
    init(row: Statement) {
        self.init(subscriber: row.text(0), app: row.text(1))
    }
}
