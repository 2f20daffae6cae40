internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// One connection to a ledger in an SQLite file.
final class SQLiteLedger {
    /// The way in which the file is opened.
    enum Access {
        /// For those who read; no write permission is needed.
        case read
        /// For those who write.
        case write
        /// For a private copy, which has no mark.
        case scratch
    }

    let database: Database
    /// The texts that many rows have.
    let words: Words
    /// The numbers of owners, devices and instances.
    let places: Places
    /// The path of the file.
    let path: String
    let mark: LedgerMark.Reading
    private(set) var markProblem: String?
    /// False of a private copy, whose mark is nobody's business.
    private let hasMark: Bool
    /// True where a step was taken that the mark does not count yet.
    private var isAheadOfMark = false
    /// Reads owners in their order; kept, because it compiles six statements.
    private var cursor: RecordedCursor?

    /// Opens a ledger, bringing an older one up to date where it may be written.
    ///
    /// - Throws: ``LedgerError``.
    init(path: String, access: Access) throws {
        self.path = path
        hasMark = access != .scratch
        // The mark first: a run beside this one moves it up only after the ledger.
        mark = hasMark ? LedgerMark.read(besideLedger: path) : .missing
        do {
            let file = try Database(path: path, mode: access == .read ? .readOnly : .readWrite)
            let isOld = try Schema.isOld(file, path: path)
            // A reader may not touch the file: it is brought up to date in a copy that goes with the connection.
            database = access == .read && isOld ? try Migration.copy(of: file) : file
            words = Words(database)
            places = Places(database, words)
            guard access != .read else { return }
            try database.execute("PRAGMA journal_mode = WAL")
            // Every step is on the disk before anything is sent on the strength of it.
            try database.execute("PRAGMA synchronous = \(access == .scratch ? "OFF" : "FULL")")
            // Tokens come in no order: with SQLite's 2 MB, every one of them would bring another page of its index in. The
            // log is copied back that rarely, too, that a page goes to the disk once for many transactions.
            try database.execute("PRAGMA cache_size = -32000")
            try database.execute("PRAGMA wal_autocheckpoint = 8000")
            if isOld { try Migration.run(on: database) }
        } catch let error as SQLiteError {
            throw LedgerError(error, path: path)
        }
    }

    /// From here on this connection sees the ledger as it is now, whatever others write.
    func holdSnapshot() throws {
        try database.execute("BEGIN")
        _ = try facts()
    }

    /// Writes a copy to a new file.
    func copy(to copy: String) throws { try database.run("VACUUM INTO ?", .text(Text(copy))) }
}

extension SQLiteLedger: Lease {
    func unit<Result>(_ body: () throws -> Result) throws -> Result {
        defer { places.forget() }
        do {
            let result = try database.transaction(body)
            if isAheadOfMark { try moveMark() }
            return result
        } catch {
            // Numbers that were given in a transaction are gone with it.
            words.forget()
            throw (error as? SQLiteError).map { LedgerError($0, path: path) } ?? error
        }
    }

    func write(_ changes: LedgerChanges) throws {
        try LedgerWriter(database: database, words: words, places: places).write(changes)
        if let facts = changes.facts, facts.before?.step != facts.after?.step { isAheadOfMark = hasMark }
    }

    /// Moves the mark up to the last step.
    ///
    /// A run whose mark cannot be written goes on: what it commits and sends is safe without.
    func moveMark() throws {
        guard hasMark else { return }
        let facts = try facts()
        do throws(FileError) {
            try LedgerMark(lineage: facts.lineage, step: facts.step).write(besideLedger: path)
            isAheadOfMark = false
            markProblem = nil
        } catch {
            markProblem = "\(error)"
        }
    }

    // MARK: - The whole

    /// The keys of the table `facts`.
    enum Fact: Text, CaseIterable {
        case lineage
        case seal
        case step = "commit"
        case launchSequence = "sequence"
        case restoredAt = "restored"
        case confirmedAt = "confirmed"
        case appliedCommit = "applied"
        case index
        case publishedPlace = "published"
    }

    func fact(_ fact: Fact) throws -> Text? {
        try database.first("SELECT value FROM facts WHERE key = ?", .text(fact.rawValue)) { $0.text(0) }
    }

    func facts() throws -> LedgerFacts {
        var values: [Fact: Text] = [:]
        try database.each("SELECT key, value FROM facts") { row in
            if let fact = Fact(rawValue: row.text(0)) { values[fact] = row.text(1) }
        }
        func number(_ fact: Fact) -> Int64? { values[fact].flatMap { Int64($0.string) } }
        var facts = LedgerFacts(lineage: values[.lineage] ?? "")
        facts.step = Step(number(.step) ?? 0)
        facts.launchSequence = number(.launchSequence) ?? 0
        facts.restoredAt = number(.restoredAt).map(Moment.init(milliseconds:))
        facts.confirmedAt = number(.confirmedAt).map(Moment.init(milliseconds:))
        facts.appliedCommit = values[.appliedCommit]
        facts.index = values[.index]
        facts.publishedPlace = values[.publishedPlace]
        return facts
    }

    func sealKey() throws -> [UInt8]? { try fact(.seal).map { Array($0.string.utf8) } }

    func scopes() throws -> Scopes {
        var scopes: [ScopeSubject: Scope] = [:]
        try database.each("SELECT \(Scope.columns) FROM scopes") { scopes[try ScopeSubject(row: $0)] = Scope(row: $0) }
        return Scopes(scopes)
    }

    func templates() throws -> [TemplateRecord] {
        try rows("SELECT \(TemplateRecord.columns) FROM templates ORDER BY name", []) { try TemplateRecord(row: $0) }
    }

    func faults() throws -> [Fault] {
        try rows("SELECT \(Fault.columns) FROM faults ORDER BY app, environment", []) { try Fault(row: $0) }
    }

    func sentElsewhere(on day: UTCDay) throws -> SentElsewhere? {
        try database.first("SELECT pushes FROM sent_elsewhere WHERE day = ?", .integer(day.number)) {
            SentElsewhere(day: day, pushes: Int($0.integer(0)))
        }
    }

    func booked(on day: UTCDay) throws -> [DeliveryStatus: Int] {
        var counts: [DeliveryStatus: Int] = [:]
        try database.each("SELECT status, deliveries FROM booked WHERE day = ?", .integer(day.number)) { row in
            let count = Int(row.integer(1))
            if count != 0 { counts[try row.numbered(0)] = count }
        }
        return counts
    }

    func openInstances(at now: Moment) throws -> Int {
        let phases = Instance.Phase.onDevice.map { SQLiteValue.integer(PhaseNumber($0).number) }
        return try database.first(
            """
            SELECT count(*) FROM instances AS i
            WHERE \(Instance.isOpen) AND i.phase IN (?, ?, ?) AND (i.phase <> ? OR i.started_at > ?)
            """,
            values: phases + [.integer(PhaseNumber.running.number), .moment(now - Instance.lifetime)]
        ) { Int($0.integer(0)) } ?? 0
    }

    // MARK: - Owners

    func recorded(in range: OwnerRange, after last: Owner?, limit: Int) throws -> [Recorded] {
        let first = max(last?.subscriber ?? range.first, range.first)
        let cursor = try cursor(over: OwnerRange(first: first, last: range.last))
        var found: [Recorded] = []
        while found.count < limit, let owner = cursor.owner {
            let record = try cursor.take(owner)
            if last.map({ $0 < owner }) ?? true { found.append(record) }
        }
        cursor.reset()
        return found
    }

    func recorded(_ owners: [Owner]) throws -> [Recorded] {
        guard let first = owners.first, let last = owners.last else { return [] }
        let cursor = try cursor(over: OwnerRange(first: first.subscriber, last: last.subscriber))
        defer { cursor.reset() }
        return try owners.map { owner in
            // Neighbours are read on from each other; where others stand between, it is cheaper to begin anew.
            if let next = cursor.owner, next < owner {
                try cursor.seek(OwnerRange(first: owner.subscriber, last: last.subscriber))
            }
            return try cursor.take(owner)
        }
    }

    private func cursor(over range: OwnerRange) throws -> RecordedCursor {
        if let cursor {
            try cursor.seek(range)
            return cursor
        }
        let cursor = try RecordedCursor(database, words, range: range)
        self.cursor = cursor
        return cursor
    }
}
