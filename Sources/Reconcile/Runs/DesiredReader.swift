internal import Diff
internal import Foreign
internal import JSON
internal import Ledger
internal import Source
internal import Time

/// The state files as a run has read them: everything, or what changed since the index was made.
struct DesiredReading {
    /// The declarations that were read.
    var store: DesiredStore
    /// The index that knows the rest; `nil` where everything was read.
    var index: SourceIndex?
    /// The owners that are looked at, in their order; `nil` for all.
    var owners: [Owner]?
    /// The number of files that were read.
    var files = 0
    /// True where an index can be made of it: there was nothing to remark about any file, and no symbolic link.
    var isPlain = false

    /// The part that was read and is looked at; `nil` where that is everything.
    var part: PlanOutcome.Part? { owners.map { PlanOutcome.Part(files: files, owners: $0.count) } }
}

/// The use that a run makes of the index.
enum SourceAccess {
    /// It is only read.
    case read
    /// It may be brought up to date.
    case write
}

/// Reads what the files of a run declare: the cost follows the change, and the outcome is the same as if everything were
/// read.
///
/// An index is used and made only by runs over everything in a commit; whatever is unusual is read whole.
struct DesiredReader {
    private let pipeline: Pipeline
    private let files: ProjectFiles
    private let options: RunOptions
    private let access: SourceAccess

    /// A reader of the state files of a run.
    init(_ pipeline: Pipeline, files: ProjectFiles, options: RunOptions, _ access: SourceAccess) {
        self.pipeline = pipeline
        self.files = files
        self.options = options
        self.access = access
    }

    private var environment: RunEnvironment { pipeline.environment }
    private var store: any Store { pipeline.store }
    private var source: SourceReader {
        SourceReader(files, of: pipeline.configuration, showsSensitive: environment.showsSensitive)
    }
    private var indexPath: String { SourceIndex.path(besideLedger: store.path) }

    /// True where the run may look at what changed alone.
    private var usesIndex: Bool {
        options.source != .disk && options.selection.isEverything && !options.overrides.empty
            && !options.acceptsRestored
    }

    private func report(_ problem: Diagnostic) throws { try environment.events(.problem(problem)) }

    /// Reads the state files, or what changed of them.
    ///
    /// - Parameter needsAll: True where everything is wanted in any case.
    /// - Returns: The values that were read.
    /// - Throws: ``RunError/invalidFiles(_:)`` after all problems were handed over.
    func read(needsAll: Bool = false) throws -> DesiredReading {
        let hasLedger = try store.exists()
        if hasLedger, !needsAll, usesIndex, let changes = try changes() { return changes }
        let allowsMissing = options.overrides.empty && hasLedger
        var gathered = try source.everything(allowsMissing: allowsMissing, problems: report)
        for problem in try templateProblems(of: gathered.store) {
            gathered.summary.errors += 1
            try report(problem)
        }
        guard gathered.summary.errors == 0 else { throw RunError.invalidFiles(gathered.summary.errors) }
        var reading = DesiredReading(store: gathered.store)
        reading.isPlain = gathered.isPlain && usesIndex && access != .read
        if reading.isPlain { try gathered.store.keepAsRead() }
        return reading
    }

    /// The problems of templates where versions were applied that are not the same any more.
    private func templateProblems(of desired: DesiredStore) throws -> [Diagnostic] {
        guard try store.exists() else { return [] }
        do {
            return desired.templateProblems(against: try store.snapshot().templates())
        } catch LedgerError.empty {
            // For those who write to it to say.
            return []
        }
    }

    /// Reads what is different in a commit from the one that the index was made of; `nil` where everything has to be read.
    private func changes() throws -> DesiredReading? {
        do {
            guard let key = try source.indexKey(),
                let index = try SourceIndex(at: indexPath, for: key, isReadOnly: access == .read),
                index.madeAt <= environment.now(),
                try store.snapshot().facts().index == index.stamp,
                let changes = try source.changes(since: index), try templateProblems(of: changes.store).isEmpty
            else { return nil }
            if access != .read { try changes.store.keepAsRead() }
            return DesiredReading(store: changes.store, index: index, files: changes.summary.files, isPlain: true)
        } catch let error as SQLiteError {
            try environment.remark("the index of the state files cannot be used, so all of them are read: \(error)")
            return nil
        }
    }

    /// Adds what the owners declare who have to be looked at, once the ledger is as it is planned from, and gives what
    /// anonymous ids declare to the persons that they turned out to be.
    ///
    /// - Returns: The whole reading; another one, of everything, where the index turns out not to fit.
    func complete(
        _ reading: DesiredReading,
        in ledger: (any Snapshot)?,
        isRestored: Bool,
        at now: Moment
    ) throws -> DesiredReading {
        guard let ledger else { return reading }
        var reading = reading
        if let index = reading.index {
            if !isRestored, try ledger.facts().index == index.stamp {
                reading.owners = try reading.store.complete(
                    from: index,
                    touched: Set(ledger.owners(.touched)),
                    persons: .init(among: reading.store.anonymous(and: index), in: ledger),
                    at: now
                )
            }
            if reading.owners == nil { reading = try read(needsAll: true) }
        }
        try resolveAliases(of: reading.store, in: ledger)
        return reading
    }

    /// Gives what anonymous ids declare to the persons that they turned out to be, and says what does not count.
    func resolveAliases(of desired: DesiredStore, in ledger: any Snapshot) throws {
        let locator = files.locator
        let masks = try pipeline.masks(desired.templates, ledger)
        for held in try desired.resolve(.init(among: desired.anonymous(), in: ledger)) {
            var warning = locator.error(
                "'\(held.name)' of '\(held.alias)' is held: '\(held.alias)' is '\(held.person)' now, who declares the "
                    + "same name; remove one",
                .aliasHeld,
                at: held.source
            )
            warning.severity = .warning
            try report(warning.masked(masks))
        }
    }

    /// Makes the index, or brings it up to date: called once everything was sent, so that who is in step by then is not
    /// looked at by the next run.
    func keepIndex(_ reading: DesiredReading, in ledger: any Session, _ planner: Planner) throws {
        guard reading.isPlain, environment.stopped() == nil else { return }
        do {
            let now = environment.now()
            let stamp: Text = try pipeline.system.mint("idx_")
            guard let making = try source.making(stamp, at: now) else { return }
            let touched = try ledger.beginIndex(making.stamp)
            let reader = try store.snapshot()
            var planner = planner
            planner.recorded = reader
            planner.approval = nil
            planner.context = pipeline.context(at: now, scopes: try reader.scopes(), isRestored: false)
            if let index = reading.index, let owners = reading.owners {
                try index.renew(making, with: reading.store, of: owners) { note in
                    try planner.restless(note)
                    for owner in touched.subtracting(owners) { try note(owner, .distantPast) }
                }
            } else {
                try SourceIndex.make(at: indexPath, making, reading.store, restless: planner.restless)
            }
        } catch  where error is SQLiteError || error is FileError {
            try environment.remark(
                "the index of the state files was not written, so the next run reads all of them: \(error)"
            )
        }
    }
}

extension DesiredStore.Persons {
    /// The persons that some anonymous ids turned out to be.
    init(among anonymous: [Owner], in ledger: any Snapshot) throws {
        self.init()
        for owner in anonymous {
            let person = try ledger.resolve(owner.subscriber, app: owner.app)
            if person != owner.subscriber { self[owner] = person }
        }
    }
}

extension Session {
    /// Begins to count anew for an index that is about to be made: should that not come to its end, no index has this
    /// name and everything is read.
    ///
    /// - Parameter stamp: The text that names it.
    /// - Returns: The owners of whom something changed before.
    /// - Throws: ``LedgerError``.
    fileprivate func beginIndex(_ stamp: Text) throws -> Set<Owner> {
        try unit {
            let owners = try owners(.touched)
            var changes = LedgerChanges()
            changes.forgetsTouched = true
            changes.change(try facts()) { $0.index = stamp }
            try write(changes)
            return Set(owners)
        }
    }
}
