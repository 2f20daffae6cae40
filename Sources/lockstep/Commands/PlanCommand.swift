import Diff
import Reconcile

/// `lockstep plan`: shows what apply would do.
struct PlanCommand: Equatable, Sendable {
    /// The configuration's path, where one was given.
    let config: String?
    /// What is planned, and what the safety limits let pass.
    let scope: PlanScope
    /// Whether to end with 2 where there are changes.
    let hasDetailedStatus: Bool
}

extension PlanCommand {
    /// Reads it from a command line.
    init(_ arguments: Arguments, _ options: GlobalOptions) throws(UsageError) {
        config = options.config
        scope = try PlanScope(arguments)
        hasDetailedStatus = arguments.has(.detailedExitcode)
    }

    func run(_ output: Output) throws -> ExitStatus {
        output.streamsEvents = true
        let pipeline = try Project.pipeline(config, output)
        let files = try ProjectFiles(scope.source, of: pipeline.configuration)
        output.source(files.commit)
        let renderer = output.planRenderer()
        let outcome = try pipeline.plan(files, scope.options, problems: output.problem) { plan in
            for line in renderer.lines(for: plan) { output.line(line) }
            if output.isAbandoned { throw AbandonedOutput() }
        }
        output.reports(outcome.reports) { pipeline.spool.waiting($0) }
        for line in renderer.lines(for: outcome.summary) { output.line(line) }
        scope.warn(about: outcome.summary, output)
        if !outcome.hasLedger { output.say("There is no ledger yet: the first apply needs --new-ledger.") }
        guard outcome.violations.isEmpty else { throw RunError.unsafe(outcome.violations) }
        return hasDetailedStatus && outcome.summary.hasChanges ? .changes : .done
    }
}
