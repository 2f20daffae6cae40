import Diff
import Foreign
import Reconcile
internal import Time
internal import Source

/// `lockstep plan`: shows what apply would do.
struct PlanCommand: Equatable, Sendable {
    /// The configuration's path, where one was given.
    let config: String?
    /// The part of the files that is planned, and what the safety limits let pass.
    let scope: PlanScope
    /// True where it ends with 2 if there are changes.
    let hasDetailedStatus: Bool
    /// The file that the plan is saved to.
    var destination: PlanDestination?
}

extension PlanCommand {
    /// The longest time for which a saved plan may be applied: a year.
    private static let longestLifetime = Span.days(365)

    /// Reads it from a command line.
    init(_ arguments: Arguments, _ options: GlobalOptions) throws(UsageError) {
        if arguments.has(.expires), !arguments.has(.out) {
            throw .lonely("--expires", needs: "--out")
        }
        config = options.config
        scope = try PlanScope(arguments)
        hasDetailedStatus = arguments.has(.detailedExitcode)
        if let lifetime = arguments.duration(.expires), lifetime > Self.longestLifetime {
            throw .wrongValue(
                option: "--expires",
                value: arguments.text(.expires) ?? "",
                expected: "at most 8760h, which is a year"
            )
        }
        destination = arguments.text(.out).map { PlanDestination(path: $0, lifetime: arguments.duration(.expires)) }
    }

    func run(_ output: Output, _ system: SystemEnvironment) throws -> ExitStatus {
        output.beginEvents()
        let configuration = try Project.configuration(config)
        let files = try ProjectFiles(scope.source, of: configuration)
        output.source(files.commit)
        let renderer = output.planRenderer(of: files.commit?.id)
        let environment = Project.environment(output, on: system) { owner in
            for line in renderer.lines(for: owner.entries) { output.line(line) }
            if output.isAbandoned { throw AbandonedOutput() }
        }
        let pipeline = Pipeline(configuration, environment)
        let outcome = try PlanRun(pipeline, files: files, options: scope.options, saving: destination).run()
        output.reports(outcome.reports) { pipeline.spool.waiting($0) }
        output.part(outcome.part)
        for line in renderer.lines(for: outcome.summary, outcome.violations) { output.line(line) }
        scope.warn(selected: outcome.summary.selected, output)
        if !outcome.hasLedger { output.say("There is no ledger yet: the first apply needs --new-ledger.") }
        report(outcome, output)
        guard outcome.violations.isEmpty else { throw RunError.unsafe(outcome.violations) }
        return hasDetailedStatus && outcome.summary.hasChanges ? .changes : .done
    }

    /// Says where the plan is, or why it is nowhere.
    private func report(_ outcome: PlanOutcome, _ output: Output) {
        guard let path = destination?.path else { return }
        guard let saved = outcome.saved else {
            return output.say("\(path) was not written: apply would refuse the plan.")
        }
        let until = RFC3339.string(saved.expiresAt)
        output.say("Saved as \(path) (\(saved.id)); 'lockstep apply \(path)' carries it out until \(until).")
    }
}
