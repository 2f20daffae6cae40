import Diff
import Reconcile

/// Turns a plan into lines while it is made: one owner at a time, in order, then the counts.
protocol PlanRenderer {
    /// What happens for one owner; nothing where there is nothing to show.
    func lines(for entries: [PlanEntry]) -> [String]
    /// The counts of the whole plan.
    func lines(for summary: Summary) -> [String]
}

extension Output {
    /// The rendering that the caller asked for.
    func planRenderer() -> any PlanRenderer {
        guard !isJSON else { return JSONPlanRenderer() }
        return HumanPlanRenderer(verbosity: options.verbosity, hasColor: dataHasColor)
    }
}
