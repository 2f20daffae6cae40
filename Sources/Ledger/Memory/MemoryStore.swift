internal import Diff
public import JSON
public import Time

/// A ledger in memory that is opened as often as a run likes.
public final class MemoryStore: Store {
    /// An effect that a test can wait for, to stop whoever causes it or to do something beside it.
    public enum Effect: Sendable {
        /// A unit is about to begin.
        case unitBegins
        /// A unit was kept.
        case unitKept
    }

    /// The name of it in messages; what stands beside a ledger on the disk stands beside this path.
    public let path: String
    private let watch: (Effect) throws -> Void
    private var contents: MemoryLedger.Contents?
    private var copies: [String: MemoryRows] = [:]

    /// A place with no ledger yet.
    ///
    /// - Parameters:
    ///   - path: The name of it.
    ///   - watch: Sees each effect; what it throws is what the unit throws.
    public init(path: String = "memory", watch: @escaping (Effect) throws -> Void = { _ in }) {
        self.path = path
        self.watch = watch
    }

    /// True once one was made.
    public func exists() -> Bool { contents != nil }

    /// Makes an empty ledger.
    public func make(lineage: Text, seal: Text) throws {
        guard contents == nil else { throw LedgerError.exists(path: path) }
        let rows = MemoryRows(lineage: lineage, seal: Array(seal.string.utf8))
        contents = MemoryLedger.Contents(rows)
    }

    /// The mark beside it.
    public func mark() -> LedgerMark.Reading { contents?.mark ?? .missing }

    /// Opens it as it is now, whatever others write.
    public func snapshot() throws -> any Snapshot {
        let contents = try opened()
        return MemoryLedger(MemoryLedger.Contents(contents.rows, mark: contents.mark))
    }

    /// Opens it beside any run.
    public func session() throws -> any Session { MemoryLedger(try opened(), watch: watch) }

    /// Opens it for the run that holds the lock.
    public func lease() throws -> any Lease { MemoryLedger(try opened(), watch: watch) }

    /// Another one in memory.
    public func top(in directory: String) throws -> any Session {
        MemoryLedger(MemoryLedger.Contents(MemoryRows(lineage: "", seal: [])))
    }

    private func opened() throws -> MemoryLedger.Contents {
        guard let contents else { throw LedgerError.missing(path: path) }
        return contents
    }

    // MARK: - As a whole

    /// Keeps a copy under a name made of the time.
    public func backUp(at now: Moment) throws -> String {
        let name = "\(path).backup-\(now.milliseconds)-\(copies.count)"
        try export(to: name)
        return name
    }

    /// Keeps a copy, without the mark, under a name.
    public func export(to destination: String) throws { copies[destination] = try opened().rows }

    /// Puts a copy in place of what it holds; the mark beside it stays.
    public func replace(with path: String, at now: Moment) throws -> String? {
        guard let copy = copies[path] else { throw LedgerError.missing(path: path) }
        guard let contents else {
            contents = MemoryLedger.Contents(copy)
            return nil
        }
        let backup = try backUp(at: now)
        contents.rows = copy
        return backup
    }
}
