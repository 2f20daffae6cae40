/// The places in a JSON text: the line and column of every key and value, and every key that comes twice.
///
/// The parser keeps no positions and stops at the first duplicate, so this reads the raw bytes again. It costs more
/// than parsing: make one only when there is a problem to show.
public struct Places: Sendable {
    /// The part of a member that a place is of.
    public enum Part: Hashable, Sendable {
        /// The key; of an element or the root, which have none, the value.
        case key
        /// The value.
        case value
    }

    /// Keys of one object that are the same or look the same, with the place of each.
    public struct Duplicate: Hashable, Sendable {
        /// The object that holds them.
        public var object: Pointer
        /// The keys as they read once their escapes are resolved, in the order of the text.
        public var keys: [Text]
        /// The place of each of ``keys``.
        public var places: [Place]
    }

    /// The first thing that is not JSON; places are known up to there.
    public private(set) var error: ParseError?

    private struct Node: Sendable {
        var parent: Int
        var key: Text?
        /// Of the key's bytes; of an element and the root, which have none, `nil`.
        var keyRange: Range<Int>?
        var offset: Int
        /// Behind the value's last byte; of what has no end, its first.
        var end: Int
        var children: [Int] = []
    }

    private var scanner: Scanner
    private var nodes: [Node] = []
    private var lineStarts: [Int]
    private let depth: Int
    private let firstLine: Int

    /// Reads a text; `firstLine` is the number of its first line, for one line of a file of many documents.
    public init(_ bytes: [UInt8], firstLine: Int = 1, limits: JSONLimits = .standard) {
        scanner = Scanner(bytes)
        lineStarts = [scanner.position]
        depth = limits.depth
        self.firstLine = firstLine
        for index in bytes.indices where bytes[index] == 0x0A { lineStarts.append(index + 1) }
        do throws(Scanner.Fault) { try walk() } catch {
            self.error = ParseError(error.kind, at: place(at: error.offset), error.text)
        }
    }

    /// The place of what a pointer leads to, of a key that comes twice the last one; `nil` where there is nothing.
    public func place(of pointer: Pointer, _ part: Part = .value) -> Place? {
        bytes(of: pointer, part).map { place(at: $0.lowerBound) }
    }

    /// The range of the bytes that a pointer leads to.
    func bytes(of pointer: Pointer, _ part: Part) -> Range<Int>? {
        guard !nodes.isEmpty else { return nil }
        var node = 0
        for token in pointer.tokens {
            let children = nodes[node].children
            if scanner.bytes[nodes[node].offset] == UInt8(ascii: "[") {
                guard let index = Pointer.index(token), children.indices.contains(index) else { return nil }
                node = children[index]
            } else {
                guard let child = children.last(where: { nodes[$0].key == token }) else { return nil }
                node = child
            }
        }
        let value = nodes[node].offset..<nodes[node].end
        return part == .key ? nodes[node].keyRange ?? value : value
    }

    /// All keys that come twice in one object, or look the same, in the order of the text.
    public func duplicates() -> [Duplicate] {
        var found: [(first: Int, duplicate: Duplicate)] = []
        for index in nodes.indices where nodes[index].children.count > 1 {
            // Swift's String is equal by canonical equivalence: here that is what is wanted.
            var groups: [String: [Int]] = [:]
            for child in nodes[index].children {
                if let key = nodes[child].key { groups[key.string, default: []].append(child) }
            }
            for children in groups.values where children.count > 1 {
                let duplicate = Duplicate(
                    object: pointer(to: index),
                    keys: children.compactMap { nodes[$0].key },
                    places: children.map { place(at: nodes[$0].keyRange?.lowerBound ?? nodes[$0].offset) }
                )
                found.append((children[0], duplicate))
            }
        }
        return found.sorted { $0.first < $1.first }.map(\.duplicate)
    }

    /// The error about a fault that a walk of its own found.
    static func error(_ fault: Scanner.Fault, in bytes: [UInt8]) -> ParseError {
        ParseError(fault.kind, at: Places(bytes).place(at: fault.offset), fault.text)
    }

    /// The place of a byte.
    func place(at offset: Int) -> Place {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        let start = min(lineStarts[low], offset)
        let column = scanner.bytes[start..<offset].count { $0 & 0xC0 != 0x80 } + 1
        return Place(line: low + firstLine, column: column)
    }

    private func pointer(to node: Int) -> Pointer {
        var tokens: [Text] = []
        var node = node
        while node > 0 {
            let parent = nodes[node].parent
            let index = nodes[parent].children.firstIndex(of: node) ?? 0
            tokens.append(nodes[node].key ?? Text(String(index)))
            node = parent
        }
        return Pointer(tokens.reversed())
    }
}

// MARK: - The walk

extension Places {
    private mutating func walk() throws(Scanner.Fault) {
        scanner.skipSpace()
        guard scanner.next != nil else {
            throw Scanner.Fault(
                kind: .empty,
                offset: scanner.position,
                text: "there is nothing here; a document is an object"
            )
        }
        var open: [Int] = []
        try value(in: &open)
        while let container = open.last {
            let isObject = scanner.bytes[nodes[container].offset] == UInt8(ascii: "{")
            let close: Character = isObject ? "}" : "]"
            scanner.skipSpace()
            if scanner.take(close) {
                nodes[container].end = scanner.position
                open.removeLast()
                continue
            }
            if !nodes[container].children.isEmpty { try comma(before: close) }
            if isObject {
                let keyOffset = scanner.position
                let (key, keyEnd) = try key()
                try value(key: key, keyOffset..<keyEnd, in: &open)
            } else {
                try value(in: &open)
            }
        }
        scanner.skipSpace()
        if scanner.next != nil {
            let fault = scanner.unexpected("the end")
            guard fault.kind == .syntax else { throw fault }
            throw Scanner.Fault(
                kind: .syntax,
                offset: fault.offset,
                text: "the document ended before this; a file holds one document, an array of them, or is .ndjson"
            )
        }
    }

    private mutating func comma(before close: Character) throws(Scanner.Fault) {
        let offset = scanner.position
        guard scanner.take(",") else { throw scanner.unexpected("',' or '\(close)'") }
        scanner.skipSpace()
        if let next = scanner.next, next == close.asciiValue {
            throw Scanner.Fault(
                kind: .syntax,
                offset: offset,
                text: "a comma before '\(close)' is not JSON; remove it"
            )
        }
    }

    /// A key, and where it ends.
    private mutating func key() throws(Scanner.Fault) -> (Text, Int) {
        guard scanner.next == UInt8(ascii: "\"") else { throw scanner.unexpected("a key in double quotes") }
        let offset = scanner.position
        let key = try scanner.string()
        let end = scanner.position
        if key.string.utf8.contains(0) {
            throw Scanner.Fault(kind: .nulInKey, offset: offset, text: "a key cannot hold a NUL")
        }
        scanner.skipSpace()
        guard scanner.take(":") else { throw scanner.unexpected("':' after the key") }
        scanner.skipSpace()
        return (key, end)
    }

    /// A value, or the beginning of an array or object.
    private mutating func value(
        key: Text? = nil,
        _ keyRange: Range<Int>? = nil,
        in open: inout [Int]
    ) throws(Scanner.Fault) {
        let node = nodes.count
        let offset = scanner.position
        nodes.append(
            Node(
                parent: open.last ?? 0,
                key: key,
                keyRange: keyRange,
                offset: offset,
                end: offset
            )
        )
        if let parent = open.last { nodes[parent].children.append(node) }
        switch scanner.next {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard open.count < depth else {
                throw Scanner.Fault(
                    kind: .depth,
                    offset: offset,
                    text: "more than \(depth) arrays and objects inside each other"
                )
            }
            _ = scanner.take("{") || scanner.take("[")
            open.append(node)
        case UInt8(ascii: "\""): _ = try scanner.string()
        case let byte? where byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte): try scanner.number()
        default: try scanner.word()
        }
        if open.last != node { nodes[node].end = scanner.position }
    }
}

// MARK: - Words

extension Places.Duplicate {
    /// The error at the key with this index, which names the first one's place; two that only look the same are
    /// shown by their code points.
    public func error(at index: Int) -> ParseError {
        let earlier = keys[..<index].firstIndex { $0 == keys[index] }
        if let earlier {
            return ParseError(
                .duplicateKey,
                at: places[index],
                "the key \(keys[index].canonical) is already at \(places[earlier]); remove one of the two"
            )
        }
        return ParseError(
            .lookalikeKeys,
            at: places[index],
            "the key \"\(keys[index].spelledOut)\" looks the same as \"\(keys[0].spelledOut)\" at \(places[0]); "
                + "rename one of the two"
        )
    }
}

extension Places {
    /// The bytes of a line, without its end.
    public func line(_ number: Int) -> ArraySlice<UInt8> {
        let index = number - firstLine
        guard lineStarts.indices.contains(index) else { return [] }
        let rest = scanner.bytes[lineStarts[index]...]
        return rest.prefix { $0 != 0x0A }
    }
}
