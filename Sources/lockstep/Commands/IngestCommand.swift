/// `lockstep ingest`: takes in device reports.
struct IngestCommand: Equatable, Sendable {
    /// Where reports come from, beside the spool.
    enum Source: Equatable, Sendable {
        case file(String)
        case standardInput
    }

    /// The configuration's path, where one was given.
    let config: String?
    /// What is copied into the spool first.
    let sources: [Source]
}

extension IngestCommand {
    /// Reads it from a command line.
    init(_ arguments: Arguments, _ options: GlobalOptions) {
        config = options.config
        sources = arguments.operands.map { $0 == "-" ? .standardInput : .file($0) }
    }

    func run(_ output: Output) throws -> ExitStatus {
        throw Failure(.failed, code: "not_built", "ingest is not built yet")
    }
}
