import Foreign
import JSON
import Reconcile
internal import Source

/// `lockstep validate`: checks files.
struct ValidateCommand: Equatable, Sendable {
    /// The configuration's path, where one was given.
    let config: String?
    /// The paths to check; everything where empty.
    let paths: [String]
}

extension ValidateCommand {
    /// Reads it from a command line.
    init(_ arguments: Arguments, _ options: GlobalOptions) {
        config = options.config
        paths = arguments.operands
    }

    func run(_ output: Output, _ system: SystemEnvironment) throws -> ExitStatus {
        output.streamsEvents = true
        let summary = try ValidateRun(Project.pipeline(config, output, on: system)).run(paths)
        if output.isJSON {
            output.item(summary.event)
        } else if output.options.format == .github {
            output.say(summary.sentence)
        } else if summary.errors + summary.warnings > 0 || output.options.verbosity != .quiet {
            output.line(summary.sentence)
        }
        return summary.errors == 0 ? .done : .badInput
    }
}

extension Loader.Summary {
    fileprivate var sentence: String {
        func count(_ number: Int, _ word: String, plural: String) -> String {
            "\(number) \(number == 1 ? word : plural)"
        }
        let read = [
            count(files, "file", plural: "files"), count(documents, "document", plural: "documents"),
            count(widgets, "widget", plural: "widgets"), count(activities, "activity", plural: "activities"),
            templates > 0 ? count(templates, "template", plural: "templates") : nil,
        ].compactMap(\.self)
        let found =
            [count(errors, "error", plural: "errors")]
            + (warnings > 0 ? [count(warnings, "warning", plural: "warnings")] : [])
        return
            "\(read.joined(separator: ", ")): \(errors == 0 && warnings == 0 ? "all right" : found.joined(separator: ", "))."
    }

    fileprivate var event: Value {
        [
            "type": "validation_summary", "valid": .bool(errors == 0), "files": .count(files),
            "documents": .count(documents), "widgets": .count(widgets), "liveActivities": .count(activities),
            "templates": .count(templates), "errors": .count(errors), "warnings": .count(warnings),
            "message": .string(Text(sentence)),
        ]
    }
}
