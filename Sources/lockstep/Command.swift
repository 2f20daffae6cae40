import Diff
import Foreign
import Reconcile

/// The task of a command line; each case holds all that its command needs, already checked.
enum Command: Equatable, Sendable {
    case initialize(InitCommand)
    case validate(ValidateCommand)
    case format(FormatCommand)
    case plan(PlanCommand)
    case apply(ApplyCommand)
    case show(ShowCommand)
    case adopt(AdoptCommand)
    case ingest(IngestCommand)
    case reload(ReloadCommand)
    case status(StatusCommand)
    case launches(LaunchesCommand)
    case log(LogCommand)
    case quota(QuotaCommand)
    case scope(ScopeCommand)
    case state(StateCommand)
    case template(TemplateCommand)
    case schema(SchemaCommand)
    case simulate(SimulateCommand)
    case completion(CompletionCommand)
    case version(VersionCommand)
    case help(HelpCommand)

    /// Reads the command from a command line.
    init(_ arguments: Arguments, _ options: GlobalOptions) throws(UsageError) {
        guard !arguments.has(.help) else {
            self = .help(HelpCommand(topic: arguments.command.map { .command($0.name) } ?? .overview))
            return
        }
        guard !arguments.has(.version) else {
            self = .version(VersionCommand())
            return
        }
        guard let row = arguments.command else { throw .missingCommand }
        guard row.operands.count.contains(arguments.operands.count) else {
            throw .operands(row.operands, command: row.name, given: arguments.operands)
        }
        self = try Command(row.name, arguments, options: options)
    }

    private init(_ name: CommandName, _ arguments: Arguments, options: GlobalOptions) throws(UsageError) {
        self =
            switch name {
            case .initialize: .initialize(InitCommand(arguments))
            case .validate: .validate(ValidateCommand(arguments, options))
            case .fmt: .format(FormatCommand(arguments, options))
            case .plan: .plan(try PlanCommand(arguments, options))
            case .apply where arguments.has(.dryRun) && arguments.operands.isEmpty:
                .plan(try PlanCommand(arguments, options))
            case .apply: .apply(try ApplyCommand(arguments, options))
            case .show: .show(ShowCommand(arguments))
            case .adopt: .adopt(try AdoptCommand(arguments, options))
            case .ingest: .ingest(IngestCommand(arguments, options))
            case .reload: .reload(try ReloadCommand(arguments, options))
            case .status: .status(StatusCommand(arguments, options))
            case .launches: .launches(LaunchesCommand(arguments, options))
            case .log: .log(LogCommand(arguments, options))
            case .quota: .quota(try QuotaCommand(arguments, options))
            case .pause: .scope(ScopeCommand(.pause, arguments, options: options))
            case .resume: .scope(ScopeCommand(.resume, arguments, options: options))
            case .revoke: .scope(ScopeCommand(.revoke(keepsTiles: arguments.has(.keep)), arguments, options: options))
            case .reauthorize: .scope(ScopeCommand(.reauthorize, arguments, options: options))
            case .state: .state(try StateCommand(arguments, options))
            case .template: .template(try TemplateCommand(arguments, options))
            case .schema: .schema(try SchemaCommand(arguments))
            case .simulate: .simulate(SimulateCommand(arguments))
            case .completion: .completion(try CompletionCommand(arguments))
            case .version: .version(VersionCommand())
            case .help: .help(try HelpCommand(arguments))
            }
    }

    /// Carries it out, by a clock and a source of chance.
    func run(_ output: Output, _ system: SystemEnvironment) throws -> ExitStatus {
        switch self {
        case .initialize(let command): try command.run(output, system)
        case .validate(let command): try command.run(output, system)
        case .format(let command): try command.run(output, system)
        case .plan(let command): try command.run(output, system)
        case .apply(let command): try command.run(output, system)
        case .show(let command): try command.run(output)
        case .adopt(let command): try command.run(output, system)
        case .ingest(let command): try command.run(output, system)
        case .reload(let command): try command.run(output, system)
        case .status(let command): try command.run(output, system)
        case .launches(let command): try command.run(output, system)
        case .log(let command): try command.run(output, system)
        case .quota(let command): try command.run(output, system)
        case .scope(let command): try command.run(output, system)
        case .state(let command): try command.run(output, system)
        case .template(let command): try command.run(output)
        case .schema(let command): command.run(output)
        case .simulate(let command): try command.run(output)
        case .completion(let command): command.run(output)
        case .version(let command): command.run(output)
        case .help(let command): command.run(output)
        }
    }
}

/// A whole command line: what to do, and what every command takes.
struct Invocation: Equatable, Sendable {
    /// The options that every command takes.
    let options: GlobalOptions
    /// The task.
    let command: Command

    /// Reads the words after the program's name.
    init(_ words: [String]) throws(UsageError) {
        let arguments = try Arguments(words)
        options = try GlobalOptions(arguments)
        command = try Command(arguments, options)
    }

    /// Options for the report of a command line that cannot be read: as it asks, as far as that can be told.
    static func options(ofBroken words: [String]) -> GlobalOptions {
        func asks(_ option: String, _ value: String) -> Bool {
            words.contains("\(option)=\(value)") || zip(words, words.dropFirst()).contains { $0 == (option, value) }
        }
        var options = GlobalOptions()
        if asks("--format", "json") { options.format = .json }
        if asks("--color", "always") { options.color = .always }
        if asks("--color", "never") { options.color = .never }
        return options
    }
}
