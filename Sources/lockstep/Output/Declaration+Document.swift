import Diff
import Foreign
import JSON

// Declarations as they stand in a file, so that a plan shows differences in the words that people wrote.

extension WidgetDeclaration {
    /// The widget as a state file has it.
    var document: Value {
        var object = Object()
        object["state"] = state
        object["template"] = template.map(Value.string)
        object["reload"] = reload.map(Value.string)
        return .object(object)
    }
}

extension ActivityDeclaration {
    /// The activity as a state file has it; what was left out there is left out here.
    var document: Value {
        var object = Object()
        object["attributesType"] = .string(attributesType)
        object["attributes"] = attributes
        object["state"] = state
        object["template"] = template.map(Value.string)
        object["alert"] = alert
        object["staleAt"] = staleAt.map { .string(Text(RFC3339.string(seconds: $0))) }
        object["relevanceScore"] = relevanceScore
        object["start"] = start == .remote ? nil : .string(start.rawValue)
        object["priority"] = priority == .normal ? nil : .string(priority.rawValue)
        object["generation"] = generation.map(Value.string)
        object["protect"] = protect ? true : nil
        object["end"] = end?.document
        return .object(object)
    }
}

extension ActivityDeclaration.End {
    fileprivate var document: Value {
        var object = Object()
        object["state"] = state
        object["dismissAt"] = dismissAt?.document
        return .object(object)
    }
}

extension ActivityDeclaration.Moment {
    fileprivate var document: Value {
        switch self {
        case .now: "now"
        case .at(let seconds): .string(Text(RFC3339.string(seconds: seconds)))
        }
    }
}
