internal import Diff
internal import Foreign
internal import JSON
internal import Ledger
internal import Source

/// The targets that a run is restricted to.
///
/// `--only` and `--exclude` take globs that match `subscriber`, or `subscriber/kind/name` where kind is `widget` or
/// `activity`; `--only-file` takes those of the files whose declarations are meant.
public struct Selection: Hashable, Sendable {
    private let globs: [Glob]
    let patterns: [String]
    let excluded: [Glob]
    let files: [Glob]
    /// The targets that the files declare, once they are read.
    private var declared: [Owner: Set<TargetName>] = [:]

    /// A selection by patterns; none selects everything but what is excluded.
    public init(_ patterns: [String], excluding excluded: [String] = [], files: [String] = []) {
        self.patterns = patterns
        globs = patterns.map { Glob($0) }
        self.excluded = excluded.map { Glob($0) }
        self.files = files.map { Glob(Files.simplified($0)) }
    }

    /// True where everything is selected.
    public var isEverything: Bool { selectsAll && excluded.isEmpty }

    /// True where everything is selected that is not excluded.
    private var selectsAll: Bool { globs.isEmpty && files.isEmpty }

    /// The same selection, knowing what its files declare.
    func reading(_ store: DesiredStore) throws -> Selection {
        guard !files.isEmpty else { return self }
        var selection = self
        selection.declared = try store.targets(in: files)
        return selection
    }

    /// The owners that can be selected: those that begin with what comes before a pattern's first wildcard.
    var range: OwnerRange {
        let prefixes = patterns.map { pattern in
            let end = pattern.firstIndex { "*?[{\\/".contains($0) } ?? pattern.endIndex
            return Text(String(pattern[..<end]))
        }
        let starts = prefixes + declared.keys.map(\.subscriber)
        guard !selectsAll, let first = starts.min(), let last = starts.max() else {
            return selectsAll ? .all : .only("")
        }
        return OwnerRange(first: first, last: OwnerRange.prefix(last).last)
    }

    /// The selected part of an owner.
    func restricted(_ desired: Desired?, _ recorded: Recorded) -> (Desired?, Recorded)? {
        let subscriber = recorded.owner.subscriber.string
        let isWhole = selectsAll || globs.contains { $0.covers(subscriber) }
        if isWhole, excluded.isEmpty { return (desired, recorded) }
        func isSelected(_ isActivity: Bool, _ name: Text) -> Bool {
            includes(LedgerTarget(owner: recorded.owner, isActivity: isActivity, name: name))
        }
        var desired = desired
        var recorded = recorded
        desired?.widgets.removeAll { !isSelected(false, $0.name) }
        desired?.activities.removeAll { !isSelected(true, $0.name) }
        recorded.widgets.removeAll { !isSelected(false, $0.declaration.name) }
        recorded.activities.removeAll { !isSelected(true, $0.declaration.name) }
        recorded.instances.removeAll { !isSelected(true, $0.name) }
        let isEmpty = desired.map { $0.widgets.isEmpty && $0.activities.isEmpty } ?? true
        if isEmpty, recorded.widgets.isEmpty, recorded.activities.isEmpty, recorded.instances.isEmpty { return nil }
        return (desired, recorded)
    }

    /// True where a target is selected.
    private func includes(_ target: LedgerTarget) -> Bool {
        func isNamed(_ globs: [Glob]) -> Bool {
            globs.contains { $0.covers(target.owner.subscriber.string) || $0.covers(target.description) }
        }
        return (selectsAll || isNamed(globs) || declared[target.owner]?.contains(target.target) == true)
            && !isNamed(excluded)
    }

    /// True where a delivery belongs to a selected target; a reload does when any widget of its owner may be selected.
    func includes(_ due: DueDelivery) -> Bool {
        if isEverything { return true }
        let owner = due.delivery.owner
        if let name = due.name { return includes(LedgerTarget(owner: owner, isActivity: true, name: name)) }
        let subscriber = owner.subscriber.string
        let isExcluded = excluded.contains {
            $0.covers(subscriber) || $0.pattern.hasSuffix("/widget/*") && $0.covers(subscriber + "/widget/*")
        }
        if isExcluded { return false }
        return selectsAll
            || globs.contains { $0.covers(subscriber) || $0.canCover(beginning: subscriber + "/widget/") }
            || declared[owner]?.contains { if case .widget = $0 { true } else { false } } == true
    }
}
