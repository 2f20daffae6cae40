/// The canonical form: RFC 8785 (JSON Canonicalization Scheme), except that integers keep all their digits.
///
/// No white space, members in the order of their keys, strings escaped as little as JSON allows, an integer as itself
/// and a real as the shortest number that reads back the same. Parsing the canonical form gives the same value, so a
/// real of 2^63 or more keeps an exponent; without one it would read as an integer that is too large.
extension Value {
    /// The canonical form as text.
    public var canonical: String { String(decoding: canonicalBytes, as: UTF8.self) }

    /// The canonical form as UTF-8.
    public var canonicalBytes: [UInt8] {
        var bytes: [UInt8] = []
        // More than most values take, so that the bytes are copied once.
        bytes.reserveCapacity(480)
        appendCanonical(to: &bytes)
        return bytes
    }

    /// A number of bytes that the canonical form certainly does not exceed.
    public var mostCanonicalBytes: Int {
        switch self {
        case .null, .bool: 5
        case .integer, .real: 26
        case .string(let text): text.mostCanonicalBytes
        case .array(let elements): elements.reduce(2) { $0 + 1 + $1.mostCanonicalBytes }
        case .object(let object):
            object.members.reduce(2) { $0 + 2 + $1.key.mostCanonicalBytes + $1.value.mostCanonicalBytes }
        }
    }

    /// Appends the canonical form as UTF-8.
    public func appendCanonical(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let bool): bytes.append(contentsOf: (bool ? "true" : "false").utf8)
        case .integer(let integer): bytes.append(contentsOf: String(integer).utf8)
        case .real(let real): Decimal(real).append(to: &bytes)
        case .string(let text): text.appendCanonical(to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for index in elements.indices {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                elements[index].appendCanonical(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object):
            bytes.append(UInt8(ascii: "{"))
            for index in object.members.indices {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                object.members[index].key.appendCanonical(to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                object.members[index].value.appendCanonical(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }
}

extension Text {
    /// The text as a JSON string, quotes included.
    public var canonical: String { Value.string(self).canonical }

    /// Appends the text as a JSON string, quotes included (RFC 8785, section 3.2.2.2).
    public func appendCanonical(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        defer { bytes.append(UInt8(ascii: "\"")) }
        // Hardly any text needs an escape, and one that does not is copied at once.
        guard needsEscapes else { return bytes.append(contentsOf: string.utf8) }
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0x08: bytes.append(contentsOf: #"\b"#.utf8)
            case 0x09: bytes.append(contentsOf: #"\t"#.utf8)
            case 0x0A: bytes.append(contentsOf: #"\n"#.utf8)
            case 0x0C: bytes.append(contentsOf: #"\f"#.utf8)
            case 0x0D: bytes.append(contentsOf: #"\r"#.utf8)
            case 0x00...0x1F:
                bytes.append(contentsOf: (byte < 0x10 ? #"\u000"# : #"\u00"#).utf8)
                bytes.append(contentsOf: String(byte, radix: 16).utf8)
            default: bytes.append(byte)
            }
        }
    }

    /// A byte as an escape has six characters at most.
    fileprivate var mostCanonicalBytes: Int { 2 + 6 * string.utf8.count }

    private var needsEscapes: Bool {
        let bytes = string.utf8Span.span
        for index in bytes.indices {
            let byte = bytes[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return true }
        }
        return false
    }
}
