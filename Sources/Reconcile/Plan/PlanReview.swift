internal import Foreign
public import JSON
public import Time

/// The outcome for the lines of a saved plan when it was held against files, ledger and devices.
public struct PlanReview: Hashable, Sendable {
    /// The plan's id.
    public var id: Text
    /// Lines that are carried out.
    public var toApply = 0
    /// Lines that were carried out before.
    public var applied = 0
    /// Lines that were passed over because a device moved.
    public var skippedCount = 0
    /// The first of them.
    public var skipped: [SkippedLine] = []
    /// Lines whose basis moved: with one, nothing is applied.
    public var conflictCount = 0
    /// The first of them.
    public var conflicts: [PlanConflict] = []
    /// Commits and pushes that are due now and that the plan does not name.
    public var others = 0

    /// The number of examples that are kept.
    private static let most = 20

    /// Nothing reviewed yet.
    init(id: Text) {
        self.id = id
    }

    /// Counts a line.
    mutating func count(_ entry: PlanEntry, _ verdict: Verdict) {
        switch verdict {
        case .none: break
        case .apply: toApply += 1
        case .applied: applied += 1
        case .skipped(let reason):
            skippedCount += 1
            if skipped.count < Self.most { skipped.append(SkippedLine(entry: entry, reason: reason)) }
        case .stale(let cause):
            let conflict = PlanConflict(owner: entry.owner, kind: entry.kind, name: entry.name ?? "", cause: cause)
            guard conflict != conflicts.last else { return }
            conflictCount += 1
            if conflicts.count < Self.most { conflicts.append(conflict) }
        }
    }
}

/// A saved plan that is not applied.
public enum StalePlan: Error, Hashable, Sendable, CustomStringConvertible {
    /// Its time is over.
    case expired(id: Text, at: Moment)
    /// It was made on another ledger.
    case otherLedger(id: Text, path: String)
    /// The state that it was made on moved.
    case moved(PlanReview)

    /// The problem, and what to do about it.
    public var description: String {
        switch self {
        case .expired(let id, let at):
            "\(id) expired at \(RFC3339.string(at)); nothing was applied. Make a new plan; --expires gives it more time"
        case .otherLedger(let id, let path):
            "\(id) was made on another ledger than \(path); nothing was applied. Make a new plan here"
        case .moved(let review):
            "\(review.id) is stale: \(review.conflictCount) of its declarations moved since it was made; nothing was "
                + "applied. Make a new plan"
        }
    }
}
