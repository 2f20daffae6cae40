/// `lockstep reload`: reloads subscribers' widgets now.
struct ReloadCommand: Equatable, Sendable {
    /// The configuration's path, where one was given.
    let config: String?
    /// Whose widgets: 1 to 100 ids.
    let subscribers: [String]
}

extension ReloadCommand {
    /// Reads it from a command line.
    init(_ arguments: Arguments, _ options: GlobalOptions) throws(UsageError) {
        config = options.config
        subscribers = arguments.operands
        for subscriber in subscribers where !(1...256).contains(subscriber.utf8.count) {
            throw .wrongOperand(subscriber, expected: "a subscriber: 1 to 256 bytes")
        }
    }

    func run(_ output: Output) throws -> ExitStatus {
        throw Failure(.failed, code: "not_built", "reload is not built yet")
    }
}
