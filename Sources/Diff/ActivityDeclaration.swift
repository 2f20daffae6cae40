public import JSON
public import Time

/// One Live Activity that the files declare.
public struct ActivityDeclaration: Hashable, Sendable {
    /// The fields of a Live Activity.
    public static let table = FieldTable([
        Field(
            "attributesType",
            .name,
            about: "The Swift name of the type",
            required: "\"attributesType\", the Swift name of the ActivityAttributes type"
        ),
        Field("attributes", .attributes, about: "Its constants: a change starts it anew"),
        Field("state", .object, about: "Its content state", required: "\"state\", what the Live Activity shows"),
        Field("template", .template),
        Field("alert", .alert),
        Field("staleAt", .time),
        Field("relevanceScore", .number),
        Field("start", .choice(Start.allCases.map(\.rawValue)), about: "Who starts it"),
        Field("priority", .choice(Priority.allCases.map(\.rawValue)), about: "Of silent updates"),
        Field("generation", .text, about: "A new value starts it anew"),
        Field("restart", .choice(Restart.allCases.map(\.rawValue))),
        Field("renew", .flag, about: "Start a new one when 8 hours are over"),
        Field("minInterval", .duration),
        Field("expiresAfter", .duration),
        Field("protect", .flag, about: "Its removal needs --allow-protected"),
        Field("end", .fields(End.table), about: "It is over"),
    ])

    /// The one who starts it.
    public enum Start: Text, Hashable, Sendable, CaseIterable {
        /// Lockstep, by a push to the device's start target.
        case remote
        /// The app; Lockstep adopts, updates and ends it.
        case app
    }

    /// The APNs priority of silent updates.
    public enum Priority: Text, Hashable, Sendable, CaseIterable {
        /// 5
        case normal
        /// 10
        case high
    }

    /// The answer to a launch that the device does not report in time.
    public enum Restart: Text, Hashable, Sendable, CaseIterable {
        /// Nothing, until the generation changes.
        case never
        /// Another launch.
        case ifUnconfirmed = "if-unconfirmed"
    }

    /// The look of a declared end.
    public struct End: Hashable, Sendable {
        /// The fields of an end.
        public static let table = FieldTable([
            Field("state", .object, about: "The last content state"),
            Field("dismissAt", .timeOrNow),
        ])

        /// The final state; the declared state where absent.
        public var state: Value?
        /// The time at which the tile leaves the Lock Screen; absent: iOS decides, up to 4 hours.
        public var dismissAt: Dismissal?

        /// An end with its final state and its dismissal.
        public init(state: Value? = nil, dismissAt: Dismissal? = nil) {
            self.state = state
            self.dismissAt = dismissAt
        }
    }

    /// The time at which a tile leaves the Lock Screen: a fixed one, or the moment of sending.
    public enum Dismissal: Hashable, Sendable {
        /// `"now"`
        case now
        /// To the second.
        case at(Moment)
    }

    /// The name, unique for its owner.
    public var name: Text
    /// The members in their stored form.
    private var members: Object

    /// Everything that is declared but the name; times are seconds since 1970, durations seconds.
    ///
    /// Members with their default value are left out: writing a default out in a file changes nothing, and a key that comes
    /// with a later version changes no stored body.
    public var body: Value { .object(members) }

    /// The activity as a state file has it; what was left out there is left out here.
    public var document: Value { .object(Self.table.document(members)) }

    /// An activity of members in their stored form, each of which was checked.
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
extension ActivityDeclaration {
    /// The Swift name of the `ActivityAttributes` type.
    public var attributesType: Text {
        get { members["attributesType"]?.text ?? "" }
        set { members["attributesType"] = .string(newValue) }
    }

    /// The attributes (an object); `launchRequestId` is reserved.
    public var attributes: Value {
        get { members["attributes"] ?? .object(Object()) }
        set { members["attributes"] = newValue == .object(Object()) ? nil : newValue }
    }

    /// The content state (an object).
    public var state: Value {
        get { members["state"] ?? .null }
        set { members["state"] = newValue }
    }

    /// `name@version`, where declared.
    public var template: Text? {
        get { members["template"]?.text }
        set { members["template"] = newValue.map(Value.string) }
    }

    /// `title`, `body` and perhaps `sound`, as declared.
    public var alert: Value? {
        get { members["alert"] }
        set { members["alert"] = newValue }
    }

    /// After this, to the second, iOS shows the tile as stale.
    public var staleAt: Moment? {
        get { members["staleAt"]?.moment }
        set { members["staleAt"] = newValue.map(Value.seconds) }
    }

    /// A number: the highest one of an app has the Dynamic Island.
    public var relevanceScore: Value? {
        get { members["relevanceScore"] }
        set { members["relevanceScore"] = newValue }
    }

    /// The one who starts it.
    public var start: Start {
        get { members["start"]?.text.flatMap(Start.init(rawValue:)) ?? .remote }
        set { members["start"] = newValue == .remote ? nil : .string(newValue.rawValue) }
    }

    /// The priority of its silent updates.
    public var priority: Priority {
        get { members["priority"]?.text.flatMap(Priority.init(rawValue:)) ?? .normal }
        set { members["priority"] = newValue == .normal ? nil : .string(newValue.rawValue) }
    }

    /// A new value starts a new life.
    public var generation: Text? {
        get { members["generation"]?.text }
        set { members["generation"] = newValue.map(Value.string) }
    }

    /// The answer to a launch that the device does not report in time.
    public var restart: Restart {
        get { members["restart"]?.text.flatMap(Restart.init(rawValue:)) ?? .never }
        set { members["restart"] = newValue == .never ? nil : .string(newValue.rawValue) }
    }

    /// True where a new one is started when iOS's 8 hours are over.
    public var renew: Bool {
        get { members["renew"] == true }
        set { members["renew"] = newValue ? true : nil }
    }

    /// At most one silent update per so long.
    public var minInterval: Span? {
        get { members["minInterval"]?.span }
        set { members["minInterval"] = newValue.map(Value.seconds) }
    }

    /// The time that APNs keeps trying for.
    public var expiresAfter: Span? {
        get { members["expiresAfter"]?.span }
        set { members["expiresAfter"] = newValue.map(Value.seconds) }
    }

    /// True where its removal from the files needs an override that names it.
    public var protect: Bool {
        get { members["protect"] == true }
        set { members["protect"] = newValue ? true : nil }
    }

    /// Present once it is over.
    public var end: End? {
        get { members["end"].map { End(stored: $0) } }
        set { members["end"] = newValue?.stored }
    }
}

extension ActivityDeclaration.End {
    fileprivate var stored: Value {
        var members = Object()
        members["state"] = state
        members["dismissAt"] = dismissAt.map { dismissal in
            switch dismissal {
            case .now: "now"
            case .at(let moment): .seconds(moment)
            }
        }
        return .object(members)
    }

    fileprivate init(stored: Value) {
        self.init(state: stored["state"])
        if let dismissal = stored["dismissAt"] { dismissAt = dismissal.moment.map { .at($0) } ?? .now }
    }
}
