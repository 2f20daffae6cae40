/// The help that a terminal shows, made from the option table.
enum HelpText {
    private static let width = 100

    /// Help for the whole program.
    static func overview() -> [String] {
        let commands = OptionTable.commands.map { row in
            let aliases = row.name.aliases.isEmpty ? "" : " (\(row.name.aliases.joined(separator: ", ")))"
            return (row.name.rawValue + aliases, row.summary)
        }
        return ["Keeps iPhone widgets and Live Activities in step with JSON files.", ""]
            + ["USAGE", "  lockstep COMMAND [OPTION…] [OPERAND…]", ""]
            + section("COMMANDS", commands)
            + section("GLOBAL OPTIONS", rows(OptionTable.global))
            + ["'lockstep help COMMAND' shows more.", ""]
            + statuses(ExitStatus.allCases)
    }

    /// Help for one command.
    static func command(_ row: CommandRow) -> [String] {
        let aliases = row.name.aliases.map { "  lockstep \($0): the same" }
        return ["USAGE", "  \(row.usage)"] + aliases + [""]
            + wrap(row.details, width) + [""]
            + (row.options.isEmpty ? [] : section("OPTIONS", rows(row.options)))
            + section("GLOBAL OPTIONS", rows(OptionTable.global))
            + row.reference
            + statuses(row.statuses)
    }

    private static func statuses(_ statuses: [ExitStatus]) -> [String] {
        Array(section("EXIT STATUS", statuses.map { ("\($0.rawValue)", $0.meaning) }).dropLast())
    }

    private static func rows(_ names: [OptionName]) -> [(String, String)] {
        names.map(OptionTable.option).map { ($0.usage, $0.help) }
    }

    /// A heading, two aligned columns, and an empty line.
    private static func section(_ heading: String, _ rows: [(String, String)]) -> [String] {
        let column = (rows.map(\.0.count).max() ?? 0) + 4
        let lines = rows.flatMap { name, help -> [String] in
            let pad = String(repeating: " ", count: column - name.count - 2)
            let indent = String(repeating: " ", count: column)
            return wrap(help, width - column).enumerated().map { index, line in
                index == 0 ? "  \(name)\(pad)\(line)" : indent + line
            }
        }
        return [heading] + lines + [""]
    }

    /// Breaks a text between words.
    static func wrap(_ text: String, _ width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + word.count + 1 > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " \(word)"
        }
        return lines + [line]
    }
}
