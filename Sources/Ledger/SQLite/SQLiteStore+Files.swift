internal import Foreign
internal import JSON
public import Time

/// The ledger as a file that is copied as a whole.
extension SQLiteStore {
    /// Copies the ledger to a file beside it that is named by the time.
    ///
    /// - Returns: The path of the copy.
    /// - Throws: ``LedgerError``.
    public func backUp(at now: Moment) throws -> String {
        let digits = RFC3339.string(now).filter { $0 != ":" }
        let name = "\(path).backup-\(digits)"
        var free = name
        var count = 1
        while try Files.facts(free) != nil {
            count += 1
            free = "\(name)-\(count)"
        }
        try export(to: free)
        return free
    }

    /// Writes a copy to a new file, which has its name only once it is whole.
    ///
    /// - Throws: ``LedgerError``, and where the file exists.
    public func export(to destination: String) throws {
        let ledger = try open(.read)
        let name = destination + ".new"
        // It holds push tokens; SQLite writes into a file that exists where it is empty.
        var draft = try FileDraft(of: destination, as: name, mode: 0o600)
        do { try ledger.copy(to: name) } catch let error as SQLiteError { throw LedgerError(error, path: name) }
        try draft.publish()
    }

    /// Puts an exported ledger in place of this one, at once or not at all.
    ///
    /// - Parameters:
    ///   - path: The exported file.
    ///   - now: The time.
    /// - Returns: The path of a backup from before; `nil` where there was nothing.
    /// - Throws: ``LedgerError`` where the file is no whole ledger.
    public func replace(with path: String, at now: Moment) throws -> String? {
        let exported = SQLiteStore(path: path)
        try exported.requireWhole()
        guard try exists() else {
            try exported.export(to: self.path)
            return nil
        }
        let backup = try backUp(at: now)
        let (ledger, replacement) = (try open(.write), try exported.open(.read))
        do { try ledger.database.replaceContents(with: replacement.database) } catch {
            throw LedgerError(error, path: self.path)
        }
        return backup
    }

    /// Makes sure that SQLite finds nothing damaged in it.
    private func requireWhole() throws {
        let finding = try open(.read).database.first("PRAGMA quick_check(1)") { $0.text(0).string } ?? "ok"
        guard finding == "ok" else { throw LedgerError.corrupt(path: path, detail: finding) }
    }
}
