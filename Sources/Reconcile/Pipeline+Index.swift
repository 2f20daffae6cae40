internal import Diff
internal import Foreign
internal import Git
internal import JSON
internal import Time

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

/// Something was to be said about a file that changed, which needs the whole to say it.
private struct NeedsWhole: Error {}

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
        var (store, summary, _) = try gather(in: files.tree, allowsMissing: allowsMissing, problems: problems)
        for problem in try templateProblems(of: store) {
            summary.errors += 1
            try problems(problem)
        }
        guard summary.errors == 0 else { throw RunError.invalidFiles(summary.errors) }
        var reading = DesiredReading(store: store)
        if let tree = files.tree as? CommitTree, usesIndex(options), access != .read {
            reading.isPlain = summary.warnings == 0 && !summary.hasLookalikes && !tree.hasLinks
        }
        if reading.isPlain { try store.keepAsRead() }
        return reading
    }

    /// What is wrong about the templates where versions were applied that are not the same any more.
    private func templateProblems(of store: DesiredStore) throws -> [Diagnostic] {
        guard try Files.facts(following: ledgerPath).map({ $0.size > 0 }) ?? false else { return [] }
        return store.templates.problems(against: try openLedger(.read).appliedTemplates())
    }

    /// Reads what is different in a commit from the one that the index was made of; `nil` where everything has to be read.
    private func changes(in files: ProjectFiles, _ access: Ledger.Access) throws -> DesiredReading? {
        guard let tree = files.tree as? CommitTree else { return nil }
        do {
            guard let index = try SourceIndex(at: indexPath, for: indexKey(tree), access),
                index.madeAt <= environment.now(),
                try openLedger(.read).indexStamp() == index.stamp
            else { return nil }
            let changed = ChangedTree(tree, since: index)
            var (store, summary, rules) = try gather(in: changed, of: tree) { _ in throw NeedsWhole() }
            guard try templateProblems(of: store).isEmpty, !summary.hasLookalikes, !tree.hasLinks else { return nil }
            try index.replace(changed.replaced)
            try index.each { content in
                // A few declarations are enough for rules that are right.
                guard rules.contains(where: \.isOpen) else { return false }
                for rule in rules.indices { rules[rule].note(content) }
                return true
            }
            guard rules.allSatisfy({ $0.warnings(configuration).isEmpty }) else { return nil }
            if access != .read { try store.keepAsRead() }
            return DesiredReading(store: store, index: index, files: summary.files, isPlain: true)
        } catch is NeedsWhole {
            return nil
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
            reading.owners = try reading.store.complete(from: index, ledger, at: now)
        }
        if reading.owners != nil { return reading }
        return try read(files, options, access, needsAll: true, problems: problems)
    }

    /// What a commit is read with: what was read with anything else is read again.
    private func indexKey(_ tree: CommitTree) throws -> Text {
        let size = try Files.facts(following: "/proc/self/exe")?.size ?? 0
        let templates = try tree.find(try tree.path(Templates.name))?.entry.id.description ?? ""
        let parts: Value = [
            .string(environment.program), .integer(size), .string(Text(Hex.text(sha256(configuration.text)))),
            .string(Text(tree.directory)), .string(Text(templates)),
        ]
        return Text(parts.canonical)
    }

    /// Makes the index, or brings it up to date: called once everything was sent, so that who is in step by then is not
    /// looked at by the next run.
    func keepIndex(
        _ reading: DesiredReading,
        _ files: ProjectFiles,
        in ledger: Ledger,
        _ planner: Planner
    ) throws {
        guard reading.isPlain, let tree = files.tree as? CommitTree, environment.stopped() == nil else { return }
        do {
            let now = environment.now()
            let making = SourceIndex.Making(
                key: try indexKey(tree),
                tree: tree.commit.tree,
                stamp: try system.mint("idx_"),
                now: now
            )
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
