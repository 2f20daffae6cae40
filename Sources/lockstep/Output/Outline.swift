import JSON

/// A JSON value as a person reads it: a line for each member, indented, each element of an array after a dash.
enum Outline {
    /// The lines of a value.
    static func lines(of value: Value) -> [String] {
        switch value {
        case .object(let object): object.members.flatMap { lines(of: $0.value, named: $0.key.string) }
        case .array(let elements): elements.flatMap(item)
        default: [text(value)]
        }
    }

    private static func lines(of value: Value, named name: String) -> [String] {
        switch value {
        case .null, .array([]), .object(Object()): []
        // Values that people declared themselves stand as they would write them.
        case .object where ["state", "attributes", "alert"].contains(name): ["\(name): \(value.canonical)"]
        case .object, .array: ["\(name):"] + lines(of: value).map { "  \($0)" }
        default: ["\(name): \(text(value))"]
        }
    }

    private static func item(_ value: Value) -> [String] {
        let lines = lines(of: value)
        return zip(["- "] + lines.dropFirst().map { _ in "  " }, lines).map { $0 + $1 }
    }

    private static func text(_ value: Value) -> String { value.text?.string ?? value.canonical }
}
