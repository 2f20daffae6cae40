internal import Diff
internal import Foreign
internal import JSON

/// Brings the rows of an older program to what they are now, in one transaction.
///
/// The rows of versions 1 and 2 were of words, and differed in triggers alone. What a row of theirs names is found by its
/// words; ids, names and digits are packed by functions of ours that the statements call.
enum Migration {
    /// A copy in a temporary file, brought up to date, that goes with its connection.
    static func copy(of file: Database) throws -> Database {
        let copy = try Database(path: "", mode: .temporary)
        try copy.replaceContents(with: file)
        try run(on: copy)
        return copy
    }

    /// Brings a ledger up to date: all of it, or nothing.
    ///
    /// - Throws: ``SQLiteError``, ``UnreadableRow`` where something could not be kept.
    static func run(on database: Database) throws {
        try define(in: database)
        try database.transaction {
            let tables = try names("type = 'table' AND name NOT LIKE 'sqlite_%'", in: database)
            for name in try names("type = 'trigger'", in: database) { try database.execute("DROP TRIGGER \(name)") }
            for name in try names("type = 'index' AND sql IS NOT NULL", in: database) {
                try database.execute("DROP INDEX \(name)")
            }
            for table in tables { try database.execute("ALTER TABLE \(table) RENAME TO old_\(table)") }
            try database.execute(Schema.tables)
            try database.execute(whole + devices + owned + sending + history)
            for (table, loss, sql) in losses where try database.first(sql, read: { _ in true }) != nil {
                throw UnreadableRow(table: table, detail: loss)
            }
            // Rows that name others go first.
            let first = ["old_deliveries", "old_operations", "old_resolutions"]
            let old = tables.map { "old_\($0)" }
            for table in first + old.filter({ !first.contains($0) }) { try database.execute("DROP TABLE \(table)") }
            try database.execute(WordViews.statements)
            try database.execute("PRAGMA user_version = \(Schema.version)")
        }
    }

    private static func names(_ condition: String, in database: Database) throws -> [String] {
        var names: [String] = []
        try database.each("SELECT name FROM sqlite_schema WHERE \(condition)") { names.append($0.text(0).string) }
        return names
    }

    private static func define(in database: Database) throws {
        try database.define("pack_tgt") { TargetID($0).stored }
        try database.define("pack_stt") { StartTargetID($0).stored }
        try database.define("pack_wgt") { WidgetsID($0).stored }
        try database.define("pack_lrq") { LaunchID($0).stored }
        try database.define("pack_op") { OperationID($0).stored }
        try database.define("pack_dlv") { DeliveryID($0).stored }
        try database.define("pack_subject") { SubjectID(text: $0).stored }
        try database.define("pack_name") { Name(text: $0).stored }
        try database.define("pack_digits") { Digits(text: $0).stored }
    }

    // MARK: - Columns

    private static func word(_ column: String) -> String { "(SELECT number FROM words WHERE word = \(column))" }

    /// The number of a word of a list; a word that the list has not is refused by its column.
    private static func number<Value: Numbered>(_ column: String, _ list: Value.Type) -> String {
        let cases = list.numbered.map { "WHEN '\($0.word)' THEN \($0.number)" }
        return "CASE \(column) \(cases.joined(separator: " ")) ELSE \(column) END"
    }

    private static func owner(_ row: String) -> String {
        "(SELECT number FROM owners WHERE subscriber = \(row).subscriber AND app = \(row).app)"
    }

    private static func device(_ row: String) -> String {
        "(SELECT number FROM devices WHERE id = pack_name(\(row).device) AND app = \(word("\(row).app")))"
    }

    private static func instance(_ column: String) -> String {
        "(SELECT number FROM instances WHERE id = pack_tgt(\(column)))"
    }

    private static func run(_ row: String) -> String { "(SELECT number FROM runs WHERE id = \(row).run)" }

    /// The values of columns of several tables, each once.
    private static func all(_ columns: String, of tables: [String]) -> String {
        tables.map { "SELECT \(columns) FROM old_\($0)" }.joined(separator: " UNION ")
    }

    // MARK: - Rows

    private static let whole = """
        INSERT INTO facts SELECT key, value FROM old_facts;
        INSERT INTO runs SELECT row_number() OVER (ORDER BY id), id, command, host, user, pid, source, started_at, ended_at,
            status FROM old_runs ORDER BY id;
        INSERT INTO aliases SELECT app, anonymous, subscriber FROM old_aliases;
        INSERT INTO templates SELECT name, digest, document, at FROM old_templates;
        INSERT INTO sent_elsewhere SELECT day, pushes FROM old_sent_elsewhere;
        INSERT INTO scopes SELECT \(number("kind", ScopeKind.self)), subscriber, app, name, device, number, paused, revoked,
            opened_at FROM old_scopes;
        INSERT INTO faults SELECT app, \(number("environment", PushEnvironment.self)), reason, fingerprint, since
            FROM old_faults;
        INSERT INTO idempotency SELECT key, request, results, at FROM old_idempotency;
        INSERT INTO dead_tokens SELECT pack_digits(token), at FROM old_dead_tokens;
        INSERT INTO early_reports SELECT pack_digits(digest), at FROM old_early_reports;
        INSERT INTO unpublished SELECT subscriber, app FROM old_unpublished;

        """

    private static let devices: String = {
        let named = ["devices", "widget_registrations", "start_targets", "instances", "deliveries", "closed_early"]
        let owned = ["devices", "instances", "deliveries", "operations", "events"]
        let declared = ["widgets", "activities", "unpublished", "touched"]
        let everybody = all("subscriber, app", of: owned + declared)
        let words = [
            all("app", of: named), all("kinds", of: ["widget_registrations"]), all("templates", of: ["start_targets"]),
            all("os", of: ["widget_registrations", "start_targets", "instances"]),
            all("attributes_type", of: ["start_targets", "instances"]), all("template", of: ["instances"]),
            all("kind", of: ["events"]),
        ]
        return """
            INSERT INTO words (word) SELECT * FROM (\(words.joined(separator: " UNION "))) WHERE app IS NOT NULL;
            -- Owners lie in their order, with room between them.
            INSERT INTO owners SELECT (1 << 40) + (row_number() OVER (ORDER BY subscriber, app) << 24), subscriber, app
                FROM (\(everybody)) WHERE subscriber IS NOT NULL ORDER BY subscriber, app;
            INSERT INTO touched SELECT \(owner("t")) FROM old_touched AS t;
            -- A device lies with its owner; one that is nobody's lies behind all.
            INSERT INTO devices
            SELECT coalesce(owner, (SELECT max(number) FROM owners) + (1 << 24), 1)
                    + row_number() OVER (PARTITION BY owner ORDER BY app, device) - 1,
                pack_name(device), \(word("app")), owner, coalesce(owner_since, 0), last_report
            FROM (
                SELECT p.app, p.device, \(owner("d")) AS owner, d.owner_since, d.last_report
                FROM (\(all("app, device", of: named))) AS p
                LEFT JOIN old_devices AS d ON d.app = p.app AND d.device = p.device
            ) ORDER BY 1;
            INSERT INTO widget_registrations
            SELECT \(device("r")), pack_wgt(r.id), pack_digits(r.token), \(number("r.environment", PushEnvironment.self)),
                \(word("r.kinds")), \(word("r.os")), r.at, r.reloaded_commit, r.reloaded_at, r.owes_reload,
                r.rejected_revision, r.rejected_token_at
            FROM old_widget_registrations AS r ORDER BY 1;
            INSERT INTO start_targets
            SELECT \(device("s")), \(word("s.attributes_type")), pack_stt(s.id), pack_digits(s.token),
                \(number("s.environment", PushEnvironment.self)), \(word("s.os")), s.at, s.frequent_pushes,
                \(word("s.templates"))
            FROM old_start_targets AS s ORDER BY 1, 2;
            INSERT INTO closed_early SELECT \(device("c")), c.key FROM old_closed_early AS c;

            """
    }()

    private static let owned = """
        INSERT INTO widgets
        SELECT \(owner("w")), w.name, pack_tgt(w.target), w.body, w.revision, w.changed_commit, w.changed_at
        FROM old_widgets AS w ORDER BY 1, 2;
        INSERT INTO activities
        SELECT \(owner("a")), a.name, a.body, a.life, a.revision, a.changed_commit, a.removed, a.adopted_life, a.alert_at
        FROM old_activities AS a ORDER BY 1, 2;
        -- An instance lies with its owner.
        INSERT INTO instances
        SELECT i.owner + row_number() OVER (PARTITION BY i.owner ORDER BY i.id) - 1, pack_tgt(i.id), pack_lrq(i.launch),
            i.owner, i.name, \(device("i")), \(number("i.origin", Instance.Origin.self)), \(word("i.attributes_type")),
            i.attributes, \(word("i.template")), i.life, i.sequence, pack_tgt(i.replaces), pack_stt(i.start_target),
            \(number("i.phase", PhaseNumber.self)), \(number("i.closure", Instance.Closure.self)),
            \(number("i.ending", Instance.Closure.self)), pack_name(i.activity_id), pack_digits(i.token), i.token_at,
            \(number("i.environment", PushEnvironment.self)), \(word("i.os")), i.started_at, i.start_expires_at,
            i.registered_at, i.inferred
        FROM (SELECT i.*, \(owner("i")) AS owner FROM old_instances AS i) AS i ORDER BY 1;
        INSERT INTO progress
        SELECT \(instance("i.id")), i.revision, i.shown, i.last_timestamp, i.updated_at, i.rejected_revision,
            i.rejected_token_at
        FROM old_instances AS i ORDER BY 1;

        """

    /// Operations and deliveries keep their ids; they get places in their steps.
    private static let sending: String = {
        func deliveries(_ table: Delivery.Table) -> String {
            let isOpen = table == .open
            return """
                INSERT INTO \(table.name) (number, operation, kind, owner, device, instance, environment, status, rank,
                    revision, cost, quota_day, created_at, expires_after, not_before, dispatched_at, attempts, apns_id,
                    apns_status, apns_reason, note, answered_at, addressed, id, operation_id\(isOpen ? ", app, content" : ""))
                SELECT d.number, 0, \(number("d.kind", Action.Kind.self)), \(owner("d")), \(device("d")),
                    \(instance("d.target")), \(number("d.environment", PushEnvironment.self)),
                    \(number("d.status", DeliveryStatus.self)), d.rank, d.revision, d.cost, d.quota_day, d.created_at,
                    d.expires_after, d.not_before, d.dispatched_at, d.attempts, pack_name(d.apns_id), d.apns_status,
                    d.apns_reason, d.note, d.answered_at, nullif(\(owner("o")), \(owner("d"))), pack_dlv(d.id),
                    pack_op(d.operation)\(isOpen ? ", \(word("d.app")), d.content" : "")
                FROM (
                    SELECT *, commit_number << \(StepPlace.bits)
                        | row_number() OVER (PARTITION BY commit_number ORDER BY id) AS number
                    FROM old_deliveries
                ) AS d JOIN old_operations AS o ON o.id = d.operation WHERE d.open = \(isOpen ? 1 : 0) ORDER BY 1;

                """
        }
        return """
            INSERT INTO steps SELECT DISTINCT o.commit_number, \(run("o")) FROM old_operations AS o;

            """ + Delivery.Table.allCases.map(deliveries).joined() + """
                INSERT INTO booked SELECT quota_day, \(number("status", DeliveryStatus.self)), count(*) FROM old_deliveries
                    WHERE quota_day IS NOT NULL GROUP BY 1, 2;

                """
    }()

    private static let history = """
        INSERT INTO resolutions
        SELECT r.number, \(instance("r.target")), \(number("r.resolution", Resolution.self)), r.at, \(run("r"))
        FROM old_resolutions AS r ORDER BY 1;
        INSERT INTO events
        SELECT e.number, e.at, \(run("e")), \(word("e.kind")), \(owner("e")), pack_subject(e.subject), e.text
        FROM old_events AS e ORDER BY 1;

        """

    /// Things that the old rows could say and these cannot: where there is one, the ledger stays as it is.
    private static let losses: [(table: String, loss: String, sql: String)] = [
        (
            "operations", "an operation of another step, kind or time than its deliveries",
            """
            SELECT 1 FROM old_operations AS o JOIN old_deliveries AS d ON d.operation = o.id
            WHERE (d.commit_number, d.kind, d.created_at) <> (o.commit_number, o.kind, o.created_at) LIMIT 1
            """
        ),
        (
            "widget_registrations", "a registration of another subscriber than its device",
            """
            SELECT 1 FROM old_widget_registrations AS r LEFT JOIN old_devices AS d USING (app, device)
            WHERE r.subscriber IS NOT d.subscriber LIMIT 1
            """
        ),
        (
            "start_targets", "a start target of another subscriber than its device",
            """
            SELECT 1 FROM old_start_targets AS s LEFT JOIN old_devices AS d USING (app, device)
            WHERE s.subscriber IS NOT d.subscriber LIMIT 1
            """
        ),
        (
            "resolutions", "a resolution of another launch than that of its instance",
            """
            SELECT 1 FROM old_resolutions AS r JOIN old_instances AS i ON i.id = r.target WHERE i.launch IS NOT r.launch LIMIT 1
            """
        ),
        (
            "deliveries", "a push to another registration than its device or instance has",
            """
            SELECT 1 FROM old_deliveries AS d LEFT JOIN old_instances AS i ON i.id = d.target
            LEFT JOIN old_widget_registrations AS r ON r.app = d.app AND r.device = d.device
            WHERE d.registration IS NOT CASE d.kind WHEN '\(Action.Kind.start.word)' THEN i.start_target
                WHEN '\(Action.Kind.reload.word)' THEN r.id END LIMIT 1
            """
        ),
        (
            "events", "a run that is not recorded",
            """
            SELECT 1 FROM (SELECT run FROM old_events UNION SELECT run FROM old_resolutions)
            WHERE run IS NOT NULL AND run NOT IN (SELECT id FROM old_runs) LIMIT 1
            """
        ),
    ]
}
