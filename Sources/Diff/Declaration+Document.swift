public import JSON
internal import Time

// Declarations as they stand in a file, so that a plan shows differences in the words that people wrote.

extension WidgetDeclaration {
    /// The widget as a state file has it.
    public var document: Value {
        var object = Object()
        object["state"] = state
        object["template"] = template.map(Value.string)
        object["reload"] = reload.map(Value.string)
        object["minInterval"] = minInterval.map(Value.duration)
        object["expiresAfter"] = expiresAfter.map(Value.duration)
        return .object(object)
    }
}

extension ActivityDeclaration {
    /// The activity as a state file has it; what was left out there is left out here.
    public var document: Value {
        var object = Object()
        object["attributesType"] = .string(attributesType)
        object["attributes"] = attributes
        object["state"] = state
        object["template"] = template.map(Value.string)
        object["alert"] = alert
        object["staleAt"] = staleAt.map { .string(Text(RFC3339.string($0))) }
        object["relevanceScore"] = relevanceScore
        object["start"] = start == .remote ? nil : .string(start.rawValue)
        object["priority"] = priority == .normal ? nil : .string(priority.rawValue)
        object["generation"] = generation.map(Value.string)
        object["restart"] = restart == .never ? nil : .string(restart.rawValue)
        object["renew"] = renew ? true : nil
        object["minInterval"] = minInterval.map(Value.duration)
        object["expiresAfter"] = expiresAfter.map(Value.duration)
        object["protect"] = protect ? true : nil
        object["end"] = end?.document
        return .object(object)
    }
}

extension ActivityContent {
    /// The content as a state file has it.
    public var document: Value {
        var object = Object()
        object["state"] = state
        object["staleAt"] = staleAt.map { .string(Text(RFC3339.string($0))) }
        object["relevanceScore"] = relevanceScore
        object["alert"] = alert
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

extension ActivityDeclaration.Dismissal {
    fileprivate var document: Value {
        switch self {
        case .now: "now"
        case .at(let moment): .string(Text(RFC3339.string(moment)))
        }
    }
}

extension Value {
    /// A length of time as a state file has it.
    fileprivate static func duration(_ span: Span) -> Value {
        .string(Text(DurationText.text(span)))
    }
}
