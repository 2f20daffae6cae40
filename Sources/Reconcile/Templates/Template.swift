internal import Diff
internal import Foreign
internal import JSON

/// One version of a template: the contract of one renderer, in two schemas.
struct Template {
    /// `name@version`.
    let name: Text
    /// The file as one value.
    let document: Value
    /// What a content state, or a widget's state, must be.
    let state: TemplateSchema
    /// What the attributes of a Live Activity must be; `nil` where anything may.
    let attributes: TemplateSchema?

    /// A template of a document that was checked: ``TemplateCheck``.
    init(_ name: Text, _ document: Value) throws(JSONSchema.Failure) {
        self.name = name
        self.document = document
        state = try TemplateSchema(document["state"] ?? true)
        if let attributes = document["attributes"] {
            self.attributes = try TemplateSchema(attributes)
        } else {
            attributes = nil
        }
    }

    /// What tells one document from another, whatever its white space and order of keys: SHA-256 as hex digits.
    var digest: Text { Text(hex(sha256(document.canonicalBytes))) }

    /// The widget as its state goes out.
    func wire(_ widget: WidgetDeclaration) -> WidgetDeclaration {
        var widget = widget
        widget.state = state.wire(widget.state)
        return widget
    }

    /// The activity as its attributes and states go out.
    func wire(_ activity: ActivityDeclaration) -> ActivityDeclaration {
        var activity = activity
        activity.attributes = attributes?.wire(activity.attributes) ?? activity.attributes
        activity.state = state.wire(activity.state)
        if let last = activity.end?.state { activity.end?.state = state.wire(last) }
        return activity
    }

    /// Whether an instance that runs with this version can be sent what is declared now.
    func takes(_ activity: ActivityDeclaration) -> Bool {
        let shown = activity.end.map { $0.state ?? activity.state } ?? activity.state
        return state.problems(with: shown).isEmpty && PayloadSize(wire(activity))?.excess == nil
    }
}
