public import Diff
internal import Foreign
public import JSON

/// The origin of a declaration, in a form that costs nothing to keep for each of millions.
///
/// Its line and column are looked up in the file once they have to be shown: ``Locator``.
public struct SourcePlace: Hashable, Sendable {
    /// The path of the file as a run shows it.
    public var file: String
    /// The line that the document begins in; 1 for a file that is one JSON text.
    public var line: Int
    /// The byte that this line begins at.
    public var offset: Int
    /// The way from the root of the line's or the file's JSON text to the declaration.
    public var pointer: Pointer

    /// A source.
    public init(file: String, line: Int = 1, offset: Int = 0, pointer: Pointer = Pointer()) {
        self.file = file
        self.line = line
        self.offset = offset
        self.pointer = pointer
    }

    /// The source in one text, for a table's column.
    public var text: String {
        Value.array([
            .string(Text(file)), .integer(Int64(line)), .integer(Int64(offset)), .string(Text(pointer.description)),
        ]).canonical
    }

    /// Reads ``text`` back; `nil` where it is none.
    public init?(text: String) {
        guard let parts = try? Value(json: text).array, parts.count == 4, let file = parts[0].text,
            let line = parts[1].integer, let offset = parts[2].integer,
            let pointer = parts[3].text.flatMap({ Pointer($0.string) })
        else { return nil }
        self.init(file: file.string, line: Int(line), offset: Int(offset), pointer: pointer)
    }
}

/// One widget or Live Activity that the files declare, with its owner and where it is declared.
public struct Declaration: Hashable, Sendable {
    /// The content of a declaration.
    public enum Content: Hashable, Sendable {
        /// A widget.
        case widget(WidgetDeclaration)
        /// A Live Activity.
        case activity(ActivityDeclaration)
    }

    /// The owner.
    public var owner: Owner
    /// The content.
    public var content: Content
    /// The place that it is declared at.
    public var source: SourcePlace

    /// A declaration.
    public init(owner: Owner, content: Content, source: SourcePlace) {
        self.owner = owner
        self.content = content
        self.source = source
    }

    /// Its name, unique for its owner and kind.
    public var name: Text {
        switch content {
        case .widget(let widget): widget.name
        case .activity(let activity): activity.name
        }
    }

    /// `widget` or `activity`, as in messages.
    public var kind: String {
        switch content {
        case .widget: "widget"
        case .activity: "activity"
        }
    }
}

extension Declaration {
    /// The version of a template that it names.
    var template: Text? {
        switch content {
        case .widget(let widget): widget.template
        case .activity(let activity): activity.template
        }
    }
}

extension Declaration.Content {
    /// The number of its kind in a table.
    var number: Int64 {
        switch self {
        case .widget: 0
        case .activity: 1
        }
    }

    /// Everything that is declared but the name, in its stored form.
    var body: Value {
        switch self {
        case .widget(let widget): widget.body
        case .activity(let activity): activity.body
        }
    }
}
