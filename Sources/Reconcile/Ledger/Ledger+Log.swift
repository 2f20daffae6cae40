public import Diff
internal import Foreign
public import JSON
public import Time

/// What `log` and `launches` read; a row at a time, so that a long history does not stand in memory.
extension Ledger {
    /// Whom an alias stands for in any app; anybody else stands for themselves.
    private func person(_ subject: Text, _ apps: [Text]) throws -> Text {
        for app in apps {
            let person = try resolve(subject, app: app)
            if person != subject { return person }
        }
        return subject
    }

    /// What happened, in the order of happening: events, and deliveries as they were settled or stand.
    ///
    /// - Parameters:
    ///   - subject: A subscriber, or the id of a target, launch, operation, delivery or run; `nil` for everything.
    ///   - apps: The apps in which an alias is looked up.
    ///   - body: Takes each line: `at`, `kind`, `subscriber`, `app`, `subject`, `run` and `text`.
    /// - Throws: What `body` throws, and errors of the ledger.
    func log(of subject: Text?, apps: [Text], each body: (Value) throws -> Void) throws {
        let statement = try database.prepare(Self.history)
        try statement.bind([SQLiteValue(subject), SQLiteValue(subject.map { try person($0, apps) } ?? nil)])
        while try statement.step() {
            let words = statement.isNull(7) ? statement.text(6).string : Self.words(of: statement)
            try body([
                "at": statement.time(0), "kind": statement.string(2), "subscriber": statement.string(3),
                "app": statement.string(4), "subject": statement.string(5), "run": statement.string(1),
                "text": .string(Text(words)),
            ])
        }
    }

    private static let history = """
        SELECT at, run, kind, subscriber, app, subject, text, NULL, NULL, NULL, NULL, number FROM events
        WHERE ?1 IS NULL OR ?1 IN (subscriber, subject, run) OR subscriber IN (
            SELECT ?2 UNION ALL SELECT anonymous FROM aliases WHERE subscriber = ?2) OR subject IN (
            SELECT launch FROM instances WHERE id = ?1 UNION ALL SELECT id FROM instances WHERE launch = ?1)
        UNION ALL
        SELECT coalesce(d.answered_at, d.dispatched_at, d.created_at), o.run, d.kind || '_' || d.status, d.subscriber,
            d.app, coalesce(i.launch, d.target, d.registration), d.device, d.status, d.apns_status, d.apns_reason,
            d.note, 0
        FROM deliveries AS d JOIN operations AS o ON o.id = d.operation LEFT JOIN instances AS i ON i.id = d.target
        WHERE d.status <> 'unknown' AND (?1 IS NULL OR d.subscriber IN (
            SELECT ?2 UNION ALL SELECT anonymous FROM aliases WHERE subscriber = ?2)
            OR ?1 IN (d.subscriber, d.target, d.registration, i.launch, d.id, d.operation, o.run))
        ORDER BY 1, 12
        """

    /// A delivery in words: `accepted (200)`, `failed (400 PayloadEmpty)`, `unknown: the run that sent it died`.
    private static func words(of row: Statement) -> String {
        let answer = [row.optionalInteger(8).map(String.init), row.optionalText(9)?.string].compactMap(\.self)
        let note = row.optionalText(10).map { ": \($0)" } ?? ""
        let status = row.text(7).string + (answer.isEmpty ? "" : " (\(answer.joined(separator: " ")))")
        return "on device \(row.text(6)): \(status)\(note)"
    }

    /// Launches with their resolution, in the order of launching.
    ///
    /// - Parameters:
    ///   - subject: A subscriber, or the id of a launch or target: all of these; `nil` for all that are not resolved.
    ///   - apps: The apps in which an alias is looked up.
    ///   - body: Takes each launch.
    /// - Throws: What `body` throws, and errors of the ledger.
    func launches(of subject: Text?, apps: [Text], each body: (Value) throws -> Void) throws {
        let subject = try subject.map { try person($0, apps) }
        let open = "i.phase IN ('queued', 'outstanding', 'unconfirmed')"
        let statement = try database.prepare(
            """
            SELECT i.subscriber, i.app, d.status, d.apns_status, d.apns_reason, d.note, d.attempts, d.dispatched_at,
                d.created_at, d.answered_at, \(Self.instanceColumns)
            FROM instances AS i LEFT JOIN deliveries AS d ON d.target = i.id AND d.kind = 'start'
            WHERE i.launch IS NOT NULL AND \(subject == nil ? open : "?1 IN (i.subscriber, i.launch, i.id)")
            ORDER BY i.sequence, i.id
            """
        )
        if let subject { try statement.bind([.text(subject)]) }
        while try statement.step() {
            let instance = try Instance(row: statement, from: 10)
            let resolutions = try resolutions(of: instance)
            try body([
                "launchRequestId": instance.launch.map { .string($0.text) } ?? .null,
                "targetId": .string(instance.id.text), "subscriber": statement.string(0), "app": statement.string(1),
                "name": .string(instance.name), "device": .string(instance.device),
                "resolution": resolutions.last?["event"] ?? .string(instance.phase.word),
                "closure": instance.phase.closure.map { .string($0.rawValue) } ?? .null,
                "start": [
                    "status": statement.string(2), "apnsStatus": statement.number(3), "reason": statement.string(4),
                    "note": statement.string(5), "attempts": statement.number(6), "sentAt": statement.time(7),
                ],
                "confirmationDueAt": .time(
                    instance.startExpiresAt == .never ? .never : instance.startExpiresAt + Expiry.confirmation
                ),
                "reportedAt": .time(instance.registeredAt), "isInferred": .bool(instance.isInferred),
                "activityId": instance.activityID.map(Value.string) ?? .null,
                "history": .array(try transport(statement, instance) + resolutions),
            ])
        }
        try unattributed(subject, each: body)
    }

    /// Activities that block launches, because it is not known to what launch they belong.
    private func unattributed(_ subject: Text?, each body: (Value) throws -> Void) throws {
        let statement = try database.prepare(
            """
            SELECT subscriber, app, \(Instance.columns) FROM instances
            WHERE phase = 'running' AND origin IN ('unknownLaunch', 'ambiguous') AND (?1 IS NULL OR ?1 IN (subscriber, id))
            ORDER BY id
            """
        )
        try statement.bind([SQLiteValue(subject)])
        while try statement.step() {
            let instance = try Instance(row: statement, from: 2)
            try body([
                "launchRequestId": instance.launch.map { .string($0.text) } ?? .null,
                "targetId": .string(instance.id.text), "subscriber": statement.string(0), "app": statement.string(1),
                "name": .null, "device": .string(instance.device),
                "attributesType": .string(instance.attributesType),
                "resolution": instance.origin == .ambiguous ? "ambiguous" : "unknown_launch",
                "activityId": instance.activityID.map(Value.string) ?? .null,
                "reportedAt": .time(instance.registeredAt),
                "blocksUntil": .time(instance.startedAt + Instance.unknownLaunchHold),
            ])
        }
    }

    /// How the start of a launch went: `queued`, `sent`, what its attempts came to, and how it was settled.
    private func transport(_ row: Statement, _ instance: Instance) throws -> [Value] {
        guard let status = row.optionalText(2) else { return [] }
        var events: [Value] = [["at": row.time(8), "event": "queued"]]
        if instance.startedAt > .never { events.append(["at": .time(instance.startedAt), "event": "sent"]) }
        try database.each(
            "SELECT at, kind, run FROM events WHERE subject = ? AND kind IN ('start_unknown', 'start_queued') ORDER BY number",
            SQLiteValue(instance.launch?.text)
        ) { events.append(["at": $0.time(0), "event": $0.string(1), "run": $0.string(2)]) }
        if !row.isNull(9), status != "unknown", status != "queued" {
            events.append(["at": row.time(9), "event": .string(Text("start_\(status)"))])
        }
        return events
    }

    private func resolutions(of instance: Instance) throws -> [Value] {
        guard let launch = instance.launch else { return [] }
        var found: [Value] = []
        try database.each(
            "SELECT at, resolution, run FROM resolutions WHERE launch = ? AND target = ? ORDER BY number",
            .text(launch.text),
            .text(instance.id.text)
        ) { found.append(["at": $0.time(0), "event": $0.string(1), "run": $0.string(2)]) }
        return found
    }

    private static let instanceColumns = Instance.columns.split(separator: ",")
        .map { "i." + $0.trimmingPrefix { $0 == " " || $0 == "\n" } }.joined(separator: ", ")
}

/// One line of what happened.
public struct LogLine: Hashable, Sendable {
    /// The moment it happened.
    public var at: Moment
    /// The run; `nil` where a report did it.
    public var run: RunID?
    /// A stable snake_case code.
    public var kind: Text
    /// Whom it is about, if anybody.
    public var subscriber: Text?
    /// The app that it is about, if any.
    public var app: Text?
    /// The id that it is about, if any.
    public var subject: Text?
    /// For people.
    public var text: Text
}

extension Statement {
    fileprivate func string(_ column: Int32) -> Value { optionalText(column).map(Value.string) ?? .null }
    fileprivate func number(_ column: Int32) -> Value { optionalInteger(column).map(Value.integer) ?? .null }
    fileprivate func time(_ column: Int32) -> Value { optionalMoment(column).map(Value.time) ?? .null }
}

extension Value {
    /// A moment as RFC 3339; `null` for "never".
    fileprivate static func time(_ moment: Moment) -> Value {
        moment == .never ? .null : .string(Text(RFC3339.string(moment)))
    }
}
