internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// What a report is decided on.
extension Ledger {
    /// Everything recorded that a report can touch on its device.
    func deviceRecord(for report: Report) throws -> DeviceRecord {
        var record = DeviceRecord()
        let app = SQLiteValue.text(report.app)
        let device = SQLiteValue.text(report.device)
        try database.each(
            "SELECT subscriber, owner_since, last_report FROM devices WHERE app = ? AND device = ?",
            app,
            device
        ) { row in
            record.owner = row.optionalText(0)
            record.ownerSince = row.moment(1)
            record.lastReport = row.moment(2)
        }
        record.widgets = try database.first(
            "SELECT \(WidgetRegistration.columns) FROM widget_registrations WHERE app = ? AND device = ?",
            app,
            device
        ) { try WidgetRegistration(row: $0, from: 0) }
        if let registration = record.widgets, let owner = record.owner {
            let key = [SQLiteValue.text(owner), app, .text(registration.id.text)]
            let reloads = try openDeliveries(where: "subscriber = ? AND app = ? AND registration = ?", key)
            record.widgets?.pending = reloads.first
        }
        try database.each(
            "SELECT \(StartTarget.columns) FROM start_targets WHERE app = ? AND device = ? ORDER BY attributes_type",
            app,
            device
        ) { record.startTargets.append(try StartTarget(row: $0, from: 0)) }
        record.instances = try instances(for: report)
        try database.each("SELECT key FROM closed_early WHERE app = ? AND device = ?", app, device) {
            record.closedEarly.insert($0.text(0))
        }
        return record
    }

    /// The open instances on the report's device, and those it names wherever they are.
    private func instances(for report: Report) throws -> [DeviceInstance] {
        var named: (activityID: Text?, launch: Text?) = (nil, nil)
        switch report.event {
        case .activityRegistered(let activityID, _, _, _, _, let launch, _): named = (activityID, launch?.text)
        case .activityClosed(let activityID, let launch, _): named = (activityID, launch?.text)
        default: break
        }
        var found: [DeviceInstance] = []
        func collect(_ condition: String, _ values: SQLiteValue...) throws {
            let statement = try database.cached(
                "SELECT subscriber, \(Instance.columns) FROM instances WHERE \(condition) ORDER BY id"
            )
            try statement.bind(values)
            defer { statement.reset() }
            while try statement.step() {
                let instance = try Instance(row: statement, from: 1)
                guard !found.contains(where: { $0.instance.id == instance.id }) else { continue }
                found.append(DeviceInstance(subscriber: statement.text(0), instance: instance))
            }
        }
        let open = "phase IN ('queued', 'outstanding', 'unconfirmed', 'running')"
        try collect("app = ? AND device = ? AND \(open)", .text(report.app), .text(report.device))
        if let activityID = named.activityID {
            try collect("app = ? AND activity_id = ?", .text(report.app), .text(activityID))
        }
        if let launch = named.launch { try collect("launch = ?", .text(launch)) }
        for index in found.indices {
            found[index].instance.pending = try pending(of: found[index].instance.id)
        }
        return found
    }

    /// The deliveries of an instance that a report can settle: what is not settled, and a start that may have arrived.
    private func pending(of target: TargetID) throws -> [Delivery] {
        var pending: [Delivery] = []
        try database.each(
            """
            SELECT \(Delivery.columns) FROM deliveries
            WHERE target = ? AND (open = 1 OR kind = ? AND status = ?)
            """,
            .text(target.text),
            .text(Action.Kind.start.rawValue),
            .text(DeliveryStatus.unknown.rawValue)
        ) { pending.append(try Delivery(row: $0, from: 0)) }
        return pending
    }

    /// Records from elsewhere that decide about a report.
    func context(for report: Report, _ ids: inout IdentifierSupply, at now: Moment) throws -> ReportContext {
        let subscriber = try resolve(report.subscriber, app: report.app)
        var context = ReportContext(
            subscriber: subscriber,
            scopes: try scopes(),
            fresh: FreshIDs(from: &ids),
            now: now
        )
        switch report.event {
        case .identified(let anonymous):
            context.anonymousIs = try resolve(anonymous, app: report.app)
        case .widgetsRegistered(let token, _, _, _), .startRegistered(_, let token, _, _, _, _):
            context.tokenDeadAt = try deadAt(token)
            context.holders = try holders(of: token)
        case .activityRegistered(_, _, let token, _, _, _, let name):
            context.tokenDeadAt = try deadAt(token)
            if let name {
                context.declared = try declaredLife(of: name, Owner(subscriber: subscriber, app: report.app))
            }
        default:
            break
        }
        return context
    }

    /// Whom an anonymous id stands for; any other id, and one that was not identified, stands for itself.
    func resolve(_ subscriber: Text, app: Text) throws -> Text {
        guard subscriber.isAnonymous else { return subscriber }
        return try database.first(
            "SELECT subscriber FROM aliases WHERE app = ? AND anonymous = ?",
            .text(app),
            .text(subscriber)
        ) { $0.text(0) } ?? subscriber
    }

    private func deadAt(_ token: Text) throws -> Moment? {
        try database.first("SELECT at FROM dead_tokens WHERE token = ?", .text(token)) { $0.moment(0) }
    }

    /// The holders of a token.
    private func holders(of token: Text) throws -> TokenHolders {
        var holders = TokenHolders()
        try database.each(
            "SELECT app, device, subscriber, \(WidgetRegistration.columns) FROM widget_registrations WHERE token = ?",
            .text(token)
        ) { row in
            holders.registrations.append(OnDevice(row, try WidgetRegistration(row: row, from: 3)))
        }
        try database.each(
            "SELECT app, device, subscriber, \(StartTarget.columns) FROM start_targets WHERE token = ?",
            .text(token)
        ) { row in
            holders.startTargets.append(OnDevice(row, try StartTarget(row: row, from: 3)))
        }
        return holders
    }

    private func declaredLife(of name: Text, _ owner: Owner) throws -> DeclaredLife? {
        try database.first(
            "SELECT life, removed FROM activities WHERE subscriber = ? AND app = ? AND name = ?",
            .text(owner.subscriber),
            .text(owner.app),
            .text(name)
        ) { DeclaredLife(life: $0.integer(0), isRemoved: $0.integer(1) != 0) }
    }

    /// The records of an anonymous id and of the person that it turned out to be; the cursor is started again.
    func identification(_ alias: Alias, _ cursor: RecordedCursor) throws -> Identification {
        func recorded(_ subscriber: Text) throws -> Recorded {
            try cursor.seek(.only(subscriber))
            return try cursor.take(Owner(subscriber: subscriber, app: alias.app))
        }
        var devices: [DeviceRow] = []
        try database.each(
            "SELECT device, owner_since, last_report FROM devices WHERE subscriber = ? AND app = ?",
            .text(alias.anonymous),
            .text(alias.app)
        ) { row in
            devices.append(
                DeviceRow(
                    app: alias.app,
                    device: row.text(0),
                    owner: alias.anonymous,
                    ownerSince: row.moment(1),
                    lastReport: row.moment(2)
                )
            )
        }
        return Identification(
            alias: alias,
            anonymous: try recorded(alias.anonymous),
            devices: devices,
            person: try recorded(alias.person),
            scopes: try scopes()
        )
    }
}

extension OnDevice {
    /// A row whose first columns are app, device and subscriber.
    fileprivate init(_ statement: Statement, _ row: Row) {
        self.init(app: statement.text(0), device: statement.text(1), subscriber: statement.optionalText(2), row: row)
    }
}
