internal import Diff
public import JSON

/// Reads the declarations of one subscriber document and notes everything that is wrong with them.
struct DocumentReader: Sendable {
    /// The apps of the configuration.
    let apps: [Text]
    /// The templates that declarations can name.
    let templates: Templates

    static let keys: [Text] = ["subscriber", "app", "widgets", "liveActivities"]
    static let keysNotBuilt: [Text] = ["channel"]

    /// One declaration with the pointer to it.
    typealias Found = (owner: Owner, content: Declaration.Content, pointer: Pointer)

    /// Reads one document; a declaration with an error is left out, the others are handed on.
    func read(_ document: Value, at pointer: Pointer, _ findings: Findings, into found: (Found) -> Void) {
        guard let fields = Fields(document, at: pointer, as: "a subscriber document", findings) else { return }
        fields.check(known: Self.keys, notBuilt: Self.keysNotBuilt)
        let subscriber = subscriber(of: fields)
        let app = app(of: fields)
        let owner = subscriber.flatMap { subscriber in app.map { Owner(subscriber: subscriber, app: $0) } }
        if let widgets = fields.fields("widgets") {
            for member in widgets.members {
                let widget = read(member, in: widgets, as: "widget") {
                    WidgetDeclaration(name: member.key, $0, templates)
                }
                guard let widget, let owner else { continue }
                found((owner, .widget(widget), widgets.pointer.appending(member.key)))
            }
        }
        if let activities = fields.fields("liveActivities") {
            for member in activities.members {
                let activity = read(member, in: activities, as: "Live Activity") {
                    ActivityDeclaration(name: member.key, $0, templates)
                }
                guard let activity, let owner else { continue }
                found((owner, .activity(activity), activities.pointer.appending(member.key)))
            }
        }
    }

    private func read<Result>(
        _ member: Object.Member,
        in parent: Fields,
        as kind: String,
        _ reading: (Fields) -> Result?
    ) -> Result? {
        let pointer = parent.pointer.appending(member.key)
        let isNameFine = Self.check(member.key, as: "the name of a \(kind)") {
            parent.findings.add($0, at: pointer, part: .key)
        }
        guard let fields = Fields(member.value, at: pointer, as: "the \(kind) '\(member.key.shown)'", parent.findings)
        else { return nil }
        let result = reading(fields)
        return isNameFine ? result : nil
    }

    private func subscriber(of fields: Fields) -> Text? {
        guard fields.required("subscriber", "\"subscriber\": \"…\", your own id of the user") != nil,
            let subscriber = fields.text("subscriber")
        else { return nil }
        let isFine = Self.check(subscriber, as: "a subscriber id") { fields.add($0, at: "subscriber") }
        return isFine ? subscriber : nil
    }

    private func app(of fields: Fields) -> Text? {
        let configured = apps.map { "\"\($0)\"" }.joined(separator: ", ")
        guard fields.object["app"] != nil else {
            if apps.count == 1 { return apps[0] }
            fields.findings.add(
                "'app' is missing, and the configuration has several; add \"app\" with one of \(configured)",
                .missingKey,
                at: fields.pointer
            )
            return nil
        }
        guard let app = fields.text("app", as: "a bundle id") else { return nil }
        if apps.contains(app) { return app }
        let meant = closest(to: app.string, in: apps.map(\.string)).map { "; did you mean '\($0)'?" }
        fields.add(
            "the app '\(app.shown)' is not in the configuration\(meant ?? ", which has \(configured)")",
            at: "app"
        )
        return nil
    }

    /// Checks that a text can be an id or a name: 1 to 256 bytes and no control characters.
    ///
    /// `note` gets what is wrong.
    static func check(_ text: Text, as what: String, note: (String) -> Void) -> Bool {
        let count = text.string.utf8.count
        if count == 0 {
            note("\(what) cannot be empty")
        } else if count > 256 {
            note("\(what) has at most 256 bytes, and '\(text.shown)' has \(count)")
        } else if let control = text.string.unicodeScalars.first(where: \.isControl) {
            let hex = String(control.value, radix: 16, uppercase: true)
            let code = String(repeating: "0", count: 4 - hex.count) + hex
            note("\(what) cannot hold a control character, and '\(text.shown)' holds U+\(code)")
        } else {
            return true
        }
        return false
    }
}

extension Declaration {
    /// True for a text that can be an id or a name.
    public static func isName(_ text: Text) -> Bool { DocumentReader.check(text, as: "a name") { _ in } }
}

extension Unicode.Scalar {
    /// True for the general category Cc, which never changes, so that no table has to be asked.
    fileprivate var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}
