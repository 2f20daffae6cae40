public import Diff
internal import Foreign
internal import JSON
internal import Ledger
public import Source
internal import Time

/// `plan`: shows what apply would do now, waiting reports taken into account; changes nothing and takes no lock.
public struct PlanRun {
    private let pipeline: Pipeline
    private let files: ProjectFiles
    private let options: RunOptions
    private let destination: PlanDestination?

    /// A plan of a project.
    ///
    /// - Parameters:
    ///   - pipeline: The project.
    ///   - files: The state files.
    ///   - options: The options of the run.
    ///   - destination: The place where the plan is saved, unless a limit refuses it; `nil`: nowhere.
    public init(
        _ pipeline: Pipeline,
        files: ProjectFiles,
        options: RunOptions,
        saving destination: PlanDestination? = nil
    ) {
        self.pipeline = pipeline
        self.files = files
        self.options = options
        self.destination = destination
    }

    /// The ledger as it is planned from.
    private struct View {
        var ledger: (any Snapshot)?
        var hasLedger: Bool
        var restoration: Restoration?
        var reports = Ingest.Result()
    }

    /// Plans.
    ///
    /// - Returns: The counts, and the limits that apply would refuse it for.
    /// - Throws: ``RunError``, ``LedgerError``, ``PlanFileError``, and what takes the events throws.
    public func run() throws -> PlanOutcome {
        let now = pipeline.environment.now()
        let desired = DesiredReader(pipeline, files: files, options: options, .read)
        // A saved plan names everything that is declared.
        var reading = try desired.read(needsAll: destination != nil)
        let directory = try TemporaryDirectory()
        let view = try view(at: now, in: directory.path)
        let saving = try save(reading, view, at: now)
        try view.ledger?.facts().requirePlausible(now)
        reading = try desired.complete(reading, in: view.ledger, isRestored: view.restoration != nil, at: now)
        var options = options
        options.selection = try options.selection.reading(reading.store)
        let restoration = options.acceptsRestored ? nil : view.restoration
        if let restoration { try pipeline.environment.remark("\(restoration)") }
        let isRestored = restoration != nil
        let planner = try pipeline.allocated(
            pipeline.planner(reading, over: view.ledger, options: options, isRestored: isRestored, at: now)
        )
        if let ledger = view.ledger { try remarkUnpublished(ledger) }
        var outcome = PlanOutcome()
        (outcome.hasLedger, outcome.reports, outcome.part) = (view.hasLedger, view.reports, reading.part)
        // Targets of waiting reports get their ids when the reports are taken in.
        let showsTargets = view.reports.taken == 0
        let masks = try pipeline.masks(reading.store.templates, view.ledger)
        let writer = try saving.map { try PlanWriter(to: $0.path, $0.header, seal: $0.seal, sensitive: $0.sensitive) }
        outcome.summary = try planner.run { plan, desired, recorded in
            var planned = PlannedOwner(plan: plan, desired: desired, recorded: recorded, masks: masks)
            planned.showsTargets = showsTargets
            try pipeline.environment.events(.planned(planned))
            try writer?.add(plan, desired: desired, recorded: recorded)
        }
        outcome.violations = try pipeline.violations(
            of: outcome.summary,
            files,
            ledger: view.ledger,
            options: options,
            at: now
        )
        if outcome.violations.isEmpty { outcome.saved = try writer?.finish(outcome.summary) }
        return outcome
    }

    /// Looks at the ledger as apply would find it once it has taken in what waits.
    private func view(at now: Moment, in directory: String) throws -> View {
        let store = pipeline.store
        let hasLedger = try store.exists()
        // The mark first: a run beside this one moves it up only after the ledger.
        let mark = try store.mark()
        var view = View(ledger: hasLedger ? try store.snapshot() : nil, hasLedger: hasLedger)
        view.restoration = try view.ledger.flatMap { Restoration(try $0.facts(), mark, of: store.path) }
        let ingest = pipeline.ingest(at: now)
        if try ingest.isNeeded() || view.ledger.map({ try pipeline.hasUnbooked($0, at: now) }) ?? false {
            // The very code by which apply begins runs on top of the ledger.
            let top = try store.top(in: directory)
            let ledger = try view.ledger.map { try Overlay(over: $0, on: top) } ?? top
            view.reports = try ingest.run(into: ledger, looksOnly: true)
            try pipeline.renewReservations(in: ledger, at: now)
            view.ledger = ledger
        }
        return view
    }

    /// The parts of a saved plan.
    private struct Saving {
        var path: String
        var header: PlanHeader
        var seal: Seal
        var sensitive: PointerRules
    }

    /// Prepares the saved plan: the digest of what is declared, before anything is added to it.
    private func save(_ reading: DesiredReading, _ view: View, at now: Moment) throws -> Saving? {
        guard let destination else { return nil }
        let sensitive = try pipeline.sensitive(reading.store.templates, view.ledger)
        let ignored = pipeline.configuration.ignored
        let seal = try Seal(of: view.ledger, makesLedger: !view.hasLedger, sensitive, ignored: ignored)
        let header = PlanHeader(
            id: "",
            lineage: try lineage(of: view),
            makesLedger: !view.hasLedger,
            createdAt: now,
            expiresAt: now + destination.lifetime,
            desired: try seal.digest(of: reading.store),
            sourceCommit: files.commit.map { Text($0.id) },
            options: pinned(options)
        )
        return Saving(path: destination.path, header: header, seal: seal, sensitive: sensitive)
    }

    private func lineage(of view: View) throws -> Text {
        guard view.hasLedger, let ledger = view.ledger else { return try pipeline.system.mintLineage() }
        return try ledger.facts().lineage
    }

    /// The options with the commit by its id: a branch may mean another one by the time the plan is applied.
    private func pinned(_ options: RunOptions) -> RunOptions {
        guard case .commit(_, let repository) = options.source, let commit = files.commit else { return options }
        var options = options
        options.source = .commit(revision: commit.id, repository: repository)
        return options
    }

    /// Says how many published files are not as committed, which is no change of any target and no push.
    private func remarkUnpublished(_ ledger: any Snapshot) throws {
        let (configuration, environment) = (pipeline.configuration, pipeline.environment)
        guard let publish = configuration.publish else { return }
        // A reviewer may not have the key: what is known without it is said.
        let key = try? configuration.resolve(publish.key, environment: environment.variable).bytes
        let directory = configuration.path(publish.directory)
        let place = key.map { Publisher(directory: directory, key: $0, disk: environment.system.disk).place }
        let count = try ledger.unpublishedCount(at: place, isGone: try Files.facts(following: directory) == nil)
        guard count > 0 else { return }
        try environment.remark(
            "\(count) published \(count == 1 ? "file is" : "files are") still to be written, which apply does"
        )
    }
}

/// The outcome of a plan.
public struct PlanOutcome: Hashable, Sendable {
    /// The counts.
    public var summary = Summary()
    /// The limits that apply would refuse it for.
    public var violations: [SafetyViolation] = []
    /// The waiting reports that were taken into account.
    public var reports = Ingest.Result()
    /// True where there is a ledger.
    public var hasLedger = false
    /// The saved plan, where one was written.
    public var saved: PlanHeader?
    /// The part that was read and looked at, because the index knows the rest; `nil` where that was everything.
    public var part: Part?

    /// Nothing yet.
    public init() {}

    /// The changes since the commit that the index was made of.
    public struct Part: Hashable, Sendable {
        /// The number of state files that were read.
        public var files: Int
        /// The number of owners that were looked at.
        public var owners: Int
    }
}
