public import JSON
internal import Time

/// One key of a declaration: a row of a table, from which follows how it is read, stored, shown and described.
///
/// ``WidgetDeclaration/table`` and ``ActivityDeclaration/table`` are the tables. A key that nothing is decided by needs its row
/// and nothing else.
public struct Field: Sendable {
    /// The rule of a value: the files' form, which a plan shows, and the stored one, which is compared.
    public enum Rule: Sendable {
        /// Any JSON value.
        case any
        /// An object.
        case object
        /// The attributes of an activity: an object without the reserved names; empty where it is left out.
        case attributes
        /// Title, body and perhaps sound.
        case alert
        /// A string.
        case text
        /// A string that can be a name.
        case name
        /// `NAME@VERSION`.
        case template
        /// A number.
        case number
        /// `true`; `false` is the same as leaving it out.
        case flag
        /// One of some words; the first is the same as leaving it out.
        case choice([Text])
        /// A length of time, such as `15m`; stored as seconds.
        case duration
        /// RFC 3339; stored as seconds since 1970.
        case time
        /// A time, or `now`.
        case timeOrNow
        /// An object with fields of its own.
        case fields(FieldTable)
    }

    /// The key.
    public let key: Text
    /// The rule of its value.
    public let rule: Rule
    /// The words that follow "add" where it is missing; `nil` where it may be left out.
    public let required: String?
    /// The help that an editor shows; `nil` where the rule has words of its own.
    public let about: String?

    /// A row.
    public init(_ key: Text, _ rule: Rule, about: String? = nil, required: String? = nil) {
        self.key = key
        self.rule = rule
        self.about = about
        self.required = required
    }
}

extension Field.Rule {
    /// True for a value that is the same as none.
    func isDefault(_ value: Value) -> Bool {
        switch self {
        case .attributes: value == .object(Object())
        case .flag: value == false
        case .choice(let words): value == words.first.map(Value.string)
        default: false
        }
    }

    /// The key whose stored value this version does not write; `nil` where there is none.
    func fault(in value: Value, of key: Text) -> Text? {
        if case .fields(let table) = self, let object = value.object { return table.fault(in: object) }
        let isFine =
            switch self {
            case .any, .object, .attributes, .alert, .number: true
            case .text, .name, .template: value.text != nil
            case .flag: value.bool != nil
            case .choice(let words): value.text.map(words.contains) ?? false
            case .duration, .time: value.integer != nil
            case .timeOrNow: value == "now" || value.integer != nil
            case .fields: false
            }
        return isFine ? nil : key
    }

    /// A stored value as a state file has it.
    func document(_ value: Value) -> Value {
        switch self {
        case .duration: value.span.map { .string(Text(DurationText.text($0))) } ?? value
        case .time, .timeOrNow: value.moment.map { .string(Text(RFC3339.string($0))) } ?? value
        case .fields(let table): value.object.map { .object(table.document($0)) } ?? value
        default: value
        }
    }
}

/// The fields of one kind of object, in the order that people are told them in.
public struct FieldTable: Sendable {
    /// The fields.
    public let rows: [Field]
    /// Their keys.
    public let keys: [Text]
    /// The keys that may not be left out.
    private let required: [Text]

    /// A table of some fields.
    public init(_ rows: [Field]) {
        self.rows = rows
        keys = rows.map(\.key)
        required = rows.filter { $0.required != nil }.map(\.key)
    }

    /// The members that this table knows and that are no defaults, in their stored form.
    ///
    /// - Parameter object: The values that were read.
    /// - Returns: The rest of it.
    func stored(_ object: Object) -> Object {
        // Members that were stored before are nothing else.
        if object.members.allSatisfy(isStored) { return object }
        return Object(object.members.filter(isStored))
    }

    private func isStored(_ member: Object.Member) -> Bool {
        keys.firstIndex(of: member.key).map { !rows[$0].rule.isDefault(member.value) } ?? false
    }

    /// The first key that is missing, or whose stored value this version does not write.
    func fault(in object: Object) -> Text? {
        for member in object.members {
            guard let index = keys.firstIndex(of: member.key) else { continue }
            if let fault = rows[index].rule.fault(in: member.value, of: member.key) { return fault }
        }
        return required.first { object[$0] == nil }
    }

    /// Stored members as a state file has them; what was left out there is left out here, but for attributes.
    func document(_ stored: Object) -> Object {
        var document = stored
        for row in rows {
            switch (stored[row.key], row.rule) {
            case (let value?, _): document[row.key] = row.rule.document(value)
            case (nil, .attributes): document[row.key] = .object(Object())
            case (nil, _): break
            }
        }
        return document
    }
}

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

/// Times in stored values, which count whole seconds: moments since 1970, and lengths of time.
extension Value {
    static func seconds(_ moment: Moment) -> Value { .integer(moment.seconds) }
    static func seconds(_ span: Span) -> Value { .integer(span.seconds) }

    var moment: Moment? { integer.map(Moment.init(seconds:)) }
    var span: Span? { integer.map(Span.seconds) }
}
