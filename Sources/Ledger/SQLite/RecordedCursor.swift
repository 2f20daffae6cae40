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
    init(_ database: Database, _ words: Words, range: OwnerRange = .all) throws {
        func rows<Row>(_ sql: String, read: @escaping (Statement) throws -> Row) throws -> OwnerRows<Row> {
            let statement = try database.prepare(sql)
            try statement.bind([.text(range.first), .text(range.last)])
            return try OwnerRows(statement, read: read)
        }
        widgets = try rows(Self.widgetRows) { try RecordedWidget(row: $0, from: 2) }
        activities = try rows(Self.activityRows) { try RecordedActivity(row: $0, from: 2) }
        registrations = try rows(Self.registrationRows) {
            ($0.name(2), try WidgetRegistration(row: $0, from: 3, words))
        }
        startTargets = try rows(Self.startTargetRows) { ($0.name(2), try StartTarget(row: $0, from: 3, words)) }
        instances = try rows(Self.instanceRows) { try Instance(row: $0, from: 2, words) }
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

    // The owners of a range come from their index in order, and what each has from where it lies together: nothing is
    // sorted. CROSS JOIN holds SQLite to this order of reading.
    private static let widgetRows = select(RecordedWidget.columns, "CROSS JOIN widgets AS w ON w.owner = o.number")
    private static let activityRows = select(
        RecordedActivity.columns,
        "CROSS JOIN activities AS a ON a.owner = o.number"
    )
    private static let registrationRows = select(
        "v.id, \(WidgetRegistration.columns)",
        "\(devices) CROSS JOIN widget_registrations AS r ON r.device = v.number"
    )
    private static let startTargetRows = select(
        "v.id, \(StartTarget.columns)",
        "\(devices) CROSS JOIN start_targets AS s ON s.device = v.number"
    )
    private static let instanceRows = select(
        Instance.columns,
        "CROSS JOIN instances AS i ON i.owner = o.number \(Instance.companions)"
    )
    private static let deliveryRows = select(
        Delivery.Table.open.columns,
        "CROSS JOIN open_deliveries AS d ON d.owner = o.number \(Delivery.Table.companions)"
    )
    private static let devices = "CROSS JOIN devices AS v ON v.owner = o.number"

    private static func select(_ columns: String, _ rows: String) -> String {
        """
        SELECT o.subscriber, o.app, \(columns) FROM owners AS o \(rows)
        WHERE o.subscriber >= ? AND o.subscriber <= ? ORDER BY o.subscriber, o.app
        """
    }

    /// The statements of a cursor.
    static let statements = [
        widgetRows, activityRows, registrationRows, startTargetRows, instanceRows, deliveryRows,
    ]

    /// The first owner that is not taken yet; `nil` at the end.
    var owner: Owner? {
        var first = widgets.owner
        first.lower(to: activities.owner)
        first.lower(to: registrations.owner)
        first.lower(to: startTargets.owner)
        first.lower(to: instances.owner)
        first.lower(to: deliveries.owner)
        return first
    }

    /// Takes the records of one owner, who may have none; owners have to be asked for in order.
    func take(_ owner: Owner) throws -> Recorded {
        var recorded = Recorded(
            owner: owner,
            widgets: try widgets.take(owner).ordered { $0.declaration.name < $1.declaration.name },
            activities: try activities.take(owner).ordered { $0.declaration.name < $1.declaration.name },
            instances: try instances.take(owner).ordered {
                ($0.name, $0.sequence, $0.id) < ($1.name, $1.sequence, $1.id)
            }
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
        for index in devices.indices where devices[index].startTargets.count > 1 {
            devices[index].startTargets.sort { $0.attributesType < $1.attributesType }
        }
        recorded.devices = devices.ordered { $0.id < $1.id }
        for delivery in try deliveries.take(owner).ordered(by: { $0.id < $1.id }) { recorded.attach(delivery) }
        return recorded
    }
}

extension Owner? {
    /// Takes another owner in its place who comes first; `nil` comes last.
    fileprivate mutating func lower(to other: Owner?) {
        guard let other else { return }
        if let owner = self, owner <= other { return }
        self = other
    }
}

/// The rows of one ordered statement, taken owner by owner.
final class OwnerRows<Row> {
    private let statement: Statement
    private let read: (Statement) throws -> Row
    /// The owner of the next row; `nil` at the end.
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
