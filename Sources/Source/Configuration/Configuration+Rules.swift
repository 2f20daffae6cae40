internal import Diff
internal import JSON

extension PointerRules {
    /// The members that a sensitive value can be in: what is shown to the person.
    static let sensitiveKeys: [Text] = ["state", "attributes", "alert"]
    /// The members that can change without a push: not what starts an activity anew, and not what ends it.
    static let ignorableKeys: [Text] = ["state", "alert", "staleAt", "relevanceScore"]

    /// Reads `{ "all": [POINTER…], "widgets": { NAME: [POINTER…] }, "activities": { TYPE: [POINTER…] } }`.
    init(_ fields: Fields, into keys: [Text]) {
        self.init()
        fields.check(known: ["all", "widgets", "activities"])
        if fields.object["all"] != nil { rules += fields.pointers("all", into: keys).map { Rule(.all, $0) } }
        if let widgets = fields.fields("widgets") {
            for member in widgets.members {
                rules += widgets.pointers(member.key, into: keys).map { Rule(.widget(member.key), $0) }
            }
        }
        if let activities = fields.fields("activities") {
            for member in activities.members {
                rules += activities.pointers(member.key, into: keys).map { Rule(.activity(member.key), $0) }
            }
        }
    }
}

extension Fields {
    /// An array of JSON Pointers into a declaration, each beginning with one of some keys.
    func pointers(_ key: Text, into keys: [Text]) -> [Pointer] {
        let elements = read(key, as: "an array of JSON Pointers, such as [\"/state/phone\"]", \.array) ?? []
        return elements.enumerated().compactMap { index, element in
            if let pointer = element.text.flatMap({ Pointer($0.string) }), let first = pointer.tokens.first,
                keys.contains(first)
            {
                return pointer
            }
            let given = element.text.map { "'\($0.shown)'" } ?? element.described
            let beginnings = keys.map { "/\($0)" }.joined(separator: ", ")
            findings.add(
                "this must be a JSON Pointer that begins with one of \(beginnings), such as \"/state/phone\", not \(given)",
                at: pointer.appending(key).appending(index)
            )
            return nil
        }
    }
}
