/// The options that every command takes.
struct GlobalOptions: Equatable, Sendable {
    /// The form of the data.
    enum Format: String, Sendable {
        case human
        case json
        /// Of a plan: a comment on a pull request.
        case markdown
        /// Of checks: annotations, as a GitHub workflow takes them.
        case github
    }

    /// The rule for colours.
    enum Color: String, Sendable {
        case auto
        case always
        case never
    }

    /// The amount of talk.
    enum Verbosity: Sendable {
        case quiet
        case normal
        case verbose
    }

    /// The configuration's path, where one was given.
    var config: String?
    /// The form of the data.
    var format = Format.human
    /// The rule for colours.
    var color = Color.auto
    /// The amount of talk.
    var verbosity = Verbosity.normal

    /// True where sensitive values are shown.
    var showsSensitive = false

    /// The defaults.
    init() {}

    /// Reads them from a command line.
    init(_ arguments: Arguments) throws(UsageError) {
        try arguments.exclude(.quiet, .verbose)
        config = arguments.text(.config)
        format = arguments.choice(.format) ?? .human
        guard format.isTaken(by: arguments.command?.name, isPlan: arguments.has(.dryRun)) else {
            let expected = "human or json (plan and show take markdown too, and validate github)"
            throw .wrongValue(option: "--format", value: format.rawValue, expected: expected)
        }
        showsSensitive = arguments.has(.showSensitive)
        color = arguments.choice(.color) ?? .auto
        verbosity = arguments.has(.quiet) ? .quiet : arguments.has(.verbose) ? .verbose : .normal
    }
}

extension GlobalOptions.Format {
    /// True where a command can write it; `isPlan` where it only plans.
    fileprivate func isTaken(by command: CommandName?, isPlan: Bool) -> Bool {
        switch self {
        case .human, .json: true
        case .markdown: isPlan || command == .plan || command == .show
        case .github: command == .validate
        }
    }
}
