public import Diff
internal import JSON
internal import Ledger
public import Source

/// `adopt`: records the declared states as applied, without sending: the first run on devices that show them already.
///
/// The caller holds the lock. Published files are written, because devices read them whenever they like.
public struct AdoptRun {
    private let pipeline: Pipeline
    private let run: RunID
    private let files: ProjectFiles
    private let options: RunOptions

    /// An adoption.
    ///
    /// - Parameters:
    ///   - pipeline: The project.
    ///   - run: The run, as the lock names it.
    ///   - files: The state files.
    ///   - options: The options of the run.
    public init(_ pipeline: Pipeline, run: RunID, files: ProjectFiles, options: RunOptions) {
        self.pipeline = pipeline
        self.run = run
        self.files = files
        self.options = options
    }

    /// Adopts.
    ///
    /// - Parameter confirm: Asked once, with the counts; `false` leaves everything as it is.
    /// - Returns: The counts.
    /// - Throws: ``RunError``, ``LedgerError``, and what takes the events throws.
    public func run(confirm: (AdoptOutcome) throws -> Bool) throws -> AdoptOutcome {
        let environment = pipeline.environment
        let now = environment.now()
        let publisher = try pipeline.publisher()
        let desired = DesiredReader(pipeline, files: files, options: options, .write)
        let reading = try desired.read(needsAll: true)
        if options.makesLedger { try pipeline.store.make(on: pipeline.system) }
        var begun = try pipeline.begin(run, "adopt", at: now)
        try begun.takeIn(pipeline, renewsReservations: false, at: now)
        var outcome = AdoptOutcome()
        outcome.reports = begun.reports
        try desired.resolveAliases(of: reading.store, in: begun.ledger)
        let reader = try pipeline.store.snapshot()
        let planner = Planner(
            desired: reading.store,
            recorded: reader,
            running: TemplateBook(try reader.templates()),
            selection: try options.selection.reading(reading.store),
            context: pipeline.context(at: now, scopes: try reader.scopes(), isRestored: false),
            overrides: options.overrides
        )
        let masks = try pipeline.masks(reading.store.templates, reader)
        let owners = try OwnerList()
        outcome.selected = try planner.run { plan, desired, recorded in
            let adoption = Adoption(of: plan, desired: desired, recorded: recorded)
            guard !adoption.isEmpty else { return }
            try owners.add(plan.owner)
            outcome.count(adoption)
            let planned = PlannedOwner(plan: adoption.plan, desired: desired, recorded: recorded, masks: masks)
            try environment.events(.planned(planned))
        }.selected
        let violations = try pipeline.rollback(to: files, begun.ledger, options)
        guard violations.isEmpty else { throw RunError.unsafe(violations) }
        guard try outcome.owners == 0 || confirm(outcome) else {
            outcome.isConfirmed = false
            return outcome
        }
        if let commit = files.commit { try begun.ledger.noteApplied(commit, run: run) }
        try begun.ledger.record(reading.store.selectedTemplates, at: now)
        try Commit(ledger: begun.ledger, run: run, environment: environment, book: nil).adopt(planner, owners)
        if let published = try publisher?.run(begun.ledger) {
            outcome.published = published.written
            if let error = published.error { throw error }
        }
        try desired.keepIndex(reading, in: begun.ledger, planner)
        return outcome
    }
}

/// The outcome of an adoption.
public struct AdoptOutcome: Hashable, Sendable {
    /// The declarations that were not committed before.
    public var declarations = 0
    /// The owners of whom something is recorded.
    public var owners = 0
    /// The pushes that apply would have sent instead.
    public var unsent = 0
    /// Published files that were written.
    public var published = 0
    /// Owners that the run looked at.
    public var selected = 0
    /// The waiting reports that were taken in.
    public var reports = Ingest.Result()
    /// True where the person agreed.
    public var isConfirmed = true

    fileprivate mutating func count(_ adoption: Adoption) {
        owners += 1
        declarations += adoption.plan.changes.count
        unsent += adoption.unsent
    }
}
