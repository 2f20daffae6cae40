public import JSON
internal import Time

/// A stored body that is not one that this version writes: the ledger was changed by hand, or by a newer version.
public struct MalformedBody: Error, Hashable, Sendable, CustomStringConvertible {
    /// The key that is missing or has no valid value.
    public var key: Text

    /// The error about a key.
    public init(key: Text) {
        self.key = key
    }

    /// The key that is wrong.
    public var description: String { "a stored declaration has no valid '\(key)'" }
}

extension WidgetDeclaration {
    /// Everything that is declared but the name.
    ///
    /// What is absent is left out, so that a key that comes with a later version changes no stored body.
    public var body: Value {
        var object = Object()
        object["expiresAfter"] = expiresAfter.map(Value.seconds)
        object["minInterval"] = minInterval.map(Value.seconds)
        object["reload"] = reload.map(Value.string)
        object["state"] = state
        object["template"] = template.map(Value.string)
        return .object(object)
    }

    /// Reads a body back.
    public init(name: Text, body: Value) throws(MalformedBody) {
        guard let state = body["state"] else { throw MalformedBody(key: "state") }
        self.init(
            name: name,
            state: state,
            template: try body.text("template"),
            reload: try body.text("reload"),
            minInterval: try body.read("minInterval", \.span),
            expiresAfter: try body.read("expiresAfter", \.span)
        )
    }
}

extension ActivityDeclaration {
    /// Everything that is declared but the name; times are seconds since 1970, durations seconds.
    ///
    /// What is absent or has its default value is left out: writing a default out in a file changes nothing.
    public var body: Value {
        var object = Object()
        object["alert"] = alert
        object["attributes"] = attributes == .object(Object()) ? nil : attributes
        object["attributesType"] = .string(attributesType)
        object["end"] = end?.body
        object["expiresAfter"] = expiresAfter.map(Value.seconds)
        object["generation"] = generation.map(Value.string)
        object["minInterval"] = minInterval.map(Value.seconds)
        object["priority"] = priority == .normal ? nil : .string(priority.rawValue)
        object["protect"] = protect ? true : nil
        object["relevanceScore"] = relevanceScore
        object["renew"] = renew ? true : nil
        object["restart"] = restart == .never ? nil : .string(restart.rawValue)
        object["staleAt"] = staleAt.map(Value.seconds)
        object["start"] = start == .remote ? nil : .string(start.rawValue)
        object["state"] = state
        object["template"] = template.map(Value.string)
        return .object(object)
    }

    /// Reads a body back.
    public init(name: Text, body: Value) throws(MalformedBody) {
        guard let attributesType = try body.text("attributesType") else { throw MalformedBody(key: "attributesType") }
        guard let state = body["state"] else { throw MalformedBody(key: "state") }
        self.init(
            name: name,
            attributesType: attributesType,
            attributes: body["attributes"] ?? .object(Object()),
            state: state,
            template: try body.text("template"),
            alert: body["alert"],
            staleAt: try body.read("staleAt", \.moment),
            relevanceScore: body["relevanceScore"],
            start: try body.choice("start") ?? .remote,
            priority: try body.choice("priority") ?? .normal,
            generation: try body.text("generation"),
            restart: try body.choice("restart") ?? .never,
            renew: try body.read("renew", \.bool) ?? false,
            minInterval: try body.read("minInterval", \.span),
            expiresAfter: try body.read("expiresAfter", \.span),
            protect: try body.read("protect", \.bool) ?? false,
            end: try body["end"].map(End.init(body:))
        )
    }
}

extension ActivityDeclaration.End {
    /// The final state and the dismissal, where they are declared.
    fileprivate var body: Value {
        var object = Object()
        object["state"] = state
        object["dismissAt"] = dismissAt.map { dismissal in
            switch dismissal {
            case .now: "now"
            case .at(let moment): .seconds(moment)
            }
        }
        return .object(object)
    }

    fileprivate init(body: Value) throws(MalformedBody) {
        guard body.object != nil else { throw MalformedBody(key: "end") }
        self.init(state: body["state"])
        switch body["dismissAt"] {
        case nil: break
        case "now": dismissAt = .now
        case .integer(let seconds): dismissAt = .at(Moment(seconds: seconds))
        default: throw MalformedBody(key: "dismissAt")
        }
    }
}

extension Value {
    /// The member read in one way; `nil` where it is absent.
    fileprivate func read<Result>(_ key: Text, _ reading: (Value) -> Result?) throws(MalformedBody) -> Result? {
        guard let value = self[key] else { return nil }
        guard let result = reading(value) else { throw MalformedBody(key: key) }
        return result
    }

    fileprivate func text(_ key: Text) throws(MalformedBody) -> Text? {
        try read(key, \.text)
    }

    fileprivate func choice<Choice: RawRepresentable<Text>>(_ key: Text) throws(MalformedBody) -> Choice? {
        try read(key) { $0.text.flatMap(Choice.init(rawValue:)) }
    }
}

/// Times in stored values, which count whole seconds: moments since 1970, and lengths of time.
extension Value {
    static func seconds(_ moment: Moment) -> Value { .integer(moment.seconds) }
    static func seconds(_ span: Span) -> Value { .integer(span.seconds) }

    var moment: Moment? { integer.map(Moment.init(seconds:)) }
    var span: Span? { integer.map(Span.seconds) }
}
