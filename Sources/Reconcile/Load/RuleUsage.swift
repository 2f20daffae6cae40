internal import Diff
internal import JSON

/// Which rules of the configuration the declarations have something for.
///
/// One that matches nothing is a typing error more often than not, and what it was to hide is shown.
struct RuleUsage {
    private let rules: PointerRules
    /// The key of the configuration that has them.
    private let key: Text
    private var matched: [Bool]
    /// Whether anything was declared at all.
    private var isUsed = false

    init(_ rules: PointerRules, of key: Text) {
        self.rules = rules
        self.key = key
        matched = rules.rules.map { _ in false }
    }

    /// Takes a declaration.
    mutating func note(_ content: Declaration.Content) {
        guard !rules.isEmpty else { return }
        isUsed = true
        let open = rules.rules.indices.filter { !matched[$0] && content.isMeant(by: rules.rules[$0].scope) }
        guard !open.isEmpty else { return }
        let document = content.document
        for index in open {
            // An activity's end has a state of its own.
            let end = document["end"]
            matched[index] = document[rules.rules[index].pointer] != nil || end?[rules.rules[index].pointer] != nil
        }
    }

    /// What is doubtful about the rules.
    func warnings(_ configuration: Configuration) -> [Diagnostic] {
        guard isUsed else { return [] }
        return rules.rules.indices.filter { !matched[$0] }.map { index in
            let rule = rules.rules[index]
            var warning = configuration.error(
                "'\(rule.pointer)' matches nothing that is declared\(rule.scope.words); check how it is spelt",
                at: place(of: index)
            )
            warning.severity = .warning
            return warning
        }
    }

    /// Where a rule stands in the configuration.
    private func place(of index: Int) -> Pointer {
        let scope = rules.rules[index].scope
        let list: [Text] =
            switch scope {
            case .all: ["all"]
            case .widget(let name): ["widgets", name]
            case .activity(let type): ["activities", type]
            case .template: []
            }
        return Pointer([key] + list).appending(rules.rules[..<index].count { $0.scope == scope })
    }
}

extension Declaration.Content {
    fileprivate func isMeant(by scope: PointerRules.Rule.Scope) -> Bool {
        switch self {
        case .widget(let widget): PointerRules.Subject(widget).isMeant(by: scope)
        case .activity(let activity): PointerRules.Subject(activity).isMeant(by: scope)
        }
    }

    fileprivate var document: Value {
        switch self {
        case .widget(let widget): widget.document
        case .activity(let activity): activity.document
        }
    }
}

extension PointerRules.Rule.Scope {
    fileprivate var words: String {
        switch self {
        case .all, .template: ""
        case .widget(let name): " for a widget '\(name.shown)'"
        case .activity(let type): " for activities of '\(type.shown)'"
        }
    }
}
