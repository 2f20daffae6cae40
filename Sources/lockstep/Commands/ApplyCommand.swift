/// `lockstep apply`: commits the declared state and sends what closes the difference.
struct ApplyCommand: Equatable, Sendable {
    /// The configuration's path, where one was given.
    let config: String?
    /// What is applied, and what the safety limits let pass.
    let scope: PlanScope
    /// Whether an empty ledger may be made.
    let mayMakeLedger: Bool
    /// Whether to send without asking.
    let isConfirmed: Bool
}

extension ApplyCommand {
    /// Reads it from a command line.
    init(_ arguments: Arguments, _ options: GlobalOptions) {
        config = options.config
        scope = PlanScope(arguments)
        mayMakeLedger = arguments.has(.newLedger)
        isConfirmed = arguments.has(.yes)
    }

    func run(_ output: Output) throws -> ExitStatus {
        throw Failure(.failed, code: "not_built", "apply is not built yet")
    }
}
