internal import Diff
internal import JSON
internal import Ledger

/// A target by its name: what `--only` and `state` call it.
struct LedgerTarget: Hashable, CustomStringConvertible {
    var owner: Owner
    var isActivity: Bool
    var name: Text

    var description: String { target.text(of: owner) }

    /// Its name beside its owner.
    var target: TargetName { isActivity ? .activity(name) : .widget(name) }

    /// The subscriber in a description: all that comes before the first kind.
    static func subscriber(of text: String) -> String {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let kind = parts.firstIndex { $0 == "widget" || $0 == "activity" } ?? parts.endIndex
        return parts[..<kind].joined(separator: "/")
    }
}

extension Snapshot {
    /// The targets of a range of owners, as far as `keep` leaves them, in owner order.
    func targets(in range: OwnerRange, keep: (inout Recorded) -> Bool) throws -> [LedgerTarget] {
        var found: [LedgerTarget] = []
        var last: Owner?
        while true {
            let batch = try recorded(in: range, after: last, limit: PlanPass.batch)
            for var recorded in batch where keep(&recorded) { found += recorded.targets }
            guard let newest = batch.last?.owner else { return found }
            last = newest
        }
    }
}

extension Recorded {
    /// The names that anything is recorded of.
    fileprivate var targets: [LedgerTarget] {
        let widgets = widgets.map { LedgerTarget(owner: owner, isActivity: false, name: $0.declaration.name) }
        let names = Set(activities.map(\.declaration.name) + instances.map(\.name)).filter { !$0.string.isEmpty }
        return widgets + names.sorted().map { LedgerTarget(owner: owner, isActivity: true, name: $0) }
    }
}
