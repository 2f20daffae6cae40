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

    private func pending(of target: TargetID) throws -> [Delivery] {
        var pending: [Delivery] = []
        try database.each(
            """
            SELECT \(Delivery.columns) FROM deliveries
            WHERE target = ? AND (open = 1 OR kind = 'start' AND status = 'unknown')
            """,
            .text(target.text)
        ) { pending.append(try Delivery(row: $0, from: 0)) }
        return pending
    }

    /// What is recorded elsewhere and a report's outcome depends on.
    func context(for report: Report) throws -> ReportContext {
        let subscriber = try resolve(report.subscriber, app: report.app)
        var ids = try system.identifiers(at: system.now())
        var context = ReportContext(
            subscriber: subscriber,
            scopes: try scopes(),
            fresh: FreshIDs(widgets: ids.next(), startTarget: ids.next(), target: ids.next())
        )
        switch report.event {
        case .identified(let anonymous):
            context.anonymousIs = try resolve(anonymous, app: report.app)
        case .widgetsRegistered(let token, _, _, _):
            try look(up: token, for: report, attributesType: nil, into: &context)
        case .startRegistered(let type, let token, _, _, _, _):
            try look(up: token, for: report, attributesType: type, into: &context)
        case .activityRegistered(_, _, let token, _, _, _, let name):
            context.tokenDeadAt = try deadAt(token)
            if let name { context.life = try life(of: name, Owner(subscriber: subscriber, app: report.app)) }
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

    private func look(
        up token: Text,
        for report: Report,
        attributesType: Text?,
        into context: inout ReportContext
    ) throws {
        context.tokenDeadAt = try deadAt(token)
        context.tokenElsewhereAt =
            try database.first(
                """
                SELECT max(at) FROM (
                    SELECT at FROM widget_registrations WHERE token = ?1 AND NOT (?4 IS NULL AND app = ?2 AND device = ?3)
                    UNION ALL
                    SELECT at FROM start_targets
                    WHERE token = ?1 AND NOT (?4 IS NOT NULL AND app = ?2 AND device = ?3 AND attributes_type = ?4))
                """,
                .text(token),
                .text(report.app),
                .text(report.device),
                SQLiteValue(attributesType)
            ) { $0.optionalMoment(0) } ?? nil
    }

    private func life(of name: Text, _ owner: Owner) throws -> Int64 {
        try database.first(
            "SELECT life + removed FROM activities WHERE subscriber = ? AND app = ? AND name = ?",
            .text(owner.subscriber),
            .text(owner.app),
            .text(name)
        ) { $0.integer(0) } ?? 1
    }
}
