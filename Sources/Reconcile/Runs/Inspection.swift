public import Diff
internal import Foreign
public import JSON
public import Ledger
internal import Source

/// `status`, `launches`, `log` and `state dump`: looks at the ledger, and takes no lock.
public struct Inspection {
    private let pipeline: Pipeline
    private let store: SQLiteStore

    /// A look at the ledger of a project.
    public init(_ pipeline: Pipeline) {
        self.pipeline = pipeline
        store = SQLiteStore(path: pipeline.ledgerPath)
    }

    private var apps: [Text] { pipeline.configuration.apps.map(\.bundleID) }

    /// The masks of a command that reads no state files.
    private func masks(in ledger: any Snapshot) throws -> Masks {
        // Faults of templates are for those who plan by them to say.
        let templates = try ProjectFiles(of: pipeline.configuration).templates { _ in }
        return try pipeline.masks(templates, ledger)
    }

    /// The answer of `status`: the whole ledger, a subscriber, or anything by its id.
    ///
    /// - Parameter subject: A subscriber or an id; `nil` for the whole ledger.
    /// - Returns: `nil` where nothing is known of the subject.
    /// - Throws: ``LedgerError``, ``RunError``.
    public func status(_ subject: Text?) throws -> StatusView? {
        let reader = try StatusReader(store)
        guard let subject else { return .overview(try reader.overview()) }
        let ledger = reader.snapshot
        let context = StatusContext(
            scopes: try ledger.scopes(),
            masks: try masks(in: ledger),
            now: pipeline.environment.now()
        )
        if let record = try reader.record(named: subject) { return context.view(of: record) }
        let publisher = try pipeline.publisher()
        let owners = try reader.records(of: subject, apps: apps).map {
            context.status(of: $0, published: publisher?.file(of: $0.owner))
        }
        return owners.isEmpty ? nil : .subscriber(owners)
    }

    /// Every record of the ledger, with sensitive values masked as the run does.
    ///
    /// - Parameter showsTokens: True for push tokens as a whole, not their first 8 digits alone.
    /// - Returns: The records, to be handed out one by one.
    /// - Throws: ``LedgerError`` where there is no ledger that can be read.
    public func dump(showsTokens: Bool) throws -> LedgerDump {
        try LedgerDump(store) { ledger in
            var masks = try masks(in: ledger)
            masks.showsTokens = showsTokens
            return masks
        }
    }

    /// Hands out what was committed and sent, and what devices reported, in the order of happening.
    ///
    /// - Parameters:
    ///   - subject: A subscriber, or the id of a target, launch, operation, delivery or run; `nil` for everything.
    ///   - body: Takes each line.
    /// - Throws: ``LedgerError``, and errors of `body`.
    public func log(_ subject: Text?, each body: (LogLine) throws -> Void) throws {
        try LogReader(store, of: subject, apps: apps).lines(body)
    }

    /// Hands out launches with their history and resolution, then activities that block launches.
    ///
    /// - Parameters:
    ///   - subject: A subscriber, or the id of a launch or target; `nil` for all that are not resolved.
    ///   - body: Takes each launch.
    /// - Throws: ``LedgerError``, and errors of `body`.
    public func launches(_ subject: Text?, each body: (LaunchView) throws -> Void) throws {
        let reader = try LaunchReader(store, of: subject, apps: apps)
        try reader.launches { try body(LaunchView(of: $0)) }
        try reader.unattributed { try body(LaunchView(unattributed: $0)) }
    }
}
