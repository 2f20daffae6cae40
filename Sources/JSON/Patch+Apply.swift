extension Patch {
    /// The document after all operations.
    ///
    /// - Throws: The first operation that does not apply; then the document has not changed at all.
    public func applied(to document: Value) throws(PatchError) -> Value {
        var result = document
        for operation in operations { try operation.apply(to: &result) }
        return result
    }
}

extension Patch.Operation {
    fileprivate func apply(to document: inout Value) throws(PatchError) {
        switch self {
        case .add(let pointer, let value):
            try document.add(value, at: pointer)
        case .remove(let pointer):
            _ = try document.remove(at: pointer)
        case .replace(let pointer, let value):
            guard document[pointer] != nil else { throw .missing(pointer) }
            try document.edit(at: pointer.tokens[...], of: pointer) { $0 = value }
        case .move(let source, let destination):
            let isPrefix = destination.tokens.starts(with: source.tokens)
            guard !isPrefix || source == destination else { throw .moveIntoItself(source) }
            try document.add(document.remove(at: source), at: destination)
        case .copy(let source, let destination):
            guard let value = document[source] else { throw .missing(source) }
            try document.add(value, at: destination)
        case .test(let pointer, let value):
            guard let found = document[pointer] else { throw .missing(pointer) }
            guard found == value else { throw .testFailed(pointer) }
        }
    }
}

extension Value {
    fileprivate mutating func add(_ value: Value, at pointer: Pointer) throws(PatchError) {
        guard let last = pointer.tokens.last else {
            self = value
            return
        }
        try edit(at: pointer.tokens.dropLast(), of: pointer) { parent throws(PatchError) in
            switch parent {
            case .object(var object):
                object[last] = value
                parent = .object(object)
            case .array(var elements):
                let index = last == "-" ? elements.count : Pointer.index(last)
                guard let index, index <= elements.count else { throw .noPlace(pointer) }
                elements.insert(value, at: index)
                parent = .array(elements)
            default: throw .noPlace(pointer)
            }
        }
    }

    fileprivate mutating func remove(at pointer: Pointer) throws(PatchError) -> Value {
        guard let removed = self[pointer], let last = pointer.tokens.last else { throw .missing(pointer) }
        try edit(at: pointer.tokens.dropLast(), of: pointer) { parent throws(PatchError) in
            switch parent {
            case .object(var object):
                object[last] = nil
                parent = .object(object)
            case .array(var elements):
                guard let index = Pointer.index(last) else { throw .missing(pointer) }
                elements.remove(at: index)
                parent = .array(elements)
            default: throw .missing(pointer)
            }
        }
        return removed
    }

    /// Changes the value that `tokens` lead to; `pointer` is named where they lead nowhere.
    fileprivate mutating func edit(
        at tokens: ArraySlice<Text>,
        of pointer: Pointer,
        _ change: (inout Value) throws(PatchError) -> Void
    ) throws(PatchError) {
        guard let token = tokens.first else { return try change(&self) }
        switch self {
        case .object(var object):
            guard var member = object[token] else { throw .missing(pointer) }
            try member.edit(at: tokens.dropFirst(), of: pointer, change)
            object[token] = member
            self = .object(object)
        case .array(var elements):
            guard let index = Pointer.index(token), elements.indices.contains(index) else { throw .missing(pointer) }
            try elements[index].edit(at: tokens.dropFirst(), of: pointer, change)
            self = .array(elements)
        default: throw .missing(pointer)
        }
    }
}
