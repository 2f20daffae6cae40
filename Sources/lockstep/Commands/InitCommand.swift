/// `lockstep init`: writes a starting project.
struct InitCommand: Equatable, Sendable {
    /// Where to.
    let directory: String
}

extension InitCommand {
    /// Reads it from a command line.
    init(_ arguments: Arguments) {
        directory = arguments.operands.first ?? "."
    }

    func run(_ output: Output) throws -> ExitStatus {
        throw Failure(.failed, code: "not_built", "init is not built yet")
    }
}
