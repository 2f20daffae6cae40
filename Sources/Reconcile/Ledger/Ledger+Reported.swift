internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// Writing what a report decided.
extension Ledger {
    /// Writes what differs between a device's record before and after a report.
    func store(_ new: DeviceRecord, over old: DeviceRecord, report: Report, at now: Moment) throws {
        let ownerChanged = new.owner != old.owner
        if ownerChanged || new.ownerSince != old.ownerSince || new.lastReport != old.lastReport {
            try database.run(
                """
                INSERT INTO devices (app, device, subscriber, owner_since, last_report) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (app, device) DO UPDATE SET subscriber = excluded.subscriber,
                    owner_since = excluded.owner_since, last_report = excluded.last_report
                """,
                .text(report.app),
                .text(report.device),
                SQLiteValue(new.owner),
                .moment(new.ownerSince),
                .moment(new.lastReport)
            )
        }
        if let registration = new.widgets, ownerChanged || registration != old.widgets {
            try store(registration, owner: new.owner, report)
            try move(
                registration.id.text,
                from: old.widgets?.environment,
                to: registration.environment,
                old.owner,
                report
            )
            if registration.token == nil, let former = old.owner {
                try cancelQueued(reloadsOf: registration.id, of: Owner(subscriber: former, app: report.app), at: now)
            }
        }
        for target in new.startTargets where ownerChanged || !old.startTargets.contains(target) {
            try store(target, owner: new.owner, report)
            let before = old.startTargets.first { $0.id == target.id }
            try move(target.id.text, from: before?.environment, to: target.environment, old.owner, report)
        }
        for entry in new.instances {
            let before = old.instances.first { $0.instance.id == entry.instance.id }
            if before != entry { try store(entry, over: before, report, at: now) }
        }
        for key in new.closedEarly.subtracting(old.closedEarly) {
            try database.run(
                "INSERT OR IGNORE INTO closed_early (app, device, key) VALUES (?, ?, ?)",
                .text(report.app),
                .text(report.device),
                .text(key)
            )
        }
    }

    /// What is queued for a registration goes where its token is valid now.
    private func move(
        _ registration: Text,
        from former: PushEnvironment?,
        to environment: PushEnvironment,
        _ owner: Text?,
        _ report: Report
    ) throws {
        guard let former, former != environment, let owner else { return }
        try database.run(
            "UPDATE deliveries SET environment = ? WHERE subscriber = ? AND app = ? AND open = 1 AND registration = ?",
            .text(environment.rawValue),
            .text(owner),
            .text(report.app),
            .text(registration)
        )
    }

    private func store(_ registration: WidgetRegistration, owner: Text?, _ report: Report) throws {
        try database.run(
            """
            INSERT INTO widget_registrations (app, device, id, subscriber, token, environment, kinds, os, at,
                reloaded_commit, owes_reload)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
            ON CONFLICT (app, device) DO UPDATE SET subscriber = ?4, token = ?5, environment = ?6, kinds = ?7, os = ?8,
                at = ?9, reloaded_commit = ?10, owes_reload = ?11
            """,
            .text(report.app),
            .text(report.device),
            .text(registration.id.text),
            SQLiteValue(owner),
            SQLiteValue(registration.token),
            .text(registration.environment.rawValue),
            SQLiteValue(texts: registration.kinds),
            SQLiteValue(registration.os?.text),
            .moment(registration.at),
            .integer(registration.reloadedStep.number),
            SQLiteValue(registration.owesReload)
        )
    }

    private func store(_ target: StartTarget, owner: Text?, _ report: Report) throws {
        try database.run(
            """
            INSERT INTO start_targets (app, device, attributes_type, id, subscriber, token, environment, os, at,
                frequent_pushes, templates)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
            ON CONFLICT (app, device, attributes_type) DO UPDATE SET subscriber = ?5, token = ?6, environment = ?7,
                os = ?8, at = ?9, frequent_pushes = ?10, templates = ?11
            """,
            .text(report.app),
            .text(report.device),
            .text(target.attributesType),
            .text(target.id.text),
            SQLiteValue(owner),
            SQLiteValue(target.token),
            .text(target.environment.rawValue),
            SQLiteValue(target.os?.text),
            .moment(target.at),
            SQLiteValue(target.frequentPushes),
            SQLiteValue(texts: target.templates)
        )
    }

    private func store(_ entry: DeviceInstance, over before: DeviceInstance?, _ report: Report, at now: Moment) throws {
        let instance = entry.instance
        if before == nil {
            try insert(instance, owner: Owner(subscriber: entry.subscriber, app: report.app), startTarget: nil)
        } else {
            try database.cached(Self.update).run(
                Self.reported(instance) + [
                    .text(entry.subscriber), SQLiteValue(instance.rejection?.revision),
                    SQLiteValue(instance.rejection?.tokenAt), .text(instance.name), .text(instance.origin.rawValue),
                    .integer(instance.life), .text(instance.id.text),
                ]
            )
        }
        if let before, before.instance.environment != instance.environment {
            try database.run(
                "UPDATE deliveries SET environment = ? WHERE target = ? AND open = 1 AND kind <> 'start'",
                .text(instance.environment.rawValue),
                .text(instance.id.text)
            )
        }
        for pending in before?.instance.pending ?? [] where !instance.pending.contains(pending) {
            try settle(pending, reportedBy: instance, at: now)
        }
        try noteReported(entry, over: before, report, at: now)
    }

    /// A delivery that a report decides: the start of a launch that was reported was accepted; what was queued for an
    /// instance that is over, or for an end that is withdrawn, is cancelled; what is unknown stays so.
    private func settle(_ pending: Delivery, reportedBy instance: Instance, at now: Moment) throws {
        let isAdopted = pending.kind == .start && instance.activityID != nil
        try move(
            deliveries(where: "id = ?", .text(pending.id.text)),
            isAdopted ? .adopt : .cancel,
            at: now
        )
    }

    private func noteReported(
        _ entry: DeviceInstance,
        over before: DeviceInstance?,
        _ report: Report,
        at now: Moment
    ) throws {
        let instance = entry.instance
        let owner = Owner(subscriber: entry.subscriber, app: report.app)
        func note(_ kind: Text, _ text: String) throws {
            try self.note(
                Event(
                    at: now,
                    run: nil,
                    kind: kind,
                    owner: owner,
                    subject: instance.launch?.text ?? instance.id.text,
                    text: Text(text)
                )
            )
        }
        func resolve(_ resolution: Resolution) throws {
            try self.resolve(
                instance.launch,
                resolution,
                target: instance.id,
                owner: owner,
                device: instance.device,
                run: nil,
                at: now
            )
        }
        let wasReported = before.map { $0.instance.registeredAt > .never } ?? false
        if !wasReported, instance.registeredAt > .never {
            let what = instance.name.string.isEmpty ? "an activity" : "'\(instance.name)'"
            switch instance.origin {
            case .remote: try resolve(.adopted)
            case .app: try note("adopted", "\(what) runs on device \(instance.device): the app started it")
            case .unknownLaunch: try note("unknown_launch", "\(what) of an unknown launch runs on \(instance.device)")
            case .unattributed: try note("unattributed", "\(what) runs on \(instance.device) without id or name")
            case .ambiguous: try note("ambiguous", "\(what) on \(instance.device) can be of several launches")
            }
        }
        if instance.isInferred, before?.instance.isInferred == false {
            try note("only_candidate", "told from device \(instance.device) and type alone: its report had no id")
        } else if wasReported, instance.registeredAt == .never {
            try note("detached", "what runs on device \(instance.device) is of another launch after all")
        }
        if let cause = instance.phase.closure, before?.instance.phase != instance.phase {
            let former = before?.instance.phase ?? .running
            if let resolution = Resolution.of(former, to: instance.phase, isReported: true), instance.launch != nil {
                try resolve(resolution)
            } else {
                try note("closed", "closed on device \(instance.device): \(cause.rawValue)")
            }
        }
    }

    private func cancelQueued(reloadsOf registration: WidgetsID, of former: Owner, at now: Moment) throws {
        let open = try deliveries(
            where: "subscriber = ? AND app = ? AND open = 1 AND registration = ? AND kind = 'reload'",
            .text(former.subscriber),
            .text(former.app),
            .text(registration.text)
        )
        try move(open, .cancel, at: now)
    }

    /// What a device reports of an instance; ``reported(_:)`` has the values in this order.
    private static let reportedColumns = [
        "phase", "closure", "ending", "activity_id", "token", "token_at", "environment", "os", "started_at",
        "registered_at", "inferred",
    ]

    private static func reported(_ instance: Instance) -> [SQLiteValue] {
        [
            .text(instance.phase.word), SQLiteValue(instance.phase.closure?.rawValue),
            SQLiteValue(instance.ending?.rawValue), SQLiteValue(instance.activityID), SQLiteValue(instance.token),
            .moment(instance.tokenAt), .text(instance.environment.rawValue), SQLiteValue(instance.os?.text),
            .moment(instance.startedAt), .moment(instance.registeredAt), SQLiteValue(instance.isInferred),
        ]
    }

    private static let update = """
        UPDATE instances SET \(reportedColumns.map { "\($0) = ?" }.joined(separator: ", ")), subscriber = ?,
            rejected_revision = ?, rejected_token_at = ?, name = ?, origin = ?, life = ? WHERE id = ?
        """

    /// What only its launch or its first report says of an instance.
    private static let firstColumns = [
        "id", "launch", "subscriber", "app", "name", "device", "origin", "attributes_type", "attributes", "template",
        "life", "sequence", "replaces", "start_target", "revision",
    ]

    private static let insertion = {
        let columns = firstColumns + reportedColumns
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        return "INSERT INTO instances (\(columns.joined(separator: ", "))) VALUES (\(places))"
    }()

    func insert(_ instance: Instance, owner: Owner, startTarget: StartTargetID?) throws {
        let first: [SQLiteValue] = [
            .text(instance.id.text), SQLiteValue(instance.launch?.text), .text(owner.subscriber), .text(owner.app),
            .text(instance.name), .text(instance.device), .text(instance.origin.rawValue),
            .text(instance.attributesType), SQLiteValue(json: instance.attributes), SQLiteValue(instance.template),
            .integer(instance.life), .integer(instance.sequence), SQLiteValue(instance.replaces?.text),
            SQLiteValue(startTarget?.text), .integer(instance.revision),
        ]
        try database.cached(Self.insertion).run(first + Self.reported(instance))
    }
}
