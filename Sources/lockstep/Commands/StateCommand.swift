import JSON
import Reconcile

/// `lockstep state`: changes the ledger by hand, or copies it.
struct StateCommand: Equatable, Sendable {
    /// What is done to it.
    enum Change: Equatable, Sendable {
        case forget([String])
        case move(String, name: String)
        case export(String)
        case `import`(String)
    }

    /// The configuration's path, where one was given.
    let config: String?
    /// What to do.
    let change: Change
    /// How long to wait for the lock, in milliseconds.
    let lockTimeout: Int64?
}

extension StateCommand {
    /// Reads it from a command line.
    init(_ arguments: Arguments, _ options: GlobalOptions) throws(UsageError) {
        config = options.config
        lockTimeout = arguments.duration(.lockTimeout)
        let rest = Array(arguments.operands.dropFirst())
        switch (arguments.operands.first, rest.count) {
        case ("forget", 1...): change = .forget(rest)
        case ("move", 2): change = .move(rest[0], name: rest[1])
        case ("export", 1): change = .export(rest[0])
        case ("import", 1): change = .import(rest[0])
        default:
            throw .wrongOperand(
                arguments.operands.joined(separator: " "),
                expected: "forget TARGET…, move TARGET NAME, export FILE or import FILE"
            )
        }
    }

    func run(_ output: Output) throws -> ExitStatus {
        let pipeline = try Project.pipeline(config, output)
        if case .export(let path) = change {
            show(try pipeline.exportState(to: path), output)
            return .done
        }
        return try pipeline.locked("state", timeout: lockTimeout, output) { run in
            let outcome =
                switch change {
                case .forget(let globs): try pipeline.forget(globs, run: run)
                case .move(let target, let name): try pipeline.move(target, to: name, run: run)
                case .export(let path): try pipeline.exportState(to: path)
                case .import(let path): try pipeline.importState(from: path, run: run)
                }
            show(outcome, output)
            return .done
        }
    }

    private func show(_ outcome: StateOutcome, _ output: Output) {
        guard !output.isJSON else {
            return output.result([
                "changed": .array(outcome.changed.map { .string(Text($0)) }),
                "backup": outcome.backup.map { .string(Text($0)) } ?? .null,
            ])
        }
        if let backup = outcome.backup { output.say("The ledger as it was: \(backup)") }
        for changed in outcome.changed { output.line(sentence(changed)) }
    }

    private func sentence(_ changed: String) -> String {
        switch change {
        case .forget: "\(changed): forgotten; nothing was sent, and what is on phones stays there"
        case .move(let target, _): "\(target): is \(changed) now"
        case .export: "\(changed): written"
        case .import(let path): "\(changed): holds what \(path) holds"
        }
    }
}
