/// `lockstep status`: shows what the ledger knows.
struct StatusCommand: Equatable, Sendable {
    /// The configuration's path, where one was given.
    let config: String?
    /// What to show; the whole ledger in a few lines where absent.
    let subject: String?
}

extension StatusCommand {
    /// Reads it from a command line.
    init(_ arguments: Arguments, _ options: GlobalOptions) {
        config = options.config
        subject = arguments.operands.first
    }

    func run(_ output: Output) throws -> ExitStatus {
        throw Failure(.failed, code: "not_built", "status is not built yet")
    }
}
