/// One option of the command line.
struct Option: Sendable {
    /// The value that an option takes after its name.
    enum Argument: Sendable, Equatable {
        /// Nothing: it is there or not.
        case none
        /// Any text, shown in help under this name.
        case text(String)
        /// The path of a file.
        case file(String)
        /// The path of a directory.
        case directory(String)
        /// A number of 0 or more, shown in help under this name.
        case count(String)
        /// A length of time, such as `90s`.
        case duration
        /// One of these words.
        case choice([String])
    }

    /// The option.
    let name: OptionName
    /// Its one-letter form.
    let short: Character?
    /// The value that it takes.
    let argument: Argument
    /// True where it may be given several times.
    let isRepeatable: Bool
    /// Its purpose, in one line.
    let help: String

    init(
        _ name: OptionName,
        short: Character? = nil,
        takes argument: Argument = .none,
        repeatable: Bool = false,
        _ help: String
    ) {
        self.name = name
        self.short = short
        self.argument = argument
        self.isRepeatable = repeatable
        self.help = help
    }

    /// Its spelling: `--only`.
    var flag: String { "--\(name.rawValue)" }

    /// `GLOB`; `nil` where it takes nothing.
    var placeholder: String? {
        switch argument {
        case .none: nil
        case .text(let name), .file(let name), .directory(let name), .count(let name): name
        case .duration: "DURATION"
        case .choice(let words): words.joined(separator: "|")
        }
    }

    /// `--only GLOB`, as help shows it.
    var usage: String {
        let long = placeholder.map { "\(flag) \($0)" } ?? flag
        return short.map { "-\($0), \(long)" } ?? long
    }
}

/// The options, by their long names.
enum OptionName: String, CaseIterable, Sendable {
    case help
    case version
    case config
    case format
    case color
    case quiet
    case verbose
    case showSensitive = "show-sensitive"

    case rev
    case repo
    case only
    case exclude
    case onlyFile = "only-file"
    case detailedExitcode = "detailed-exitcode"
    case allowRemoved = "allow-removed"
    case allowReplaced = "allow-replaced"
    case allowPushes = "allow-pushes"
    case allowProtected = "allow-protected"
    case allowEmpty = "allow-empty"
    case allowRollback = "allow-rollback"
    case afterRestore = "after-restore"
    case out
    case expires
    case newLedger = "new-ledger"
    case yes
    case dryRun = "dry-run"
    case lockTimeout = "lock-timeout"
    case maxRuntime = "max-runtime"

    case check
    case diff
    case keep
    case showTokens = "show-tokens"
    case idempotencyKey = "idempotency-key"

    case from

    case man

    case port
    case readyFile = "ready-file"
    case stateDir = "state-dir"
    case spool
    case publicDir = "public"
    case sandboxPort = "sandbox-port"
    case app
    case streams
    case firstStreams = "first-streams"
    case commands
    case seed
    case noRequestLog = "no-request-log"
    case untilEOF = "until-eof"
}
