public import Diff
internal import Foreign
internal import Git
public import JSON
public import Time

/// The declarations of the commit that was applied last, and the owners that may need anything.
///
/// By it a run reads what changed since, and looks at no one else.
/// It is a cache beside the ledger that can be deleted at any time. Where it does not fit (another build, configuration
/// or ledger, or a run that was killed before it was written) everything is read, and it is made anew.
public final class SourceIndex {
    /// `PRAGMA user_version` of an index that this program can read.
    private static let format: Int64 = 1

    private let database: Database
    /// The directory of the commit that it was made of.
    let tree: ObjectID
    /// The moment that it was made at.
    public let madeAt: Moment
    /// The name that the ledger has to know it by.
    public let stamp: Text
    /// The number of declarations that it holds.
    private(set) var count = 0

    /// The path of a ledger's index.
    public static func path(besideLedger ledger: String) -> String { ledger + ".index" }

    /// Opens an index; `nil` where there is none, or none for this.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - key: The key of all that the commit is read with; see ``SourceReader/indexKey()``.
    ///   - isReadOnly: True where it is only read.
    /// - Throws: ``SQLiteError``, ``FileError``.
    public init?(at path: String, for key: Text, isReadOnly: Bool) throws {
        guard (try Files.facts(following: path)?.size ?? 0) > 0 else { return nil }
        database = try Database(path: path, mode: isReadOnly ? .readOnly : .readWrite)
        guard try database.first("PRAGMA user_version", read: { $0.integer(0) }) == Self.format else { return nil }
        try database.execute("BEGIN")
        let found = try database.first("SELECT key, tree, stamp, made_at, declarations FROM made") { row in
            (row.text(0), ObjectID(row.text(1).string), row.text(2), row.moment(3), Int(row.integer(4)))
        }
        guard let found, found.0 == key, let tree = found.1 else { return nil }
        (self.tree, stamp, madeAt, count) = (tree, found.2, found.3, found.4)
        try database.execute("CREATE TEMP TABLE replaced (file TEXT PRIMARY KEY) STRICT, WITHOUT ROWID")
    }

    // MARK: - What it knows

    /// Takes the files out of account that are gone or different, directories with everything in them.
    func replace(_ paths: [String]) throws {
        for path in paths {
            try database.run(
                """
                INSERT OR IGNORE INTO replaced SELECT DISTINCT file FROM declarations
                WHERE file = ?1 OR file > ?1 || '/' AND file < ?1 || '0'
                """,
                .text(Text(path))
            )
        }
        let gone = "SELECT count(*) FROM replaced JOIN declarations USING (file)"
        count -= Int(try database.first(gone) { $0.integer(0) } ?? 0)
    }

    /// True where there is a file like this.
    func hasFile(where isWanted: (String) -> Bool) throws -> Bool {
        let files = try database.prepare("SELECT DISTINCT file FROM declarations")
        while try files.step() {
            if isWanted(files.text(0).string) { return true }
        }
        return false
    }

    /// The owners that have to be looked at: of what the replaced files declare, and those that may need something by now.
    func owners(at now: Moment) throws -> Set<Owner> {
        var owners: Set<Owner> = []
        try database.each(
            """
            SELECT subscriber, app FROM replaced JOIN declarations USING (file)
            UNION SELECT subscriber, app FROM restless WHERE due <= ?
            """,
            .moment(now)
        ) { owners.insert(Owner(row: $0)) }
        return owners
    }

    /// The anonymous ids that declare something.
    func anonymous() throws -> [Owner] {
        var owners: [Owner] = []
        try database.each(DesiredStore.anonymousOwners) { owners.append(Owner(row: $0)) }
        return owners
    }

    /// Calls `body` for each row of what an owner declares in files that were not replaced.
    func rows(of owner: Owner, _ body: (Statement) throws -> Void) throws {
        try database.each(
            """
            SELECT subscriber, app, kind, name, body, source FROM declarations
            WHERE subscriber = ? AND app = ? AND file NOT IN (SELECT file FROM replaced)
            """,
            .text(owner.subscriber),
            .text(owner.app),
            row: body
        )
    }

    /// Calls `body` with what the files declare that were not replaced, until it returns `false`.
    func each(_ body: (Declaration.Content) throws -> Bool) throws {
        let rows = try database.prepare(
            "SELECT kind, name, body FROM declarations WHERE file NOT IN (SELECT file FROM replaced)"
        )
        while try rows.step() {
            let (name, json) = (rows.text(1), try rows.json(2))
            let content: Declaration.Content =
                rows.integer(0) == 0
                ? .widget(try WidgetDeclaration(name: name, body: json))
                : .activity(try ActivityDeclaration(name: name, body: json))
            guard try body(content) else { return }
        }
    }

    // MARK: - Making it

    /// The facts that an index is made of.
    public struct Making: Sendable {
        /// The key of what the commit was read with.
        var key: Text
        /// The commit's directory.
        var tree: ObjectID
        /// The name that the ledger knows it by.
        public var stamp: Text
        /// The time.
        public var now: Moment
    }

    /// Makes an index of everything that was read; it has its name once it is whole.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - making: The facts that it is made of.
    ///   - store: The declarations of the files, kept as they were read.
    ///   - restless: Calls its argument with each owner that may need something, and from when on.
    /// - Throws: ``SQLiteError``, ``FileError``, and what `restless` throws.
    public static func make(
        at path: String,
        _ making: Making,
        _ store: DesiredStore,
        restless: ((Owner, Moment) throws -> Void) throws -> Void
    ) throws {
        try Database.make(at: path, durably: false) { database in
            try database.transaction {
                try database.execute(
                    """
                    PRAGMA user_version = \(format);
                    -- One row: what it was made of.
                    CREATE TABLE made (
                        key TEXT NOT NULL, tree TEXT NOT NULL, stamp TEXT NOT NULL, made_at INTEGER NOT NULL,
                        declarations INTEGER NOT NULL
                    ) STRICT;
                    -- What the files declare, each with the file it is from.
                    CREATE TABLE declarations (
                        subscriber TEXT NOT NULL, app TEXT NOT NULL, kind INTEGER NOT NULL, name TEXT NOT NULL,
                        body TEXT NOT NULL, source TEXT NOT NULL, file TEXT NOT NULL,
                        PRIMARY KEY (subscriber, app, kind, name)
                    ) STRICT, WITHOUT ROWID;
                    -- Owners whose plan is not empty, or not for ever: since when it has to be looked at.
                    CREATE TABLE restless (
                        subscriber TEXT NOT NULL, app TEXT NOT NULL, due INTEGER NOT NULL, PRIMARY KEY (subscriber, app)
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX restless_due ON restless (due);
                    """
                )
                try fill(database, making, with: store, restless: restless)
                // At the end: one by one, in the order of the owners, it would be written all over.
                try database.execute("CREATE INDEX declarations_file ON declarations (file)")
            }
        }
    }

    /// Brings this index up to what was read since, at once or not at all.
    ///
    /// - Parameters:
    ///   - making: The facts that it is made of.
    ///   - store: The declarations of the files that changed, kept as they were read.
    ///   - owners: The owners that were looked at.
    ///   - restless: Calls its argument with each of them that may need something, and from when on.
    /// - Throws: ``SQLiteError``, and what `restless` throws.
    public func renew(
        _ making: Making,
        with store: DesiredStore,
        of owners: [Owner],
        restless: ((Owner, Moment) throws -> Void) throws -> Void
    ) throws {
        try database.execute("DELETE FROM declarations WHERE file IN (SELECT file FROM replaced); DELETE FROM made")
        for owner in owners {
            try database.run(
                "DELETE FROM restless WHERE subscriber = ? AND app = ?",
                .text(owner.subscriber),
                .text(owner.app)
            )
        }
        try Self.fill(database, making, with: store, restless: restless)
        try database.execute("COMMIT")
    }

    private static func fill(
        _ database: Database,
        _ making: Making,
        with store: DesiredStore,
        restless: ((Owner, Moment) throws -> Void) throws -> Void
    ) throws {
        let insert = try database.prepare(
            """
            INSERT INTO declarations (subscriber, app, kind, name, body, source, file) VALUES (?, ?, ?, ?, ?, ?, ?)
            """
        )
        try store.rowsAsRead { try insert.run($0) }
        try restless { owner, due in
            try database.run(
                "INSERT OR REPLACE INTO restless (subscriber, app, due) VALUES (?, ?, ?)",
                .text(owner.subscriber),
                .text(owner.app),
                .moment(due)
            )
        }
        try database.run(
            """
            INSERT INTO made (key, tree, stamp, made_at, declarations)
            SELECT ?, ?, ?, ?, count(*) FROM declarations
            """,
            .text(making.key),
            .text(Text(making.tree.description)),
            .text(making.stamp),
            .moment(making.now)
        )
    }
}
