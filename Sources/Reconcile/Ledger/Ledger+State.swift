internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// A target by its name: what `--only` and `state` call it.
struct LedgerTarget: Hashable, CustomStringConvertible {
    var owner: Owner
    var isActivity: Bool
    var name: Text

    var description: String { target.text(of: owner) }

    /// Its name beside its owner.
    var target: TargetName { isActivity ? .activity(name) : .widget(name) }

    /// What comes before the first kind in a description.
    static func subscriber(of text: String) -> String {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let kind = parts.firstIndex { $0 == "widget" || $0 == "activity" } ?? parts.endIndex
        return parts[..<kind].joined(separator: "/")
    }
}

/// Changing the ledger by hand, and copying it as a whole.
extension Ledger {
    /// The targets that a selection matches, in owner order.
    func targets(of selection: Selection) throws -> [LedgerTarget] {
        try targets(in: selection.range) { recorded in
            selection.restricted(nil, recorded).map { recorded = $0.1 } != nil
        }
    }

    /// The targets of a range of owners, as far as `keep` leaves them.
    func targets(in range: OwnerRange, keep: (inout Recorded) -> Bool) throws -> [LedgerTarget] {
        let cursor = try RecordedCursor(self, range: range)
        var found: [LedgerTarget] = []
        while let owner = cursor.owner {
            var recorded = try cursor.take(owner)
            guard keep(&recorded) else { continue }
            found += recorded.widgets.map { LedgerTarget(owner: owner, isActivity: false, name: $0.declaration.name) }
            let names = Set(recorded.activities.map(\.declaration.name) + recorded.instances.map(\.name))
            for name in names.sorted() where !name.string.isEmpty {
                found.append(LedgerTarget(owner: owner, isActivity: true, name: name))
            }
        }
        return found
    }

    /// Changes the records of the owners of some targets, which are in owner order, as one step.
    func change(
        _ targets: [LedgerTarget],
        run: RunID,
        at now: Moment,
        _ body: (inout Transition, LedgerTarget, StepContext) throws -> Void
    ) throws {
        let ids = try system.identifiers(at: now)
        try transaction {
            let step = StepContext(step: try nextStep(), run: run, now: now, ids: ids)
            let cursor = try RecordedCursor(self, range: .only(""))
            var rest = targets[...]
            while let owner = rest.first?.owner {
                let owned = rest.prefix { $0.owner == owner }
                rest = rest.dropFirst(owned.count)
                try cursor.seek(.only(owner.subscriber))
                var transition = Transition(try cursor.take(owner))
                for target in owned { try body(&transition, target, step) }
                var changes = LedgerChanges()
                changes.add(transition)
                try write(changes)
            }
        }
    }

    // MARK: - The whole of it

    /// Copies the ledger to a file beside it that is named by the time; returns its path.
    func backUp(at now: Moment) throws -> String {
        let digits = RFC3339.string(now).filter { $0 != ":" }
        let name = "\(path).backup-\(digits)"
        var free = name
        var count = 1
        while try Files.facts(free) != nil {
            count += 1
            free = "\(name)-\(count)"
        }
        try write(to: free)
        return free
    }

    /// Writes a copy to a new file, which has its name only once it is whole.
    func write(to destination: String) throws {
        guard try Files.facts(destination) == nil else { throw StateError.exists(path: destination) }
        let name = destination + ".new"
        // It holds push tokens; SQLite writes into a file that exists where it is empty.
        var draft = try FileDraft(of: destination, as: name, mode: 0o600)
        do { try database.run("VACUUM INTO ?", .text(Text(name))) } catch { throw LedgerError(error, path: name) }
        try draft.publish()
    }

    /// Makes sure that SQLite finds nothing damaged in it.
    func requireWhole() throws {
        let finding = try database.first("PRAGMA quick_check(1)") { $0.text(0).string } ?? "ok"
        guard finding == "ok" else { throw LedgerError.corrupt(path: path, detail: finding) }
    }

    /// Takes over everything that another ledger holds, at once or not at all.
    func replaceContents(with other: Ledger) throws {
        do { try database.replaceContents(with: other.database) } catch { throw LedgerError(error, path: path) }
    }
}
