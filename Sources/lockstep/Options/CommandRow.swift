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
    var operands = Operands.none
    /// Its own options, in the order of help.
    var options: [OptionName] = []
    /// Its purpose, in whole sentences.
    let details: String
    /// Lines that help shows as they are after the options.
    var reference: [String] = []
    /// The statuses it can end with beside those that every command can.
    let ownStatuses: [ExitStatus]

    /// The statuses it can end with.
    var statuses: [ExitStatus] {
        ([.done, .failed, .usage] + ownStatuses).sorted { $0.rawValue < $1.rawValue }
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
