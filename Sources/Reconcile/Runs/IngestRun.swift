public import Diff
internal import JSON

/// `ingest`: takes the waiting device reports into the ledger.
///
/// The caller holds the lock.
public struct IngestRun {
    private let pipeline: Pipeline
    private let id: RunID

    /// A run that takes in what waits in the spool of a project.
    public init(_ pipeline: Pipeline, _ run: RunID) {
        self.pipeline = pipeline
        id = run
    }

    /// Takes the reports in.
    ///
    /// - Returns: The counts of lines that were taken and that were not.
    /// - Throws: ``LedgerError``, and errors of the spool's files.
    public func run() throws -> Ingest.Result {
        let now = pipeline.environment.now()
        let begun = try pipeline.begin(id, "ingest", at: now)
        return try pipeline.ingest(at: now).run(into: begun.ledger)
    }
}
