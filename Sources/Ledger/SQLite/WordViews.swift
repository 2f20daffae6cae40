internal import Diff

/// Views of the rows in words, for people who run SQL by hand: each has the name of its table behind `v_`.
///
/// They spell ids and digits from bytes, which costs them much; no statement of the program reads them.
enum WordViews {
    /// The names of the views, with those that only others read.
    static let names = views.map(\.name)

    /// Statements that make all of them.
    static let statements = views.map { "CREATE VIEW \($0.name) AS \($0.select);" }.joined(separator: "\n")

    private static let views: [(name: String, select: String)] = [
        // The letters of a ULID by their place.
        (
            "letters",
            "WITH RECURSIVE letter (at) AS (SELECT 0 UNION ALL SELECT at + 1 FROM letter WHERE at < 25) SELECT at FROM letter"
        ),
        ("all_deliveries", allDeliveries),
        ("v_runs", "SELECT id, command, host, user, pid, source, started_at, ended_at, status FROM runs"),
        ("v_unpublished", "SELECT subscriber, app FROM unpublished"),
        ("v_touched", "SELECT o.subscriber, o.app FROM touched AS t JOIN owners AS o ON o.number = t.owner"),
        (
            "v_widgets",
            """
            SELECT o.subscriber, o.app, w.name, \(id("w.target", TargetID.self)) AS target, w.body, w.revision, w.changed_step,
                w.changed_at
            FROM widgets AS w JOIN owners AS o ON o.number = w.owner
            """
        ),
        (
            "v_activities",
            """
            SELECT o.subscriber, o.app, a.name, a.body, a.life, a.revision, a.changed_step, a.removed, a.adopted_life,
                a.alert_at
            FROM activities AS a JOIN owners AS o ON o.number = a.owner
            """
        ),
        (
            "v_devices",
            """
            SELECT \(word("v.app")) AS app, \(name("v.id")) AS device, o.subscriber, v.owner_since, v.last_report
            FROM devices AS v LEFT JOIN owners AS o ON o.number = v.owner WHERE v.last_report IS NOT NULL
            """
        ),
        (
            "v_widget_registrations",
            """
            SELECT \(word("v.app")) AS app, \(name("v.id")) AS device, \(id("r.id", WidgetsID.self)) AS id, o.subscriber,
                \(digits("r.token")) AS token, \(listed("r.environment", PushEnvironment.self)) AS environment,
                \(word("r.kinds")) AS kinds, \(word("r.os")) AS os, r.at, r.reloaded_step, r.reloaded_at, r.owes_reload,
                r.rejected_revision, r.rejected_token_at
            FROM widget_registrations AS r JOIN devices AS v ON v.number = r.device
            LEFT JOIN owners AS o ON o.number = v.owner
            """
        ),
        (
            "v_start_targets",
            """
            SELECT \(word("v.app")) AS app, \(name("v.id")) AS device, \(word("s.attributes_type")) AS attributes_type,
                \(id("s.id", StartTargetID.self)) AS id, o.subscriber, \(digits("s.token")) AS token,
                \(listed("s.environment", PushEnvironment.self)) AS environment, \(word("s.os")) AS os, s.at,
                s.frequent_pushes, \(word("s.templates")) AS templates
            FROM start_targets AS s JOIN devices AS v ON v.number = s.device LEFT JOIN owners AS o ON o.number = v.owner
            """
        ),
        ("v_instances", instances),
        (
            "v_resolutions",
            """
            SELECT r.number, \(id("i.launch", LaunchID.self)) AS launch,
                \(listed("r.resolution", Resolution.self)) AS resolution, \(id("i.id", TargetID.self)) AS target, r.at,
                n.id AS run
            FROM resolutions AS r JOIN instances AS i ON i.number = r.instance LEFT JOIN runs AS n ON n.number = r.run
            """
        ),
        (
            "v_closed_early",
            """
            SELECT \(word("v.app")) AS app, \(name("v.id")) AS device, c.key
            FROM closed_early AS c JOIN devices AS v ON v.number = c.device
            """
        ),
        ("v_dead_tokens", "SELECT \(digits("token")) AS token, at FROM dead_tokens"),
        ("v_early_reports", "SELECT \(digits("digest")) AS digest, at FROM early_reports"),
        (
            "v_operations",
            """
            SELECT DISTINCT \(operation) AS id, \(listed("d.kind", Action.Kind.self)) AS kind, o.subscriber, o.app,
                n.id AS run, \(step) AS step, d.created_at
            FROM all_deliveries AS d JOIN owners AS o ON o.number = coalesce(d.addressed, d.owner)
            LEFT JOIN steps AS s ON s.number = \(step) LEFT JOIN runs AS n ON n.number = s.run
            """
        ),
        ("v_deliveries", deliveries),
        (
            "v_scopes",
            """
            SELECT \(listed("kind", ScopeKind.self)) AS kind, subscriber, app, name, device, number, paused, revoked, opened_at
            FROM scopes
            """
        ),
        (
            "v_faults",
            """
            SELECT app, \(listed("environment", PushEnvironment.self)) AS environment, reason, fingerprint, since FROM faults
            """
        ),
        (
            "v_events",
            """
            SELECT e.number, e.at, n.id AS run, \(word("e.kind")) AS kind, o.subscriber, o.app, \(subject) AS subject, e.text
            FROM events AS e LEFT JOIN runs AS n ON n.number = e.run LEFT JOIN owners AS o ON o.number = e.owner
            """
        ),
    ]

    private static let allDeliveries: String = {
        let columns = """
            number, operation, kind, owner, device, instance, environment, status, rank, revision, cost, quota_day, created_at,
            expires_after, not_before, dispatched_at, attempts, apns_id, apns_status, apns_reason, note, answered_at, addressed,
            id, operation_id
            """
        return Delivery.Table.allCases.map { table in
            "SELECT \(table == .open ? 1 : 0) AS open, \(table == .open ? "content" : "NULL") AS content, \(columns) FROM \(table.name)"
        }.joined(separator: " UNION ALL ")
    }()

    private static let instances = """
        SELECT \(id("i.id", TargetID.self)) AS id, \(id("i.launch", LaunchID.self)) AS launch, o.subscriber, o.app, i.name,
            \(name("v.id")) AS device, \(listed("i.origin", Instance.Origin.self)) AS origin,
            \(word("i.attributes_type")) AS attributes_type, i.attributes, \(word("i.template")) AS template, i.life, i.sequence,
            \(id("i.replaces", TargetID.self)) AS replaces, \(id("i.start_target", StartTargetID.self)) AS start_target,
            \(listed("i.phase", PhaseNumber.self)) AS phase, \(listed("i.closure", Instance.Closure.self)) AS closure,
            \(listed("i.ending", Instance.Closure.self)) AS ending, \(name("i.activity_id")) AS activity_id,
            \(digits("i.token")) AS token, i.token_at, \(listed("i.environment", PushEnvironment.self)) AS environment,
            \(word("i.os")) AS os, i.started_at, i.start_expires_at, i.registered_at, i.inferred, p.updated_at, p.revision,
            p.shown, p.last_timestamp, p.rejected_revision, p.rejected_token_at
        FROM \(Instance.rows)
        """

    private static let deliveries = """
        SELECT coalesce(\(id("d.id", DeliveryID.self)), \(spelled(DeliveryID.self, "d.number & \(StepPlace.mask)"))) AS id,
            \(operation) AS operation, \(listed("d.kind", Action.Kind.self)) AS kind, o.subscriber, o.app,
            \(name("v.id")) AS device, \(id("i.id", TargetID.self)) AS target,
            CASE d.kind WHEN \(Action.Kind.start.number) THEN \(id("i.start_target", StartTargetID.self))
                WHEN \(Action.Kind.reload.number) THEN \(id("r.id", WidgetsID.self)) END AS registration,
            \(listed("d.environment", PushEnvironment.self)) AS environment,
            \(listed("d.status", DeliveryStatus.self)) AS status, d.open, d.rank, \(step) AS step, d.revision, d.cost,
            d.quota_day, d.created_at, d.expires_after, d.not_before, d.dispatched_at, d.attempts, d.content,
            \(name("d.apns_id")) AS apns_id, d.apns_status, d.apns_reason, d.note, d.answered_at
        FROM all_deliveries AS d JOIN owners AS o ON o.number = d.owner \(Delivery.Table.companions)
        """

    // MARK: - Columns

    private static let step = "(d.number >> \(StepPlace.bits))"
    private static let operation =
        "coalesce(\(id("d.operation_id", OperationID.self)), \(spelled(OperationID.self, "d.operation")))"
    private static let alphabet = "'0123456789ABCDEFGHJKMNPQRSTVWXYZ'"

    /// A text by its number.
    private static func word(_ column: String) -> String { "(SELECT word FROM words WHERE number = \(column))" }

    /// The word of a number of a list.
    private static func listed<Value: Numbered>(_ column: String, _ list: Value.Type) -> String {
        "CASE \(column) \(list.numbered.map { "WHEN \($0.number) THEN '\($0.word)'" }.joined(separator: " ")) END"
    }

    /// Hexadecimal digits.
    private static func digits(_ column: String) -> String {
        "CASE typeof(\(column)) WHEN 'blob' THEN lower(hex(\(column))) ELSE \(column) END"
    }

    /// A text of phones or APNs: the parts of a UUID, in small letters where a byte stands behind them.
    private static func name(_ column: String) -> String {
        let parts = [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)].map { "substr(hex(\(column)), \($0.0), \($0.1))" }
        let text = parts.joined(separator: " || '-' || ")
        return """
            CASE WHEN typeof(\(column)) <> 'blob' THEN \(column) WHEN length(\(column)) = 16 THEN \(text) ELSE lower(\(text)) END
            """
    }

    /// The id of 16 bytes: each letter is five bits of its digits, which three zeros lead to a multiple of five bits.
    private static func id<Kind>(_ column: String, _ kind: Identifier<Kind>.Type) -> String {
        "CASE typeof(\(column)) WHEN 'blob' THEN '\(Kind.prefix)' || \(letters(of: column)) ELSE \(column) END"
    }

    private static func letters(of bytes: String) -> String {
        func digit(_ offset: Int) -> String {
            "instr('0123456789ABCDEF', substr('000' || hex(\(bytes)), \(offset) + (at + 2) * 5 / 4, 1)) - 1"
        }
        let letter = "1 + (((\(digit(1))) << 4 | (\(digit(2)))) >> 3 - (at + 2) * 5 % 4 & 31)"
        return "(SELECT group_concat(substr(\(alphabet), \(letter), 1), '') FROM (SELECT at FROM letters ORDER BY at))"
    }

    /// The id that is spelled from a place of a step.
    private static func spelled<Kind>(_ kind: Identifier<Kind>.Type, _ ordinal: String) -> String {
        func letters(_ number: String, _ count: Int) -> String {
            let letter = "1 + ((\(number)) >> 5 * (\(count - 1) - at) & 31)"
            return """
                (SELECT group_concat(substr(\(alphabet), \(letter), 1), '')
                FROM (SELECT at FROM letters WHERE at < \(count) ORDER BY at))
                """
        }
        return "'\(Kind.prefix)7' || \(letters(step, 12)) || \(letters(ordinal, 13))"
    }

    /// The id that an event is about.
    private static let subject: String = {
        let cases = SubjectID.prefixes.enumerated().map { index, prefix in
            "WHEN \(index + 1) THEN '\(prefix)' || \(letters(of: "substr(e.subject, 2)"))"
        }
        let numbers = SubjectID.prefixes.indices.map { "0\($0 + 1)" }.joined()
        return """
            CASE WHEN typeof(e.subject) <> 'blob' THEN e.subject
                ELSE CASE instr(x'\(numbers)', substr(e.subject, 1, 1)) \(cases.joined(separator: " ")) END END
            """
    }()
}
