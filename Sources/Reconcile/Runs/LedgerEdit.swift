public import Diff
internal import Foreign
internal import JSON
internal import Ledger
internal import Source

/// The reason that the ledger was not changed by hand.
public enum StateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The ledger holds nothing that the globs match.
    case nothingMatches([String])
    /// This names no target.
    case noTarget(String)
    /// The name is taken already.
    case taken(String)
    /// A declaration cannot have this name.
    case wrongName(String)
    /// There is a file already.
    case exists(path: String)

    /// The fault and the way out.
    public var description: String {
        switch self {
        case .nothingMatches(let globs):
            "the ledger holds no target that " + globs.map { "'\($0)'" }.joined(separator: ", ")
                + " matches; it takes SUBSCRIBER, SUBSCRIBER/widget/NAME or SUBSCRIBER/activity/NAME, with * and ?. "
                + "Nothing was changed"
        case .noTarget(let text):
            "the ledger holds no target '\(text)'; it takes SUBSCRIBER/widget/NAME or SUBSCRIBER/activity/NAME. Nothing "
                + "was changed"
        case .taken(let text):
            "the ledger holds '\(text)' already; 'lockstep state forget' makes room. Nothing was changed"
        case .wrongName(let name):
            "'\(name)' is no name of a declaration: it has 1 to 256 bytes and no control characters. Nothing was changed"
        case .exists(let path): "\(path) exists already; name a new file. Nothing was changed"
        }
    }
}

/// The outcome of a change of the ledger by hand.
public struct StateOutcome: Hashable, Sendable {
    /// The copy of the ledger from before; `nil` where there was none.
    public var backup: String?
    /// The changed declarations, as `SUBSCRIBER/KIND/NAME`; of a whole ledger, its path.
    public var changed: [String]
}

/// `state forget` and `state move`: changes the ledger by hand.
///
/// The caller holds the lock. Nothing is sent.
public struct LedgerEdit {
    private let pipeline: Pipeline
    private let run: RunID

    /// A change of the ledger of a project, by the run that the lock names.
    public init(_ pipeline: Pipeline, _ run: RunID) {
        self.pipeline = pipeline
        self.run = run
    }

    /// Forgets what was committed for some targets; what is on phones stays there.
    ///
    /// A declaration that is still in the files is new to the next apply.
    ///
    /// - Parameter globs: Patterns as `--only` takes them.
    /// - Returns: The backup, and the targets.
    /// - Throws: ``StateError``, ``LedgerError``.
    public func forget(_ globs: [String]) throws -> StateOutcome {
        let selection = Selection(globs)
        let found = try pipeline.store.snapshot().targets(in: selection.range) { recorded in
            selection.restricted(nil, recorded).map { recorded = $0.1 } != nil
        }
        guard !found.isEmpty else { throw StateError.nothingMatches(globs) }
        let backup = try change(found) { transition, target, _, step in try target.target.forget(in: &transition, step)
        }
        return StateOutcome(backup: backup, changed: found.map(\.description))
    }

    /// Gives a declaration another name in the ledger, so that a declaration that was renamed in the files goes on.
    ///
    /// - Parameters:
    ///   - text: The target, as `SUBSCRIBER/KIND/NAME`.
    ///   - name: Its new name.
    /// - Returns: The backup, and what has the new name.
    /// - Throws: ``StateError``, ``LedgerError``.
    public func move(_ text: String, to name: String) throws -> StateOutcome {
        guard Declaration.isName(Text(name)) else { throw StateError.wrongName(name) }
        let subscriber = Text(LedgerTarget.subscriber(of: text))
        let all = try pipeline.store.snapshot().targets(in: .only(subscriber)) { _ in true }
        let found = all.filter { $0.description == text }
        guard !found.isEmpty else { throw StateError.noTarget(text) }
        let moved = found.map { target in
            var target = target
            target.name = Text(name)
            return target
        }
        if let taken = moved.first(where: all.contains) { throw StateError.taken(taken.description) }
        let backup = try change(found) { transition, target, scopes, step in
            target.target.rename(in: &transition, to: Text(name), scopes, step)
        }
        return StateOutcome(backup: backup, changed: moved.map(\.description))
    }

    /// Changes the records of the owners of some targets, which are in owner order, as one step.
    ///
    /// - Returns: The path of the backup from before.
    private func change(
        _ targets: [LedgerTarget],
        _ body: (inout Transition, LedgerTarget, Scopes, StepContext) throws -> Void
    ) throws -> String {
        let now = pipeline.environment.now()
        let backup = try pipeline.store.backUp(at: now)
        let ledger = try pipeline.begin(run, "state", at: now).ledger
        var book: QuotaBook?
        try ledger.step(run, in: pipeline.environment, book: &book) { step, changes in
            let scopes = try ledger.scopes()
            var rest = targets[...]
            while let owner = rest.first?.owner {
                let owned = rest.prefix { $0.owner == owner }
                rest = rest.dropFirst(owned.count)
                var transition = Transition(try ledger.recorded([owner]).first ?? Recorded(owner: owner))
                for target in owned { try body(&transition, target, scopes, step) }
                changes.add(transition)
            }
        }
        return backup
    }
}

/// `state export` and `state import`: the ledger as a file.
public struct LedgerTransfer {
    private let pipeline: Pipeline

    /// A transfer of the ledger of a project.
    public init(_ pipeline: Pipeline) {
        self.pipeline = pipeline
    }

    /// Writes a copy of the ledger to a new file, as it is at one moment; takes no lock.
    ///
    /// - Parameter path: The file, from the working directory.
    /// - Returns: The path, and no backup.
    /// - Throws: ``StateError``, ``LedgerError``.
    public func export(to path: String) throws -> StateOutcome {
        _ = try pipeline.store.snapshot()
        guard try Files.facts(path) == nil else { throw StateError.exists(path: path) }
        try pipeline.store.export(to: path)
        return StateOutcome(backup: nil, changed: [path])
    }

    /// Puts an exported ledger in place of this one.
    ///
    /// The caller holds the lock.
    ///
    /// - Parameters:
    ///   - path: The exported file, from the working directory.
    ///   - run: The run, as the lock names it.
    /// - Returns: The backup of the ledger from before, and the path of the ledger.
    /// - Throws: ``LedgerError`` where the file is no whole ledger.
    public func `import`(from path: String, run: RunID) throws -> StateOutcome {
        let now = pipeline.environment.now()
        let backup = try pipeline.store.replace(with: path, at: now)
        _ = try pipeline.begin(run, "state", at: now)
        return StateOutcome(backup: backup, changed: [pipeline.store.path])
    }
}
