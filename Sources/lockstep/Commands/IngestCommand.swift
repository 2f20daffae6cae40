import Foreign
import JSON
internal import Ledger
import Reconcile
internal import Time

/// `lockstep ingest`: takes in device reports.
struct IngestCommand: Equatable, Sendable {
    /// The source of reports, beside the spool.
    enum Source: Equatable, Sendable {
        case file(String)
        case standardInput

        /// Its path.
        var path: String {
            switch self {
            case .file(let path): path
            case .standardInput: "/dev/stdin"
            }
        }
    }

    /// The configuration's path, where one was given.
    let config: String?
    /// The source that is copied into the spool first.
    let sources: [Source]
    /// The longest wait for the lock.
    var lockTimeout: Span?
}

extension IngestCommand {
    /// Reads it from a command line.
    init(_ arguments: Arguments, _ options: GlobalOptions) {
        config = options.config
        sources = arguments.operands.map { $0 == "-" ? .standardInput : .file($0) }
        lockTimeout = arguments.duration(.lockTimeout)
    }

    func run(_ output: Output, _ system: SystemEnvironment) throws -> ExitStatus {
        let pipeline = try Project.pipeline(config, output, on: system)
        for source in sources { try pipeline.spool.receive(file: source.path) }
        do {
            return try pipeline.locked("ingest", timeout: lockTimeout, telling: output) { run in
                let result = try IngestRun(pipeline, run).run()
                report(result, of: pipeline.spool, output)
                return result.rejected == 0 ? .done : .badInput
            }
        } catch FileLockError.held(_, let holder) {
            wait(
                "\(holder.map { "\($0)" } ?? "another run") holds the lock; the reports wait in the spool for it",
                output
            )
        } catch LedgerError.missing {
            wait("there is no ledger yet; the reports wait in the spool for the first apply", output)
        }
        return .done
    }

    /// The reports are safe in the spool, and will be taken in by whoever comes next.
    private func wait(_ reason: String, _ output: Output) {
        if output.isJSON {
            output.result(["waiting": true, "reason": .string(Text(reason))])
        } else {
            output.say(reason)
        }
    }

    private func report(_ result: Ingest.Result, of spool: Spool, _ output: Output) {
        if output.isJSON {
            let rejections = result.examples.map { line -> Value in
                [
                    "file": .string(Text(spool.taken(line.file))), "line": .count(line.line),
                    "reason": .string(Text(line.reason)),
                ]
            }
            output.result([
                "waiting": false, "files": .count(result.files), "taken": .count(result.taken),
                "rejected": .count(result.rejected), "rejections": .array(rejections),
            ])
        } else {
            output.reports(result) { spool.taken($0) }
            let isNews = result.rejected > 0 || output.options.verbosity != .quiet
            if isNews { output.line("\(result.taken) taken, \(result.rejected) rejected.") }
        }
    }
}
