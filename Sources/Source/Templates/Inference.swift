internal import Foreign
internal import JSON
internal import Time

/// A schema that all of some values match, and nothing that has other keys or types.
struct Inference {
    private let values: [Value]

    /// Infers from at least one value.
    init(_ values: [Value]) { self.values = values }

    /// The schema: what is in every example is required, and what is in none is not allowed.
    var schema: Value {
        var types: Set<Text> = []
        for value in values { types.insert(Self.type(of: value)) }
        // Every integer is a number.
        if types.contains("number") { types.remove("integer") }
        let names = types.sorted().map(Value.string)
        var schema = Object()
        schema["type"] = names.count == 1 ? names[0] : .array(names)
        let objects = values.compactMap(\.object)
        if !objects.isEmpty {
            schema["properties"] = .object(Object(keys.map { .init(key: $0, value: member($0).schema) }))
            let required = keys.filter { key in objects.allSatisfy { $0[key] != nil } }
            schema["required"] = required.isEmpty ? nil : .array(required.map(Value.string))
            schema["additionalProperties"] = false
        }
        if let elements { schema["items"] = elements.schema }
        return .object(schema)
    }

    /// The places at which every example has a text that is a time.
    func times(at pointer: Pointer) -> [Pointer] {
        let texts = values.compactMap(\.text)
        let isTime =
            texts.count == values.count && texts.allSatisfy { (try? RFC3339.moment(of: $0.string)) != nil }
        return (isTime ? [pointer] : []) + keys.flatMap { member($0).times(at: pointer.appending($0)) }
            + (elements?.times(at: pointer.appending(0)) ?? [])
    }

    private var keys: [Text] { Set(values.flatMap { $0.object?.members.map(\.key) ?? [] }).sorted() }

    private func member(_ key: Text) -> Inference { Inference(values.compactMap { $0[key] }) }

    private var elements: Inference? {
        let elements = values.flatMap { $0.array ?? [] }
        return elements.isEmpty ? nil : Inference(elements)
    }

    private static func type(of value: Value) -> Text {
        switch value {
        case .null: "null"
        case .bool: "boolean"
        case .integer: "integer"
        case .real: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}
