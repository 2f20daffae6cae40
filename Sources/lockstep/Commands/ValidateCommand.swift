/// `lockstep validate`: checks files.
struct ValidateCommand: Equatable, Sendable {
    /// The configuration's path, where one was given.
    let config: String?
    /// What to check; everything where empty.
    let paths: [String]
}

extension ValidateCommand {
    /// Reads it from a command line.
    init(_ arguments: Arguments, _ options: GlobalOptions) {
        config = options.config
        paths = arguments.operands
    }

    func run(_ output: Output) throws -> ExitStatus {
        throw Failure(.failed, code: "not_built", "validate is not built yet")
    }
}
