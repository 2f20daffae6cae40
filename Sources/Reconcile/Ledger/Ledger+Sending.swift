internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// Sending: the deliveries that are due, and what is written of those that go out.
extension Ledger {
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

    private static func readDue(_ row: Statement) throws -> DueDelivery {
        DueDelivery(delivery: try Delivery(row: row, from: 0), name: row.optionalText(27))
    }

    /// The next deliveries of one app and environment that are due, after a place in the order of sending.
    func due(
        app: Text,
        environment: PushEnvironment,
        after place: SendingPlace,
        at now: Moment,
        limit: Int
    ) throws -> [DueDelivery] {
        var due: [DueDelivery] = []
        try database.each(
            """
            SELECT \(Self.dueColumns) FROM deliveries
            WHERE app = ? AND environment = ? AND open = 1 AND (rank, commit_number, subscriber, id) > (?, ?, ?, ?)
                AND not_before <= ? AND \(Self.isSendable)
            ORDER BY rank, commit_number, subscriber, id LIMIT ?
            """,
            .text(app),
            .text(environment.rawValue),
            .integer(place.rank),
            .integer(place.step.number),
            .text(place.subscriber),
            .text(place.id),
            .moment(now),
            .integer(Int64(limit))
        ) { due.append(try Self.readDue($0)) }
        return due
    }

    /// A delivery as it is now, if it may still be sent.
    func due(_ id: DeliveryID) throws -> DueDelivery? {
        try database.first(
            "SELECT \(Self.dueColumns) FROM deliveries WHERE id = ? AND open = 1 AND \(Self.isSendable)",
            .text(id.text),
            read: Self.readDue
        )
    }

    /// The apps and environments that have deliveries to send now.
    func lanes(at now: Moment) throws -> [(app: Text, environment: PushEnvironment)] {
        var lanes: [(Text, PushEnvironment)] = []
        try database.each(
            """
            SELECT DISTINCT app, environment FROM deliveries
            WHERE open = 1 AND not_before <= ? AND \(Self.isSendable) ORDER BY app, environment
            """,
            .moment(now)
        ) { lanes.append(($0.text(0), try $0.environment(1))) }
        return lanes
    }

    /// Makes the pushes of a batch of deliveries and marks them, durably, before a byte of them is sent.
    ///
    /// It is part of the transaction in which the deliveries were read.
    ///
    /// - Parameters:
    ///   - deliveries: Deliveries that are due.
    ///   - quota: The quota, if there is one.
    ///   - now: The time.
    /// - Returns: The pushes; what is pointless, paused, revoked or without room in the quota has none.
    /// - Throws: ``LedgerError``.
    func dispatch(_ deliveries: [Delivery], within quota: Quota?, at now: Moment) throws -> [Push] {
        guard !deliveries.isEmpty else { return [] }
        // A backup from before starts were sent must show that it is one.
        let step = try deliveries.contains { $0.kind == .start } ? nextStep() : lastStep()
        var dispatch = Dispatch(step: step, now: now, scopes: try scopes(), isRestored: isRestored)
        var pushes: [Push] = []
        var changes = LedgerChanges()
        for delivery in deliveries {
            var transition = Transition(try record(dispatching: delivery, dispatch.scopes))
            if let quota, dispatch.needsRoom(delivery, of: transition.record) {
                let day = UTCDay(at: now)
                dispatch.quota = try dispatch.quota ?? QuotaBook(day: day, sums: quotaDay(day, quota))
                if try isRequested(delivery) { dispatch.requested.insert(delivery.id) }
            }
            if let push = try dispatch.send(delivery, of: &transition) { pushes.append(push) }
            changes.add(transition)
        }
        try write(changes)
        return pushes
    }

    /// True of a reload that a person asked for.
    func isRequested(_ delivery: Delivery) throws -> Bool {
        guard delivery.kind == .reload else { return false }
        let command = try database.first(
            "SELECT r.command FROM operations AS o JOIN runs AS r ON r.id = o.run WHERE o.id = ?",
            .text(delivery.operation.text)
        ) { $0.text(0) }
        return command == "reload"
    }

    /// Notes that what a run that died was sending may have arrived.
    ///
    /// - Returns: How many deliveries that were.
    func recover(run: RunID, at now: Moment) throws -> Int {
        try transaction {
            let lost = try deliveries("status = '\(DeliveryStatus.dispatching.rawValue)' ORDER BY id")
            var changes = LedgerChanges()
            for delivery in lost {
                var transition = Transition(try record(of: delivery))
                try delivery.recover(in: &transition, run: run, at: now)
                changes.add(transition)
            }
            try write(changes)
            return lost.count
        }
    }

    // MARK: - Records

    /// The deliveries that meet a condition, whole.
    func deliveries(_ condition: String, _ values: SQLiteValue...) throws -> [Delivery] {
        let statement = try database.cached("SELECT \(Delivery.columns) FROM deliveries WHERE \(condition)")
        try statement.bind(values)
        defer { statement.reset() }
        var found: [Delivery] = []
        while try statement.step() { found.append(try Delivery(row: statement, from: 0)) }
        return found
    }

    /// The record that a delivery goes to: its instance or its widget registration.
    func record(of delivery: Delivery) throws -> Recorded {
        var record = Recorded(owner: delivery.owner)
        if let target = delivery.target {
            try database.each("SELECT \(Instance.columns) FROM instances WHERE id = ?", .text(target.text)) {
                record.instances.append(try Instance(row: $0, from: 0))
            }
        } else {
            try database.each(
                "SELECT \(WidgetRegistration.columns) FROM widget_registrations WHERE id = ?",
                SQLiteValue(delivery.registration)
            ) { record.devices.append(Device(id: delivery.device, widgets: try WidgetRegistration(row: $0, from: 0))) }
        }
        return record
    }

    /// The records that the outcome of an attempt changes.
    func record(of attempt: Attempt) throws -> Recorded {
        let delivery = attempt.push.delivery
        var record = try record(of: delivery)
        guard case .invalidEndpoint = attempt.settlement, let target = delivery.target else { return record }
        if delivery.kind == .start {
            try readStartTargets(of: delivery, into: &record)
        } else {
            let isOther = "target = ? AND open = 1 AND id <> ? ORDER BY id"
            for other in try deliveries(isOther, .text(target.text), .text(delivery.id.text)) { record.attach(other) }
        }
        return record
    }

    /// The records that decide about a delivery.
    private func record(dispatching delivery: Delivery, _ scopes: Scopes) throws -> Recorded {
        var record = try record(of: delivery)
        guard let instance = record.instances.first else {
            // Only where something was paused or revoked does it matter what the reload is for.
            if !scopes.isEmpty { try readWidgets(into: &record) }
            return record
        }
        try database.each(
            "SELECT \(RecordedActivity.columns) FROM activities WHERE subscriber = ? AND app = ? AND name = ?",
            .text(delivery.owner.subscriber),
            .text(delivery.owner.app),
            .text(instance.name)
        ) { record.activities.append(try RecordedActivity(row: $0, from: 0)) }
        if let activity = record.activities.first {
            record.instances[0].isMismatched = try isMismatched(instance, with: activity.declaration)
        }
        switch delivery.kind {
        case .start:
            try readStartTargets(of: delivery, into: &record)
            try readEarlierInstances(of: instance, into: &record)
        case .update: try readStartTargets(of: delivery, into: &record)
        case .end, .reload: break
        }
        return record
    }

    private func readWidgets(into record: inout Recorded) throws {
        try database.each(
            "SELECT \(RecordedWidget.columns) FROM widgets WHERE subscriber = ? AND app = ? ORDER BY name",
            .text(record.owner.subscriber),
            .text(record.owner.app)
        ) { record.widgets.append(try RecordedWidget(row: $0, from: 0)) }
    }

    /// The start targets of the instance's type on the device of a delivery.
    private func readStartTargets(of delivery: Delivery, into record: inout Recorded) throws {
        guard let type = record.instances.first?.attributesType else { return }
        var device = Device(id: delivery.device)
        try database.each(
            "SELECT \(StartTarget.columns) FROM start_targets WHERE app = ? AND device = ? AND attributes_type = ?",
            .text(delivery.owner.app),
            .text(delivery.device),
            .text(type)
        ) { device.startTargets.append(try StartTarget(row: $0, from: 0)) }
        record.devices.append(device)
    }

    /// The other instances of the same life on the same device.
    private func readEarlierInstances(of instance: Instance, into record: inout Recorded) throws {
        try database.each(
            """
            SELECT \(Instance.columns) FROM instances
            WHERE subscriber = ? AND app = ? AND name = ? AND device = ? AND life = ? AND id <> ?
            """,
            .text(record.owner.subscriber),
            .text(record.owner.app),
            .text(instance.name),
            .text(instance.device),
            .integer(instance.life),
            .text(instance.id.text)
        ) { record.instances.append(try Instance(row: $0, from: 0)) }
    }

    // MARK: - Faults

    /// The configuration fault that stopped an app and environment, if any.
    func fault(app: Text, environment: PushEnvironment) throws -> Fault? {
        try database.first(
            "SELECT reason, fingerprint, since FROM faults WHERE app = ? AND environment = ?",
            .text(app),
            .text(environment.rawValue)
        ) { row in
            Fault(
                app: app,
                environment: environment,
                reason: row.text(0),
                fingerprint: row.text(1),
                since: row.moment(2)
            )
        }
    }
}
