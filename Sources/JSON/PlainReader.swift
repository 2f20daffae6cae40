extension Value {
    /// The value of a plain JSON text, read in one pass; `nil` where it is not plain, be it right or wrong.
    ///
    /// Most texts are plain: strings without escapes, keys in ASCII and each once, integers of at most 18 digits. What is
    /// not, the parser of record decides, and this says nothing of it; what is, both read as the same value.
    ///
    /// - Parameters:
    ///   - bytes: The text, as UTF-8.
    ///   - depth: The most arrays and objects inside each other.
    public init?(plain bytes: Span<UInt8>, depth: Int) {
        var reader = PlainReader()
        guard let value = try? reader.document(bytes, depth: depth) else { return nil }
        self = value
    }
}

/// Reads a plain JSON text from its beginning to its end, and gives up at the first thing that is not plain.
private struct PlainReader {
    /// Something that is not plain.
    struct NotPlain: Error {}

    private var position = 0

    /// The one value of the text.
    mutating func document(_ bytes: Span<UInt8>, depth: Int) throws(NotPlain) -> Value {
        let value = try value(bytes, depth: depth)
        skipSpace(bytes)
        guard position == bytes.count else { throw NotPlain() }
        return value
    }

    private mutating func skipSpace(_ bytes: Span<UInt8>) {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    /// The next byte behind white space.
    private mutating func next(_ bytes: Span<UInt8>) throws(NotPlain) -> UInt8 {
        skipSpace(bytes)
        guard position < bytes.count else { throw NotPlain() }
        return bytes[position]
    }

    private mutating func value(_ bytes: Span<UInt8>, depth: Int) throws(NotPlain) -> Value {
        switch try next(bytes) {
        case UInt8(ascii: "{"): return .object(try object(bytes, depth: depth))
        case UInt8(ascii: "["): return .array(try array(bytes, depth: depth))
        case UInt8(ascii: "\""): return .string(try string(bytes).text)
        case UInt8(ascii: "t"): return try word("true", in: bytes, as: .bool(true))
        case UInt8(ascii: "f"): return try word("false", in: bytes, as: .bool(false))
        case UInt8(ascii: "n"): return try word("null", in: bytes, as: .null)
        default: return try number(bytes)
        }
    }

    private mutating func word(_ word: StaticString, in bytes: Span<UInt8>, as value: Value) throws(NotPlain) -> Value {
        for byte in word.description.utf8 {
            guard position < bytes.count, bytes[position] == byte else { throw NotPlain() }
            position += 1
        }
        return value
    }

    /// True where the element or member behind this one is to be read; false behind `end`, which is taken.
    private mutating func continues(_ bytes: Span<UInt8>, until end: UInt8) throws(NotPlain) -> Bool {
        let byte = try next(bytes)
        position += 1
        if byte == UInt8(ascii: ",") { return true }
        guard byte == end else { throw NotPlain() }
        return false
    }

    private mutating func array(_ bytes: Span<UInt8>, depth: Int) throws(NotPlain) -> [Value] {
        guard depth > 0 else { throw NotPlain() }
        position += 1
        var elements: [Value] = []
        if try next(bytes) == UInt8(ascii: "]") {
            position += 1
            return elements
        }
        repeat {
            elements.append(try value(bytes, depth: depth - 1))
        } while try continues(bytes, until: UInt8(ascii: "]"))
        return elements
    }

    private mutating func object(_ bytes: Span<UInt8>, depth: Int) throws(NotPlain) -> Object {
        guard depth > 0 else { throw NotPlain() }
        position += 1
        var members: [Object.Member] = []
        if try next(bytes) == UInt8(ascii: "}") {
            position += 1
            return Object()
        }
        members.reserveCapacity(4)
        repeat {
            guard try next(bytes) == UInt8(ascii: "\"") else { throw NotPlain() }
            let key = try string(bytes)
            // Keys that look the same differ in one that is not ASCII at least.
            guard key.isASCII, try next(bytes) == UInt8(ascii: ":") else { throw NotPlain() }
            position += 1
            members.append(Object.Member(key: key.text, value: try value(bytes, depth: depth - 1)))
        } while try continues(bytes, until: UInt8(ascii: "}"))
        let object = Object(members)
        guard object.count == members.count else { throw NotPlain() }
        return object
    }

    private mutating func string(_ bytes: Span<UInt8>) throws(NotPlain) -> (text: Text, isASCII: Bool) {
        position += 1
        let start = position
        var isASCII = true
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") { break }
            guard byte >= 0x20, byte != UInt8(ascii: "\\") else { throw NotPlain() }
            if byte >= 0x80 { isASCII = false }
            position += 1
        }
        guard position < bytes.count else { throw NotPlain() }
        let text = try text(bytes.extracting(start..<position))
        position += 1
        return (text, isASCII)
    }

    private func text(_ bytes: Span<UInt8>) throws(NotPlain) -> Text {
        do { return Text(String(copying: try UTF8Span(validating: bytes))) } catch { throw NotPlain() }
    }

    private mutating func number(_ bytes: Span<UInt8>) throws(NotPlain) -> Value {
        let start = position
        let isNegative = bytes[position] == UInt8(ascii: "-")
        if isNegative { position += 1 }
        let first = position
        var integer: Int64 = 0
        skipDigits(bytes) { integer = integer &* 10 &+ Int64($0) }
        let digits = position - first
        guard digits > 0, digits == 1 || bytes[first] != UInt8(ascii: "0") else { throw NotPlain() }
        var isInteger = true
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            isInteger = false
            position += 1
            guard skipDigits(bytes) > 0 else { throw NotPlain() }
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            position += 1
            if position < bytes.count, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(bytes[position]) {
                position += 1
            }
            guard skipDigits(bytes) > 0 else { throw NotPlain() }
        }
        if isInteger {
            guard digits <= 18, !isNegative || integer != 0 else { throw NotPlain() }
            return .integer(isNegative ? -integer : integer)
        }
        guard let real = Double(try text(bytes.extracting(start..<position)).string), real.isFinite else {
            throw NotPlain()
        }
        return .number(real)
    }

    /// Passes over digits, handing out the value of each, and returns their number.
    @discardableResult
    private mutating func skipDigits(_ bytes: Span<UInt8>, _ take: (UInt8) -> Void = { _ in }) -> Int {
        let start = position
        while position < bytes.count, bytes[position] >= UInt8(ascii: "0"), bytes[position] <= UInt8(ascii: "9") {
            take(bytes[position] - UInt8(ascii: "0"))
            position += 1
        }
        return position - start
    }
}
