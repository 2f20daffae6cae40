public import Diff
internal import Foreign
public import JSON
internal import Time

/// A subject whose history is asked for: an id, and the person whom it stands for.
struct HistorySubject {
    /// As it was named: a subscriber, or the id of a target, launch, operation, delivery or run.
    let id: Text
    /// The person whom an alias stands for in any app; everything else stands for itself.
    let person: Text

    /// A subject by its id; an alias is looked up in some apps.
    init(_ id: Text, apps: [Text], in ledger: any Snapshot) throws {
        self.id = id
        var person = id
        for app in apps where person == id { person = try ledger.resolve(id, app: app) }
        self.person = person
    }
}

/// Reads from a ledger what `log` shows, a row at a time, so that a long history does not stand in memory.
public struct LogReader {
    private let ledger: SQLiteLedger
    /// The subject of the lines; `nil` for all of them.
    private let subject: HistorySubject?

    /// A reader of a ledger as it is now.
    ///
    /// - Parameters:
    ///   - store: The ledger.
    ///   - subject: A subscriber, or the id of a target, launch, operation, delivery or run; `nil` for everything.
    ///   - apps: The apps in which an alias is looked up.
    /// - Throws: ``LedgerError``.
    public init(_ store: SQLiteStore, of subject: Text?, apps: [Text]) throws {
        let ledger = try store.open(.read)
        self.ledger = ledger
        self.subject = try subject.map { try HistorySubject($0, apps: apps, in: ledger) }
    }

    /// Hands out lines in the order of happening: events, and pushes as they were settled or stand.
    public func lines(_ body: (LogLine) throws -> Void) throws {
        let words = ledger.words
        try ledger.database.each(Self.sql, values: values) { row in
            try body(row.isNull(8) ? LogLine(row: row, from: 0, words) : LogLine(of: LoggedPush(row: row)))
        }
    }

    /// The values that the lines are chosen by; NULL for all of them.
    private var values: [SQLiteValue] {
        guard let id = subject?.id else { return Array(repeating: .null, count: 12) }
        let place = OperationID(id).ulid.flatMap(StepPlace.init)
        return [
            .text(id), SQLiteValue(subject?.person), SubjectID(text: id).stored, TargetID(id).stored,
            LaunchID(id).stored, WidgetsID(id).stored, StartTargetID(id).stored,
            SQLiteValue(DeliveryID(id).number), DeliveryID(id).stored, OperationID(id).stored,
            .integer(place?.step.number ?? -1), .integer(place?.ordinal ?? -1),
        ]
    }

    /// Lines of events, and of pushes whose fate is known; that of the others is an event.
    private static let sql = """
        SELECT \(LogLine.columns), e.number, NULL, NULL, NULL, NULL, NULL, NULL FROM \(LogLine.rows)
        WHERE ?1 IS NULL OR o.subscriber IN (\(people)) OR n.id = ?1 OR e.subject IN (?3, \(namesOfInstances))
        UNION ALL
        \(Delivery.Table.allCases.map(pushes).joined(separator: " UNION ALL "))
        ORDER BY 1, 8
        """

    /// The person, and everybody who turned out to be that person.
    private static let people =
        "SELECT ?1 UNION ALL SELECT ?2 UNION ALL SELECT anonymous FROM aliases WHERE subscriber = ?2"
    /// The launch of an instance, and the instances of a launch, as events name them.
    private static let namesOfInstances: String = {
        func subject(_ prefix: String, _ column: String) -> String {
            let number = (SubjectID.prefixes.firstIndex(of: prefix) ?? 0) + 1
            let byte = number < 16 ? "0\(number)" : "\(number)"
            return "CASE typeof(\(column)) WHEN 'blob' THEN CAST(x'\(byte)' || \(column) AS BLOB) ELSE \(column) END"
        }
        return """
            (SELECT \(subject(IdentifierKinds.Launch.prefix, "launch")) FROM instances WHERE id = ?4),
            (SELECT \(subject(IdentifierKinds.Target.prefix, "id")) FROM instances WHERE launch = ?5)
            """
    }()

    private static func pushes(of table: Delivery.Table) -> String {
        """
        SELECT coalesce(d.answered_at, d.dispatched_at, d.created_at), n.id, d.kind, o.subscriber, o.app,
            i.launch, d.note, 0, d.status, v.id, d.apns_status, d.apns_reason, i.id, r.id
        FROM \(table.rows) LEFT JOIN steps AS s ON s.number = d.number >> \(StepPlace.bits)
            LEFT JOIN runs AS n ON n.number = s.run
        WHERE d.status <> \(DeliveryStatus.unknown.number) AND (?1 IS NULL OR o.subscriber IN (\(people)) OR n.id = ?1
            OR i.id = ?4 OR i.launch = ?5 OR r.id = ?6 OR i.start_target = ?7 AND d.kind = \(Action.Kind.start.number)
            OR d.number = ?8 OR d.id = ?9 OR d.operation_id = ?10
            OR d.number >> \(StepPlace.bits) = ?11 AND d.operation = ?12 AND d.operation_id IS NULL)
        """
    }
}

extension LoggedPush {
    fileprivate init(row: Statement) throws {
        let launch = row.optionalID(5, LaunchID.self)?.text
        let target = row.optionalID(12, TargetID.self)?.text
        self.init(
            kind: try row.numbered(2),
            status: try row.numbered(8),
            owner: Owner(subscriber: row.text(3), app: row.text(4)),
            device: row.name(9),
            subject: launch ?? target ?? row.optionalID(13, WidgetsID.self)?.text,
            run: RunID(row.text(1)),
            answer: DeliveryAnswer(
                status: row.optionalInteger(10),
                reason: row.optionalText(11),
                note: row.optionalText(6),
                at: row.moment(0)
            )
        )
    }
}
