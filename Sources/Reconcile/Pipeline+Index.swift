internal import Diff
internal import Foreign
internal import JSON
internal import Time
internal import Source

/// What a run has read of the state files: everything, or what changed since the index was made.
struct DesiredReading {
    /// What was read.
    var store: DesiredStore
    /// What is known of the rest; `nil` where everything was read.
    var index: SourceIndex?
    /// The owners that are looked at, in their order; `nil` for all.
    var owners: [Owner]?
    /// How many files were read.
    var files = 0
    /// Whether an index can be made of it: there was nothing to remark about any file, and no symbolic link.
    var isPlain = false

    /// What alone was read and is looked at; `nil` where that is everything.
    var part: PlanOutcome.Part? { owners.map { PlanOutcome.Part(files: files, owners: $0.count) } }
}

/// Reading what changed: the cost of a run follows the change, and its outcome is the same as if everything were read.
///
/// An index is used and made only by runs over everything in a commit; whatever is unusual is read whole.
extension Pipeline {
    private var indexPath: String { SourceIndex.path(besideLedger: ledgerPath) }

    /// Whether a run with these options may look at what changed alone.
    private func usesIndex(_ options: RunOptions) -> Bool {
        options.source != .disk && options.selection.isEverything && !options.overrides.empty
            && !options.acceptsRestored
    }

    /// Reads the state files of a run, or what changed of them.
    ///
    /// - Parameters:
    ///   - files: Where they are.
    ///   - options: What the run was asked for.
    ///   - access: Whether the index is only read.
    ///   - needsAll: Whether everything is wanted in any case.
    ///   - problems: Takes every problem of every file.
    /// - Returns: What was read.
    /// - Throws: ``RunError/invalidFiles(_:)`` after all problems were handed over.
    func read(
        _ files: ProjectFiles,
        _ options: RunOptions,
        _ access: Ledger.Access,
        needsAll: Bool = false,
        problems: (Diagnostic) throws -> Void
    ) throws -> DesiredReading {
        let hasLedger = try Files.facts(following: ledgerPath) != nil
        if hasLedger, !needsAll, usesIndex(options), let changes = try changes(in: files, access) { return changes }
        let allowsMissing = options.overrides.empty && hasLedger
        var gathered = try reader(of: files).everything(allowsMissing: allowsMissing, problems: problems)
        for problem in try templateProblems(of: gathered.store) {
            gathered.summary.errors += 1
            try problems(problem)
        }
        guard gathered.summary.errors == 0 else { throw RunError.invalidFiles(gathered.summary.errors) }
        var reading = DesiredReading(store: gathered.store)
        reading.isPlain = gathered.isPlain && usesIndex(options) && access != .read
        if reading.isPlain { try gathered.store.keepAsRead() }
        return reading
    }

    /// What is wrong about the templates where versions were applied that are not the same any more.
    private func templateProblems(of store: DesiredStore) throws -> [Diagnostic] {
        guard try Files.facts(following: ledgerPath).map({ $0.size > 0 }) ?? false else { return [] }
        return store.templates.problems(against: try openLedger(.read).appliedTemplates())
    }

    /// Reads what is different in a commit from the one that the index was made of; `nil` where everything has to be read.
    private func changes(in files: ProjectFiles, _ access: Ledger.Access) throws -> DesiredReading? {
        let reader = reader(of: files)
        do {
            guard let key = try reader.indexKey(of: environment.program),
                let index = try SourceIndex(at: indexPath, for: key, isReadOnly: access == .read),
                index.madeAt <= environment.now(),
                try openLedger(.read).indexStamp() == index.stamp,
                let changes = try reader.changes(since: index), try templateProblems(of: changes.store).isEmpty
            else { return nil }
            if access != .read { try changes.store.keepAsRead() }
            return DesiredReading(store: changes.store, index: index, files: changes.summary.files, isPlain: true)
        } catch let error as SQLiteError {
            environment.remark("the index of the state files cannot be used, so all of them are read: \(error)")
            return nil
        }
    }

    /// Adds what the owners declare who have to be looked at, once the ledger is as it is planned from.
    ///
    /// - Returns: The whole reading; another one, of everything, where the index turns out not to fit.
    func complete(
        _ reading: DesiredReading,
        _ files: ProjectFiles,
        _ options: RunOptions,
        _ access: Ledger.Access,
        in ledger: Ledger,
        isRestored: Bool,
        at now: Moment,
        problems: (Diagnostic) throws -> Void
    ) throws -> DesiredReading {
        guard let index = reading.index else { return reading }
        var reading = reading
        if !isRestored, try ledger.indexStamp() == index.stamp {
            reading.owners = try reading.store.complete(
                from: index,
                touched: ledger.touched(),
                persons: .init(among: reading.store.anonymous(and: index), in: ledger),
                at: now
            )
        }
        if reading.owners != nil { return reading }
        return try read(files, options, access, needsAll: true, problems: problems)
    }

    /// Makes the index, or brings it up to date: called once everything was sent, so that who is in step by then is not
    /// looked at by the next run.
    func keepIndex(
        _ reading: DesiredReading,
        _ files: ProjectFiles,
        in ledger: Ledger,
        _ planner: Planner
    ) throws {
        guard reading.isPlain, environment.stopped() == nil else { return }
        do {
            let now = environment.now()
            let stamp: Text = try system.mint("idx_")
            guard let making = try self.reader(of: files).making(of: environment.program, stamp: stamp, at: now)
            else { return }
            let touched = try ledger.beginIndex(making.stamp)
            let reader = try openLedger(.read)
            try reader.holdSnapshot()
            var planner = planner
            planner.recorded = reader
            planner.approval = nil
            planner.context = context(at: now, scopes: try reader.scopes(), isRestored: false)
            if let index = reading.index, let owners = reading.owners {
                try index.renew(making, reading.store, owners) { note in
                    try planner.restless(note)
                    for owner in touched.subtracting(owners) { try note(owner, .distantPast) }
                }
            } else {
                try SourceIndex.make(at: indexPath, making, reading.store, restless: planner.restless)
            }
        } catch  where error is SQLiteError || error is FileError {
            environment.remark(
                "the index of the state files was not written, so the next run reads all of them: \(error)"
            )
        }
    }
}

extension DesiredStore.Persons {
    /// The persons that some anonymous ids turned out to be.
    init(among anonymous: [Owner], in ledger: Ledger) throws {
        self.init()
        for owner in anonymous {
            let person = try ledger.resolve(owner.subscriber, app: owner.app)
            if person != owner.subscriber { self[owner] = person }
        }
    }
}
