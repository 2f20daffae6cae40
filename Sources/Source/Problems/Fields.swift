internal import JSON

/// The members of one object that a person wrote: reads each in the type it must have, and notes what is wrong.
struct Fields {
    /// The object.
    let object: Object
    /// The place of the object.
    let pointer: Pointer
    /// The list that problems go to.
    let findings: Findings

    /// The object at a pointer; notes what else is there.
    init?(_ value: Value, at pointer: Pointer, as what: @autoclosure () -> String, _ findings: Findings) {
        guard let object = value.object else {
            findings.add("\(what()) must be an object, not \(findings.described(value))", at: pointer)
            return nil
        }
        self.object = object
        self.pointer = pointer
        self.findings = findings
    }

    /// The members but `$schema` and `$comment`, which are accepted everywhere.
    var members: some Sequence<Object.Member> {
        object.members.lazy.filter { $0.key != "$schema" && $0.key != "$comment" }
    }

    /// Notes every key that is neither known nor planned; `elsewhere` are keys of another kind of object.
    func check(
        known: [Text],
        notBuilt: [Text] = [],
        elsewhere: (keys: [Text], of: String)? = nil
    ) {
        for member in members where !known.contains(member.key) {
            let key = member.key
            let message: String
            if notBuilt.contains(key) {
                message = "'\(key)' is not built yet; remove it"
            } else if let elsewhere, elsewhere.keys.contains(key) {
                message = "'\(key)' is a key of \(elsewhere.of), not of this; remove it"
            } else if let meant = closest(to: key.string, in: known.map(\.string)) {
                message = "unknown key '\(key.shown)'; did you mean '\(meant)'?"
            } else {
                let keys = known.map(\.string).joined(separator: ", ")
                message = "unknown key '\(key.shown)'; the keys here are \(keys)"
            }
            findings.add(message, .unknownKey, at: pointer.appending(key), part: .key)
        }
    }

    /// Notes an error about the value of a key.
    func add(
        _ message: String,
        _ code: Diagnostic.Code = .wrongValue,
        at key: Text,
        part: Places.Part = .value
    ) {
        findings.add(message, code, at: pointer.appending(key), part: part)
    }

    /// The value of a key that must be there.
    func required(_ key: Text, _ hint: String) -> Value? {
        if let value = object[key] { return value }
        if isMistyped(key) { return nil }
        findings.add("'\(key)' is missing; add \(hint)", .missingKey, at: pointer, part: .key)
        return nil
    }

    /// True where another key is probably this one, which ``check(known:notBuilt:elsewhere:)`` says then.
    func isMistyped(_ key: Text) -> Bool {
        members.contains { closest(to: $0.key.string, in: [key.string]) != nil }
    }

    /// The value of a key in the type it must have; `nil` where it is absent or has another one, which is noted.
    func read<Result>(_ key: Text, as what: String, _ reading: (Value) -> Result?) -> Result? {
        guard let value = object[key] else { return nil }
        if let result = reading(value) { return result }
        add("'\(key)' must be \(what), not \(findings.described(value))", at: key)
        return nil
    }

    /// A string.
    func text(_ key: Text, as what: String = "a string") -> Text? {
        guard let value = object[key] else { return nil }
        if let text = value.text { return text }
        let hint = what == "a string" && findings.showsValues ? value.integer.map { "; write \"\($0)\"" } : nil
        add("'\(key)' must be \(what), not \(findings.described(value))\(hint ?? "")", at: key)
        return nil
    }

    /// One of a few words.
    func choice(_ key: Text, of choices: [Text]) -> Text? {
        let words = choices.map { "'\($0)'" }.joined(separator: " or ")
        guard let text = text(key, as: words) else { return nil }
        if choices.contains(text) { return text }
        add("'\(key)' must be \(words), not '\(text.shown)'", at: key)
        return nil
    }

    /// The members of an object.
    func fields(_ key: Text) -> Fields? {
        object[key].flatMap { Fields($0, at: pointer.appending(key), as: "'\(key)'", findings) }
    }
}

extension Value {
    /// The kind of the value, in words.
    var kindInWords: String {
        switch self {
        case .bool: "a boolean"
        case .integer, .real: "a number"
        default: described
        }
    }

    /// The value in words: the content of strings, arrays and objects stays out of messages.
    var described: String {
        switch self {
        case .null: "null"
        case .bool(let bool): bool ? "true" : "false"
        case .integer, .real: canonical
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension Text {
    /// The text for a message on one line: control characters as escapes, and no more than 80 characters.
    var shown: String {
        let scalars = string.unicodeScalars
        let text = scalars.prefix(80).map { scalar in
            scalar.properties.generalCategory == .control ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }
        return text.joined() + (scalars.count > 80 ? "…" : "")
    }
}
