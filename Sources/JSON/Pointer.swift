/// A JSON Pointer (RFC 6901): the way from a document's root to one value in it.
public struct Pointer: Hashable, Sendable, CustomStringConvertible {
    /// The unescaped tokens from the root; none for the root itself.
    public var tokens: [Text]

    /// A pointer of unescaped tokens; without any, the root.
    public init(_ tokens: [Text] = []) {
        self.tokens = tokens
    }

    /// Reads `"/a~1b/0"`; `nil` where it is not a pointer.
    public init?(_ string: String) {
        tokens = []
        let parts = string.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.first?.isEmpty == true else { return nil }
        for part in parts.dropFirst() {
            guard let token = Pointer.unescaped(part) else { return nil }
            tokens.append(token)
        }
    }

    private static func unescaped(_ part: Substring.UTF8View) -> Text? {
        var bytes: [UInt8] = []
        var rest = part.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "~") else {
                bytes.append(byte)
                continue
            }
            switch rest.next() {
            case UInt8(ascii: "0"): bytes.append(UInt8(ascii: "~"))
            case UInt8(ascii: "1"): bytes.append(UInt8(ascii: "/"))
            default: return nil
            }
        }
        return Text(String(decoding: bytes, as: UTF8.self))
    }

    /// The pointer as text, escaped.
    public var description: String {
        var bytes: [UInt8] = []
        for token in tokens {
            bytes.append(UInt8(ascii: "/"))
            for byte in token.string.utf8 {
                switch byte {
                case UInt8(ascii: "~"): bytes.append(contentsOf: "~0".utf8)
                case UInt8(ascii: "/"): bytes.append(contentsOf: "~1".utf8)
                default: bytes.append(byte)
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The pointer to a member of the object that this one points to.
    public func appending(_ key: Text) -> Pointer { Pointer(tokens + [key]) }

    /// The pointer to an element of the array that this one points to.
    public func appending(_ index: Int) -> Pointer { appending(Text(String(index))) }

    /// The index that a token means in an array: digits without a leading zero; `nil` for anything else.
    public static func index(_ token: Text) -> Int? {
        let digits = token.string.utf8
        guard let first = digits.first, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        guard first != UInt8(ascii: "0") || digits.count == 1 else { return nil }
        return Int(token.string)
    }
}

extension Value {
    /// The value that a pointer leads to; `nil` where there is none.
    public subscript(pointer: Pointer) -> Value? {
        var value = self
        for token in pointer.tokens {
            switch value {
            case .object(let object):
                guard let member = object[token] else { return nil }
                value = member
            case .array(let elements):
                guard let index = Pointer.index(token), elements.indices.contains(index) else { return nil }
                value = elements[index]
            default: return nil
            }
        }
        return value
    }
}
