import JSON

/// The one table that parsing, help, the man page, completions and the tests read.
enum OptionTable {
    /// The options that every command takes, before or after its name.
    static let global: [OptionName] = [.config, .format, .color, .quiet, .verbose, .showSensitive, .help, .version]

    /// Every option, in the order of ``OptionName``.
    static let options: [Option] = [
        Option(.help, short: "h", "Show help for the command"),
        Option(.version, "Show the version"),
        Option(
            .config,
            takes: .file("FILE"),
            "The configuration (default: lockstep.json here or in a directory above)"
        ),
        Option(
            .format,
            takes: .choice(["human", "json", "markdown", "github"]),
            "How data is written (default: human); markdown: of plan and show, for a pull request; github: of validate"
        ),
        Option(
            .color,
            takes: .choice(["auto", "always", "never"]),
            "When to colour (default: auto; NO_COLOR turns it off)"
        ),
        Option(.quiet, short: "q", "Say nothing unless something changed or failed"),
        Option(.verbose, short: "v", "Say more"),
        Option(
            .showSensitive,
            "Show the values that \"sensitive\" in the configuration hides; a saved plan never has them"
        ),

        Option(
            .rev,
            takes: .text("REV"),
            "Read the state files from this commit of a Git repository, without a checkout"
        ),
        Option(
            .repo,
            takes: .directory("DIR"),
            "The repository of --rev, bare or not (default: where the configuration is)"
        ),
        Option(
            .only,
            takes: .text("GLOB"),
            repeatable: true,
            "Only what matches SUBSCRIBER or SUBSCRIBER/KIND/NAME (* and ? are wildcards)"
        ),
        Option(
            .exclude,
            takes: .text("GLOB"),
            repeatable: true,
            "Not what matches, as with --only: it is neither changed, sent nor ended"
        ),
        Option(
            .onlyFile,
            takes: .file("PATH"),
            repeatable: true,
            "Only what this state file declares (with --rev: a path from the root of the commit)"
        ),
        Option(.detailedExitcode, "End with 2 where there are changes"),
        Option(.allowRemoved, takes: .count("N"), "Let up to N activities end because their declarations are gone"),
        Option(.allowReplaced, takes: .count("N"), "Let up to N running activities be replaced"),
        Option(.allowPushes, takes: .count("N"), "Let up to N pushes go out"),
        Option(
            .allowProtected,
            takes: .text("NAME"),
            repeatable: true,
            "Let the protected activity NAME end by removal"
        ),
        Option(.allowEmpty, "Accept that the files declare nothing at all"),
        Option(.allowRollback, "Apply a commit that does not descend from the one applied last"),
        Option(
            .afterRestore,
            "Accept a restored ledger and start activities again; devices had time to report"
        ),
        Option(.out, takes: .file("FILE"), "Save the plan, for apply FILE"),
        Option(.expires, takes: .duration, "For how long the saved plan may be applied (default: 24h)"),
        Option(.newLedger, "Start with an empty ledger where there is none"),
        Option(.yes, short: "y", "Send without asking"),
        Option(.dryRun, "Do what plan does"),
        Option(
            .lockTimeout,
            takes: .duration,
            "Wait so long for another run that holds the lock (default: not at all)"
        ),
        Option(
            .maxRuntime,
            takes: .duration,
            "Stop after so long: what is in flight is finished, the rest is left to the next run"
        ),

        Option(.check, "Name the files that are not laid out, and change none"),
        Option(.diff, "Show what would change, and change nothing"),
        Option(.keep, "Leave what is visible as it is"),
        Option(
            .showTokens,
            "Write push tokens whole, not only their first 8 digits; who has one can push with your key"
        ),
        Option(
            .idempotencyKey,
            takes: .text("KEY"),
            "Send once: the same KEY again answers with the first results and sends nothing"
        ),

        Option(
            .from,
            takes: .file("FILE"),
            repeatable: true,
            "Example states: state files whose declarations name the template, or plain states"
        ),

        Option(.man, "Show the manual page, for man -l"),

        Option(.port, takes: .count("PORT"), "The port to listen on; 0 takes a free one (default: 0)"),
        Option(.readyFile, takes: .file("FILE"), "Write url, caFile and config there once connections are accepted"),
        Option(
            .stateDir,
            takes: .directory("DIR"),
            "Where keys, certificates and screens.json go (default: simulator)"
        ),
        Option(.spool, takes: .directory("DIR"), "Where devices put their reports (default: reports)"),
        Option(.publicDir, takes: .directory("DIR"), "Where widgets read published state (default: public)"),
        Option(.sandboxPort, takes: .count("PORT"), "The port of the sandbox; 0 takes a free one (default: 0)"),
        Option(
            .app,
            takes: .text("BUNDLE[=TEAM]"),
            repeatable: true,
            "An app that Apple knows (default: com.example.courier=ABCDE12345)"
        ),
        Option(.streams, takes: .count("N"), "Streams per connection after its first good request (default: 1000)"),
        Option(.firstStreams, takes: .count("N"), "Streams per connection before that (default: 1, as with Apple)"),
        Option(.commands, takes: .file("FILE"), "Carry out the commands in FILE before the ready file is written"),
        Option(.seed, takes: .count("N"), "Make tokens, ids and faults the same from run to run"),
        Option(.noRequestLog, "Do not write requests.ndjson"),
        Option(.untilEOF, "Stop when standard input ends"),
    ]

    /// The options and commands of a later version, so that nobody takes one for a typing error.
    static let later: Set<String> = [
        "doctor"
    ]

    /// The row of an option.
    static func option(_ name: OptionName) -> Option {
        // The table has a row for every name, which a test checks.
        options.first { $0.name == name } ?? Option(name, "")
    }

    /// The row of a command.
    static func command(_ name: CommandName) -> CommandRow {
        commands.first { $0.name == name } ?? CommandRow(name: name, summary: "", details: "", ownStatuses: [])
    }

    /// The command that people call `word`, or what they probably meant.
    static func requireCommand(named word: String) throws(UsageError) -> CommandRow {
        if let row = commands.first(where: { $0.name.rawValue == word || $0.name.aliases.contains(word) }) {
            return row
        }
        guard !later.contains(word) else { throw .notBuilt(word) }
        throw .unknownCommand(word, suggestion: closest(to: word, in: commandNames))
    }

    /// The option that people write as `word`, long or short, or what they probably meant.
    static func requireOption(named word: String) throws(UsageError) -> Option {
        let found = options.first { $0.flag == word || $0.short.map { "-\($0)" } == word }
        if let found { return found }
        guard !later.contains(word) else { throw .notBuilt(word) }
        throw .unknownOption(word, suggestion: closest(to: word, in: options.map(\.flag)))
    }

    /// Every name a command can be called by.
    static var commandNames: [String] {
        CommandName.allCases.flatMap { [$0.rawValue] + $0.aliases }
    }
}
