import Foreign
internal import Time

/// A command line, taken apart by the option table: which command, with which operands and options.
struct Arguments {
    /// The command's row; `nil` where none was named.
    let command: CommandRow?
    /// The words that are neither command nor option.
    let operands: [String]
    private let given: [OptionName: [String]]

    /// Takes the words after the program's name apart.
    ///
    /// Options may stand anywhere; `--` ends them, and `-` alone is an operand. Their values are checked against what the
    /// table says they take, and whether they belong to the command.
    init(_ words: [String]) throws(UsageError) {
        var scanner = Scanner(words: words[...])
        try scanner.run()
        command = scanner.command
        operands = scanner.operands
        given = scanner.given
        guard let command else { return }
        for name in OptionName.allCases where given[name] != nil && !OptionTable.global.contains(name) {
            guard command.options.contains(name) else {
                let owners = OptionTable.commands.filter { $0.options.contains(name) }.map(\.name)
                throw .foreignOption(OptionTable.option(name).flag, command: command.name, belongsTo: owners)
            }
        }
    }

    /// True where an option is there.
    func has(_ name: OptionName) -> Bool { given[name] != nil }

    /// The value of an option.
    func text(_ name: OptionName) -> String? { given[name]?.last }

    /// The values of an option that may be repeated.
    func texts(_ name: OptionName) -> [String] { given[name] ?? [] }

    /// The value of an option that takes a number.
    func count(_ name: OptionName) -> Int? { text(name).flatMap { Int($0) } }

    /// The value of an option that takes a length of time.
    func duration(_ name: OptionName) -> Span? { text(name).flatMap(DurationText.span) }

    /// The value of an option that takes one of some words.
    func choice<Choice: RawRepresentable<String>>(_ name: OptionName) -> Choice? {
        text(name).flatMap { Choice(rawValue: $0) }
    }

    /// Refuses two options that make no sense together.
    func exclude(_ one: OptionName, _ other: OptionName) throws(UsageError) {
        guard has(one), has(other) else { return }
        throw .conflict(OptionTable.option(one).flag, OptionTable.option(other).flag)
    }
}

/// One pass over the words of a command line.
private struct Scanner {
    var words: ArraySlice<String>
    var command: CommandRow?
    var operands: [String] = []
    var given: [OptionName: [String]] = [:]

    mutating func run() throws(UsageError) {
        while let word = words.popFirst() {
            if word == "--" {
                for operand in words { try takeOperand(operand) }
                return
            }
            if word.utf8.count > 1, word.utf8.first == UInt8(ascii: "-") {
                try takeOption(word)
            } else {
                try takeOperand(word)
            }
        }
    }

    private mutating func takeOperand(_ word: String) throws(UsageError) {
        guard command == nil else { return operands.append(word) }
        command = try OptionTable.requireCommand(named: word)
    }

    private mutating func takeOption(_ word: String) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let option = try OptionTable.requireOption(named: parts[0])
        guard given[option.name] == nil || option.isRepeatable || option.argument == .none else {
            throw .repeated(option: option.flag)
        }
        let value = try value(of: option, inline: parts.count > 1 ? parts[1] : nil)
        given[option.name, default: []].append(value)
    }

    private mutating func value(of option: Option, inline: String?) throws(UsageError) -> String {
        guard let placeholder = option.placeholder else {
            guard inline == nil else { throw .needlessValue(option: option.flag) }
            return ""
        }
        // A word that begins with -- is the next option, not a value; write --option=--value where it is meant.
        let next = words.first.map { $0.hasPrefix("--") } == true ? nil : words.first
        guard let value = inline ?? next, !value.isEmpty else {
            throw .missingValue(option: option.flag, placeholder: placeholder)
        }
        if inline == nil { words.removeFirst() }
        switch option.argument {
        case .choice(let allowed) where !allowed.contains(value):
            throw .wrongValue(option: option.flag, value: value, expected: UsageError.list(allowed, "or"))
        case .count where Int(value).map({ $0 >= 0 }) != true:
            throw .wrongValue(option: option.flag, value: value, expected: "a number of 0 or more")
        case .duration where DurationText.span(value) == nil:
            throw .wrongValue(option: option.flag, value: value, expected: "a duration such as 90s, 15m or 8h")
        default: return value
        }
    }
}
