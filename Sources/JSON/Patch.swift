/// A JSON Patch (RFC 6902): the operations that turn one document into another, in order.
///
/// Of the six operations these three suffice to say every difference.
public struct Patch: Hashable, Sendable {
    /// One step.
    public enum Operation: Hashable, Sendable {
        /// Adds a member, or inserts an element.
        case add(Pointer, Value)
        /// Removes what is there.
        case remove(Pointer)
        /// Replaces what is there.
        case replace(Pointer, Value)
    }

    /// The operations, in the order in which they apply.
    public var operations: [Operation]

    /// A patch of these operations.
    public init(_ operations: [Operation] = []) {
        self.operations = operations
    }
}

extension Patch {
    /// The patch as the JSON array of RFC 6902.
    public var value: Value { .array(operations.map(\.value)) }

    /// Reads the JSON array of RFC 6902; members that it does not define are ignored, as it demands.
    ///
    /// - Throws: ``PatchError`` about the first operation that is none of ours.
    public init(_ value: Value) throws(PatchError) {
        guard let elements = value.array else { throw PatchError(index: 0, key: "op") }
        operations = []
        for (index, element) in elements.enumerated() {
            operations.append(try Operation(element, index: index))
        }
    }
}

extension Patch.Operation {
    /// The operation as the JSON object of RFC 6902.
    public var value: Value {
        switch self {
        case .add(let path, let value): ["op": "add", "path": .string(Text(path.description)), "value": value]
        case .remove(let path): ["op": "remove", "path": .string(Text(path.description))]
        case .replace(let path, let value): ["op": "replace", "path": .string(Text(path.description)), "value": value]
        }
    }

    fileprivate init(_ value: Value, index: Int) throws(PatchError) {
        func pointer(_ key: Text) throws(PatchError) -> Pointer {
            guard let text = value[key]?.text, let pointer = Pointer(text.string) else {
                throw PatchError(index: index, key: key)
            }
            return pointer
        }
        func operand() throws(PatchError) -> Value {
            guard let operand = value["value"] else { throw PatchError(index: index, key: "value") }
            return operand
        }
        switch value["op"]?.text {
        case "add": self = .add(try pointer("path"), try operand())
        case "remove": self = .remove(try pointer("path"))
        case "replace": self = .replace(try pointer("path"), try operand())
        default: throw PatchError(index: index, key: "op")
        }
    }
}

/// An operation of a patch that is none of ours.
public struct PatchError: Error, Hashable, Sendable {
    /// The index of the operation.
    public var index: Int
    /// The member that is wrong.
    public var key: Text

    /// An error with its facts.
    public init(index: Int, key: Text) {
        self.index = index
        self.key = key
    }
}
