import Diff
import JSON
import Reconcile

/// The lines of one subscriber's plan as a diff: `+` comes, `-` goes, `!` happens.
///
/// None begins with anything else, so that nothing in one can close the fence around them.
struct DiffLines {
    let verbosity: GlobalOptions.Verbosity

    func lines(for entries: [PlanEntry]) -> [String] {
        let pushes = entries.filter { $0.push.map { verbosity == .verbose || $0.status == .send } ?? false }
        return entries.flatMap(commitLines) + HumanPlanRenderer.grouped(pushes).map(line)
    }

    private func commitLines(_ entry: PlanEntry) -> [String] {
        guard case .commit(let commit) = entry.deed else { return [] }
        let what = "\(entry.kind.words) \(entry.name ?? "")"
        switch commit {
        case .removed: return ["- \(what)"]
        case .added: return ["+ \(what)"] + entry.edits.flatMap(lines)
        case .changed: return ["! \(what)"] + entry.edits.flatMap(lines)
        }
    }

    private func lines(_ edit: Edit) -> [String] {
        switch edit.operation {
        case .add(let pointer, let value): ["+     \(pointer): \(value.canonical)"]
        case .remove(let pointer): ["-     \(pointer): \(edit.was?.canonical ?? "…")"]
        case .replace(let pointer, let value):
            ["-     \(pointer): \(edit.was?.canonical ?? "…")", "+     \(pointer): \(value.canonical)"]
        }
    }

    private func line(_ group: [PlanEntry]) -> String {
        "! " + HumanPlanRenderer.sentence(of: group, devices: verbosity == .verbose ? group.count : 3)
    }
}
