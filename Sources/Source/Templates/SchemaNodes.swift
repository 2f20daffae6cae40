internal import Foreign
internal import JSON

/// The subschemas of one schema that may have something to say about one place in a value.
///
/// All branches count: of `anyOf` as of `allOf`, of `then` as of `else`.
struct SchemaNodes {
    private let root: Value
    private(set) var nodes: [Object] = []

    /// The subschemas for a value as a whole.
    init(_ root: Value) {
        self.root = root
        expand(root)
    }

    private init(_ root: Value, _ schemas: [Value]) {
        self.root = root
        for schema in schemas { expand(schema) }
    }

    /// The subschemas for one member of an object.
    func member(_ key: Text) -> SchemaNodes {
        var schemas: [Value] = []
        for node in nodes {
            let before = schemas.count
            if let property = node["properties"]?[key] { schemas.append(property) }
            for pattern in node["patternProperties"]?.object?.members ?? []
            where JSONSchema.finds(pattern.key, in: key) {
                schemas.append(pattern.value)
            }
            if schemas.count == before, let others = node["additionalProperties"] { schemas.append(others) }
        }
        return SchemaNodes(root, schemas)
    }

    /// The subschemas for one element of an array.
    func element(_ index: Int) -> SchemaNodes {
        let schemas = nodes.compactMap { node -> Value? in
            guard let items = node["items"] else { return nil }
            guard let tuple = items.array else { return items }
            return tuple.indices.contains(index) ? tuple[index] : node["additionalItems"]
        }
        return SchemaNodes(root, schemas)
    }

    /// The subschemas for what a pointer leads to in a value.
    func following(_ pointer: Pointer, in value: Value) -> SchemaNodes {
        var nodes = self
        var value: Value? = value
        for token in pointer.tokens {
            nodes = value?.array == nil ? nodes.member(token) : nodes.element(Int(token.string) ?? 0)
            value = value?[Pointer([token])]
        }
        return nodes
    }

    /// The first date format that any of them has.
    var dateFormat: DateFormat? {
        nodes.lazy.compactMap { $0["format"]?.text.flatMap(DateFormat.init(rawValue:)) }.first
    }

    private mutating func expand(_ schema: Value) {
        var followed: Set<Text> = []
        expand(schema, &followed)
    }

    private mutating func expand(_ schema: Value, _ followed: inout Set<Text>) {
        guard let node = schema.object else { return }
        // Only the reference counts, and nothing beside it.
        if let reference = node["$ref"]?.text {
            guard followed.insert(reference).inserted, let target = Self.target(of: reference, in: root) else { return }
            return expand(target, &followed)
        }
        nodes.append(node)
        for key in Self.branches { node[key]?.array?.forEach { expand($0, &followed) } }
        for key in Self.conditions { if let branch = node[key] { expand(branch, &followed) } }
        // Names in place of a schema say nothing about values.
        for branch in node["dependencies"]?.object?.members ?? [] { expand(branch.value, &followed) }
    }

    /// Keywords with schemas for the very value that the schema is about.
    static let branches: [Text] = ["allOf", "anyOf", "oneOf"]
    /// Keywords with one such schema.
    static let conditions: [Text] = ["then", "else"]

    /// The schema that `"#/definitions/…"` leads to; `nil` where it leads nowhere, or out of the schema.
    static func target(of reference: Text, in root: Value) -> Value? {
        guard reference.string.utf8.first == UInt8(ascii: "#"),
            let pointer = Pointer(String(reference.string.dropFirst()))
        else { return nil }
        return root[pointer]
    }
}
