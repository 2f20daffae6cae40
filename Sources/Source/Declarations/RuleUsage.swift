internal import Diff
internal import JSON

/// The use of the configuration's rules: those that the declarations have something for.
///
/// One that matches nothing is a typing error more often than not, and what it was to hide is shown.
struct RuleUsage {
    private let rules: PointerRules
    /// The key of the configuration that has them.
    private let key: Text
    private var matched: [Bool]
    /// For each rule, true where all rules leave something of a state that it matches.
    private var spares: [Bool]
    /// True once anything was declared at all.
    private var isUsed = false

    init(_ rules: PointerRules, of key: Text) {
        self.rules = rules
        self.key = key
        matched = rules.rules.map { _ in false }
        // Rules that hide may hide everything.
        spares = rules.rules.map { _ in key != "ignore" }
    }

    /// Takes a declaration.
    mutating func note(_ content: Declaration.Content) {
        guard !rules.isEmpty else { return }
        isUsed = true
        let open = rules.rules.indices.filter {
            !(matched[$0] && spares[$0]) && content.subject.isMeant(by: rules.rules[$0].scope)
        }
        guard !open.isEmpty else { return }
        let document = content.document
        let state = rules.rest(of: document, in: content.subject)["state"] ?? .null
        let sparesState = state != .null && state != .object(Object())
        for index in open {
            let pointer = rules.rules[index].pointer
            // An activity's end has a state of its own.
            guard document[pointer] != nil || document["end"]?[pointer] != nil else { continue }
            matched[index] = true
            spares[index] = spares[index] || sparesState
        }
    }

    /// True where there is a rule that what was taken says too little about.
    var isOpen: Bool { rules.rules.indices.contains { !(matched[$0] && spares[$0]) } }

    /// The doubts about the rules.
    func warnings(_ configuration: Configuration) -> [Diagnostic] {
        guard isUsed else { return [] }
        return rules.rules.indices.compactMap { index in
            guard let doubt = doubt(about: index) else { return nil }
            var warning = configuration.error(
                "'\(rules.rules[index].pointer)' \(doubt)",
                .doubtfulRule,
                at: place(of: index)
            )
            warning.severity = .warning
            return warning
        }
    }

    private func doubt(about index: Int) -> String? {
        if !matched[index] {
            return "matches nothing that is declared\(rules.rules[index].scope.words); check how it is spelt"
        }
        return spares[index]
            ? nil : "leaves nothing of any state: no change of it is ever sent; name the members that may be ignored"
    }

    /// The place of a rule in the configuration.
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
    fileprivate var subject: PointerRules.Subject {
        switch self {
        case .widget(let widget): .init(widget)
        case .activity(let activity): .init(activity)
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
