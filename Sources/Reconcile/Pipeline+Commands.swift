public import Diff
internal import Foreign
public import JSON
internal import Source

extension Pipeline {
    // MARK: - Ingest

    /// Takes the waiting device reports into the ledger; the caller holds the lock.
    ///
    /// - Parameter run: The run, as the lock names it.
    /// - Returns: What was taken, and what was not.
    /// - Throws: ``LedgerError``, and errors of the spool's files.
    public func ingest(run: RunID) throws -> Ingest.Result {
        let now = environment.now()
        let ledger = try openLedger(.write)
        try begin(run, "ingest", ledger, at: now)
        return try ingest(at: now).run(into: ledger)
    }

    // MARK: - Status

    /// The answer of `status`: the whole ledger, a subscriber, or anything by its id.
    ///
    /// - Parameter subject: A subscriber or an id; `nil` for the whole ledger.
    /// - Returns: `nil` where nothing is known of the subject.
    /// - Throws: ``LedgerError``, ``RunError``.
    public func status(_ subject: Text?) throws -> StatusView? {
        let ledger = try openLedger(.read)
        let reader = StatusReader(ledger)
        guard let subject else { return .overview(try reader.overview()) }
        let context = StatusContext(scopes: try ledger.scopes(), masks: try masks(ledger), now: environment.now())
        if let record = try reader.record(named: subject) { return context.view(of: record) }
        let publisher = try publisher()
        let owners = try reader.records(of: subject, apps: configuration.apps.map(\.bundleID)).map {
            context.status(of: $0, published: publisher?.file(of: $0.owner))
        }
        return owners.isEmpty ? nil : .subscriber(owners)
    }

    // MARK: - Publish

    /// What writes the published files; `nil` where nothing is published.
    ///
    /// - Returns: It, for the configured directory.
    /// - Throws: ``RunError/secret(_:)`` where there is no key.
    func publisher() throws(RunError) -> Publisher? {
        guard let publish = configuration.publish else { return nil }
        do throws(SecretError) {
            let key = try configuration.resolve(publish.key, environment: environment.variable)
            return Publisher(directory: configuration.path(publish.directory), key: key.bytes)
        } catch { throw .secret("\(configuration.file): the publish key: \(error)") }
    }

    /// Says how many published files are not as committed, which is no change of any target and no push.
    func remarkUnpublished(_ ledger: Ledger) throws {
        guard let publish = configuration.publish else { return }
        // A reviewer may not have the key: what is known without it is said.
        let key = try? configuration.resolve(publish.key, environment: environment.variable).bytes
        let directory = configuration.path(publish.directory)
        let place = key.map { Publisher(directory: directory, key: $0).place }
        let count = try ledger.unpublishedCount(at: place, isGone: try Files.facts(following: directory) == nil)
        guard count > 0 else { return }
        environment.remark(
            "\(count) published \(count == 1 ? "file is" : "files are") still to be written, which apply does"
        )
    }

    // MARK: - History

    /// Hands out what was committed and sent, and what devices reported, in the order of happening.
    ///
    /// - Parameters:
    ///   - subject: A subscriber, or the id of a target, launch, operation, delivery or run; `nil` for everything.
    ///   - body: Takes each line.
    /// - Throws: ``LedgerError``, and errors of `body`.
    public func log(_ subject: Text?, each body: (LogLine) throws -> Void) throws {
        let ledger = try openLedger(.read)
        try LogReader(ledger, of: historySubject(subject, ledger)).lines(body)
    }

    /// Hands out launches with their history and resolution, then activities that block launches.
    ///
    /// - Parameters:
    ///   - subject: A subscriber, or the id of a launch or target; `nil` for all that are not resolved.
    ///   - body: Takes each launch.
    /// - Throws: ``LedgerError``, and errors of `body`.
    public func launches(_ subject: Text?, each body: (LaunchView) throws -> Void) throws {
        let ledger = try openLedger(.read)
        let reader = try LaunchReader(ledger, of: historySubject(subject, ledger))
        try reader.launches { try body(LaunchView(of: $0)) }
        try reader.unattributed { try body(LaunchView(unattributed: $0)) }
    }

    private func historySubject(_ subject: Text?, _ ledger: Ledger) throws -> HistorySubject? {
        try subject.map { try HistorySubject($0, apps: configuration.apps.map(\.bundleID), in: ledger) }
    }

    // MARK: - Runs

    /// Mints the id of a run, which the lock and the ledger name it by.
    ///
    /// - Throws: Where the system has no randomness to give.
    public func mintRun() throws -> RunID { try system.mint() }

    /// Notes how a run ended; what the run did stands whether or not this can be written.
    ///
    /// - Throws: ``LedgerError``.
    public func end(run: RunID, status: Int32) throws {
        let ledger = try openLedger(.write)
        try ledger.end(run: run, status: Int64(status), at: environment.now())
    }
}
