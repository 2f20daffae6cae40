public import Diff
public import Foreign
public import JSON
public import Time
internal import Source

/// What was committed, sent and reported: the one place that remembers.
///
/// It speaks in subscribers, declarations, launches and deliveries and hands out what it holds in owner order; that it is
/// SQLite stays in this folder.
public final class Ledger {
    /// How the ledger is opened.
    public enum Access: Sendable {
        /// For plan and status: nothing is written.
        case read
        /// For runs that hold the lock.
        case write
        /// For the first run of a project: there must be no ledger yet.
        case create
    }

    /// `PRAGMA application_id` of a ledger: "LkSp".
    private static let applicationID: Int64 = 0x4C6B_5370

    let database: Database
    /// Where it is.
    public let path: String
    /// The clock and the chance that ids are made of.
    let system: SystemEnvironment
    /// Whether it was restored from a backup and nobody has accepted that yet: no start is sent, and nothing rings.
    var isRestored = false
    /// The template versions that were looked up.
    var templates: [Text: Template] = [:]
    /// Whether its mark is moved up; not that of a private copy.
    private var hasMark = true
    /// Whether a step was begun that the mark does not count yet.
    private var isAheadOfMark = false
    /// Why the mark could not be moved up, where that happened: a restored ledger might not be recognised.
    private(set) var markProblem: FileError?

    /// Opens the ledger of a project, bringing an older one up to date where it may be written.
    ///
    /// - Parameters:
    ///   - path: Where it is.
    ///   - access: How it is opened.
    ///   - lineage: Of a new one, what names it; `nil` mints a name.
    ///   - system: The clock and the chance that ids are made of.
    /// - Throws: ``LedgerError``.
    public init(path: String, access: Access, lineage: Text? = nil, system: SystemEnvironment) throws {
        (self.path, self.system) = (path, system)
        let size = try Files.facts(following: path)?.size
        switch (access, size) {
        case (.create, .some(1...)): throw LedgerError.exists(path: path)
        case (.read, nil), (.write, nil): throw LedgerError.missing(path: path)
        // SQLite would take an empty file for an empty database.
        case (.read, 0), (.write, 0): throw LedgerError.empty(path: path)
        default: break
        }
        do {
            if access == .create { try Ledger.make(at: path, lineage, system) }
            database = try Database(path: path, mode: access == .read ? .readOnly : .readWrite)
            try configure(access)
        } catch let error as SQLiteError {
            throw LedgerError(error, path: path)
        }
    }

    /// What names this ledger.
    func lineage() throws -> Text { try fact("lineage") ?? "" }

    /// The key of the digests in saved plans; `nil` where the ledger has none.
    func sealKey() throws -> [UInt8]? { try fact("seal").map { Array($0.string.utf8) } }

    /// Makes an empty ledger that has its name only once it is whole: a run that is killed in between leaves none.
    private static func make(at path: String, _ lineage: Text?, _ system: SystemEnvironment) throws {
        try Database.make(at: path, durably: true) { database in
            // Here rather than when it has its name: who only reads could not take back a change of mode half made.
            try database.execute("PRAGMA journal_mode = WAL")
            try database.transaction {
                try database.execute("PRAGMA application_id = \(applicationID)")
                try migrate(database, from: 0)
                let seal = Text(Hex.text(try system.randomBytes(32)))
                try database.run(
                    "INSERT INTO facts (key, value) VALUES ('lineage', ?), ('seal', ?)",
                    .text(try lineage ?? system.mintLineage()),
                    .text(seal)
                )
            }
            // Closing would do this too, and pass over a full disk: the log does not come along with the new name.
            try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }

    private static func migrate(_ database: Database, from version: Int64) throws {
        for migration in Schema.migrations[Int(version)...] { try database.execute(migration) }
        try database.execute("PRAGMA user_version = \(Schema.migrations.count)")
    }

    private func configure(_ access: Access) throws {
        try database.execute("PRAGMA foreign_keys = ON")
        guard try database.first("PRAGMA application_id", read: { $0.integer(0) }) == Ledger.applicationID else {
            throw LedgerError.foreign(path: path)
        }
        let known = Int64(Schema.migrations.count)
        let version = try database.first("PRAGMA user_version", read: { $0.integer(0) }) ?? 0
        guard version <= known else { throw LedgerError.newer(path: path, version: version, known: known) }
        guard access != .read else { return }
        try database.execute("PRAGMA journal_mode = WAL")
        // Every commit is on the disk before anything is sent on the strength of it.
        try database.execute("PRAGMA synchronous = FULL")
        // Tokens come in no order: with SQLite's 2 MB, every one of them would bring another page of its index in. The
        // log is copied back that rarely, too, that a page goes to the disk once for many transactions.
        try database.execute("PRAGMA cache_size = -32000")
        try database.execute("PRAGMA wal_autocheckpoint = 8000")
        if version < known { try database.transaction { try Ledger.migrate(database, from: version) } }
    }

    /// A private copy in a temporary file, for a plan that looks at what reports would do; it goes with `directory`.
    func copy(to copy: String) throws -> Ledger {
        try database.run("VACUUM INTO ?", .text(Text(copy)))
        let ledger = try Ledger(path: copy, access: .write, system: system)
        ledger.hasMark = false
        return ledger
    }

    /// Runs `body` as one unit: all of what it writes is kept, or nothing.
    ///
    /// Where it began a step, the mark is moved up once that is on the disk.
    public func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            let result = try database.transaction(body)
            if hasMark, isAheadOfMark { try moveMark() }
            return result
        } catch let error as SQLiteError {
            throw LedgerError(error, path: path)
        }
    }

    /// Moves the mark up to the last step.
    ///
    /// A run whose mark cannot be written goes on: what it commits and sends is safe without.
    func moveMark() throws {
        let mark = LedgerMark(lineage: try lineage(), step: try lastStep())
        do throws(FileError) {
            try mark.write(besideLedger: path)
            isAheadOfMark = false
            markProblem = nil
        } catch {
            markProblem = error
        }
    }

    /// From here on this connection sees the ledger as it is now, whatever others write.
    func holdSnapshot() throws {
        try database.execute("BEGIN")
        _ = try lastStep()
    }

    // MARK: - Facts

    func fact(_ key: Text) throws -> Text? {
        try database.first("SELECT value FROM facts WHERE key = ?", .text(key)) { $0.text(0) }
    }

    func set(_ key: Text, _ value: Text) throws {
        try database.run(
            "INSERT INTO facts (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            .text(key),
            .text(value)
        )
    }

    func moment(_ key: Text) throws -> Moment? {
        try fact(key).flatMap { Int64($0.string) }.map(Moment.init(milliseconds:))
    }

    private func number(_ key: Text) throws -> Int64 { try fact(key).flatMap { Int64($0.string) } ?? 0 }

    /// The last step: a commit, reports that were taken in, or starts that were sent; none before the first.
    public func lastStep() throws -> Step { Step(try number("commit")) }

    /// The next step; part of the transaction that uses it.
    func nextStep() throws -> Step {
        let next = try number("commit") + 1
        try set("commit", Text(String(next)))
        isAheadOfMark = true
        return Step(next)
    }

    /// The order number of the last launch.
    func lastSequence() throws -> Int64 { try number("sequence") }

    /// Keeps the order number of the last launch; part of the transaction that gave it.
    func keep(sequence: Int64) throws { try set("sequence", Text(String(sequence))) }

    /// How many activities are running or outstanding and not too old to be, over all owners.
    public func openInstances(at now: Moment) throws -> Int {
        try database.first(
            """
            SELECT count(*) FROM instances WHERE phase IN ('outstanding', 'unconfirmed', 'running')
                AND (phase <> 'running' OR started_at > ?)
            """,
            .moment(now - Instance.lifetime)
        ) { Int($0.integer(0)) } ?? 0
    }

    // MARK: - Runs and events

    /// Notes that a run has begun.
    public func begin(run: RunID, command: Text, host: Text, user: Text, pid: Int64, at: Moment) throws {
        try database.run(
            "INSERT INTO runs (id, command, host, user, pid, started_at) VALUES (?, ?, ?, ?, ?, ?)",
            .text(run.text),
            .text(command),
            .text(host),
            .text(user),
            .integer(pid),
            .moment(at)
        )
    }

    /// Notes how a run ended.
    public func end(run: RunID, status: Int64, at: Moment) throws {
        try database.run(
            "UPDATE runs SET ended_at = ?, status = ? WHERE id = ?",
            .moment(at),
            .integer(status),
            .text(run.text)
        )
    }

    /// Notes what happened.
    func note(_ event: Event) throws {
        try database.run(
            "INSERT INTO events (at, run, kind, subscriber, app, subject, text) VALUES (?, ?, ?, ?, ?, ?, ?)",
            .moment(event.at),
            SQLiteValue(event.run?.text),
            .text(event.kind),
            SQLiteValue(event.owner?.subscriber),
            SQLiteValue(event.owner?.app),
            SQLiteValue(event.subject),
            .text(event.text)
        )
    }
}
