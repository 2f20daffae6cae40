import Diff
import Foreign
import JSON
import Reconcile
internal import Time
internal import Source

/// `lockstep adopt`: records the declared state as applied, without sending.
struct AdoptCommand: Equatable, Sendable {
    /// The configuration's path, where one was given.
    let config: String?
    /// The part of the files that is adopted.
    let scope: PlanScope
    /// True where an empty ledger may be made.
    let mayMakeLedger: Bool
    /// True where it records without asking.
    let isConfirmed: Bool
    /// The longest wait for the lock.
    let lockTimeout: Span?
}

extension AdoptCommand {
    /// Reads it from a command line.
    init(_ arguments: Arguments, _ options: GlobalOptions) throws(UsageError) {
        config = options.config
        scope = try PlanScope(arguments)
        mayMakeLedger = arguments.has(.newLedger)
        isConfirmed = arguments.has(.yes)
        lockTimeout = arguments.duration(.lockTimeout)
    }

    func run(_ output: Output, _ system: SystemEnvironment) throws -> ExitStatus {
        output.beginEvents()
        let configuration = try Project.configuration(config)
        var renderer: (any PlanRenderer)?
        let shows = output.options.verbosity != .quiet
        let environment = Project.environment(output, on: system) { owner in
            if shows, let renderer { for line in renderer.lines(for: owner.entries) { output.line(line) } }
        }
        let pipeline = Pipeline(configuration, environment)
        guard isConfirmed || StandardInput.isTerminal else {
            throw Failure(
                .usage,
                code: "not_confirmed",
                "adopt asks before it records, and standard input is no terminal; --yes records without asking"
            )
        }
        return try pipeline.locked("adopt", timeout: lockTimeout, telling: output) { run in
            let files = try ProjectFiles(scope.source, of: configuration)
            output.source(files.commit)
            var options = scope.options
            options.makesLedger = mayMakeLedger
            renderer = output.planRenderer(of: files.commit?.id)
            let outcome = try Failure.askingForLedger {
                try AdoptRun(pipeline, run: run, files: files, options: options).run { outcome in
                    isConfirmed || output.confirms("\(outcome.question) Adopt?")
                }
            }
            scope.warn(selected: outcome.selected, output)
            output.reports(outcome.reports) { pipeline.spool.taken($0) }
            guard outcome.isConfirmed else {
                output.say("Nothing was adopted.")
                return .failed
            }
            if output.isJSON {
                output.item(outcome.event)
            } else if shows || outcome.owners > 0 {
                output.line(outcome.sentence)
            }
            return outcome.reports.rejected > 0 ? .badInput : .done
        }
    }
}

extension AdoptOutcome {
    private var counts: String {
        "\(declarations) \(declarations == 1 ? "declaration" : "declarations") of \(owners) "
            + "\(owners == 1 ? "subscriber" : "subscribers")"
    }

    fileprivate var question: String {
        "\(counts) will count as applied; \(unsent) \(unsent == 1 ? "push" : "pushes") will not be sent."
    }

    fileprivate var sentence: String {
        guard owners > 0 else { return "Nothing to adopt. Every target is in step with the files." }
        return "Adopted: \(counts); nothing was sent, where apply would have sent \(unsent) "
            + "\(unsent == 1 ? "push" : "pushes")."
    }

    fileprivate var event: Value {
        [
            "type": "outcome", "adopted": .count(declarations), "subscribers": .count(owners), "unsent": .count(unsent),
            "published": .count(published), "message": .string(Text(sentence)),
        ]
    }
}
