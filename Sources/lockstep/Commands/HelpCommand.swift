/// `lockstep help`: shows help.
struct HelpCommand: Equatable, Sendable {
    /// The subject of the help.
    enum Topic: Equatable, Sendable {
        case overview
        case command(CommandName)
        case manPage
    }

    /// The subject of the help.
    let topic: Topic
}

extension HelpCommand {
    /// Reads it from a command line.
    init(_ arguments: Arguments) throws(UsageError) {
        guard !arguments.has(.man) else {
            topic = .manPage
            return
        }
        guard let word = arguments.operands.first else {
            topic = .overview
            return
        }
        topic = .command(try OptionTable.requireCommand(named: word).name)
    }

    func run(_ output: Output) -> ExitStatus {
        let lines =
            switch topic {
            case .overview: HelpText.overview()
            case .command(let name): HelpText.command(OptionTable.command(name))
            case .manPage: ManPage.lines()
            }
        for line in lines { output.line(line) }
        return .done
    }
}
