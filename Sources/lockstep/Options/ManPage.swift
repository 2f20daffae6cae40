/// The manual page lockstep(1) in the man macros, made from the option table.
enum ManPage {
    /// The page, line by line.
    static func lines() -> [String] {
        header + commands + options("GLOBAL OPTIONS", OptionTable.global) + statuses
    }

    private static let header = [
        ".TH LOCKSTEP 1 \"\" \"Lockstep \(Version.current)\"",
        ".SH NAME",
        "lockstep \\- keeps iPhone widgets and Live Activities in step with JSON files",
        ".SH SYNOPSIS",
        ".B lockstep",
        "COMMAND [OPTION…] [OPERAND…]",
    ]

    private static var commands: [String] {
        [".SH COMMANDS"]
            + OptionTable.commands.flatMap { row in
                [".SS \(escape(row.usage))", escape(row.details)] + row.options.flatMap(option)
            }
    }

    private static func options(_ heading: String, _ names: [OptionName]) -> [String] {
        [".SH \(heading)"] + names.flatMap(option)
    }

    private static func option(_ name: OptionName) -> [String] {
        let row = OptionTable.option(name)
        return [".TP", ".B \(escape(row.usage))", escape(row.help)]
    }

    private static var statuses: [String] {
        [".SH EXIT STATUS"] + ExitStatus.allCases.flatMap { [".TP", ".B \($0.rawValue)", escape($0.meaning)] }
    }

    /// A hyphen is a minus, and a line must not begin with a control character.
    private static func escape(_ text: String) -> String {
        let safe = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return safe.hasPrefix(".") || safe.hasPrefix("'") ? "\\&" + safe : safe
    }
}
