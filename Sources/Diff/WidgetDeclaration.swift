public import JSON
public import Time

/// One widget that the files declare.
public struct WidgetDeclaration: Hashable, Sendable {
    /// The fields of a widget.
    public static let table = FieldTable([
        Field("state", .any, about: "What the widget shows", required: "\"state\", what the widget shows"),
        Field("template", .template),
        Field("reload", .text, about: "A new value reloads though the state is the same"),
        Field("minInterval", .duration),
        Field("expiresAfter", .duration),
    ])

    /// The WidgetKit kind it is published under.
    public var name: Text
    /// The members in their stored form.
    private var members: Object

    /// Everything that is declared but the name; times are seconds since 1970, durations seconds.
    ///
    /// Members with their default value are left out: writing a default out in a file changes nothing, and a key that comes
    /// with a later version changes no stored body.
    public var body: Value { .object(members) }

    /// The widget as a state file has it; what was left out there is left out here.
    public var document: Value { .object(Self.table.document(members)) }

    /// A widget of members in their stored form, each of which was checked.
    public init(name: Text, members: Object) {
        self.name = name
        self.members = Self.table.stored(members)
    }

    /// Reads a body back.
    ///
    /// - Throws: ``MalformedBody``.
    public init(name: Text, body: Value) throws(MalformedBody) {
        let members = body.object ?? Object()
        if let key = Self.table.fault(in: members) { throw MalformedBody(key: key) }
        self.init(name: name, members: members)
    }
}

/// The members that something is decided by.
extension WidgetDeclaration {
    /// The shown value: any JSON value of at most 64 KiB.
    public var state: Value {
        get { members["state"] ?? .null }
        set { members["state"] = newValue }
    }

    /// `name@version`, where declared.
    public var template: Text? {
        get { members["template"]?.text }
        set { members["template"] = newValue.map(Value.string) }
    }

    /// A new value reloads though the state is the same.
    public var reload: Text? {
        get { members["reload"]?.text }
        set { members["reload"] = newValue.map(Value.string) }
    }

    /// At most one reload per so long.
    public var minInterval: Span? {
        get { members["minInterval"]?.span }
        set { members["minInterval"] = newValue.map(Value.seconds) }
    }

    /// The time that APNs keeps trying for.
    public var expiresAfter: Span? {
        get { members["expiresAfter"]?.span }
        set { members["expiresAfter"] = newValue.map(Value.seconds) }
    }
}
