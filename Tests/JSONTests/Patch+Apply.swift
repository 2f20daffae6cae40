import JSON

/// The other half of RFC 6902, which shows what a patch does.
extension Patch {
    /// The document after all operations; `nil` where one does not apply.
    func applied(to document: Value) -> Value? {
        operations.reduce(Optional(document)) { document, operation in
            switch operation {
            case .add(let pointer, _), .remove(let pointer), .replace(let pointer, _):
                document?.after(operation, at: pointer.tokens[...])
            }
        }
    }
}

extension Value {
    /// The value after an operation at the end of a path; `nil` where it does not apply.
    fileprivate func after(_ operation: Patch.Operation, at tokens: ArraySlice<Text>) -> Value? {
        switch self {
        case _ where tokens.isEmpty:
            switch operation {
            case .add(_, let value), .replace(_, let value): return value
            case .remove: return nil
            }
        case .object(let object): return object.after(operation, at: tokens).map(Value.object)
        case .array(let elements): return elements.after(operation, at: tokens).map(Value.array)
        default: return nil
        }
    }
}

extension Object {
    fileprivate func after(_ operation: Patch.Operation, at tokens: ArraySlice<Text>) -> Object? {
        guard let token = tokens.first else { return nil }
        var object = self
        switch operation {
        case .add(_, let value) where tokens.count == 1: object[token] = value
        case .remove where tokens.count == 1 && self[token] != nil: object[token] = nil
        default:
            guard let member = self[token]?.after(operation, at: tokens.dropFirst()) else { return nil }
            object[token] = member
        }
        return object
    }
}

extension [Value] {
    fileprivate func after(_ operation: Patch.Operation, at tokens: ArraySlice<Text>) -> [Value]? {
        guard let token = tokens.first, let index = token == "-" ? count : Pointer.index(token) else { return nil }
        var elements = self
        switch operation {
        case .add(_, let value) where tokens.count == 1 && index <= count: elements.insert(value, at: index)
        case .remove where tokens.count == 1 && index < count: elements.remove(at: index)
        default:
            guard index < count, let element = self[index].after(operation, at: tokens.dropFirst()) else { return nil }
            elements[index] = element
        }
        return elements
    }
}
