public import JSON

/// Places in declarations, by what they are in: what is masked, or what alone is no reason to push.
///
/// A pointer is one into a declaration as a state file has it, such as `/state/status`; what it says of the state holds for
/// the final state of a declared end too.
public struct PointerRules: Hashable, Sendable {
    /// One place, and in what.
    public struct Rule: Hashable, Sendable {
        /// The declarations that it is about.
        public enum Scope: Hashable, Sendable {
            /// All of them.
            case all
            /// The widgets of a kind, which is their name.
            case widget(Text)
            /// The activities of an attributes type.
            case activity(Text)
            /// Declarations with a template version.
            case template(Text)
        }

        /// The declarations that it is about.
        public var scope: Scope
        /// The place.
        public var pointer: Pointer

        /// A rule.
        public init(_ scope: Scope, _ pointer: Pointer) {
            self.scope = scope
            self.pointer = pointer
        }
    }

    /// The subject of rules: a declaration with all that is known of its committed state, its instances and its file.
    public enum Subject: Hashable, Sendable {
        /// A widget, and the template versions of it.
        case widget(Text, templates: Set<Text>)
        /// An activity: its attributes types and template versions; without any type, it may be of each.
        case activity(types: Set<Text>, templates: Set<Text>)
    }

    /// The rules, in the order of the configuration.
    public var rules: [Rule]

    /// Some rules; without any, nothing is said of anything.
    public init(_ rules: [Rule] = []) {
        self.rules = rules
    }

    /// True where there is none.
    public var isEmpty: Bool { rules.isEmpty }

    /// The places in a declaration, in its declared end too.
    ///
    /// - Parameter subject: The subject.
    /// - Returns: Pointers into it.
    public func pointers(in subject: Subject) -> [Pointer] {
        let own = rules.filter { subject.isMeant(by: $0.scope) }.map(\.pointer)
        guard case .activity = subject else { return own }
        return own.flatMap { pointer -> [Pointer] in
            guard pointer.tokens.first == "state" else { return [pointer] }
            return [pointer, Pointer(["end"] + pointer.tokens)]
        }
    }
}

extension PointerRules.Subject {
    /// The subject that a declared widget is.
    public init(_ widget: WidgetDeclaration) {
        self = .widget(widget.name, templates: Set([widget.template].compactMap(\.self)))
    }

    /// The subject that a declared activity is.
    public init(_ activity: ActivityDeclaration) {
        self = .activity(types: [activity.attributesType], templates: Set([activity.template].compactMap(\.self)))
    }

    /// The attributes and the content of an instance.
    public init(_ instance: Instance) {
        self = .activity(types: [instance.attributesType], templates: Set([instance.template].compactMap(\.self)))
    }

    /// True where rules of a scope are about it.
    public func isMeant(by scope: PointerRules.Rule.Scope) -> Bool {
        switch (scope, self) {
        case (.all, _): true
        case (.widget(let name), .widget(let own, _)): name == own
        case (.activity(let type), .activity(let types, _)): types.isEmpty || types.contains(type)
        case (.template(let template), .widget(_, let templates)): templates.contains(template)
        case (.template(let template), .activity(let types, let templates)):
            types.isEmpty || templates.contains(template)
        case (.widget, .activity), (.activity, .widget): false
        }
    }
}
