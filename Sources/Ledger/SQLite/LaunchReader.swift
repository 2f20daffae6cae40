public import Diff
internal import Foreign
public import JSON

/// Reads from a ledger what `launches` shows, a row at a time, so that a long history does not stand in memory.
public struct LaunchReader {
    private let ledger: SQLiteLedger
    private var database: Database { ledger.database }
    private var words: Words { ledger.words }
    /// A person, or the id of a launch or target: all launches of it; `nil` for all that are not resolved.
    private let subject: Text?

    /// A reader of a ledger as it is now.
    ///
    /// - Parameters:
    ///   - store: The ledger.
    ///   - subject: A subscriber, or the id of a launch or target; `nil` for all that are not resolved.
    ///   - apps: The apps in which an alias is looked up.
    /// - Throws: ``LedgerError``.
    public init(_ store: SQLiteStore, of subject: Text?, apps: [Text]) throws {
        let ledger = try store.open(.read)
        self.ledger = ledger
        self.subject = try subject.map { try HistorySubject($0, apps: apps, in: ledger).person }
    }

    /// Hands out launches in the order of launching.
    public func launches(_ body: (LaunchRecord) throws -> Void) throws {
        let (condition, values): (String, [SQLiteValue]) =
            if let subject {
                (
                    """
                    (i.launch = ? OR i.id = ? OR i.owner IN (SELECT number FROM owners WHERE subscriber = ?))
                    """,
                    [LaunchID(subject).stored, TargetID(subject).stored, .text(subject)]
                )
            } else {
                (
                    "\(Instance.isOpen) AND i.phase IN (\(Self.places(LaunchStatus.unresolved)))",
                    LaunchStatus.unresolved.map { .integer(PhaseNumber($0).number) }
                )
            }
        let sql = """
            SELECT o.subscriber, o.app, \(Instance.columns) FROM \(Instance.rows)
            WHERE i.launch IS NOT NULL AND \(condition) ORDER BY i.sequence, i.id
            """
        try database.each(sql, values: values) { row in
            let instance = Owned(Owner(row: row), try Instance(row: row, from: 2, words))
            let starts = try starts(of: instance.row).map(Optional.some)
            for start in starts.isEmpty ? [nil] : starts {
                let attempts = try attempts(of: instance.row)
                let resolutions = try resolutions(of: instance.row)
                try body(LaunchRecord(instance: instance, start: start, attempts: attempts, resolutions: resolutions))
            }
        }
    }

    /// Hands out activities that block launches, in the order of their ids.
    public func unattributed(_ body: (Owned<Instance>) throws -> Void) throws {
        let sql = """
            SELECT o.subscriber, o.app, \(Instance.columns) FROM \(Instance.rows)
            WHERE \(Instance.isOpen) AND i.phase = ?1 AND (?2 IS NULL OR o.subscriber = ?2 OR i.id = ?3)
                AND i.origin IN (\(UnattributedActivity.origins.map { "\($0.number)" }.joined(separator: ", ")))
            ORDER BY i.id
            """
        let id = subject.map { TargetID($0) }
        let values = [.integer(PhaseNumber.running.number), SQLiteValue(subject), id.stored]
        try database.each(sql, values: values) { row in
            try body(Owned(Owner(row: row), try Instance(row: row, from: 2, words)))
        }
    }

    private func starts(of instance: Instance) throws -> [Delivery] {
        try ledger.deliveries(of: instance.id).filter { $0.kind == .start }
    }

    private func attempts(of instance: Instance) throws -> [LaunchEvent] {
        guard let launch = instance.launch else { return [] }
        let statuses = LaunchEvent.attemptStatuses
        var found: [LaunchEvent] = []
        try database.each(
            """
            SELECT e.at, e.kind, n.id FROM events AS e LEFT JOIN runs AS n ON n.number = e.run
            WHERE e.subject = ? ORDER BY e.number
            """,
            SubjectID(text: launch.text).stored
        ) { row in
            let code = try row.word(1, words)
            guard let status = statuses.first(where: { Delivery.code(.start, $0) == code }) else { return }
            found.append(LaunchEvent(at: row.moment(0), .attempted(status), run: row.optionalText(2).map { RunID($0) }))
        }
        return found
    }

    private func resolutions(of instance: Instance) throws -> [LaunchEvent] {
        var found: [LaunchEvent] = []
        try database.each(
            """
            SELECT r.at, r.resolution, n.id FROM resolutions AS r LEFT JOIN runs AS n ON n.number = r.run
            WHERE r.instance = (SELECT number FROM instances WHERE id = ?) ORDER BY r.number
            """,
            instance.id.stored
        ) { row in
            let run = row.optionalText(2).map { RunID($0) }
            found.append(LaunchEvent(at: row.moment(0), .resolved(try row.numbered(1)), run: run))
        }
        return found
    }

    private static func places(_ values: [Instance.Phase]) -> String {
        values.map { _ in "?" }.joined(separator: ", ")
    }
}
