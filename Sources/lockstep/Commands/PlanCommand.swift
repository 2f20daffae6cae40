/// `lockstep plan`: shows what apply would do.
struct PlanCommand: Equatable, Sendable {
    /// The configuration's path, where one was given.
    let config: String?
    /// What is planned, and what the safety limits let pass.
    let scope: PlanScope
    /// Whether to end with 2 where there are changes.
    let hasDetailedStatus: Bool
}

extension PlanCommand {
    /// Reads it from a command line.
    init(_ arguments: Arguments, _ options: GlobalOptions) {
        config = options.config
        scope = PlanScope(arguments)
        hasDetailedStatus = arguments.has(.detailedExitcode)
    }

    func run(_ output: Output) throws -> ExitStatus {
        throw Failure(.failed, code: "not_built", "plan is not built yet")
    }
}
