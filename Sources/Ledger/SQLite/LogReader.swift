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
    private let database: Database
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
        database = ledger.database
        self.subject = try subject.map { try HistorySubject($0, apps: apps, in: ledger) }
    }

    /// Hands out lines in the order of happening: events, and pushes as they were settled or stand.
    public func lines(_ body: (LogLine) throws -> Void) throws {
        let unknown = SQLiteValue.text(DeliveryStatus.unknown.rawValue)
        try database.each(Self.lines, values: [SQLiteValue(subject?.id), SQLiteValue(subject?.person), unknown]) {
            row in
            try body(row.isNull(8) ? LogLine(row: row, from: 0) : LogLine(of: LoggedPush(row: row)))
        }
    }

    /// Lines of events, and of pushes whose fate is known; that of the others is an event.
    private static let lines = """
        SELECT \(LogLine.columns), number, NULL, NULL, NULL, NULL FROM events
        WHERE ?1 IS NULL OR ?1 IN (subscriber, subject, run) OR subscriber IN (
            SELECT ?2 UNION ALL SELECT anonymous FROM aliases WHERE subscriber = ?2) OR subject IN (
            SELECT launch FROM instances WHERE id = ?1 UNION ALL SELECT id FROM instances WHERE launch = ?1)
        UNION ALL
        SELECT coalesce(d.answered_at, d.dispatched_at, d.created_at), o.run, d.kind, d.subscriber, d.app,
            coalesce(i.launch, d.target, d.registration), d.note, 0, d.status, d.device, d.apns_status, d.apns_reason
        FROM deliveries AS d JOIN operations AS o ON o.id = d.operation LEFT JOIN instances AS i ON i.id = d.target
        WHERE d.status <> ?3 AND (?1 IS NULL OR d.subscriber IN (
            SELECT ?2 UNION ALL SELECT anonymous FROM aliases WHERE subscriber = ?2)
            OR ?1 IN (d.subscriber, d.target, d.registration, i.launch, d.id, d.operation, o.run))
        ORDER BY 1, 8
        """
}

extension LoggedPush {
    fileprivate init(row: Statement) throws {
        guard let kind = Action.Kind(rawValue: row.text(2)), let status = DeliveryStatus(rawValue: row.text(8)) else {
            throw UnreadableRow(table: "deliveries", detail: "\(row.text(2)) \(row.text(8))")
        }
        self.init(
            kind: kind,
            status: status,
            owner: Owner(subscriber: row.text(3), app: row.text(4)),
            device: row.text(9),
            subject: row.optionalText(5),
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
