public import Diff
internal import Foreign
internal import JSON

extension Pipeline {
    /// Takes all waiting reports into the ledger.
    ///
    /// The caller holds the lock.
    ///
    /// - Parameter run: The run, as the lock names it.
    /// - Returns: How many lines were taken, and what was wrong with the others.
    /// - Throws: ``LedgerError``, and what is wrong with the spool.
    public func ingest(run: RunID) throws -> Ingest.Result {
        let now = environment.now()
        let ingest = Ingest(spool: spool, apps: Set(configuration.apps.map(\.bundleID)), now: now)
        let ledger = try Ledger(path: ledgerPath, access: .write)
        guard try ingest.isNeeded() else { return Ingest.Result() }
        try begin(run, "ingest", ledger, at: now)
        let result = try ingest.run(into: ledger)
        try ledger.end(run: run, status: result.rejected == 0 ? 0 : 65, at: environment.now())
        return result
    }
}

extension Spool {
    /// The most that one file of the spool gets of a longer one, in bytes.
    private static let portion = 16 << 20

    /// Where a file is while it waits.
    public func waiting(_ name: String) -> String { path(name) }

    /// Where a file is once its reports were taken.
    public func taken(_ name: String) -> String { Files.join(path("done"), name) }

    /// Copies the reports of a file into the spool, in whole lines.
    ///
    /// - Parameter file: A file of any length, or a pipe.
    /// - Throws: ``FileError``.
    public func receive(file: String) throws {
        var reader = try LineReader(file, limit: Self.portion)
        var (line, portion): ([UInt8], [UInt8]) = ([], [])
        while try reader.next(into: &line) {
            if !portion.isEmpty, portion.count + line.count >= Self.portion {
                _ = try receive(portion)
                portion.removeAll(keepingCapacity: true)
            }
            portion += line
            portion.append(UInt8(ascii: "\n"))
        }
        if !portion.isEmpty { _ = try receive(portion) }
    }
}
