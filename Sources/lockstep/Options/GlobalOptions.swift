/// What every command takes.
struct GlobalOptions: Equatable, Sendable {
    /// How data is written.
    enum Format: String, Sendable {
        case human
        case json
        /// Of a plan: a comment on a pull request.
        case markdown
        /// Of checks: annotations, as a GitHub workflow takes them.
        case github
    }

    /// When to colour.
    enum Color: String, Sendable {
        case auto
        case always
        case never
    }

    /// How much to say.
    enum Verbosity: Sendable {
        case quiet
        case normal
        case verbose
    }

    /// The configuration's path, where one was given.
    var config: String?
    /// How data is written.
    var format = Format.human
    /// When to colour.
    var color = Color.auto
    /// How much to say.
    var verbosity = Verbosity.normal

    /// Whether sensitive values are shown.
    var showsSensitive = false

    /// The defaults.
    init() {}

    /// What a command line says.
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
    /// Whether a command can write it; `isPlan` where it only plans.
    fileprivate func isTaken(by command: CommandName?, isPlan: Bool) -> Bool {
        switch self {
        case .human, .json: true
        case .markdown: isPlan || command == .plan || command == .show
        case .github: command == .validate
        }
    }
}
