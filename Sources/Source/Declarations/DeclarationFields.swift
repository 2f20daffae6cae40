internal import Diff
internal import Foreign
internal import JSON
internal import Time

private let widgetKeys: [Text] = ["state", "template", "reload", "minInterval", "expiresAfter"]
private let activityKeys: [Text] = [
    "attributesType", "attributes", "state", "template", "alert", "staleAt", "relevanceScore", "start", "priority",
    "generation", "restart", "renew", "minInterval", "expiresAfter", "protect", "end",
]

extension WidgetDeclaration {
    /// The most bytes that a widget's state may have in canonical form.
    static let stateLimit = 64 << 10

    /// Reads a widget; `nil` where something essential is missing or wrong, which is noted.
    init?(name: Text, _ fields: Fields, _ templates: Templates) {
        fields.check(known: widgetKeys, elsewhere: (activityKeys, "Live Activities"))
        let template = fields.template(templates)
        let reload = fields.text("reload")
        let minInterval = fields.duration("minInterval")
        let expiresAfter = fields.duration("expiresAfter")
        guard let state = fields.required("state", "\"state\", what the widget shows") else { return nil }
        if let schema = template?.contract?.state { fields.check(state, ["state"], against: schema, of: template) }
        let size = (template?.contract?.state.wire(state) ?? state).canonicalBytes.count
        if size > Self.stateLimit {
            fields.add(
                "the state of the widget '\(name.shown)' has \(size) bytes, \(size - Self.stateLimit) more than the "
                    + "\(Self.stateLimit) that are published; shorten it",
                .tooLarge,
                at: "state"
            )
        }
        self.init(
            name: name,
            state: state,
            template: template?.name,
            reload: reload,
            minInterval: minInterval,
            expiresAfter: expiresAfter
        )
    }
}

extension ActivityDeclaration {
    /// Reads a Live Activity; `nil` where something essential is missing or wrong, which is noted.
    init?(name: Text, _ fields: Fields, _ templates: Templates) {
        fields.check(known: activityKeys, elsewhere: (widgetKeys, "widgets"))
        let template = fields.template(templates)
        let attributes = fields.attributes()
        let alert = fields.alert()
        let staleAt = fields.date("staleAt")
        let score = fields.read("relevanceScore", as: "a number") { $0.double == nil ? nil : $0 }
        let start: Start? = fields.choice("start")
        let priority: Priority? = fields.choice("priority")
        let generation = fields.text("generation")
        let restart: Restart? = fields.choice("restart")
        let renew = fields.read("renew", as: "true or false", \.bool)
        let minInterval = fields.duration("minInterval")
        let expiresAfter = fields.duration("expiresAfter")
        let protect = fields.read("protect", as: "true or false", \.bool)
        let end = fields.end()
        if start ?? .remote == .remote, fields.object["alert"] == nil, !fields.isMistyped("alert") {
            fields.findings.add(
                "'alert' is missing: iOS discards the start of a Live Activity without one; add \"alert\" with title "
                    + "and body, or \"start\": \"app\" where the app starts it",
                .missingKey,
                at: fields.pointer,
                .key
            )
        }
        let type = fields.attributesType()
        let state = fields.required("state", "\"state\", what the Live Activity shows").flatMap { _ in
            fields.read("state", as: "an object") { $0.object == nil ? nil : $0 }
        }
        if let contract = template?.contract {
            if let schema = contract.attributes, let attributes {
                fields.check(attributes, ["attributes"], against: schema, of: template)
            }
            if let state { fields.check(state, ["state"], against: contract.state, of: template) }
            if let last = end?.state { fields.check(last, ["end", "state"], against: contract.state, of: template) }
        }
        guard let type, let state, let attributes else { return nil }
        self.init(
            name: name,
            attributesType: type,
            attributes: attributes,
            state: state,
            template: template?.name,
            alert: alert,
            staleAt: staleAt,
            relevanceScore: score,
            start: start ?? .remote,
            priority: priority ?? .normal,
            generation: generation,
            restart: restart ?? .never,
            renew: renew ?? false,
            minInterval: minInterval,
            expiresAfter: expiresAfter,
            protect: protect ?? false,
            end: end
        )
        let wire = template?.contract?.wire(self) ?? self
        if let excess = PayloadSize(wire)?.excess { fields.findings.add(excess, .tooLarge, at: fields.pointer, .key) }
    }
}

extension Fields {
    fileprivate func attributesType() -> Text? {
        let hint = "\"attributesType\", the Swift name of the ActivityAttributes type"
        guard required("attributesType", hint) != nil, let type = text("attributesType") else { return nil }
        return DocumentReader.check(type, as: "'attributesType'") { add($0, at: "attributesType") } ? type : nil
    }

    /// The attributes, the empty object where there are none.
    fileprivate func attributes() -> Value? {
        guard object["attributes"] != nil else { return .object(Object()) }
        guard let attributes = read("attributes", as: "an object", { $0.object == nil ? nil : $0 }) else { return nil }
        if attributes["launchRequestId"] != nil {
            findings.add(
                "'launchRequestId' is reserved: Lockstep adds it to every start; remove it or rename it",
                at: pointer.appending("attributes").appending("launchRequestId"),
                .key
            )
        }
        return attributes
    }

    /// The moment of a date, to the second.
    fileprivate func date(_ key: Text) -> Moment? {
        let value = object[key]
        guard let value else { return nil }
        do throws(RFC3339.Failure) {
            switch value {
            case .string(let text): return try RFC3339.moment(of: text.string).wholeSecond
            case .integer, .real: throw .epochNumber(value.canonical)
            default: add("'\(key)' must be an RFC 3339 date in a string, not \(value.described)", at: key)
            }
        } catch {
            add("'\(key)': \(error)", at: key)
        }
        return nil
    }

    /// A length of time, such as `"15m"`; at least one, and no more than 30 days.
    fileprivate func duration(_ key: Text) -> Span? {
        let hint = "a length of time such as \"90s\", \"15m\" or \"8h\""
        guard let text = text(key, as: hint) else { return nil }
        guard let span = DurationText.span(text.string) else {
            add("'\(key)' must be \(hint), not '\(text.shown)'", at: key)
            return nil
        }
        guard (.seconds(1)...Self.longestDuration).contains(span) else {
            add("'\(key)' must be between 1s and 720h, not '\(text.shown)'", at: key)
            return nil
        }
        return span
    }

    /// APNs keeps a push for 30 days at the most.
    private static let longestDuration = Span.days(30)

    fileprivate func end() -> ActivityDeclaration.End? {
        guard let end = fields("end") else { return nil }
        end.check(known: ["state", "dismissAt"])
        let state = end.read("state", as: "an object") { $0.object == nil ? nil : $0 }
        if end.object["dismissAt"]?.text == "now" { return .init(state: state, dismissAt: .now) }
        return .init(state: state, dismissAt: end.date("dismissAt").map { .at($0) })
    }
}

// MARK: - Alerts

extension Fields {
    fileprivate func alert() -> Value? {
        guard let alert = fields("alert") else { return nil }
        alert.check(known: ["title", "body", "sound"])
        for key in ["title", "body"] as [Text] {
            guard let value = alert.required(key, "it: a string, or an object with \"loc-key\"") else { continue }
            switch value {
            case .string: break
            case .object: alert.fields(key)?.checkLocalized()
            default:
                alert.add(
                    "'\(key)' must be a string, or an object with 'loc-key', not \(findings.described(value))",
                    at: key
                )
            }
        }
        _ = alert.text("sound", as: "a string such as \"default\"")
        return .object(Object(Array(alert.members)))
    }

    /// Checks `{ "loc-key": …, "loc-args": […] }`.
    private func checkLocalized() {
        check(known: ["loc-key", "loc-args"])
        if required("loc-key", "it: the key in the app's strings") != nil { _ = text("loc-key") }
        guard let arguments = object["loc-args"] else { return }
        if arguments.array?.allSatisfy({ $0.text != nil }) != true {
            add("'loc-args' must be an array of strings", at: "loc-args")
        }
    }
}
