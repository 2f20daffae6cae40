/// A whole command line: what to do, and what every command takes.
struct Invocation: Equatable, Sendable {
    /// What every command takes.
    let options: GlobalOptions
    /// What to do.
    let command: Command

    /// Reads the words after the program's name.
    init(_ words: [String]) throws(UsageError) {
        let arguments = try Arguments(words)
        options = try GlobalOptions(arguments)
        command = try Command(arguments, options)
    }

    /// How to report a command line that cannot be read: as it asks, as far as that can be told.
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
