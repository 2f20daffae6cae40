/// A command line that cannot be carried out.
enum UsageError: Error, Equatable, CustomStringConvertible {
    case missingCommand
    case unknownCommand(String, suggestion: String?)
    case unknownOption(String, suggestion: String?)
    case notBuilt(String)
    case foreignOption(String, command: CommandName, belongsTo: [CommandName])
    case missingValue(option: String, placeholder: String)
    case needlessValue(option: String)
    case wrongValue(option: String, value: String, expected: String)
    case repeated(option: String)
    case conflict(String, String)
    case lonely(String, needs: String)
    case planned(String)
    case operands(CommandRow.Operands, command: CommandName, given: [String])
    case wrongOperand(String, expected: String)

    /// A stable name for programs.
    var code: String {
        switch self {
        case .missingCommand: "missing_command"
        case .unknownCommand: "unknown_command"
        case .unknownOption: "unknown_option"
        case .notBuilt: "not_built"
        case .foreignOption: "foreign_option"
        case .missingValue: "missing_value"
        case .needlessValue: "needless_value"
        case .wrongValue: "wrong_value"
        case .repeated: "repeated_option"
        case .conflict: "conflicting_options"
        case .lonely: "missing_option"
        case .planned: "planned_option"
        case .operands: "wrong_operand_count"
        case .wrongOperand: "wrong_operand"
        }
    }

    var description: String {
        switch self {
        case .missingCommand: "a command is missing"
        case .unknownCommand(let word, let suggestion): "there is no command '\(word)'" + Self.hint(suggestion)
        case .unknownOption(let word, let suggestion): "there is no option '\(word)'" + Self.hint(suggestion)
        case .notBuilt(let what): "'\(what)' is not built yet"
        case .foreignOption(let option, let command, let owners):
            "'\(option)' belongs to \(Self.list(owners.map(\.rawValue), "and")), not to \(command.rawValue)"
        case .missingValue(let option, let placeholder): "'\(option)' needs a value: \(option) \(placeholder)"
        case .needlessValue(let option): "'\(option)' takes no value"
        case .wrongValue(let option, let value, let expected): "'\(option)' takes \(expected), not '\(value)'"
        case .repeated(let option): "'\(option)' is given twice; keep one"
        case .conflict(let one, let other): "'\(one)' and '\(other)' exclude each other; keep one"
        case .lonely(let option, let needed): "'\(option)' means nothing without \(needed)"
        case .planned(let option):
            "'\(option)' belongs to the plan: a saved plan is applied as it was made; give it to 'plan --out', or leave out PLAN"
        case .operands(let operands, let command, let given): Self.describe(operands, of: command, given: given)
        case .wrongOperand(let operand, let expected): "'\(operand)' is not \(expected)"
        }
    }

    private static func describe(_ operands: CommandRow.Operands, of command: CommandName, given: [String]) -> String {
        if operands.count.upperBound == 0, let first = given.first {
            return "\(command.rawValue) takes no operand, and '\(first)' is one"
        }
        let least = operands.count.lowerBound
        let most = operands.count.upperBound
        let range = least == most ? "\(least)" : most == Int.max ? "at least \(least)" : "\(least) to \(most)"
        return "\(command.rawValue) takes \(range) of \(operands.placeholder), not \(given.count)"
    }

    private static func hint(_ suggestion: String?) -> String {
        suggestion.map { "; did you mean '\($0)'?" } ?? ""
    }

    /// Joins words for a sentence: `a, b and c`.
    static func list(_ words: [String], _ conjunction: String) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " \(conjunction) \(last)"
    }
}
