internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// Writes rows: the one place that changes them.
struct LedgerWriter {
    let database: Database
    let words: Words
    let places: Places

    /// Writes a group of changes; part of the transaction that they were decided in.
    ///
    /// - Throws: ``SQLiteError``, ``UnreadableRow`` where a row names one that is not there.
    func write(_ changes: LedgerChanges) throws {
        let whole = WholeWriter(database: database, places: places)
        for change in changes.runs { try whole.write(run: change) }
        for change in changes.widgets { try write(widget: change) }
        for change in changes.activities { try write(activity: change) }
        for change in changes.devices { try write(device: change) }
        for change in changes.registrations { try write(registration: change) }
        for change in changes.startTargets { try write(startTarget: change) }
        for change in changes.instances { try write(instance: change) }
        for early in changes.closedEarly { try write(early) }
        for alias in changes.aliases { try write(alias) }
        try SendingWriter(database: database, words: words, places: places).write(changes)
        for token in changes.deadTokens { try write(token) }
        for entry in changes.history { try write(entry) }
        try whole.write(changes)
    }

    // MARK: - Declarations

    private func write(widget change: RowChange<Owned<RecordedWidget>>) throws {
        guard let owned = change.after else { return try delete(change.before, from: "widgets", \.declaration.name) }
        let (old, new) = (change.before?.row, owned.row)
        var row = RowDraft(in: "widgets", over: old)
        try row.set("owner", from: change.before?.owner, to: owned.owner, as: places.owner)
        row.set("name", from: old?.declaration.name, to: new.declaration.name)
        row.fix("target", new.id)
        row.set("body", from: old?.declaration, to: new.declaration, as: \.body)
        row.set("revision", from: old?.revision, to: new.revision)
        row.set("changed_step", from: old?.changedStep, to: new.changedStep)
        row.set("changed_at", from: old?.changedAt, to: new.changedAt)
        let former = change.before ?? owned
        try row.write(
            to: database,
            where: "owner = ? AND name = ?",
            .integer(try places.owner(former.owner)),
            .text(former.row.declaration.name)
        )
    }

    private func write(activity change: RowChange<Owned<RecordedActivity>>) throws {
        guard let owned = change.after else { return try delete(change.before, from: "activities", \.declaration.name) }
        let (old, new) = (change.before?.row, owned.row)
        var row = RowDraft(in: "activities", over: old)
        try row.set("owner", from: change.before?.owner, to: owned.owner, as: places.owner)
        row.fix("name", new.declaration.name)
        row.set("body", from: old?.declaration, to: new.declaration, as: \.body)
        row.set("life", from: old?.life, to: new.life)
        row.set("revision", from: old?.revision, to: new.revision)
        row.set("changed_step", from: old?.changedStep, to: new.changedStep)
        row.set("removed", from: old?.isRemoved, to: new.isRemoved)
        row.set("adopted_life", from: old?.adoptedLife, to: new.adoptedLife)
        row.set("alert_at", from: old?.alertAt, to: new.alertAt)
        let former = change.before ?? owned
        try row.write(
            to: database,
            where: "owner = ? AND name = ?",
            .integer(try places.owner(former.owner)),
            .text(former.row.declaration.name)
        )
    }

    /// Deletes the row of a declaration.
    private func delete<Row>(_ owned: Owned<Row>?, from table: String, _ name: (Row) -> Text) throws {
        guard let owned else { return }
        let owner = SQLiteValue.integer(try places.owner(owned.owner))
        try database.run("DELETE FROM \(table) WHERE owner = ? AND name = ?", owner, .text(name(owned.row)))
    }

    // MARK: - Devices

    private func write(device change: RowChange<DeviceRow>) throws {
        guard let new = change.after else { return }
        let owner = try new.owner.map { try places.owner(Owner(subscriber: $0, app: new.app)) }
        let number = try places.device(new.device, app: new.app, near: owner)
        // The row is there already, as a name in other rows at least.
        try database.run(
            "UPDATE devices SET owner = ?, owner_since = ?, last_report = ? WHERE number = ?",
            owner.stored,
            new.ownerSince.stored,
            new.lastReport.stored,
            .integer(number)
        )
    }

    /// The number of the device that a registration is on; whose it is, the row of the device tells.
    private func device<Row>(of place: OnDevice<Row>) throws -> Int64 {
        let owner = try place.owner.map(places.owner)
        let number = try places.device(place.device, app: place.app, near: owner)
        if let owner {
            try database.run(
                "UPDATE devices SET owner = ? WHERE number = ? AND last_report IS NULL",
                .integer(owner),
                .integer(number)
            )
        }
        return number
    }

    /// Writes a registration; the row of one that leaves a record stays, for whoever has the device then.
    private func write(registration change: RowChange<OnDevice<WidgetRegistration>>) throws {
        guard let place = change.after else { return }
        let (old, new) = (change.before?.row, place.row)
        var row = RowDraft(in: "widget_registrations", over: old)
        try row.fix("device", try device(of: place))
        row.fix("id", new.id)
        row.set("token", from: old?.token, to: new.token) { $0.map(Digits.init) }
        row.set("environment", from: old?.environment, to: new.environment)
        try row.set("kinds", from: old?.kinds, to: new.kinds, as: words.number(ofList:))
        try row.set("os", from: old?.os, to: new.os) { try $0.map { try words.number($0.text) } }
        row.set("at", from: old?.at, to: new.at)
        row.set("reloaded_step", from: old?.reloadedStep, to: new.reloadedStep)
        row.set("reloaded_at", from: old?.reloadedAt, to: new.reloadedAt)
        row.set("owes_reload", from: old?.owesReload, to: new.owesReload)
        row.set("rejected_revision", from: old?.rejection?.revision, to: new.rejection?.revision)
        row.set("rejected_token_at", from: old?.rejection?.tokenAt, to: new.rejection?.tokenAt)
        try row.write(to: database, where: "id = ?", new.id.stored)
    }

    private func write(startTarget change: RowChange<OnDevice<StartTarget>>) throws {
        guard let place = change.after else { return }
        let (old, new) = (change.before?.row, place.row)
        var row = RowDraft(in: "start_targets", over: old)
        try row.fix("device", try device(of: place))
        try row.fix("attributes_type", try words.number(new.attributesType))
        row.fix("id", new.id)
        row.set("token", from: old?.token, to: new.token) { $0.map(Digits.init) }
        row.set("environment", from: old?.environment, to: new.environment)
        try row.set("os", from: old?.os, to: new.os) { try $0.map { try words.number($0.text) } }
        row.set("at", from: old?.at, to: new.at)
        row.set("frequent_pushes", from: old?.frequentPushes, to: new.frequentPushes)
        try row.set("templates", from: old?.templates, to: new.templates) { try $0.map(words.number(ofList:)) }
        try row.write(to: database, where: "id = ?", new.id.stored)
    }

    private func write(_ early: ClosedEarly) throws {
        let device = try places.device(early.device, app: early.app, near: nil)
        try database.run("INSERT INTO closed_early (device, key) VALUES (?, ?)", .integer(device), .text(early.key))
    }

    private func write(_ alias: Alias) throws {
        try database.run(
            "INSERT INTO aliases (app, anonymous, subscriber) VALUES (?, ?, ?)",
            .text(alias.app),
            .text(alias.anonymous),
            .text(alias.person)
        )
    }

    private func write(_ dead: DeadToken) throws {
        try database.run(
            "INSERT INTO dead_tokens (token, at) VALUES (?, ?) ON CONFLICT (token) DO UPDATE SET at = max(at, excluded.at)",
            Digits(text: dead.token).stored,
            dead.at.stored
        )
    }

    // MARK: - Instances

    private func write(instance change: RowChange<Owned<Instance>>) throws {
        guard let owned = change.after else { return }
        let (old, new) = (change.before?.row, owned.row)
        let known = try old == nil ? places.newInstance(new.id, of: places.owner(owned.owner)) : places.instance(new.id)
        guard let number = known else { throw UnreadableRow(table: "instances", detail: new.id.description) }
        var row = RowDraft(in: "instances", over: old)
        row.fix("number", number)
        row.fix("id", new.id)
        row.fix("launch", new.launch)
        try row.fix(
            "device",
            try places.device(new.device, app: owned.owner.app, near: places.owner(owned.owner))
        )
        try row.fix("attributes_type", try words.number(new.attributesType))
        row.fix("sequence", new.sequence)
        row.fix("replaces", new.replaces)
        row.fix("start_target", new.startTarget)
        try row.set("owner", from: change.before?.owner, to: owned.owner, as: places.owner)
        row.set("name", from: old?.name, to: new.name)
        row.set("origin", from: old?.origin, to: new.origin)
        row.set("attributes", from: old?.attributes, to: new.attributes)
        try row.set("template", from: old?.template, to: new.template) { try $0.map(words.number) }
        row.set("life", from: old?.life, to: new.life)
        row.set("phase", from: (old?.phase).map(PhaseNumber.init), to: PhaseNumber(new.phase))
        row.set("closure", from: old?.phase.closure, to: new.phase.closure)
        row.set("ending", from: old?.ending, to: new.ending)
        row.set("activity_id", from: old?.activityID, to: new.activityID) { $0.map(Name.init) }
        row.set("environment", from: old?.environment, to: new.environment)
        try row.set("os", from: old?.os, to: new.os) { try $0.map { try words.number($0.text) } }
        row.set("token", from: old?.token, to: new.token) { $0.map(Digits.init) }
        row.set("token_at", from: old?.tokenAt, to: new.tokenAt)
        row.set("started_at", from: old?.startedAt, to: new.startedAt)
        row.set("start_expires_at", from: old?.startExpiresAt, to: new.startExpiresAt)
        row.set("registered_at", from: old?.registeredAt, to: new.registeredAt)
        row.set("inferred", from: old?.isInferred, to: new.isInferred)
        try row.write(to: database, where: "number = ?", .integer(number))
        try write(progressOf: new, over: old, number)
    }

    /// Writes what changes of an instance with each push.
    private func write(progressOf new: Instance, over old: Instance?, _ number: Int64) throws {
        var row = RowDraft(in: "progress", over: old)
        row.fix("instance", number)
        row.set("revision", from: old?.revision, to: new.revision)
        row.set("shown", from: old?.shown, to: new.shown)
        // To the second, as it goes out.
        row.set("last_timestamp", from: old?.lastTimestamp.seconds, to: new.lastTimestamp.seconds)
        row.set("updated_at", from: old?.updatedAt, to: new.updatedAt)
        row.set("rejected_revision", from: old?.rejection?.revision, to: new.rejection?.revision)
        row.set("rejected_token_at", from: old?.rejection?.tokenAt, to: new.rejection?.tokenAt)
        try row.write(to: database, where: "instance = ?", .integer(number))
    }

    // MARK: - History

    private func write(_ entry: HistoryEntry) throws {
        switch entry {
        case .event(let event): try write(event)
        case .resolution(let resolution):
            guard let instance = try places.instance(resolution.target) else {
                throw UnreadableRow(table: "resolutions", detail: resolution.target.description)
            }
            try database.run(
                """
                INSERT INTO resolutions (instance, resolution, at, run) VALUES (?, ?, ?, ?)
                ON CONFLICT (instance, resolution) DO NOTHING
                """,
                .integer(instance),
                resolution.resolution.stored,
                resolution.event.at.stored,
                try resolution.event.run.flatMap(places.run).stored
            )
            if database.changes > 0 { try write(resolution.event) }
        }
    }

    private func write(_ event: Event) throws {
        try database.run(
            "INSERT INTO events (at, run, kind, owner, subject, text) VALUES (?, ?, ?, ?, ?, ?)",
            event.at.stored,
            try event.run.flatMap(places.run).stored,
            .integer(try words.number(event.kind)),
            try event.owner.map(places.owner).stored,
            event.subject.map(SubjectID.init).stored,
            event.text.stored
        )
    }
}
