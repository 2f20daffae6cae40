import JSON
import Reconcile
internal import Source

/// `lockstep template new`: writes the first version of a template.
struct TemplateCommand: Equatable, Sendable {
    /// The configuration's path, where one was given.
    let config: String?
    /// The template's name.
    let name: String
    /// Files with example states.
    let examples: [String]
}

extension TemplateCommand {
    /// Reads it from a command line.
    init(_ arguments: Arguments, _ options: GlobalOptions) throws(UsageError) {
        config = options.config
        guard arguments.operands[0] == "new" else {
            throw .wrongOperand(arguments.operands.joined(separator: " "), expected: "new NAME")
        }
        name = arguments.operands[1]
        guard TemplateDraft.isName(name) else {
            throw .wrongOperand(name, expected: "a name in letters, digits, '-', '_' and '.'")
        }
        examples = arguments.texts(.from)
        guard !examples.isEmpty else { throw .missingValue(option: "--from", placeholder: "FILE") }
    }

    func run(_ output: Output) throws -> ExitStatus {
        let configuration = try Project.configuration(config)
        let draft = try TemplateDraft(name, from: examples)
        let file = try draft.write(beside: configuration)
        for pointer in draft.times {
            output.warn(
                "\(pointer) looks like a time: add \"format\": \"swift-date\" to it where the app decodes a Date, or else the "
                    + "app gets the text"
            )
        }
        if output.isJSON {
            output.result(["file": .string(Text(file)), "states": .count(draft.states)])
        } else {
            output.line(file)
            output.say(
                "Inferred from \(draft.states) \(draft.states == 1 ? "state" : "states"); go over it, then name it: "
                    + "\"template\": \"\(name)@1\"."
            )
        }
        return .done
    }
}
