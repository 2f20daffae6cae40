import Diff
import Foreign
import JSON
import Reconcile
internal import Time

/// Turns a plan into lines while it is made: one owner at a time, in order, then the counts.
protocol PlanRenderer {
    /// The lines of one owner; none where there is nothing to show.
    func lines(for entries: [PlanEntry]) -> [String]
    /// The counts of the whole plan, and the limits that apply would refuse it for.
    func lines(for summary: Summary, _ violations: [SafetyViolation]) -> [String]
}

extension Output {
    /// The rendering that the caller asked for, of a plan whose files were read from a commit, or from the disk.
    func planRenderer(of commit: String?) -> any PlanRenderer {
        switch options.format {
        case .json: JSONPlanRenderer()
        case .markdown: MarkdownPlanRenderer(verbosity: options.verbosity, commit: commit)
        case .human, .github: HumanPlanRenderer(verbosity: options.verbosity, hasColor: dataHasColor)
        }
    }
}

/// A plan as a program reads it: one event a line, `{ "type": "action" | "change_summary" | "diagnostic", … }`.
struct JSONPlanRenderer: PlanRenderer {
    func lines(for entries: [PlanEntry]) -> [String] { entries.map(\.value.canonical) }

    func lines(for summary: Summary, _ violations: [SafetyViolation]) -> [String] { [summary.value.canonical] }
}

extension Value {
    /// A number of things.
    static func count(_ count: Int) -> Value { .integer(Int64(count)) }

    /// A moment as programs read it.
    static func moment(_ moment: Moment) -> Value { .string(Text(RFC3339.string(moment))) }
}
