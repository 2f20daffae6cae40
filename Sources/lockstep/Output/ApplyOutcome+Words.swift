import Diff
import JSON
import Reconcile

extension ApplyOutcome {
    /// True where a quiet run should still say something.
    var hasNews: Bool { plan.summary.hasChanges || !isComplete || recovered > 0 }

    /// The last line of an apply: what became of the pushes.
    var sentence: String {
        guard plan.summary.hasChanges || recovered > 0 else { return review?.sentence ?? plan.summary.sentence }
        var parts = [
            "\(send.accepted) accepted", "\(send.failed) failed", "\(send.held) held", "\(send.unknown) unknown",
        ]
        if send.invalidEndpoints > 0 {
            let tokens = send.invalidEndpoints == 1 ? "dead token" : "dead tokens"
            parts.append("\(send.invalidEndpoints) \(tokens) removed")
        }
        if deferred > 0 { parts.append("\(deferred) deferred: the day's quota is used up") }
        let isWhole = committed >= plan.summary.commits
        let commits = isWhole ? "\(committed) committed" : "\(committed) of \(plan.summary.commits) committed"
        let stopped = send.stopped.map { " Stopped by \($0.words); the rest is queued for the next run." } ?? ""
        return "Applied: \(commits); \(parts.joined(separator: ", ")).\(stopped)"
    }

    /// The last event of an apply.
    var event: Value {
        [
            "type": "outcome", "commits": .count(committed), "published": .count(published),
            "accepted": .count(send.accepted), "failed": .count(send.failed), "held": .count(send.held),
            "unknown": .count(send.unknown), "invalidEndpoints": .count(send.invalidEndpoints),
            "deferred": .count(deferred), "recovered": .count(recovered), "stopped": .bool(send.stopped != nil),
            "message": .string(Text(sentence)),
        ]
    }
}

extension PlanReview {
    /// The last line of an apply that found nothing to do in a saved plan.
    fileprivate var sentence: String {
        if skippedCount == 0, applied > 0 { return "\(id) was applied already: nothing was sent." }
        return applied > 0 || skippedCount > 0
            ? "Nothing to send of \(id): \(applied) applied already, \(skippedCount) passed over."
            : "Nothing to do: \(id) has no changes."
    }
}

extension StopReason {
    /// The reason that the run stopped.
    fileprivate var words: String {
        switch self {
        case .signal: "a signal"
        case .maxRuntime: "--max-runtime"
        }
    }
}
