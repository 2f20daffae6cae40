internal import Foreign
public import JSON

/// A ledger in an SQLite file, with its mark beside it.
public final class SQLiteStore: Store {
    /// The path of the ledger.
    public let path: String

    /// A ledger at a path, which need not exist yet.
    public init(path: String) {
        self.path = path
    }

    /// True where there is a file, be it an empty one.
    public func exists() throws -> Bool { try Files.facts(following: path) != nil }

    /// The mark beside it.
    public func mark() -> LedgerMark.Reading { LedgerMark.read(besideLedger: path) }

    /// Makes an empty ledger that has its name only once it is whole: a run that is killed in between leaves none.
    public func make(lineage: Text, seal: Text) throws { try make(lineage, seal, durably: true) }

    private func make(_ lineage: Text, _ seal: Text, durably: Bool) throws {
        if let size = try Files.facts(following: path)?.size, size > 0 { throw LedgerError.exists(path: path) }
        do {
            try Database.make(at: path, durably: durably) { database in
                // Here rather than when it has its name: who only reads could not take back a change of mode half made.
                try database.execute("PRAGMA journal_mode = WAL")
                try database.transaction { try Schema.create(in: database, lineage, seal) }
                // Closing would do this too, and pass over a full disk: the log does not come along with the new name.
                try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            }
        } catch let error as SQLiteError {
            throw LedgerError(error, path: path)
        }
    }

    /// Opens it for one reader, who sees it as it is now.
    public func snapshot() throws -> any Snapshot {
        let ledger = try open(.read)
        try ledger.holdSnapshot()
        return ledger
    }

    /// Opens it for one writer beside any run.
    public func session() throws -> any Session { try open(.write) }

    /// Opens it for the run that holds the lock.
    public func lease() throws -> any Lease { try open(.write) }

    /// A small file of its own.
    public func top(in directory: String) throws -> any Session {
        let store = SQLiteStore(path: Files.join(directory, "ledger.db"))
        try store.make("", "", durably: false)
        return try SQLiteLedger(path: store.path, access: .scratch)
    }

    /// Opens it.
    func open(_ access: SQLiteLedger.Access) throws -> SQLiteLedger {
        // SQLite would take an empty file for an empty database.
        switch try Files.facts(following: path)?.size {
        case nil: throw LedgerError.missing(path: path)
        case 0: throw LedgerError.empty(path: path)
        default: return try SQLiteLedger(path: path, access: access)
        }
    }
}
