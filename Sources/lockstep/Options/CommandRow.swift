/// One command of the command line, as the option table describes it.
struct CommandRow: Sendable {
    /// The words that a command takes beside its options.
    struct Operands: Sendable, Equatable {
        /// `[PATH…]`, as help shows it.
        let placeholder: String
        /// The number of words that it takes.
        let count: ClosedRange<Int>
        /// True where a shell should complete them as files.
        let areFiles: Bool

        init(_ placeholder: String, _ count: ClosedRange<Int>, files: Bool = false) {
            self.placeholder = placeholder
            self.count = count
            self.areFiles = files
        }

        static let none = Operands("", 0...0)
    }

    /// The command.
    let name: CommandName
    /// Its purpose, in one line.
    let summary: String
    /// The words that it takes.
    let operands: Operands
    /// Its own options, in the order of help.
    let options: [OptionName]
    /// Its purpose, in whole sentences.
    let details: String
    /// Lines that help shows as they are after the options.
    let reference: [String]
    /// The statuses it can end with.
    let statuses: [ExitStatus]

    init(
        _ name: CommandName,
        _ summary: String,
        operands: Operands = .none,
        options: [OptionName] = [],
        details: String,
        reference: [String] = [],
        statuses: [ExitStatus]
    ) {
        self.name = name
        self.summary = summary
        self.operands = operands
        self.options = options
        self.details = details
        self.reference = reference
        self.statuses = ([.done, .failed, .usage] + statuses).sorted { $0.rawValue < $1.rawValue }
    }

    /// Its usage: `lockstep plan [OPTION…]`.
    var usage: String {
        let operands = operands.placeholder.isEmpty ? "" : " \(operands.placeholder)"
        return "lockstep \(name.rawValue)" + (options.isEmpty ? "" : " [OPTION…]") + operands
    }
}

/// The commands, by the names people type.
enum CommandName: String, CaseIterable, Sendable {
    case initialize = "init"
    case validate
    case fmt
    case plan
    case apply
    case show
    case adopt
    case ingest
    case reload
    case status
    case launches
    case log
    case quota
    case pause
    case resume
    case revoke
    case reauthorize
    case state
    case template
    case schema
    case simulate
    case completion
    case version
    case help

    /// Other names of the same command.
    var aliases: [String] { self == .plan ? ["diff"] : [] }
}
