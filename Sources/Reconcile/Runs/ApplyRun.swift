public import Diff
internal import Foreign
internal import JSON
internal import Ledger
public import Source
internal import Time

/// `apply`: ingests waiting reports, plans, commits, publishes and sends.
///
/// The caller holds the lock.
public struct ApplyRun {
    private let pipeline: Pipeline
    private let run: RunID
    private let files: ProjectFiles
    private let asked: RunOptions
    private let saved: SavedPlan?

    /// An apply of a project.
    ///
    /// - Parameters:
    ///   - pipeline: The project.
    ///   - run: The run, as the lock names it.
    ///   - files: The state files.
    ///   - options: The options of the run; of a saved plan, those count that it was made with.
    ///   - saved: The saved plan that is carried out, and nothing beyond it; `nil`: everything that is due.
    public init(
        _ pipeline: Pipeline,
        run: RunID,
        files: ProjectFiles,
        options: RunOptions,
        saved: SavedPlan? = nil
    ) {
        self.pipeline = pipeline
        self.run = run
        self.files = files
        asked = options
        self.saved = saved
    }

    /// A plan on its way: the planner, and the owners that have something to write.
    private struct Planned {
        var planner: Planner
        var owners: OwnerList
    }

    /// Applies.
    ///
    /// - Parameter confirm: Asked once, with the counts; `false` leaves everything as it is.
    /// - Returns: The counts, and what became of the pushes.
    /// - Throws: ``RunError``, ``LedgerError``, ``StalePlan``, and what takes the events throws.
    public func run(confirm: (PlanOutcome) throws -> Bool) throws -> ApplyOutcome {
        let environment = pipeline.environment
        let now = environment.now()
        let keys = try Credentials(pipeline.configuration, environment)
        for warning in keys.warnings { try environment.remark(warning) }
        var options = try options(at: now)
        let desired = DesiredReader(pipeline, files: files, options: options, .write)
        // The files are read first: while any of them is wrong, nothing is made, taken in or sent.
        var reading = try desired.read(needsAll: saved != nil)
        var outcome = ApplyOutcome()
        outcome.plan.hasLedger = try pipeline.store.exists()
        if options.makesLedger { try pipeline.store.make(lineage: saved?.header.lineage, on: pipeline.system) }
        var begun = try pipeline.begin(run, "apply", isWarned: options.acceptsRestored, at: now)
        try begun.takeIn(pipeline, at: now)
        (outcome.recovered, outcome.plan.reports) = (begun.recovered, begun.reports)
        reading = try desired.complete(reading, in: begun.ledger, isRestored: begun.isRestored, at: now)
        options.selection = try options.selection.reading(reading.store)
        let planned = try plan(reading, options, in: begun, at: now, outcome: &outcome)
        guard outcome.plan.violations.isEmpty else { throw RunError.unsafe(outcome.plan.violations) }
        guard try !outcome.plan.summary.hasChanges || confirm(outcome.plan) else {
            outcome.isConfirmed = false
            return outcome
        }
        if options.acceptsRestored { try begun.acceptRestored(at: now) }
        if let commit = files.commit { try begun.ledger.noteApplied(commit, run: run) }
        // Before anything is committed that is sent by them.
        try begun.ledger.record(reading.store.selectedTemplates, at: now)
        try commit(planned, in: begun, at: now, outcome: &outcome)
        try publish(begun, keys, outcome: &outcome)
        try send(begun, begun.terms(keys, pipeline, since: now), options: options, outcome: &outcome)
        try desired.keepIndex(reading, in: begun.ledger, planned.planner)
        if let saved, outcome.plan.summary.hasChanges {
            try begun.ledger.change(saved.header.appliedEvent(run: run, at: environment.now())) { _ in }
        }
        return outcome
    }

    /// The options that count: those that the saved plan was made with, where there is one.
    ///
    /// - Throws: ``StalePlan`` where its time is over, or it was made on another ledger.
    private func options(at now: Moment) throws -> RunOptions {
        guard let header = saved?.header else { return asked }
        guard now < header.expiresAt else { throw StalePlan.expired(id: header.id, at: header.expiresAt) }
        var options = header.options
        guard try pipeline.store.exists() else {
            // One that is gone knew what was started; an empty one in its place would start everything again.
            guard header.makesLedger else { throw StalePlan.otherLedger(id: header.id, path: pipeline.store.path) }
            options.makesLedger = asked.makesLedger
            return options
        }
        guard try pipeline.store.snapshot().facts().lineage == header.lineage else {
            throw StalePlan.otherLedger(id: header.id, path: pipeline.store.path)
        }
        return options
    }

    /// The first pass: decides about everybody who must be looked at, and shows it.
    private func plan(
        _ reading: DesiredReading,
        _ options: RunOptions,
        in begun: BegunRun,
        at now: Moment,
        outcome: inout ApplyOutcome
    ) throws -> Planned {
        let reader = try pipeline.store.snapshot()
        let isRestored = begun.isRestored && !options.acceptsRestored
        var planner = try pipeline.planner(reading, over: reader, options: options, isRestored: isRestored, at: now)
        planner.approval = try saved.map { saved in
            let sensitive = try pipeline.sensitive(reading.store.templates, reader)
            let makesLedger = saved.header.makesLedger
            let ignored = pipeline.configuration.ignored
            let seal = try Seal(of: reader, makesLedger: makesLedger, sensitive, ignored: ignored)
            return Approval(plan: saved, seal: seal)
        }
        planner = try pipeline.allocated(planner)
        outcome.plan.part = reading.part
        outcome.review = try planner.approval.map(planner.reviewed)
        let masks = try pipeline.masks(reading.store.templates, reader)
        let planned = Planned(planner: planner, owners: try OwnerList())
        outcome.plan.summary = try planner.run { plan, desired, recorded in
            if plan.isWriting { try planned.owners.add(plan.owner) }
            let owner = PlannedOwner(plan: plan, desired: desired, recorded: recorded, masks: masks)
            try pipeline.environment.events(.planned(owner))
        }
        outcome.plan.violations = try pipeline.violations(
            of: outcome.plan.summary,
            files,
            ledger: reader,
            options: options,
            at: now
        )
        return planned
    }

    private func commit(
        _ planned: Planned,
        in begun: BegunRun,
        at now: Moment,
        outcome: inout ApplyOutcome
    ) throws {
        let environment = pipeline.environment
        let book = try pipeline.quotaBook(in: begun.ledger, at: now)
        let commit = Commit(ledger: begun.ledger, run: run, environment: environment, book: book)
        let committed = try commit.run(planned.planner, planned.owners) { try environment.events(.receipt($0)) }
        (outcome.committed, outcome.refused) = (committed.declarations, committed.refused)
    }

    private func publish(_ begun: BegunRun, _ keys: Credentials, outcome: inout ApplyOutcome) throws {
        let environment = pipeline.environment
        guard let publisher = keys.publisher else { return }
        let published = try publisher.run(begun.ledger, isStopped: { environment.stopped() != nil })
        outcome.published = published.written
        outcome.publishError = published.error.map { error in
            let others = published.failed - 1
            return others > 0 ? "\(error), and \(others) more could not be written" : error.description
        }
    }

    private func send(
        _ begun: BegunRun,
        _ terms: Send.Terms,
        options: RunOptions,
        outcome: inout ApplyOutcome
    ) throws {
        let (ledger, saved) = (begun.ledger, saved)
        var isSelected: ((DueDelivery) throws -> Bool)?
        if saved != nil || !options.selection.isEverything {
            isSelected = { due in try options.selection.includes(due) && saved?.includes(due) ?? true }
        }
        let isPublished = try terms.keys.publisher == nil || ledger.count(.allUnpublished) == 0
        let send = try Send(ledger, terms, isSelected: isSelected) { due in
            // Pushes that need no published file go out all the same; a reload waits for its own.
            try isPublished || due.delivery.kind != .reload || !ledger.isUnpublished(due.delivery.owner)
        }
        outcome.send = try send.sendAll()
        try begun.warnOfMark(pipeline.environment)
    }
}

/// The outcome of an apply.
public struct ApplyOutcome: Sendable {
    /// The plan that was applied.
    public var plan = PlanOutcome()
    /// The verdicts on the lines of the saved plan, where one was applied.
    public var review: PlanReview?
    /// True where the person agreed.
    public var isConfirmed = true
    /// Deliveries of a run that died, which count as unknown now.
    public var recovered = 0
    /// Declarations that were committed: all of the plan's, unless the run was stopped.
    public var committed = 0
    /// Pushes for which there was room in the day's quota when they were planned, and not any more.
    public var refused = 0
    /// Published files that were written.
    public var published = 0
    /// The reason that not all of them were; reloads then wait for the next run.
    public var publishError: String?
    /// The outcome of the pushes.
    public var send = SendOutcome()

    /// Nothing yet.
    public init() {}

    /// True where there was something to do and none of it was done: the next run would have no less to do.
    public var isWithoutProgress: Bool {
        let settled = send.accepted + send.failed + send.unknown + send.invalidEndpoints
        return plan.summary.hasChanges && committed + published + settled == 0
    }

    /// Pushes that wait for room in the quota of a later day.
    public var deferred: Int { plan.summary.deferred + refused + send.deferred }

    /// True where everything that was to be sent was accepted, or its dead token removed.
    public var isComplete: Bool { publishError == nil && send.isComplete }
}

extension PlanHeader {
    /// The line of the log that says that it was carried out.
    func appliedEvent(run: RunID, at now: Moment) -> Event {
        let text = Text("the saved plan \(id) was applied")
        return Event(at: now, run: run, kind: "plan_applied", owner: nil, subject: id, text: text)
    }
}
