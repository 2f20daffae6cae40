/// What every command takes.
struct GlobalOptions: Equatable, Sendable {
    /// How data is written.
    enum Format: String, Sendable {
        case human
        case json
        /// Of a plan: a comment on a pull request.
        case markdown
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
        let isPlan = arguments.command.map { [.plan, .show].contains($0.name) } ?? false
        if format == .markdown, !isPlan, !arguments.has(.dryRun) {
            let expected = "human or json (plan and show take markdown too)"
            throw .wrongValue(option: "--format", value: "markdown", expected: expected)
        }
        showsSensitive = arguments.has(.showSensitive)
        color = arguments.choice(.color) ?? .auto
        verbosity = arguments.has(.quiet) ? .quiet : arguments.has(.verbose) ? .verbose : .normal
    }
}
