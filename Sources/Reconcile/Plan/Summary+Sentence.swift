public import Diff
internal import Foreign

extension Summary {
    /// The last line of a plan: what would be sent, and what would not.
    public var sentence: String {
        guard hasChanges else {
            guard held + blocked + waiting > 0 else {
                return
                    "No changes\(ignored > 0 ? " (\(ignored) ignored)" : ""). Every target is in step with the files."
            }
            return "Nothing to send; \(rest)."
        }
        guard pushes > 0 else { return "Plan: \(commits) to commit, nothing to send; \(rest)." }
        let parts = [
            starts > 0 ? "\(starts) to start" : nil, updates > 0 ? "\(updates) to update" : nil,
            ends > 0 ? "\(ends) to end" : nil,
            reloads > 0 ? "\(reloads) \(reloads == 1 ? "device" : "devices") to reload" : nil,
        ]
        let counts = parts.compactMap { $0 }.joined(separator: ", ")
        return "Plan: \(counts) (\(pushes) \(pushes == 1 ? "push" : "pushes")); \(rest)."
    }

    /// `3 held, 0 blocked`, and what waits until when.
    private var rest: String {
        let due = waitingUntil.map { " until \(ClockTime.text($0))" } ?? ""
        let scarce = deferred > 0 ? " (\(deferred) over the day's quota)" : ""
        let waits = waiting > 0 ? ["\(waiting) waiting\(due)\(scarce)"] : []
        let stuck = blocked > 0 || hasChanges || waiting == 0 ? ["\(blocked) blocked"] : []
        let passedOver = ignored > 0 ? ["\(ignored) ignored"] : []
        return (["\(held) held"] + stuck + waits + passedOver).joined(separator: ", ")
    }
}
