public import Diff
internal import Foreign
public import JSON

/// Reads from a ledger what `launches` shows, a row at a time, so that a long history does not stand in memory.
public struct LaunchReader {
    private let database: Database
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
        database = ledger.database
        self.subject = try subject.map { try HistorySubject($0, apps: apps, in: ledger).person }
    }

    /// Hands out launches in the order of launching.
    public func launches(_ body: (LaunchRecord) throws -> Void) throws {
        let unresolved = LaunchStatus.unresolved.map { SQLiteValue.text($0.word) }
        let (condition, values) =
            subject.map { ("?1 IN (subscriber, launch, id)", [.text($0)]) }
            ?? ("phase IN (\(Self.places(unresolved)))", unresolved)
        let sql = """
            SELECT subscriber, app, \(Instance.columns) FROM instances
            WHERE launch IS NOT NULL AND \(condition) ORDER BY sequence, id
            """
        try database.each(sql, values: values) { row in
            let instance = Owned(Owner(row: row), try Instance(row: row, from: 2))
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
        let origins = UnattributedActivity.origins.map { SQLiteValue.text($0.rawValue) }
        let sql = """
            SELECT subscriber, app, \(Instance.columns) FROM instances
            WHERE (?1 IS NULL OR ?1 IN (subscriber, id)) AND phase = ?2 AND origin IN (\(Self.places(origins)))
            ORDER BY id
            """
        try database.each(sql, values: [SQLiteValue(subject), .text(Instance.Phase.running.word)] + origins) { row in
            try body(Owned(Owner(row: row), try Instance(row: row, from: 2)))
        }
    }

    private func starts(of instance: Instance) throws -> [Delivery] {
        let kind = SQLiteValue.text(Action.Kind.start.rawValue)
        return try database.deliveries(where: "target = ? AND kind = ?", .text(instance.id.text), kind)
    }

    private func attempts(of instance: Instance) throws -> [LaunchEvent] {
        let statuses = LaunchEvent.attemptStatuses
        let codes = statuses.map { SQLiteValue.text(Delivery.code(.start, $0)) }
        var found: [LaunchEvent] = []
        try database.each(
            "SELECT at, kind, run FROM events WHERE subject = ? AND kind IN (\(Self.places(codes))) ORDER BY number",
            values: [SQLiteValue(instance.launch?.text)] + codes
        ) { row in
            guard let status = statuses.first(where: { Delivery.code(.start, $0) == row.text(1) }) else { return }
            found.append(LaunchEvent(at: row.moment(0), .attempted(status), run: row.optionalText(2).map { RunID($0) }))
        }
        return found
    }

    private func resolutions(of instance: Instance) throws -> [LaunchEvent] {
        var found: [LaunchEvent] = []
        try database.each(
            "SELECT at, resolution, run FROM resolutions WHERE launch = ? AND target = ? ORDER BY number",
            SQLiteValue(instance.launch?.text),
            .text(instance.id.text)
        ) { row in
            guard let resolution = Resolution(rawValue: row.text(1)) else {
                throw UnreadableRow(table: "resolutions", detail: row.text(1).string)
            }
            found.append(
                LaunchEvent(at: row.moment(0), .resolved(resolution), run: row.optionalText(2).map { RunID($0) })
            )
        }
        return found
    }

    private static func places(_ values: [SQLiteValue]) -> String {
        values.map { _ in "?" }.joined(separator: ", ")
    }
}
