internal import Diff
internal import Foreign
internal import JSON
internal import Time

extension WidgetDeclaration {
    /// The most bytes that a widget's state may have in canonical form.
    static let stateLimit = 64 << 10

    /// Reads a widget; `nil` where something essential is missing or wrong, which is noted.
    init?(name: Text, _ fields: Fields, _ templates: Templates) {
        fields.check(known: Self.table.keys, elsewhere: (ActivityDeclaration.table.keys, "Live Activities"))
        let members = fields.read(Self.table)
        fields.require(Self.table)
        let template = fields.template(members["template"]?.text, templates)
        guard let state = members["state"] else { return nil }
        if let schema = template?.contract?.state { fields.check(state, ["state"], against: schema, of: template) }
        let wire = template?.contract?.state.wire(state) ?? state
        let size = wire.mostCanonicalBytes > Self.stateLimit ? wire.canonicalBytes.count : 0
        if size > Self.stateLimit {
            fields.add(
                "the state of the widget '\(name.shown)' has \(size) bytes, \(size - Self.stateLimit) more than the "
                    + "\(Self.stateLimit) that are published; shorten it",
                .tooLarge,
                at: "state"
            )
        }
        self.init(name: name, members: members)
    }
}

extension ActivityDeclaration {
    /// Reads a Live Activity; `nil` where something essential is missing or wrong, which is noted.
    init?(name: Text, _ fields: Fields, _ templates: Templates) {
        fields.check(known: Self.table.keys, elsewhere: (WidgetDeclaration.table.keys, "widgets"))
        let members = fields.read(Self.table)
        if members["start"]?.text != Start.app.rawValue, fields.object["alert"] == nil, !fields.isMistyped("alert") {
            fields.findings.add(
                "'alert' is missing: iOS discards the start of a Live Activity without one; add \"alert\" with title "
                    + "and body, or \"start\": \"app\" where the app starts it",
                .missingKey,
                at: fields.pointer,
                part: .key
            )
        }
        fields.require(Self.table)
        let template = fields.template(members["template"]?.text, templates)
        let attributes = fields.object["attributes"] == nil ? .object(Object()) : members["attributes"]
        if let contract = template?.contract {
            if let schema = contract.attributes, let attributes {
                fields.check(attributes, ["attributes"], against: schema, of: template)
            }
            if let state = members["state"] { fields.check(state, ["state"], against: contract.state, of: template) }
            if let last = members["end"]?["state"] {
                fields.check(last, ["end", "state"], against: contract.state, of: template)
            }
        }
        guard members["attributesType"] != nil, members["state"] != nil, attributes != nil else { return nil }
        self.init(name: name, members: members)
        let wire = template?.contract?.wire(self) ?? self
        if let excess = PayloadSize(wire)?.excess {
            fields.findings.add(excess, .tooLarge, at: fields.pointer, part: .key)
        }
    }
}

extension Fields {
    /// Reads the fields of a table, each in its stored form; notes what is wrong with those that are there.
    fileprivate func read(_ table: FieldTable) -> Object {
        Object(
            table.rows.compactMap { row in
                guard object[row.key] != nil, let value = read(row.key, by: row.rule) else { return nil }
                return Object.Member(key: row.key, value: value)
            }
        )
    }

    /// Notes the fields that must be there and are not.
    fileprivate func require(_ table: FieldTable) {
        for row in table.rows {
            if let hint = row.required { _ = required(row.key, hint) }
        }
    }

    private func read(_ key: Text, by rule: Field.Rule) -> Value? {
        switch rule {
        case .any: object[key]
        case .object: read(key, as: "an object") { $0.object == nil ? nil : $0 }
        case .attributes: attributes(key)
        case .alert: alert(key)
        case .text: text(key).map(Value.string)
        case .name: name(key).map(Value.string)
        case .template: template(key).map(Value.string)
        case .number: read(key, as: "a number") { $0.double == nil ? nil : $0 }
        case .flag: read(key, as: "true or false", \.bool).map(Value.bool)
        case .choice(let words): choice(key, of: words).map(Value.string)
        case .duration: duration(key).map { .integer($0.seconds) }
        case .time: date(key).map { .integer($0.seconds) }
        case .timeOrNow: object[key] == "now" ? "now" : date(key).map { .integer($0.seconds) }
        case .fields(let table): nested(key, table).map(Value.object)
        }
    }

    private func nested(_ key: Text, _ table: FieldTable) -> Object? {
        guard let inner = fields(key) else { return nil }
        inner.check(known: table.keys)
        inner.require(table)
        return inner.read(table)
    }

    private func name(_ key: Text) -> Text? {
        guard let name = text(key) else { return nil }
        return DocumentReader.check(name, as: "'\(key)'") { add($0, at: key) } ? name : nil
    }

    private func template(_ key: Text) -> Text? {
        guard let name = text(key) else { return nil }
        if name.isTemplate { return name }
        add("'\(key)' must be NAME@VERSION, such as \"delivery@3\", not '\(name.shown)'", at: key)
        return nil
    }

    private func attributes(_ key: Text) -> Value? {
        guard let attributes = read(key, as: "an object", { $0.object == nil ? nil : $0 }) else { return nil }
        if attributes["launchRequestId"] != nil {
            findings.add(
                "'launchRequestId' is reserved: Lockstep adds it to every start; remove it or rename it",
                at: pointer.appending(key).appending("launchRequestId"),
                part: .key
            )
        }
        return attributes
    }

    /// The moment of a date, to the second.
    private func date(_ key: Text) -> Moment? {
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
    private func duration(_ key: Text) -> Span? {
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
}

// MARK: - Alerts

extension Fields {
    fileprivate func alert(_ key: Text) -> Value? {
        guard let alert = fields(key) else { return nil }
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
