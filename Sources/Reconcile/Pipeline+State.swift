public import Diff
internal import Foreign
internal import JSON
internal import Source

/// Why the ledger was not changed by hand.
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

    /// What is wrong and what to do.
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

/// What a change of the ledger by hand came to.
public struct StateOutcome: Hashable, Sendable {
    /// The copy of the ledger from before; `nil` where there was none.
    public var backup: String?
    /// What was changed, as `SUBSCRIBER/KIND/NAME`; of a whole ledger, its path.
    public var changed: [String]
}

extension Pipeline {
    /// Forgets what was committed for some targets; nothing is sent, and what is on phones stays there.
    ///
    /// The caller holds the lock. A declaration that is still in the files is new to the next apply.
    ///
    /// - Parameters:
    ///   - globs: What `--only` takes.
    ///   - run: The run, as the lock names it.
    /// - Returns: The backup, and the targets.
    /// - Throws: ``StateError``, ``LedgerError``.
    public func forget(_ globs: [String], run: RunID) throws -> StateOutcome {
        let selection = Selection(globs)
        let now = environment.now()
        let ledger = try openLedger(.write)
        let found = try ledger.targets(of: selection)
        guard !found.isEmpty else { throw StateError.nothingMatches(globs) }
        let backup = try ledger.backUp(at: now)
        try begin(run, "state", ledger, at: now)
        try ledger.change(found, run: run, at: now) { transition, target, step in
            try transition.forget(target.target, in: step)
        }
        return StateOutcome(backup: backup, changed: found.map(\.description))
    }

    /// Gives a declaration another name in the ledger, so that a declaration that was renamed in the files goes on.
    ///
    /// The caller holds the lock.
    ///
    /// - Parameters:
    ///   - text: The target, as `SUBSCRIBER/KIND/NAME`.
    ///   - name: Its new name.
    ///   - run: The run, as the lock names it.
    /// - Returns: The backup, and what has the new name.
    /// - Throws: ``StateError``, ``LedgerError``.
    public func move(_ text: String, to name: String, run: RunID) throws -> StateOutcome {
        guard Declaration.isName(Text(name)) else { throw StateError.wrongName(name) }
        let now = environment.now()
        let ledger = try openLedger(.write)
        let subscriber = Text(LedgerTarget.subscriber(of: text))
        let all = try ledger.targets(in: .only(subscriber)) { _ in true }
        let found = all.filter { $0.description == text }
        guard !found.isEmpty else { throw StateError.noTarget(text) }
        let moved = found.map { target in
            var target = target
            target.name = Text(name)
            return target
        }
        if let taken = moved.first(where: all.contains) { throw StateError.taken(taken.description) }
        let backup = try ledger.backUp(at: now)
        try begin(run, "state", ledger, at: now)
        try ledger.change(found, run: run, at: now) { transition, target, step in
            transition.rename(target.target, to: Text(name), try ledger.scopes(), in: step)
        }
        return StateOutcome(backup: backup, changed: moved.map(\.description))
    }

    /// Writes a copy of the ledger to a new file, as it is at one moment; takes no lock.
    ///
    /// - Parameter path: The file, from the working directory.
    /// - Returns: The path, and no backup.
    /// - Throws: ``StateError``, ``LedgerError``.
    public func exportState(to path: String) throws -> StateOutcome {
        try openLedger(.read).write(to: path)
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
    public func importState(from path: String, run: RunID) throws -> StateOutcome {
        let now = environment.now()
        let exported = try openLedger(.read, at: path)
        try exported.requireWhole()
        var backup: String?
        if try Files.facts(following: ledgerPath) != nil {
            let ledger = try openLedger(.write)
            backup = try ledger.backUp(at: now)
            try ledger.replaceContents(with: exported)
        } else {
            try exported.write(to: ledgerPath)
        }
        try begin(run, "state", try openLedger(.write), at: now)
        return StateOutcome(backup: backup, changed: [ledgerPath])
    }
}
