public import Diff
public import Foreign
public import JSON

/// One version of a template: the contract of one renderer, in two schemas.
public struct Template: Sendable {
    /// `name@version`.
    public let name: Text
    /// The file as one value.
    public let document: Value
    /// The places in a declaration that are sensitive.
    let sensitive: [PointerRules.Rule]
    /// The schema of a content state, or of a widget's state.
    public let state: TemplateSchema
    /// The schema of the attributes of a Live Activity; `nil` where they may be anything.
    public let attributes: TemplateSchema?

    /// A template of a document that was checked: ``TemplateCheck``.
    ///
    /// - Throws: An error where a schema cannot be compiled after all.
    public init(_ name: Text, _ document: Value) throws(JSONSchema.Failure) {
        self.name = name
        self.document = document
        sensitive = Self.sensitive(in: document, of: name)
        state = try TemplateSchema(document["state"] ?? true)
        if let attributes = document["attributes"] {
            self.attributes = try TemplateSchema(attributes)
        } else {
            attributes = nil
        }
    }

    /// The digest of the contract, whatever its white space and order of keys: SHA-256 as hex digits.
    ///
    /// The list of what is sensitive is no part of it: that may become known when the version runs already.
    public var digest: Text {
        var contract = document.object ?? Object()
        contract["sensitive"] = nil
        return Text(Hex.text(sha256(Value.object(contract).canonicalBytes)))
    }

    /// The places that a document calls sensitive.
    public static func sensitive(in document: Value, of name: Text) -> [PointerRules.Rule] {
        let texts = (document["sensitive"]?.array ?? []).compactMap(\.text)
        return texts.compactMap { Pointer($0.string) }.map { PointerRules.Rule(.template(name), $0) }
    }

    /// The widget as its state goes out.
    public func wire(_ widget: WidgetDeclaration) -> WidgetDeclaration {
        var widget = widget
        widget.state = state.wire(widget.state)
        return widget
    }

    /// The activity as its attributes and states go out.
    public func wire(_ activity: ActivityDeclaration) -> ActivityDeclaration {
        var activity = activity
        activity.attributes = attributes?.wire(activity.attributes) ?? activity.attributes
        activity.state = state.wire(activity.state)
        if let last = activity.end?.state { activity.end?.state = state.wire(last) }
        return activity
    }

    /// True where an instance that runs with this version can be sent what is declared now.
    public func takes(_ activity: ActivityDeclaration) -> Bool {
        let shown = activity.end.map { $0.state ?? activity.state } ?? activity.state
        return state.problems(with: shown).isEmpty && PayloadSize(wire(activity))?.excess == nil
    }
}
