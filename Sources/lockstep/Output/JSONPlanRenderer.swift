import Diff
import Foreign
import JSON
import Reconcile
internal import Time

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
