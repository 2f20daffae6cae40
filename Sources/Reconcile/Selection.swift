internal import Diff
internal import Foreign
internal import JSON

/// The targets that `--only` restricts a run to: globs that match `subscriber`, or `subscriber/kind/name` where kind is
/// `widget` or `activity`.
public struct Selection: Hashable, Sendable {
    private let globs: [Glob]
    let patterns: [String]

    /// A selection by patterns; none selects everything.
    public init(_ patterns: [String]) {
        self.patterns = patterns
        globs = patterns.map { Glob($0) }
    }

    /// Whether everything is selected.
    public var isEverything: Bool { globs.isEmpty }

    /// The owners that a pattern can match: those that begin with what comes before its first wildcard.
    var range: OwnerRange {
        let prefixes = patterns.map { pattern in
            let end = pattern.firstIndex { "*?[{\\/".contains($0) } ?? pattern.endIndex
            return Text(String(pattern[..<end]))
        }
        guard let first = prefixes.min(), let last = prefixes.max() else { return .all }
        return OwnerRange(first: first, last: OwnerRange.prefix(last).last)
    }

    /// What of an owner is selected.
    func restricted(_ desired: Desired?, _ recorded: Recorded) -> (Desired?, Recorded)? {
        if isEverything { return (desired, recorded) }
        let subscriber = recorded.owner.subscriber.string
        if globs.contains(where: { $0.matches(subscriber) }) { return (desired, recorded) }
        func isSelected(_ kind: String, _ name: Text) -> Bool {
            globs.contains { $0.matches("\(subscriber)/\(kind)/\(name)") }
        }
        var desired = desired
        var recorded = recorded
        desired?.widgets.removeAll { !isSelected("widget", $0.name) }
        desired?.activities.removeAll { !isSelected("activity", $0.name) }
        recorded.widgets.removeAll { !isSelected("widget", $0.declaration.name) }
        recorded.activities.removeAll { !isSelected("activity", $0.declaration.name) }
        recorded.instances.removeAll { !isSelected("activity", $0.name) }
        let isEmpty = desired.map { $0.widgets.isEmpty && $0.activities.isEmpty } ?? true
        if isEmpty, recorded.widgets.isEmpty, recorded.activities.isEmpty, recorded.instances.isEmpty { return nil }
        return (desired, recorded)
    }

    /// Whether a delivery belongs to a selected target; a reload does when any widget of its owner may be selected.
    func includes(_ delivery: QueuedDelivery) -> Bool {
        if isEverything { return true }
        let subscriber = delivery.owner.subscriber.string
        if let name = delivery.name {
            return globs.contains { $0.matches(subscriber) || $0.matches("\(subscriber)/activity/\(name)") }
        }
        return patterns.contains { pattern in
            let parts = pattern.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
            guard Glob(parts[0]).matches(subscriber) else { return false }
            return parts.count == 1 || Glob(parts[1]).matches("widget")
        }
    }
}
