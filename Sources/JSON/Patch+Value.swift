extension Patch {
    /// The patch as the JSON array of RFC 6902.
    public var value: Value { .array(operations.map(\.value)) }

    /// Reads the JSON array of RFC 6902; members that it does not define are ignored, as it demands.
    ///
    /// - Throws: `malformed` with the index of the first operation that is not one.
    public init(_ value: Value) throws(PatchError) {
        guard let elements = value.array else { throw .malformed(index: 0, key: "op") }
        operations = []
        for (index, element) in elements.enumerated() {
            operations.append(try Operation(element, index: index))
        }
    }
}

extension Patch.Operation {
    /// The operation as the JSON object of RFC 6902.
    public var value: Value {
        func object(_ name: Value, _ path: Pointer, _ key: String, _ value: Value) -> Value {
            ["op": name, "path": .string(Text(path.description)), key: value]
        }
        return switch self {
        case .add(let path, let value): object("add", path, "value", value)
        case .remove(let path): ["op": "remove", "path": .string(Text(path.description))]
        case .replace(let path, let value): object("replace", path, "value", value)
        case .move(let source, let path): object("move", path, "from", .string(Text(source.description)))
        case .copy(let source, let path): object("copy", path, "from", .string(Text(source.description)))
        case .test(let path, let value): object("test", path, "value", value)
        }
    }

    fileprivate init(_ value: Value, index: Int) throws(PatchError) {
        func pointer(_ key: Text) throws(PatchError) -> Pointer {
            guard let text = value[key]?.text, let pointer = Pointer(text.string) else {
                throw .malformed(index: index, key: key)
            }
            return pointer
        }
        func operand() throws(PatchError) -> Value {
            guard let operand = value["value"] else { throw .malformed(index: index, key: "value") }
            return operand
        }
        switch value["op"]?.text {
        case "add": self = .add(try pointer("path"), try operand())
        case "remove": self = .remove(try pointer("path"))
        case "replace": self = .replace(try pointer("path"), try operand())
        case "move": self = .move(from: try pointer("from"), to: try pointer("path"))
        case "copy": self = .copy(from: try pointer("from"), to: try pointer("path"))
        case "test": self = .test(try pointer("path"), try operand())
        default: throw .malformed(index: index, key: "op")
        }
    }
}
