import Diff
import Foreign
import JSON
import Reconcile
internal import Time

/// `lockstep reload`: reloads subscribers' widgets now.
struct ReloadCommand: Equatable, Sendable {
    /// The configuration's path, where one was given.
    let config: String?
    /// The subscribers: 1 to 100 ids.
    let subscribers: [String]
    /// The same key again sends nothing.
    let idempotencyKey: String?
    /// The longest wait for the lock.
    var lockTimeout: Span?
    /// The longest time for the run.
    var maxRuntime: Span?
}

extension ReloadCommand {
    /// Reads it from a command line.
    init(_ arguments: Arguments, _ options: GlobalOptions) throws(UsageError) {
        config = options.config
        subscribers = arguments.operands
        idempotencyKey = arguments.text(.idempotencyKey)
        lockTimeout = arguments.duration(.lockTimeout)
        maxRuntime = arguments.duration(.maxRuntime)
        for subscriber in subscribers where !(1...256).contains(subscriber.utf8.count) {
            throw .wrongOperand(subscriber, expected: "a subscriber: 1 to 256 bytes")
        }
    }

    func run(_ output: Output, _ system: SystemEnvironment) throws -> ExitStatus {
        let stop = StopRequest(system)
        let configuration = try Project.configuration(config)
        let pipeline = Pipeline(configuration, Project.environment(output, on: system, stop: stop))
        return try pipeline.locked("reload", timeout: lockTimeout, telling: output) { run in
            stop.limitRuntime(to: maxRuntime)
            stop.holdSignals()
            let key = idempotencyKey.map { Text($0) }
            let outcome = try ReloadRun(pipeline, run).run(subscribers.map { Text($0) }, key: key)
            for fault in outcome.faults { output.warn(fault.message) }
            report(outcome, run, to: output)
            if stop.signal != nil { return stop.status }
            // A token that turned out dead is gone from the ledger: nothing is left to deliver.
            let isDelivered = outcome.results.allSatisfy { $0.obstacle.map { $0.code == .invalidEndpoint } ?? true }
            return isDelivered && outcome.faults.isEmpty ? .done : .undelivered
        }
    }

    private func report(_ outcome: ReloadRun.Outcome, _ run: RunID, to output: Output) {
        if output.isJSON {
            return output.result(
                ["results": .array(outcome.results.map(\.value))],
                metadata: ["runId": .string(Text(run.description)), "replayed": .bool(outcome.isReplayed)]
            )
        }
        for result in outcome.results where result.obstacle != nil || output.options.verbosity != .quiet {
            output.line(result.sentence)
        }
        if outcome.results.isEmpty { output.say("No widget token is registered for these subscribers.") }
        if outcome.isReplayed { output.say("These are the results of the first call with this key; nothing was sent.") }
    }
}

extension ReloadResult {
    /// For people.
    fileprivate var sentence: String {
        guard let obstacle else { return "\(id) ok" }
        return "\(id) \(obstacle.code.rawValue)" + (obstacle.reason.map { ": \($0)" } ?? "")
    }
}
