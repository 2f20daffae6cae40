import Diff
import Foreign
import JSON
import Reconcile

/// A plan as a person reads it: one block per subscriber that holds only what changes, and a last line that counts.
///
/// An action that is held, waits or is blocked changes nothing. Only `--verbose` shows it, and the last line counts it.
struct HumanPlanRenderer: PlanRenderer {
    let verbosity: GlobalOptions.Verbosity
    let hasColor: Bool

    func lines(for entries: [PlanEntry]) -> [String] {
        let commits = entries.filter { $0.push == nil }
        let pushes = entries.filter { $0.push.map { verbosity == .verbose || $0.status == .send } ?? false }
        guard let owner = entries.first?.owner, !commits.isEmpty || !pushes.isEmpty else { return [] }
        let heading = styled(owner.subscriber.string, .bold) + styled(" (\(owner.app))", .dim)
        return [heading] + commits.flatMap(commitLines) + Self.grouped(pushes).map(line) + [""]
    }

    func lines(for summary: Summary, _ violations: [SafetyViolation]) -> [String] {
        summary.hasChanges || verbosity != .quiet ? [summary.sentence] : []
    }

    private func commitLines(_ entry: PlanEntry) -> [String] {
        guard case .commit(let commit) = entry.deed else { return [] }
        let (sign, style): (String, Style) =
            switch commit {
            case .added: ("+", .green)
            case .changed: ("~", .yellow)
            case .removed: ("-", .red)
            }
        let heading = "  " + styled("\(sign) \(entry.kind.words) \(entry.name ?? "")", style)
        return [heading] + (commit == .removed ? [] : entry.edits.map { "      " + line($0) })
    }

    /// One step of a difference: `~ /state/status: "cooking" → "ready"`.
    private func line(_ edit: Edit) -> String {
        switch edit.operation {
        case .add(let pointer, let value): styled("+ \(pointer): \(short(value))", .green)
        case .remove(let pointer): styled("- \(pointer): \(short(edit.was))", .red)
        case .replace(let pointer, let value): styled("~ \(pointer): \(short(edit.was)) → \(short(value))", .yellow)
        }
    }

    private func short(_ value: Value?) -> String {
        let text = value?.canonical ?? "…"
        return verbosity == .verbose || text.count <= 60 ? text : text.prefix(59) + "…"
    }

    /// Pushes that differ in nothing but their device stand in one line.
    static func grouped(_ entries: [PlanEntry]) -> [[PlanEntry]] {
        entries.reduce(into: []) { groups, entry in
            if let last = groups.last?.last, last.isLike(entry) {
                groups[groups.count - 1].append(entry)
            } else {
                groups.append([entry])
            }
        }
    }

    private func line(_ group: [PlanEntry]) -> String {
        guard let push = group.first?.push else { return "" }
        let style: Style =
            switch push.status {
            case .send: .cyan
            case .blocked: .red
            case .held, .waiting: .dim
            }
        let devices = verbosity == .verbose ? group.count : 3
        return "  " + styled("→ \(Self.sentence(of: group, devices: devices))", style)
    }

    /// `update order-1001 on phone-1, phone-2: the declared state changed`, of so many devices by name.
    static func sentence(of group: [PlanEntry], devices shown: Int) -> String {
        guard let entry = group.first, let push = entry.push else { return "" }
        let what = entry.name.map { "\(push.kind.rawValue) \($0)" } ?? push.kind.rawValue.string
        let more = group.count > shown ? " and \(group.count - shown) more" : ""
        let devices = group.prefix(shown).compactMap(\.push?.device.string).joined(separator: ", ") + more
        return "\(what) on \(devices): \(push.status.prefix)\(push.reason.words)"
    }

    private func styled(_ text: String, _ style: Style) -> String {
        hasColor ? style.applied(to: text.visible) : text.visible
    }
}

extension PlanEntry {
    /// True where it is the same push to another device.
    fileprivate func isLike(_ other: PlanEntry) -> Bool {
        guard let push, let otherPush = other.push, name == other.name else { return false }
        return push.kind == otherPush.kind && push.status == otherPush.status && push.reason == otherPush.reason
    }
}

extension Action.Status {
    /// The words before its reason.
    var prefix: String {
        switch self {
        case .send: ""
        case .waiting(let until): "waits until \(ClockTime.text(until)); "
        case .held: "held; "
        case .blocked: "blocked; "
        }
    }
}
