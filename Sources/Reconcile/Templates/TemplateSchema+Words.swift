internal import Foreign
internal import JSON

extension TemplateSchema {
    /// Says what valijson found in the words of the schema: it names the keyword, not what the keyword asks for.
    struct Words {
        /// The subschemas for the value.
        let nodes: SchemaNodes
        /// What the value is that is wrong.
        let given: String

        private static let missing = "Missing required property '"
        private static let unknown = "Object contains a property that could not be validated"

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

        /// What a keyword asks for; `nil` where valijson's own words say it.
        private func expectation(_ reason: String) -> String? {
            if reason.hasPrefix("Value type not permitted"), let types = list(Self.types, \.self) {
                return "must be \(types), not \(given)"
            }
            if reason.hasPrefix("Failed to match against any enum"), let values = list(Self.enumeration, \.canonical) {
                return "must be \(values)"
            }
            if reason.hasPrefix("Failed to match expected value"), let values = list(Self.constant, \.canonical) {
                return "must be \(values)"
            }
            if reason.hasPrefix("Failed to match regex"), let patterns = list(Self.pattern, \.canonical) {
                return "must match \(patterns)"
            }
            return nil
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
        private static func constant(_ node: Object) -> [Value] { node["const"].map { [$0] } ?? [] }
        private static func pattern(_ node: Object) -> [Value] { node["pattern"].map { [$0] } ?? [] }

        /// What stands between the last quotation mark but one and the last; keys may hold some themselves.
        private static func quoted(in reason: String) -> Text? {
            let opening = reason.hasPrefix(missing) ? "property '" : "constraints: '"
            guard let start = reason.firstRange(of: opening)?.upperBound, let end = reason.lastIndex(of: "'"),
                start <= end
            else { return nil }
            return Text(String(reason[start..<end]))
        }

        /// valijson's words within a sentence, and its numbers without the zeros of `printf`.
        private static func plain(_ reason: String) -> String {
            let words = reason.split(separator: " ").map { word in
                guard word.contains("."), Double(word) != nil else { return String(word) }
                let digits = word.reversed().drop { $0 == "0" }.drop { $0 == "." }
                return String(digits.reversed())
            }
            let sentence = words.joined(separator: " ")
            return sentence.prefix(1).lowercased() + sentence.dropFirst()
        }
    }
}

extension TemplateSchema.Problem {
    /// Whether a member is missing: several can be, of one object.
    var isMissing: Bool { reason.hasPrefix("must have '") }
}
