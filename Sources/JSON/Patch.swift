/// A JSON Patch (RFC 6902): the operations that turn one document into another, in order.
public struct Patch: Hashable, Sendable {
    /// One step.
    public enum Operation: Hashable, Sendable {
        /// Adds a member (or replaces it), or inserts an element; the last token `-` appends.
        case add(Pointer, Value)
        /// Removes what is there.
        case remove(Pointer)
        /// Replaces what is there.
        case replace(Pointer, Value)
        /// Removes what is at `from` and adds it at `to`.
        case move(from: Pointer, to: Pointer)
        /// Adds what is at `from` at `to`.
        case copy(from: Pointer, to: Pointer)
        /// Fails unless what is there is equal by value.
        case test(Pointer, Value)
    }

    /// The operations, in the order in which they apply.
    public var operations: [Operation]

    /// A patch of these operations.
    public init(_ operations: [Operation] = []) {
        self.operations = operations
    }

    /// Whether it changes nothing.
    public var isEmpty: Bool { operations.isEmpty }
}

/// Why a patch does not apply or is not one.
public enum PatchError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Nothing is at this place.
    case missing(Pointer)
    /// The place is not one where a value can be added: its parent is no object or array, or the index is too large.
    case noPlace(Pointer)
    /// What is there differs from what the patch expects.
    case testFailed(Pointer)
    /// A value would be moved into itself.
    case moveIntoItself(Pointer)
    /// The operation with this index is not one that RFC 6902 knows; `key` is the member that is wrong.
    case malformed(index: Int, key: Text)

    /// What is wrong, and where.
    public var description: String {
        switch self {
        case .missing(let pointer): "nothing is at '\(pointer)'"
        case .noPlace(let pointer): "nothing can be added at '\(pointer)'"
        case .testFailed(let pointer): "what is at '\(pointer)' is not what the patch expects"
        case .moveIntoItself(let pointer): "'\(pointer)' cannot move into itself"
        case .malformed(let index, let key): "operation \(index) of the patch has no valid '\(key)'"
        }
    }
}
