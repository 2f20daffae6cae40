public import JSON

/// The most that one run may do without being told that it is meant.
public struct SafetyLimits: Hashable, Sendable {
    /// The most ends caused by removal, in percent of max(running + outstanding, 10).
    public var maxRemovedPercent: Int
    /// The most ends caused by removal.
    public var maxRemoved: Int
    /// The most replacements, in percent of max(running + outstanding, 10).
    public var maxReplacedPercent: Int
    /// The most replacements.
    public var maxReplaced: Int
    /// The most pushes.
    public var maxPushes: Int

    /// Limits; the defaults are those of a new project.
    public init(
        maxRemovedPercent: Int = 30,
        maxRemoved: Int = 1000,
        maxReplacedPercent: Int = 30,
        maxReplaced: Int = 100,
        maxPushes: Int = 100_000
    ) {
        self.maxRemovedPercent = maxRemovedPercent
        self.maxRemoved = maxRemoved
        self.maxReplacedPercent = maxReplacedPercent
        self.maxReplaced = maxReplaced
        self.maxPushes = maxPushes
    }
}

/// The permissions of this run beyond the limits; every number is a bound, none switches a limit off.
public struct SafetyOverrides: Hashable, Sendable {
    /// From `--allow-removed N`.
    public var removed: Int?
    /// From `--allow-replaced N`.
    public var replaced: Int?
    /// From `--allow-pushes N`.
    public var pushes: Int?
    /// From `--allow-protected NAME`.
    public var protected: [Text]
    /// From `--allow-empty`.
    public var empty: Bool
    /// From `--allow-rollback`.
    public var rollback: Bool

    /// Nothing beyond the limits, unless given.
    public init(
        removed: Int? = nil,
        replaced: Int? = nil,
        pushes: Int? = nil,
        protected: [Text] = [],
        empty: Bool = false,
        rollback: Bool = false
    ) {
        self.removed = removed
        self.replaced = replaced
        self.pushes = pushes
        self.protected = protected
        self.empty = empty
        self.rollback = rollback
    }
}

/// A commit that does not descend from the one that was applied last: what came in between would be taken back.
public struct Rollback: Hashable, Sendable, CustomStringConvertible {
    /// The commit that is to be applied, in a few digits.
    public var commit: String
    /// The one that was applied last, likewise.
    public var applied: String
    /// True where the repository has the one that was applied last.
    public var isKnown: Bool

    /// A way back, or aside.
    public init(commit: String, applied: String, isKnown: Bool) {
        self.commit = commit
        self.applied = applied
        self.isKnown = isKnown
    }

    /// The two commits, and the option that accepts it.
    public var description: String {
        let lost = isKnown ? "" : " and which this repository does not have"
        return
            "commit \(commit) does not descend from \(applied), which was applied last\(lost); name a commit that does, "
            + "or --allow-rollback applies this one all the same"
    }
}

/// A limit that a plan exceeds; nothing of such a plan is committed or sent.
public enum SafetyViolation: Error, Hashable, Sendable, CustomStringConvertible {
    /// Too many ends caused by removal; the limit was a number or a percentage.
    case removed(count: Int, of: Int, limit: Int, isPercent: Bool, allowed: Int?)
    /// Too many replacements; the limit was a number or a percentage.
    case replaced(count: Int, of: Int, limit: Int, isPercent: Bool, allowed: Int?)
    /// Too many pushes.
    case pushes(count: Int, limit: Int, allowed: Int?)
    /// A protected activity would end.
    case protected(names: [Text])
    /// The files declare nothing while something is running or outstanding.
    case empty(open: Int)
    /// The commit does not descend from the one that was applied last.
    case rollback(Rollback)

    /// The numbers, the limit, and the option and the key that change it.
    public var description: String {
        switch self {
        case .removed(let count, let of, let limit, let isPercent, let allowed):
            "\(count) of \(of) activities would end because their declarations are gone "
                + Bound(count: count, limit: limit, isPercent: isPercent, allowed: allowed).words(
                    "--allow-removed",
                    "safety.maxRemoved"
                )
        case .replaced(let count, let of, let limit, let isPercent, let allowed):
            "\(count) of \(of) activities would be replaced "
                + Bound(count: count, limit: limit, isPercent: isPercent, allowed: allowed).words(
                    "--allow-replaced",
                    "safety.maxReplaced"
                )
        case .pushes(let count, let limit, let allowed):
            "\(count) \(count == 1 ? "push" : "pushes") would be sent "
                + Bound(count: count, limit: limit, allowed: allowed).words("--allow-pushes", "safety.maxPushes")
        case .protected(let names):
            "protected activities would end because their declarations are gone: "
                + names.map { "'\($0)'" }.joined(separator: ", ") + "; "
                + names.map { "--allow-protected \($0)" }.joined(separator: " ") + " allows it"
        case .empty(let open):
            "the files declare nothing while \(open) \(open == 1 ? "activity is" : "activities are") running or "
                + "outstanding; if that is meant, --allow-empty --allow-removed \(open) ends "
                + (open == 1 ? "it" : "them")
        case .rollback(let rollback): rollback.description
        }
    }
}

/// The numbers of a limit that is exceeded.
private struct Bound {
    var count: Int
    var limit: Int
    var isPercent = false
    var allowed: Int?

    /// The limit in words, with the option and the key that change it.
    func words(_ option: String, _ key: String) -> String {
        if let allowed { return "(\(option) \(allowed) allows fewer); \(option) \(count) allows it" }
        let key = isPercent ? key + "Percent" : key
        return "(limit \(limit)\(isPercent ? " %" : "")); \(option) \(count) or \(key) allows it"
    }
}

extension SafetyLimits {
    /// The limits that a plan exceeds, all of them.
    ///
    /// - Parameters:
    ///   - summary: The counts of the whole plan.
    ///   - open: The number of activities that are running or outstanding now.
    ///   - isSelection: True where the run was restricted to some targets; an empty selection is no empty project.
    ///   - overrides: The permissions of this run.
    /// - Returns: Every limit that is exceeded; none where the plan may be applied.
    public func violations(
        of summary: Summary,
        open: Int,
        isSelection: Bool,
        overrides: SafetyOverrides
    ) -> [SafetyViolation] {
        var violations: [SafetyViolation] = []
        let isEmptyMeant = overrides.empty && (overrides.removed ?? 0) >= summary.removals
        // The removals of an earlier run were allowed then; this one only finishes them.
        if summary.declarations == 0, summary.removals > 0, !isSelection, !isEmptyMeant {
            violations.append(.empty(open: open))
        }
        let base = max(open, 10)
        if let excess = Self.excess(
            summary.removals,
            of: base,
            limit: maxRemoved,
            percent: maxRemovedPercent,
            allowed: overrides.removed
        ) {
            violations.append(
                .removed(
                    count: summary.removals,
                    of: open,
                    limit: excess.limit,
                    isPercent: excess.isPercent,
                    allowed: overrides.removed
                )
            )
        }
        if let excess = Self.excess(
            summary.replacements,
            of: base,
            limit: maxReplaced,
            percent: maxReplacedPercent,
            allowed: overrides.replaced
        ) {
            violations.append(
                .replaced(
                    count: summary.replacements,
                    of: open,
                    limit: excess.limit,
                    isPercent: excess.isPercent,
                    allowed: overrides.replaced
                )
            )
        }
        if summary.pushes > max(overrides.pushes ?? maxPushes, 0) {
            violations.append(.pushes(count: summary.pushes, limit: maxPushes, allowed: overrides.pushes))
        }
        let unnamed = summary.protectedRemovals.filter { !overrides.protected.contains($0) }
        if !unnamed.isEmpty { violations.append(.protected(names: unnamed)) }
        return violations
    }

    private static func excess(
        _ count: Int,
        of base: Int,
        limit: Int,
        percent: Int,
        allowed: Int?
    ) -> (limit: Int, isPercent: Bool)? {
        if let allowed { return count > allowed ? (allowed, false) : nil }
        if count > limit { return (limit, false) }
        return count * 100 > percent * base ? (percent, true) : nil
    }
}
