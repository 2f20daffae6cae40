import Diff
import Foreign
import Reconcile
internal import Time
internal import Source

/// `lockstep apply`: commits the declared state and sends what closes the difference.
struct ApplyCommand: Equatable, Sendable {
    /// The configuration's path, where one was given.
    let config: String?
    /// The part of the files that is applied, and what the safety limits let pass.
    let scope: PlanScope
    /// The saved plan that is carried out; `nil`: everything that is due.
    var plan: String?
    /// True where an empty ledger may be made.
    let mayMakeLedger: Bool
    /// True where it sends without asking.
    let isConfirmed: Bool
    /// The longest wait for the lock.
    var lockTimeout: Span?
    /// The longest time for the run.
    var maxRuntime: Span?
}

extension ApplyCommand {
    /// Reads it from a command line.
    init(_ arguments: Arguments, _ options: GlobalOptions) throws(UsageError) {
        config = options.config
        scope = try PlanScope(arguments)
        plan = arguments.operands.first
        for name in OptionTable.limits + [.dryRun] where plan != nil && arguments.has(name) {
            throw .planned(OptionTable.option(name).flag)
        }
        mayMakeLedger = arguments.has(.newLedger)
        isConfirmed = arguments.has(.yes)
        lockTimeout = arguments.duration(.lockTimeout)
        maxRuntime = arguments.duration(.maxRuntime)
    }

    func run(_ output: Output, _ system: SystemEnvironment) throws -> ExitStatus {
        output.beginEvents()
        let stop = StopRequest(system)
        let configuration = try Project.configuration(config)
        var renderer: (any PlanRenderer)?
        // A quiet run says what became of it, in one line; what it plans, plan --quiet shows.
        let shows = output.options.verbosity != .quiet
        let environment = Project.environment(output, on: system, stop: stop) { owner in
            if shows, let renderer { for line in renderer.lines(for: owner.entries) { output.line(line) } }
        }
        let pipeline = Pipeline(configuration, environment)
        guard isConfirmed || plan != nil || StandardInput.isTerminal else {
            throw Failure(
                .usage,
                code: "not_confirmed",
                "apply asks before it sends, and standard input is no terminal; --yes sends without asking"
            )
        }
        let saved = try plan.map { try SavedPlan($0) }
        return try pipeline.locked("apply", timeout: lockTimeout, telling: output) { run in
            stop.limitRuntime(to: maxRuntime)
            // A branch is resolved once no other run can apply it any more.
            let files = try ProjectFiles(saved?.header.options.source ?? scope.source, of: configuration)
            output.source(files.commit)
            let shown = output.planRenderer(of: files.commit?.id)
            renderer = shown
            var options = scope.options
            options.makesLedger = mayMakeLedger
            let outcome = try Failure.askingForLedger {
                try ApplyRun(pipeline, run: run, files: files, options: options, saved: saved).run { plan in
                    if shows { for line in shown.lines(for: plan.summary, plan.violations) { output.line(line) } }
                    guard isConfirmed || saved != nil || output.confirms("Apply this plan?") else { return false }
                    stop.holdSignals()
                    return true
                }
            }
            scope.warn(selected: outcome.plan.summary.selected, output)
            if let review = outcome.review { output.review(review) }
            output.reports(outcome.plan.reports) { pipeline.spool.taken($0) }
            output.part(outcome.plan.part)
            guard outcome.isConfirmed else {
                output.say("Nothing was applied.")
                return .failed
            }
            report(outcome, output)
            switch outcome.send.stopped {
            case .signal: return stop.status
            case .maxRuntime where outcome.isWithoutProgress: throw Failure(noProgressIn: maxRuntime ?? .zero)
            case .maxRuntime, nil: break
            }
            if !outcome.isComplete { return .undelivered }
            return outcome.plan.reports.rejected > 0 ? .badInput : .done
        }
    }

    private func report(_ outcome: ApplyOutcome, _ output: Output) {
        guard output.isJSON || outcome.hasNews || output.options.verbosity != .quiet else { return }
        if let error = outcome.publishError {
            output.problem("publish_failed", "\(error); reloads wait until the state can be published")
        }
        for fault in outcome.send.faults { output.problem(fault.code, fault.message) }
        if output.isJSON { output.item(outcome.event) } else { output.line(outcome.sentence) }
    }
}

extension Failure {
    /// A run that ends like this each time would never get anywhere.
    fileprivate init(noProgressIn span: Span) {
        self.init(
            .failed,
            code: "no_progress",
            "--max-runtime \(DurationText.text(span)) was over before anything was committed or "
                + "sent; give it more time"
        )
    }
}
