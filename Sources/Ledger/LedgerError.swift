public import Foreign

/// The reasons that a ledger cannot be used, each with its remedy.
public enum LedgerError: Error, Equatable, CustomStringConvertible {
    /// There is no ledger at the configured path.
    case missing(path: String)
    /// The file has not a single byte: a copy that failed, most likely.
    case empty(path: String)
    /// There is one already, where a new one was to be made.
    case exists(path: String)
    /// The file is no ledger of this program.
    case foreign(path: String)
    /// A newer version of this program wrote it.
    case newer(path: String, version: Int64, known: Int64)
    /// SQLite finds it damaged.
    case corrupt(path: String, detail: String)
    /// SQLite could not read or write it.
    case storage(SQLiteError)

    /// The reason and the remedy.
    public var description: String {
        switch self {
        case .missing(let path):
            "\(path): there is no ledger; \(Self.remedy)"
        case .empty(let path):
            "\(path): the file is empty, as a copy that failed leaves it; \(Self.remedy)"
        case .exists(let path):
            "\(path): there is a ledger already; leave out --new-ledger"
        case .foreign(let path):
            "\(path): this SQLite database is no Lockstep ledger; check \"ledger\" in lockstep.json"
        case .newer(let path, let version, let known):
            "\(path): the ledger has schema version \(version) and this lockstep knows \(known); use the newer lockstep"
        case .corrupt(let path, let detail):
            "\(path): the ledger is damaged (\(detail)); nothing was changed. Move it away, restore the last backup, "
                + "and run again"
        case .storage(let error):
            error.isFull
                ? "\(error); free some space and run again: what was committed is kept"
                : error.isReadOnly
                    ? "\(error); the user that runs lockstep needs write permission on the file and its directory"
                    : error.isBusy
                        ? "\(error); another program holds the ledger: close it and run again"
                        : "\(error); check the disk, and run again: what was committed is kept"
        }
    }

    private static let remedy =
        "if this project never sent anything, `lockstep apply --new-ledger` (or `lockstep init`) makes one; if it did, "
        + "restore the ledger first, because an empty one would start everything again"

    /// Sorts an SQLite error by what a person can do about it.
    public init(_ error: SQLiteError, path: String) {
        self = error.isCorrupt ? .corrupt(path: path, detail: error.message) : .storage(error)
    }
}
