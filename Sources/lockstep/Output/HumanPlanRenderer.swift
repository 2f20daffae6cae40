import Diff
import Foreign
import JSON

/// A plan as a person reads it: one block per subscriber that holds only what changes, and a last line that counts.
///
/// What is held, waits or is blocked changes nothing and is shown by `--verbose` only; the last line counts it always.
struct HumanPlanRenderer: PlanRenderer {
    let verbosity: GlobalOptions.Verbosity
    let hasColor: Bool

    func lines(for plan: OwnerPlan) -> [String] {
        let actions = plan.actions.filter { verbosity == .verbose || $0.status == .send }
        guard !plan.changes.isEmpty || !actions.isEmpty else { return [] }
        let heading = styled(plan.owner.subscriber.string, .bold) + styled(" (\(plan.owner.app))", .dim)
        return [heading] + plan.changes.flatMap(lines) + Self.grouped(actions).map(line) + [""]
    }

    func lines(for summary: Summary) -> [String] {
        summary.hasChanges || verbosity != .quiet ? [summary.sentence] : []
    }

    private func lines(_ change: Change) -> [String] {
        let (sign, style): (String, Style) =
            change.before == nil ? ("+", .green) : change.after == nil ? ("-", .red) : ("~", .yellow)
        let heading = "  " + styled("\(sign) \(change.kind.words) \(change.name)", style)
        guard let after = change.after else { return [heading] }
        let operations = Patch(from: change.before ?? [:], to: after).operations
        return [heading] + operations.map { "      " + line($0, before: change.before) }
    }

    /// One step of a difference: `~ /state/status: "cooking" → "ready"`.
    private func line(_ operation: Patch.Operation, before: Value?) -> String {
        switch operation {
        case .add(let pointer, let value): styled("+ \(pointer): \(short(value))", .green)
        case .remove(let pointer): styled("- \(pointer): \(short(before?[pointer]))", .red)
        case .replace(let pointer, let value):
            styled("~ \(pointer): \(short(before?[pointer])) → \(short(value))", .yellow)
        case .move(let from, let to): styled("~ \(from) moves to \(to)", .yellow)
        case .copy(let from, let to): styled("+ \(to): as \(from)", .green)
        case .test(let pointer, _): styled("  \(pointer)", .dim)
        }
    }

    private func short(_ value: Value?) -> String {
        let text = value?.canonical ?? "…"
        return verbosity == .verbose || text.count <= 60 ? text : text.prefix(59) + "…"
    }

    /// Actions that differ in nothing but their device stand in one line.
    private static func grouped(_ actions: [Action]) -> [[Action]] {
        actions.reduce(into: []) { groups, action in
            if let last = groups.last?.last, last.isLike(action) {
                groups[groups.count - 1].append(action)
            } else {
                groups.append([action])
            }
        }
    }

    private func line(_ group: [Action]) -> String {
        guard let action = group.first else { return "" }
        let what = action.name.map { "\(action.kind.rawValue) \($0)" } ?? action.kind.rawValue.string
        let shown = verbosity == .verbose ? group.count : 3
        let more = group.count > shown ? " and \(group.count - shown) more" : ""
        let devices = group.prefix(shown).map(\.device.string).joined(separator: ", ") + more
        let style: Style =
            switch action.status {
            case .send: .cyan
            case .blocked: .red
            case .held, .waiting: .dim
            }
        return "  " + styled("→ \(what) on \(devices): \(action.status.prefix)\(action.reason.words)", style)
    }

    private func styled(_ text: String, _ style: Style) -> String {
        hasColor ? style.applied(to: text) : text
    }
}

extension Action {
    fileprivate func isLike(_ other: Action) -> Bool {
        kind == other.kind && name == other.name && status == other.status && reason == other.reason
    }
}

extension Action.Status {
    fileprivate var prefix: String {
        switch self {
        case .send: ""
        case .waiting(let until): "waits until \(ClockTime.text(until)); "
        case .held: "held; "
        case .blocked: "blocked; "
        }
    }
}
