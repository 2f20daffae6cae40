import Foreign
import JSON
internal import Ledger
import Reconcile
internal import Time

/// `lockstep state`: changes the ledger by hand, or copies it.
struct StateCommand: Equatable, Sendable {
    /// A use of the ledger.
    enum Request: Equatable, Sendable {
        case change(Change)
        case export(String)
        case dump(showsTokens: Bool)
    }

    /// A change by hand.
    enum Change: Equatable, Sendable {
        case forget([String])
        case move(String, name: String)
        case `import`(String)
    }

    /// The configuration's path, where one was given.
    let config: String?
    /// The use that is asked for.
    let request: Request
    /// The longest wait for the lock.
    let lockTimeout: Span?
}

extension StateCommand {
    /// Reads it from a command line.
    init(_ arguments: Arguments, _ options: GlobalOptions) throws(UsageError) {
        config = options.config
        lockTimeout = arguments.duration(.lockTimeout)
        let showsTokens = arguments.has(.showTokens)
        let rest = Array(arguments.operands.dropFirst())
        switch (arguments.operands.first, rest.count) {
        case ("dump", 0): request = .dump(showsTokens: showsTokens)
        case _ where showsTokens: throw .lonely("--show-tokens", needs: "'state dump'")
        case ("forget", 1...): request = .change(.forget(rest))
        case ("move", 2): request = .change(.move(rest[0], name: rest[1]))
        case ("export", 1): request = .export(rest[0])
        case ("import", 1): request = .change(.import(rest[0]))
        default:
            throw .wrongOperand(
                arguments.operands.joined(separator: " "),
                expected: "forget TARGET…, move TARGET NAME, export FILE, import FILE or dump"
            )
        }
    }

    func run(_ output: Output, _ system: SystemEnvironment) throws -> ExitStatus {
        let pipeline = try Project.pipeline(config, output, on: system)
        switch request {
        case .change(let change): return try apply(change, to: pipeline, output)
        case .export(let path): output.show(try LedgerTransfer(pipeline).export(to: path)) { "\($0): written" }
        case .dump(let showsTokens): try dump(Inspection(pipeline).dump(showsTokens: showsTokens), output)
        }
        return .done
    }

    private func apply(_ change: Change, to pipeline: Pipeline, _ output: Output) throws -> ExitStatus {
        try pipeline.locked("state", timeout: lockTimeout, telling: output) { run in
            let outcome =
                switch change {
                case .forget(let globs): try LedgerEdit(pipeline, run).forget(globs)
                case .move(let target, let name): try LedgerEdit(pipeline, run).move(target, to: name)
                case .import(let path): try LedgerTransfer(pipeline).import(from: path, run: run)
                }
            output.show(outcome, sentence: change.sentence)
            return .done
        }
    }

    private func dump(_ dump: LedgerDump, _ output: Output) throws {
        output.streamsEvents = true
        try dump.each { record in
            output.item(record.value)
            if output.isAbandoned { throw AbandonedOutput() }
        }
    }
}

extension Output {
    fileprivate func show(_ outcome: StateOutcome, sentence: (String) -> String) {
        guard !isJSON else {
            return result([
                "changed": .array(outcome.changed.map { .string(Text($0)) }),
                "backup": outcome.backup.map { .string(Text($0)) } ?? .null,
            ])
        }
        if let backup = outcome.backup { say("The ledger as it was: \(backup)") }
        for changed in outcome.changed { line(sentence(changed)) }
    }
}

extension StateCommand.Change {
    /// The outcome for a target, or for the ledger, in words.
    fileprivate func sentence(_ changed: String) -> String {
        switch self {
        case .forget: "\(changed): forgotten; nothing was sent, and what is on phones stays there"
        case .move(let target, _): "\(target): is \(changed) now"
        case .import(let path): "\(changed): holds what \(path) holds"
        }
    }
}
