internal import Foreign
internal import JSON

extension TemplateSchema {
    /// Says what valijson found in the words of the schema: it names the keyword, not what the keyword asks for.
    struct Words {
        /// The subschemas for the value.
        let nodes: SchemaNodes
        /// The value that is wrong, in words.
        let given: String

        private static let missing = "Missing required property '"
        private static let unknown = "Object contains a property that could not be validated"

        /// The beginning of a reason, the keyword that it is about, and what to say around the keyword's value.
        private static let keywords: [(reason: String, keyword: Text, before: String, after: String)] = [
            ("Failed to match expected value", "const", "must be ", ""),
            ("Failed to match regex", "pattern", "must match ", ""),
            ("Expected number greater than or equal to", "minimum", "must be at least ", ""),
            ("Expected number greater than", "exclusiveMinimum", "must be more than ", ""),
            ("Expected number less than or equal to", "maximum", "must be at most ", ""),
            ("Expected number less than", "exclusiveMaximum", "must be less than ", ""),
            ("Value should be a multiple of", "multipleOf", "must be a multiple of ", ""),
            ("String should be no fewer than", "minLength", "must have at least ", " characters"),
            ("String should be no more than", "maxLength", "must have at most ", " characters"),
            ("Array should contain no fewer than", "minItems", "must have at least ", " elements"),
            ("Array should contain no more than", "maxItems", "must have at most ", " elements"),
            ("Object should have no fewer than", "minProperties", "must have at least ", " members"),
            ("Object should have no more than", "maxProperties", "must have at most ", " members"),
        ]

        /// The problem that a violation is.
        func problem(of violation: JSONSchema.Violation) -> Problem {
            let pointer = violation.pointer
            let reason = violation.reason
            if reason.hasPrefix(Self.unknown), let key = Self.quoted(in: reason) {
                return Problem(pointer: pointer.appending(key), part: .key, reason: unknownKey(key))
            }
            if reason.hasPrefix(Self.missing), let key = Self.quoted(in: reason) {
                return Problem(pointer: pointer, reason: "must have '\(key.shown)'")
            }
            return Problem(pointer: pointer, reason: expectation(reason) ?? Self.plain(reason))
        }

        /// The words for what a keyword asks for; `nil` where valijson's own say it.
        private func expectation(_ reason: String) -> String? {
            if reason.hasPrefix("Value type not permitted"), let types = list(Self.types, \.self) {
                return "must be \(types), not \(given)"
            }
            if reason.hasPrefix("Failed to match against any enum"), let values = list(Self.enumeration, \.canonical) {
                return "must be \(values)"
            }
            guard let (_, keyword, before, after) = Self.keywords.first(where: { reason.hasPrefix($0.reason) }),
                let values = list({ node in node[keyword].map { [$0] } ?? [] }, \.canonical)
            else { return nil }
            return before + values + after
        }

        private func unknownKey(_ key: Text) -> String {
            let known = nodes.nodes.flatMap { $0["properties"]?.object?.members.map(\.key.string) ?? [] }
            if let meant = closest(to: key.string, in: known) { return "is not known; did you mean '\(meant)'?" }
            return known.isEmpty ? "is not allowed" : "is not known; the keys are \(known.joined(separator: ", "))"
        }

        /// `A, B or C` of what any of the subschemas asks for; `nil` where none does.
        private func list<Element>(_ read: (Object) -> [Element], _ text: (Element) -> String) -> String? {
            var texts: [String] = []
            for element in nodes.nodes.flatMap(read).map(text) where !texts.contains(element) { texts.append(element) }
            guard let last = texts.popLast() else { return nil }
            return texts.isEmpty ? last : texts.joined(separator: ", ") + " or " + last
        }

        private static func types(_ node: Object) -> [String] {
            let types = node["type"].map { $0.array ?? [$0] } ?? []
            return types.compactMap { type in
                guard let name = type.text?.string else { return nil }
                return switch name {
                case "null": "null"
                case "boolean": "true or false"
                case "integer": "a whole number"
                case "array", "object": "an \(name)"
                default: "a \(name)"
                }
            }
        }

        private static func enumeration(_ node: Object) -> [Value] { node["enum"]?.array ?? [] }

        /// The text between the last quotation mark but one and the last; keys may hold some themselves.
        private static func quoted(in reason: String) -> Text? {
            let opening = reason.hasPrefix(missing) ? "property '" : "constraints: '"
            guard let start = reason.firstRange(of: opening)?.upperBound, let end = reason.lastIndex(of: "'"),
                start <= end
            else { return nil }
            return Text(String(reason[start..<end]))
        }

        /// valijson's words within a sentence.
        private static func plain(_ reason: String) -> String {
            let sentence = reason.replacing("Target should not validate against schema", with: "matches the schema")
            return sentence.prefix(1).lowercased() + sentence.dropFirst()
        }
    }
}

extension TemplateSchema.Problem {
    /// True where a member is missing: several can be, of one object.
    var isMissing: Bool { reason.hasPrefix("must have '") }
}
