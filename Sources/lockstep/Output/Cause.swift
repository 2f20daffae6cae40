import Diff
import JSON
import Reconcile
internal import Source

/// One of the reasons why a command could not be carried out.
enum Cause: Equatable {
    /// A place in a file.
    case file(Diagnostic)
    /// A safety limit.
    case limit(SafetyViolation)
    /// A declaration that moved since a saved plan was made.
    case conflict(PlanConflict)
    /// A line of a saved plan that is passed over.
    case skipped(SkippedLine)

    /// True for a safety limit.
    var isLimit: Bool { if case .limit = self { true } else { false } }

    /// True where it is only worth a look.
    var isWarning: Bool {
        switch self {
        case .file(let diagnostic): diagnostic.severity == .warning
        case .skipped: true
        case .limit, .conflict: false
        }
    }

    /// For people; of a file, `file:line:column: …` for their editors too.
    var text: String {
        switch self {
        case .file(let diagnostic): diagnostic.rendered
        case .limit(let violation): violation.description
        case .conflict(let conflict): conflict.description
        case .skipped(let line): line.description
        }
    }

    /// On one line.
    var sentence: String { if case .file(let diagnostic) = self { diagnostic.description } else { text } }

    /// For programs: `{ "type": "diagnostic", "severity", "code", "message" }`, and of a file `"file"` and, where there is a
    /// place, `"line"`, `"column"`, `"endLine"`, `"endColumn"`: the last two are behind the last character.
    var event: Value {
        var event = Object()
        event["type"] = "diagnostic"
        switch self {
        case .file(let diagnostic):
            event["severity"] = .string(Text(diagnostic.severity.rawValue))
            event["code"] = .string(Text(diagnostic.code.rawValue))
            event["message"] = .string(Text(diagnostic.message))
            event["file"] = .string(Text(diagnostic.file))
            event["line"] = diagnostic.place.map { .count($0.line) }
            event["column"] = diagnostic.place.map { .count($0.column) }
            event["endLine"] = diagnostic.end.map { .count($0.line) }
            event["endColumn"] = diagnostic.end.map { .count($0.column) }
        case .limit(let violation):
            event["severity"] = "error"
            event["code"] = .string(Text(violation.code))
            event["message"] = .string(Text(violation.description))
        case .conflict(let conflict):
            event["severity"] = "error"
            event["code"] = .string(Text(conflict.cause.rawValue))
            event["message"] = .string(Text(conflict.description))
            event["subscriber"] = .string(conflict.owner.subscriber)
            event["app"] = .string(conflict.owner.app)
            event["kind"] = .string(conflict.kind.rawValue)
            event["name"] = .string(conflict.name)
        case .skipped(let line):
            event["severity"] = "warning"
            event["code"] = "moved_by_device"
            event["message"] = .string(Text(line.description))
            event["subscriber"] = .string(line.entry.owner.subscriber)
            event["app"] = .string(line.entry.owner.app)
            event["name"] = line.entry.name.map(Value.string)
            event["device"] = (line.entry.push?.device).map(Value.string)
        }
        return .object(event)
    }
}

extension SafetyViolation {
    /// A stable name for programs.
    fileprivate var code: String {
        switch self {
        case .removed: "too_many_removed"
        case .replaced: "too_many_replaced"
        case .pushes: "too_many_pushes"
        case .protected: "protected"
        case .empty: "nothing_declared"
        case .rollback: "rollback"
        }
    }
}

/// The problems, as far as one comment can hold them.
struct Problems {
    /// The first of them.
    private(set) var first: [Cause] = []
    /// The number of those that came after.
    private(set) var more = 0

    private static let most = 200

    /// Takes one; a warning keeps nothing from happening.
    mutating func note(_ cause: Cause) {
        guard !cause.isWarning else { return }
        if first.count < Self.most { first.append(cause) } else { more += 1 }
    }
}
