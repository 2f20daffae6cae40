internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// The one place that changes rows.
struct LedgerWriter {
    let database: Database

    /// Writes a group of changes; part of the transaction that they were decided in.
    ///
    /// - Throws: ``SQLiteError``.
    func write(_ changes: LedgerChanges) throws {
        for change in changes.widgets { try write(widget: change) }
        for change in changes.activities { try write(activity: change) }
        for change in changes.devices { try write(device: change) }
        for change in changes.registrations { try write(registration: change) }
        for change in changes.startTargets { try write(startTarget: change) }
        for change in changes.instances { try write(instance: change) }
        for early in changes.closedEarly { try write(early) }
        for alias in changes.aliases { try write(alias) }
        for change in changes.scopes { try write(scope: change) }
        for change in changes.sentElsewhere { try write(sentElsewhere: change) }
        for operation in changes.operations { try write(operation) }
        for change in changes.deliveries { try write(delivery: change) }
        for token in changes.deadTokens { try write(token) }
        for change in changes.faults { try write(fault: change) }
        for entry in changes.history { try write(entry) }
        for early in changes.earlyReports { try write(early) }
        for change in changes.templates { try write(template: change) }
        for change in changes.runs { try write(run: change) }
        for request in changes.reloadRequests { try write(request) }
        try writePublishing(changes)
        try writeTouched(changes)
        if let facts = changes.facts { try write(facts: facts) }
    }

    private func write(widget change: RowChange<Owned<RecordedWidget>>) throws {
        guard let owned = change.after else { return try delete(change.before, from: "widgets", \.declaration.name) }
        let (owner, old, new) = (owned.owner, change.before?.row, owned.row)
        var row = RowDraft(over: old)
        row.set("subscriber", from: change.before?.owner.subscriber, to: owner.subscriber)
        row.fix("app", owner.app)
        row.set("name", from: old?.declaration.name, to: new.declaration.name)
        row.fix("target", new.id)
        if old?.declaration != new.declaration { row.set("body", from: nil, to: new.declaration.body) }
        row.set("revision", from: old?.revision, to: new.revision)
        row.set("changed_commit", from: old?.changedStep, to: new.changedStep)
        row.set("changed_at", from: old?.changedAt, to: new.changedAt)
        try row.write(to: "widgets", of: database, where: (change.before ?? owned).key(\.declaration.name))
    }

    private func write(activity change: RowChange<Owned<RecordedActivity>>) throws {
        guard let owned = change.after else { return try delete(change.before, from: "activities", \.declaration.name) }
        let (owner, old, new) = (owned.owner, change.before?.row, owned.row)
        var row = RowDraft(over: old)
        row.set("subscriber", from: change.before?.owner.subscriber, to: owner.subscriber)
        row.fix("app", owner.app)
        row.fix("name", new.declaration.name)
        if old?.declaration != new.declaration { row.set("body", from: nil, to: new.declaration.body) }
        row.set("life", from: old?.life, to: new.life)
        row.set("revision", from: old?.revision, to: new.revision)
        row.set("changed_commit", from: old?.changedStep, to: new.changedStep)
        row.set("removed", from: old?.isRemoved, to: new.isRemoved)
        row.set("adopted_life", from: old?.adoptedLife, to: new.adoptedLife)
        row.set("alert_at", from: old?.alertAt, to: new.alertAt)
        try row.write(to: "activities", of: database, where: (change.before ?? owned).key(\.declaration.name))
    }

    /// Deletes the row of a declaration.
    private func delete<Row>(_ owned: Owned<Row>?, from table: String, _ name: (Row) -> Text) throws {
        guard let owned else { return }
        try database.run(
            "DELETE FROM \(table) WHERE subscriber = ? AND app = ? AND name = ?",
            .text(owned.owner.subscriber),
            .text(owned.owner.app),
            .text(name(owned.row))
        )
    }

    private func write(device change: RowChange<DeviceRow>) throws {
        guard let new = change.after else { return }
        let old = change.before
        var row = RowDraft(over: old)
        row.fix("app", new.app)
        row.fix("device", new.device)
        row.set("subscriber", from: old?.owner, to: new.owner)
        row.set("owner_since", from: old?.ownerSince, to: new.ownerSince)
        row.set("last_report", from: old?.lastReport, to: new.lastReport)
        try row.write(to: "devices", of: database, where: [("app", new.app), ("device", new.device)])
    }

    /// Writes a registration; the row of one that leaves a record stays, for whoever has the device then.
    private func write(registration change: RowChange<OnDevice<WidgetRegistration>>) throws {
        guard let place = change.after else { return }
        let (old, new) = (change.before?.row, place.row)
        var row = RowDraft(over: old)
        row.fix("app", place.app)
        row.fix("device", place.device)
        row.fix("id", new.id)
        row.set("subscriber", from: change.before?.subscriber, to: place.subscriber)
        row.set("token", from: old?.token, to: new.token)
        row.set("environment", from: old?.environment.rawValue, to: new.environment.rawValue)
        row.set("kinds", from: old?.kinds, to: new.kinds)
        row.set("os", from: old?.os, to: new.os)
        row.set("at", from: old?.at, to: new.at)
        row.set("reloaded_commit", from: old?.reloadedStep, to: new.reloadedStep)
        row.set("reloaded_at", from: old?.reloadedAt, to: new.reloadedAt)
        row.set("owes_reload", from: old?.owesReload, to: new.owesReload)
        row.set("rejected_revision", from: old?.rejection?.revision, to: new.rejection?.revision)
        row.set("rejected_token_at", from: old?.rejection?.tokenAt, to: new.rejection?.tokenAt)
        try row.write(
            to: "widget_registrations",
            of: database,
            where: [("app", place.app), ("device", place.device)]
        )
    }

    private func write(startTarget change: RowChange<OnDevice<StartTarget>>) throws {
        guard let place = change.after else { return }
        let (old, new) = (change.before?.row, place.row)
        var row = RowDraft(over: old)
        row.fix("app", place.app)
        row.fix("device", place.device)
        row.fix("attributes_type", new.attributesType)
        row.fix("id", new.id)
        row.set("subscriber", from: change.before?.subscriber, to: place.subscriber)
        row.set("token", from: old?.token, to: new.token)
        row.set("environment", from: old?.environment.rawValue, to: new.environment.rawValue)
        row.set("os", from: old?.os, to: new.os)
        row.set("at", from: old?.at, to: new.at)
        row.set("frequent_pushes", from: old?.frequentPushes, to: new.frequentPushes)
        row.set("templates", from: old?.templates, to: new.templates)
        try row.write(to: "start_targets", of: database, where: [("id", new.id.text)])
    }

    private func write(instance change: RowChange<Owned<Instance>>) throws {
        guard let owned = change.after else { return }
        let (old, new) = (change.before?.row, owned.row)
        var row = RowDraft(over: old)
        row.fix("id", new.id)
        row.fix("launch", new.launch)
        row.fix("app", owned.owner.app)
        row.fix("device", new.device)
        row.fix("attributes_type", new.attributesType)
        row.fix("sequence", new.sequence)
        row.fix("replaces", new.replaces)
        row.fix("start_target", new.startTarget)
        row.set("subscriber", from: change.before?.owner.subscriber, to: owned.owner.subscriber)
        row.set("name", from: old?.name, to: new.name)
        row.set("origin", from: old?.origin.rawValue, to: new.origin.rawValue)
        row.set("attributes", from: old?.attributes, to: new.attributes)
        row.set("template", from: old?.template, to: new.template)
        row.set("life", from: old?.life, to: new.life)
        row.set("phase", from: old?.phase.word, to: new.phase.word)
        row.set("closure", from: old?.phase.closure?.rawValue, to: new.phase.closure?.rawValue)
        row.set("ending", from: old?.ending?.rawValue, to: new.ending?.rawValue)
        row.set("activity_id", from: old?.activityID, to: new.activityID)
        row.set("environment", from: old?.environment.rawValue, to: new.environment.rawValue)
        row.set("os", from: old?.os, to: new.os)
        set(&row, tokenAndTimes: old, new)
        row.set("inferred", from: old?.isInferred, to: new.isInferred)
        row.set("revision", from: old?.revision, to: new.revision)
        row.set("shown", from: old?.shown, to: new.shown)
        row.set("rejected_revision", from: old?.rejection?.revision, to: new.rejection?.revision)
        row.set("rejected_token_at", from: old?.rejection?.tokenAt, to: new.rejection?.tokenAt)
        try row.write(to: "instances", of: database, where: [("id", new.id.text)])
    }

    private func set(_ row: inout RowDraft, tokenAndTimes old: Instance?, _ new: Instance) {
        row.set("token", from: old?.token, to: new.token)
        row.set("token_at", from: old?.tokenAt, to: new.tokenAt)
        row.set("started_at", from: old?.startedAt, to: new.startedAt)
        row.set("start_expires_at", from: old?.startExpiresAt, to: new.startExpiresAt)
        row.set("registered_at", from: old?.registeredAt, to: new.registeredAt)
        row.set("updated_at", from: old?.updatedAt, to: new.updatedAt)
        // To the second, as it goes out.
        row.set("last_timestamp", from: old?.lastTimestamp.seconds, to: new.lastTimestamp.seconds)
    }

    private func write(_ operation: Operation) throws {
        try database.run(
            """
            INSERT INTO operations (id, kind, subscriber, app, run, commit_number, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            operation.id.stored,
            operation.kind.rawValue.stored,
            operation.owner.subscriber.stored,
            operation.owner.app.stored,
            operation.run.stored,
            operation.step.stored,
            operation.createdAt.stored
        )
    }

    private func write(delivery change: RowChange<Delivery>) throws {
        guard let new = change.after else { return }
        let old = change.before
        var row = RowDraft(over: old)
        row.fix("id", new.id)
        row.fix("operation", new.operation)
        row.fix("kind", new.kind.rawValue)
        row.fix("app", new.owner.app)
        row.fix("device", new.device)
        row.fix("target", new.target)
        row.fix("registration", new.registration)
        row.fix("commit_number", new.step)
        row.fix("created_at", new.createdAt)
        row.fix("expires_after", new.expiresAfter)
        row.set("subscriber", from: old?.owner.subscriber, to: new.owner.subscriber)
        row.set("environment", from: old?.environment.rawValue, to: new.environment.rawValue)
        row.set("status", from: old?.status.rawValue, to: new.status.rawValue)
        row.set("open", from: old?.state.isOpen, to: new.state.isOpen)
        row.set("rank", from: old?.rank, to: new.rank)
        row.set("revision", from: old?.revision, to: new.revision)
        row.set("cost", from: old?.cost, to: new.cost)
        row.set("quota_day", from: old?.quotaDay, to: new.quotaDay)
        row.set("not_before", from: old?.notBefore, to: new.notBefore)
        row.set("dispatched_at", from: old?.dispatchedAt, to: new.dispatchedAt)
        row.set("attempts", from: old?.attempts, to: new.attempts)
        row.set("content", from: old?.content, to: new.content)
        row.set("apns_id", from: old?.answer.id, to: new.answer.id)
        row.set("apns_status", from: old?.answer.status, to: new.answer.status)
        row.set("apns_reason", from: old?.answer.reason, to: new.answer.reason)
        row.set("note", from: old?.answer.note, to: new.answer.note)
        row.set("answered_at", from: old?.answer.at, to: new.answer.at)
        try row.write(to: "deliveries", of: database, where: [("id", new.id.text)])
    }

    private func write(_ dead: DeadToken) throws {
        try database.run(
            "INSERT INTO dead_tokens (token, at) VALUES (?, ?) ON CONFLICT (token) DO UPDATE SET at = max(at, excluded.at)",
            dead.token.stored,
            dead.at.stored
        )
    }

    private func write(fault change: RowChange<Fault>) throws {
        guard let fault = change.after ?? change.before else { return }
        let key = [("app", fault.app), ("environment", fault.environment.rawValue)]
        guard change.after != nil else {
            return try database.run(
                "DELETE FROM faults WHERE app = ? AND environment = ?",
                fault.app.stored,
                fault.environment.rawValue.stored
            )
        }
        let old = change.before
        var row = RowDraft(over: old)
        row.fix("app", fault.app)
        row.fix("environment", fault.environment.rawValue)
        row.fix("since", fault.since)
        row.set("reason", from: old?.reason, to: fault.reason)
        row.set("fingerprint", from: old?.fingerprint, to: fault.fingerprint)
        try row.write(to: "faults", of: database, where: key)
    }

    private func write(_ early: ClosedEarly) throws {
        var row = RowDraft(over: ClosedEarly?.none)
        row.fix("app", early.app)
        row.fix("device", early.device)
        row.fix("key", early.key)
        try row.write(to: "closed_early", of: database, where: [])
    }

    private func write(_ alias: Alias) throws {
        var row = RowDraft(over: Alias?.none)
        row.fix("app", alias.app)
        row.fix("anonymous", alias.anonymous)
        row.fix("subscriber", alias.person)
        try row.write(to: "aliases", of: database, where: [])
    }

    private func write(scope change: RowChange<ScopeRow>) throws {
        guard let new = change.after else {
            guard let key = change.before?.subject.key else { return }
            let row = key.map { "\($0.column) = ?" }.joined(separator: " AND ")
            return try database.cached("DELETE FROM scopes WHERE \(row)").run(key.map { .text($0.value) })
        }
        let old = change.before
        var row = RowDraft(over: old)
        for (place, name) in new.subject.key.enumerated() {
            row.set(name.column, from: old?.subject.key[place].value, to: name.value)
        }
        row.set("number", from: old?.scope.number, to: new.scope.number)
        row.set("paused", from: old?.scope.isPaused, to: new.scope.isPaused)
        row.set("revoked", from: old?.scope.isRevoked, to: new.scope.isRevoked)
        row.set("opened_at", from: old?.scope.openedAt, to: new.scope.openedAt)
        try row.write(to: "scopes", of: database, where: (old ?? new).subject.key)
    }

    private func write(sentElsewhere change: RowChange<SentElsewhere>) throws {
        guard let new = change.after else { return }
        try database.run(
            "INSERT INTO sent_elsewhere (day, pushes) VALUES (?, ?) ON CONFLICT (day) DO UPDATE SET pushes = excluded.pushes",
            new.day.stored,
            new.pushes.stored
        )
    }

    private func write(_ entry: HistoryEntry) throws {
        switch entry {
        case .event(let event): try write(event)
        case .resolution(let resolution):
            try database.run(
                """
                INSERT INTO resolutions (launch, resolution, target, at, run) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (launch, target, resolution) DO NOTHING
                """,
                resolution.launch.stored,
                resolution.resolution.rawValue.stored,
                resolution.target.stored,
                resolution.event.at.stored,
                resolution.event.run.stored
            )
            if database.changes > 0 { try write(resolution.event) }
        }
    }
}

extension Owned {
    /// The columns that name the row of a declaration, and their values.
    fileprivate func key(_ name: (Row) -> Text) -> [(column: String, value: Text)] {
        [("subscriber", owner.subscriber), ("app", owner.app), ("name", name(row))]
    }
}

extension ScopeSubject {
    /// The columns that name its row, and their values.
    fileprivate var key: [(column: String, value: Text)] {
        let values: (kind: Text, subscriber: Text, app: Text, name: Text, device: Text) =
            switch self {
            case .subscriber(let subscriber): ("subscriber", subscriber, "", "", "")
            case .widget(let owner, let name): ("widget", owner.subscriber, owner.app, name, "")
            case .activity(let owner, let name, let device): ("activity", owner.subscriber, owner.app, name, device)
            case .startTarget(let id): ("startTarget", "", "", id.text, "")
            case .widgets(let id): ("widgets", "", "", id.text, "")
            }
        return [
            ("kind", values.kind), ("subscriber", values.subscriber), ("app", values.app), ("name", values.name),
            ("device", values.device),
        ]
    }
}
