import Foreign
import JSON
import Reconcile

/// `lockstep status`: shows what the ledger knows.
struct StatusCommand: Equatable, Sendable {
    /// The configuration's path, where one was given.
    let config: String?
    /// The subject to show; the whole ledger in a few lines where absent.
    let subject: String?
}

extension StatusCommand {
    /// Reads it from a command line.
    init(_ arguments: Arguments, _ options: GlobalOptions) {
        config = options.config
        subject = arguments.operands.first
    }

    func run(_ output: Output, _ system: SystemEnvironment) throws -> ExitStatus {
        let ledger = Inspection(try Project.pipeline(config, output, on: system))
        guard let view = try ledger.status(subject.map { Text($0) }) else { throw Failure(unknown: subject ?? "") }
        let value = view.value
        if output.isJSON { output.result(value) } else { for line in Outline.lines(of: value) { output.line(line) } }
        return .done
    }
}

extension Inspection {
    /// Sees to it that a mistyped id does not look as if nothing happened.
    ///
    /// - Throws: ``Failure`` where the ledger knows nothing of the subject.
    func requireKnown(_ subject: String) throws {
        if try status(Text(subject)) == nil { throw Failure(unknown: subject) }
    }
}

extension Failure {
    fileprivate init(unknown subject: String) {
        self.init(
            .badInput,
            code: "not_found",
            "nothing is known of '\(subject)': it is no subscriber of this ledger and no id in it"
        )
    }
}
