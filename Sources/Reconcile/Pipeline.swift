public import Diff
public import Foreign
internal import JSON
internal import Time
public import Source

/// One project: the way from its files and reports to the pushes, one step after the other.
///
/// It is used by one thread, for one command.
public final class Pipeline {
    /// The project's configuration.
    public let configuration: Configuration
    let environment: RunEnvironment
    /// The clock and the chance that it works by.
    public var system: SystemEnvironment { environment.system }

    /// The pipeline of a project.
    public init(_ configuration: Configuration, _ environment: RunEnvironment) {
        self.configuration = configuration
        self.environment = environment
    }

    /// The path of the ledger; of a symbolic link what it leads to, so that lock and mark lie beside the file itself.
    public var ledgerPath: String {
        let path = configuration.path(configuration.ledger)
        guard case .link? = try? Files.facts(path)?.kind, let target = try? Files.resolve(path) else { return path }
        return target
    }
    /// The spool of device reports.
    public var spool: Spool { Spool(directory: configuration.path(configuration.reports), system: system) }

    /// Opens the ledger, or one at another path.
    func openLedger(_ access: Ledger.Access, at path: String? = nil, lineage: Text? = nil) throws -> Ledger {
        try Ledger(path: path ?? ledgerPath, access: access, lineage: lineage, system: system)
    }

    /// What takes the waiting reports into a ledger.
    func ingest(at now: Moment) -> Ingest {
        Ingest(spool: spool, apps: Set(configuration.apps.map(\.bundleID)), now: now)
    }

    // MARK: - Load

    /// Reads the state files of a run.
    func reader(of files: ProjectFiles) -> SourceReader {
        SourceReader(files, of: configuration, showsSensitive: environment.showsSensitive)
    }

    /// What the diff has to know beside desired and recorded state.
    func context(at now: Moment, scopes: Scopes, isRestored: Bool) -> DiffContext {
        let keys = configuration.apps.map { ($0.bundleID, Set($0.keys.keys)) }
        let environments = Dictionary(keys) { first, _ in first }
        return DiffContext(now: now, environments: environments, scopes: scopes, isRestored: isRestored)
    }

    func resolveAliases(
        of store: DesiredStore,
        from files: ProjectFiles,
        in ledger: Ledger,
        problems: (Diagnostic) throws -> Void
    ) throws {
        let locator = files.locator
        let masks = try masks(store.templates, ledger)
        for held in try store.resolve(.init(among: store.anonymous(), in: ledger)) {
            var warning = locator.error(
                "'\(held.name)' of '\(held.alias)' is held: '\(held.alias)' is '\(held.person)' now, who declares the "
                    + "same name; remove one",
                .aliasHeld,
                at: held.source
            )
            warning.severity = .warning
            try problems(warning.masked(masks))
        }
    }

    private func planner(
        _ reading: DesiredReading,
        _ ledger: Ledger?,
        _ options: RunOptions,
        _ context: DiffContext,
        _ approval: Approval? = nil
    ) throws -> Planner {
        try allocated(
            Planner(
                desired: reading.store,
                recorded: ledger,
                selection: options.selection,
                context: context,
                overrides: options.overrides,
                ignored: configuration.ignored,
                approval: approval,
                owners: reading.owners
            )
        )
    }

    // MARK: - Plan

    /// Shows what apply would do now, waiting reports taken into account; changes nothing and takes no lock.
    ///
    /// - Parameters:
    ///   - files: The state files.
    ///   - options: What the run was asked for.
    ///   - destination: Where the plan is saved, unless a limit refuses it; `nil`: nowhere.
    ///   - problems: Takes every problem of every file.
    ///   - body: Takes the lines of each owner's plan, in owner order.
    /// - Returns: The counts, and the limits that apply would refuse it for.
    /// - Throws: ``RunError``, ``LedgerError``, ``PlanFileError``, and what `body` throws.
    public func plan(
        _ files: ProjectFiles,
        _ options: RunOptions,
        saving destination: PlanDestination? = nil,
        problems: (Diagnostic) throws -> Void,
        each body: ([PlanEntry]) throws -> Void
    ) throws -> PlanOutcome {
        let now = environment.now()
        let hasLedger = try Files.facts(following: ledgerPath) != nil
        // A saved plan names everything that is declared.
        var reading = try read(files, options, .read, needsAll: destination != nil, problems: problems)
        let ingest = self.ingest(at: now)
        var outcome = PlanOutcome()
        outcome.hasLedger = hasLedger
        // The mark first: a run beside this one moves it up only after the ledger.
        let mark = LedgerMark.read(besideLedger: ledgerPath)
        let directory = try TemporaryDirectory()
        var ledger: Ledger?
        var restoration: Restoration?
        if try ingest.isNeeded() || hasLedger && hasUnbooked(ledgerPath, at: now) {
            // What apply does before it plans is seen on a private copy, by the very code that does it.
            let copy = Files.join(directory.path, "ledger.db")
            let writable =
                hasLedger ? try openLedger(.read).copy(to: copy) : try openLedger(.create, at: copy)
            if hasLedger { restoration = try writable.restoration(mark, of: ledgerPath) }
            outcome.reports = try ingest.run(into: writable, looksOnly: true)
            try renewReservations(in: writable, at: now)
            ledger = writable
        } else if hasLedger {
            let readable = try openLedger(.read)
            restoration = try readable.restoration(mark, of: ledgerPath)
            ledger = readable
        }
        let sensitive = try sensitive(reading.store.templates, ledger)
        let seal = try Seal(of: ledger, makesLedger: !hasLedger, sensitive, ignored: configuration.ignored)
        let desired = try destination.map { _ in try seal.digest(of: reading.store) } ?? ""
        try ledger?.holdSnapshot()
        try ledger?.requirePlausible(now)
        if let ledger {
            reading = try complete(
                reading,
                files,
                options,
                .read,
                in: ledger,
                isRestored: restoration != nil,
                at: now,
                problems: problems
            )
            try resolveAliases(of: reading.store, from: files, in: ledger, problems: problems)
        }
        var options = options
        options.selection = try options.selection.reading(reading.store)
        if options.acceptsRestored { restoration = nil }
        if let restoration { environment.remark("\(restoration)") }
        let scopes = try ledger?.scopes() ?? Scopes()
        let facts = context(at: now, scopes: scopes, isRestored: restoration != nil)
        let planner = try planner(reading, ledger, options, facts)
        outcome.part = reading.part
        let writer = try destination.map { destination in
            try PlanWriter(
                destination.path,
                header(desired, files, hasLedger ? ledger : nil, options, destination, at: now),
                seal,
                sensitive: sensitive
            )
        }
        if let ledger { try remarkUnpublished(ledger) }
        // What waiting reports register gets its id when they are taken in.
        let showsTargets = outcome.reports.taken == 0
        let masks = try masks(reading.store.templates, ledger)
        outcome.summary = try planner.run { plan, desired, recorded in
            try body(PlanEntry.entries(of: plan, desired, recorded, masks: masks, showsTargets: showsTargets))
            try writer?.add(plan, desired, recorded)
        }
        outcome.violations = try violations(of: outcome.summary, files, ledger, options, at: now)
        if outcome.violations.isEmpty { outcome.saved = try writer?.finish(outcome.summary) }
        return outcome
    }

    /// The limits that a plan exceeds, and the step back in the history that nobody allowed.
    private func violations(
        of summary: Summary,
        _ files: ProjectFiles,
        _ ledger: Ledger?,
        _ options: RunOptions,
        at now: Moment
    ) throws -> [SafetyViolation] {
        let exceeded = configuration.safety.violations(
            of: summary,
            open: try ledger?.openInstances(at: now) ?? 0,
            isSelection: !options.selection.isEverything,
            overrides: options.overrides
        )
        return exceeded + (try rollback(to: files, ledger, options))
    }

    /// The step back in the history that nobody allowed, if the run would take one.
    func rollback(to files: ProjectFiles, _ ledger: Ledger?, _ options: RunOptions) throws -> [SafetyViolation] {
        guard !options.overrides.rollback, let ledger else { return [] }
        return try files.rollback(from: try ledger.appliedCommit()).map { [.rollback($0)] } ?? []
    }

    // MARK: - Apply

    /// Ingests waiting reports, plans, commits, publishes and sends.
    ///
    /// The caller holds the lock.
    ///
    /// - Parameters:
    ///   - run: The run, as the lock names it.
    ///   - files: The state files.
    ///   - options: What the run was asked for; of a saved plan, what that was made with counts.
    ///   - saved: The saved plan that is carried out, and nothing beyond it; `nil`: everything that is due.
    ///   - problems: Takes every problem of every file.
    ///   - show: Takes the lines of each owner's plan, in owner order, before anything is committed.
    ///   - confirm: Asked once, with the counts; `false` leaves everything as it is.
    ///   - receipts: Takes a receipt for each write that was committed.
    /// - Returns: The counts, and what became of the pushes.
    /// - Throws: ``RunError``, ``LedgerError``, ``StalePlan``, and what the closures throw.
    public func apply(
        run: RunID,
        _ files: ProjectFiles,
        _ options: RunOptions,
        saved: SavedPlan? = nil,
        problems: (Diagnostic) throws -> Void,
        show: ([PlanEntry]) throws -> Void,
        confirm: (PlanOutcome) throws -> Bool,
        receipts: (Receipt) throws -> Void
    ) throws -> ApplyOutcome {
        let now = environment.now()
        let keys = try Credentials(configuration, environment)
        let hasLedger = try Files.facts(following: ledgerPath) != nil
        var options =
            try saved.map { try self.options(of: $0.header, options, hasLedger: hasLedger, at: now) } ?? options
        // The files are read first: while any of them is wrong, nothing is made, taken in or sent.
        var reading = try read(files, options, .write, needsAll: saved != nil, problems: problems)
        let access: Ledger.Access = options.makesLedger ? .create : .write
        let ledger = try openLedger(access, lineage: saved?.header.lineage)
        try begin(run, "apply", ledger, isWarned: options.acceptsRestored, at: now)
        var outcome = ApplyOutcome()
        outcome.plan.hasLedger = hasLedger
        outcome.recovered = try ledger.recover(run: run, at: now)
        outcome.plan.reports = try ingest(at: now).run(into: ledger)
        try renewReservations(in: ledger, at: now)
        reading = try complete(
            reading,
            files,
            options,
            .write,
            in: ledger,
            isRestored: ledger.isRestored,
            at: now,
            problems: problems
        )
        try resolveAliases(of: reading.store, from: files, in: ledger, problems: problems)
        options.selection = try options.selection.reading(reading.store)

        let reader = try openLedger(.read)
        try reader.holdSnapshot()
        let isRestored = ledger.isRestored && !options.acceptsRestored
        let facts = context(at: now, scopes: try reader.scopes(), isRestored: isRestored)
        let templates = reading.store.templates
        let approval = try saved.map { saved in
            let sensitive = try sensitive(templates, reader)
            let makesLedger = saved.header.makesLedger
            let seal = try Seal(of: reader, makesLedger: makesLedger, sensitive, ignored: configuration.ignored)
            return Approval(plan: saved, seal: seal)
        }
        let masks = try masks(templates, reader)
        let planner = try planner(reading, reader, options, facts, approval)
        outcome.plan.part = reading.part
        outcome.review = try approval.map(planner.reviewed)
        let writing = try OwnerList()
        outcome.plan.summary = try planner.run { plan, desired, recorded in
            if plan.isWriting { try writing.add(plan.owner) }
            try show(PlanEntry.entries(of: plan, desired, recorded, masks: masks))
        }
        outcome.plan.violations = try violations(of: outcome.plan.summary, files, reader, options, at: now)
        guard outcome.plan.violations.isEmpty else { throw RunError.unsafe(outcome.plan.violations) }
        guard try !outcome.plan.summary.hasChanges || confirm(outcome.plan) else {
            outcome.isConfirmed = false
            return outcome
        }
        if options.acceptsRestored { try ledger.acceptRestored(run: run, at: now) }
        if let commit = files.commit { try ledger.noteApplied(commit, run: run) }
        // Before anything is committed that is sent by them.
        try ledger.record(reading.store.templates.selectedTemplates, at: now)
        let book = try quotaBook(in: ledger, at: now)
        let committed = try Commit(ledger: ledger, run: run, environment: environment, book: book)
            .run(planner, writing, receipts: receipts)
        outcome.committed = committed.declarations
        outcome.refused = committed.refused
        try publishAndSend(ledger, run, options, saved, keys, since: now, &outcome)
        try keepIndex(reading, files, in: ledger, planner)
        if let saved, outcome.plan.summary.hasChanges { try ledger.note(saved.header, run: run, at: environment.now()) }
        return outcome
    }

    private func publishAndSend(
        _ ledger: Ledger,
        _ run: RunID,
        _ options: RunOptions,
        _ saved: SavedPlan?,
        _ keys: Credentials,
        since start: Moment,
        _ outcome: inout ApplyOutcome
    ) throws {
        if let published = try keys.publisher?.run(ledger, isStopped: { environment.stopped() != nil }) {
            outcome.published = published.written
            outcome.publishError = published.error.map { error in
                let others = published.failed - 1
                return others > 0 ? "\(error), and \(others) more could not be written" : error.description
            }
        }
        let send = try Send(
            ledger: ledger,
            run: run,
            keys: keys,
            environment: environment,
            quota: configuration.quota,
            since: start
        ) { due in
            try options.selection.includes(due) && saved?.includes(due) ?? true
        } isReady: { due in
            // What does not need a published file goes out all the same; a reload waits for its own.
            try keys.publisher == nil || due.delivery.kind != .reload || !ledger.isUnpublished(due.delivery.owner)
        }
        outcome.send = try send.sendAll()
        warnOfMark(ledger)
    }
}
