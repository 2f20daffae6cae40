public import Diff
internal import Foreign
internal import JSON
public import Source

/// What an adoption came to.
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
    /// Whether the person agreed.
    public var isConfirmed = true
}

extension Pipeline {
    /// Records the declared states as applied, without sending: the first run on devices that show them already.
    ///
    /// The caller holds the lock. Published files are written, because devices read them whenever they like.
    ///
    /// - Parameters:
    ///   - run: The run, as the lock names it.
    ///   - files: The state files.
    ///   - options: What the run was asked for.
    ///   - problems: Takes every problem of every file.
    ///   - show: Takes the lines of what is recorded of each owner, in owner order, before anything is.
    ///   - confirm: Asked once, with the counts; `false` leaves everything as it is.
    /// - Returns: The counts.
    /// - Throws: ``RunError``, ``LedgerError``, and what the closures throw.
    public func adopt(
        run: RunID,
        _ files: ProjectFiles,
        _ options: RunOptions,
        problems: (Diagnostic) throws -> Void,
        show: ([PlanEntry]) throws -> Void,
        confirm: (AdoptOutcome) throws -> Bool
    ) throws -> AdoptOutcome {
        let now = environment.now()
        let publisher = try publisher()
        let reading = try read(files, options, .write, needsAll: true, problems: problems)
        let store = reading.store
        let ledger = try openLedger(options.makesLedger ? .create : .write)
        try begin(run, "adopt", ledger, at: now)
        _ = try ledger.recover(run: run, at: now)
        var outcome = AdoptOutcome()
        outcome.reports = try ingest(at: now).run(into: ledger)
        try resolveAliases(of: store, from: files, in: ledger, problems: problems)
        let reader = try openLedger(.read)
        try reader.holdSnapshot()
        let planner = Planner(
            desired: store,
            recorded: reader,
            selection: try options.selection.reading(store),
            context: context(at: now, scopes: try reader.scopes(), isRestored: false),
            overrides: options.overrides
        )
        let masks = try masks(store.templates, reader)
        let writing = try OwnerList()
        outcome.selected = try planner.run { plan, desired, recorded in
            let adoption = Adoption(of: plan, desired: desired, recorded: recorded)
            guard !adoption.isEmpty else { return }
            try writing.add(plan.owner)
            outcome.owners += 1
            outcome.declarations += adoption.plan.changes.count
            outcome.unsent += adoption.unsent
            try show(PlanEntry.entries(of: adoption.plan, desired, recorded, masks: masks))
        }.selected
        let violations = try rollback(to: files, ledger, options)
        guard violations.isEmpty else { throw RunError.unsafe(violations) }
        guard try outcome.owners == 0 || confirm(outcome) else {
            outcome.isConfirmed = false
            return outcome
        }
        if let commit = files.commit { try ledger.noteApplied(commit, run: run) }
        try ledger.record(store.templates.selectedTemplates, at: now)
        try Commit(ledger: ledger, run: run, environment: environment, book: nil).adopt(planner, writing)
        if let published = try publisher?.run(ledger) {
            outcome.published = published.written
            if let error = published.error { throw error }
        }
        try keepIndex(reading, files, in: ledger, planner)
        return outcome
    }
}
