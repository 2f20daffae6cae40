import Diff
import Reconcile

/// Turns a plan into lines while it is made: one owner at a time, in order, then the counts.
protocol PlanRenderer {
    /// What happens for one owner; nothing where there is nothing to show.
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
