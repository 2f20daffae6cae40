/// A string that is compared, hashed and ordered by its UTF-8 bytes.
///
/// Swift's `String` compares by canonical equivalence, so `"é"` typed in two ways counts as equal. What is written to
/// a file, a ledger or the wire is bytes, and so is every comparison of this package.
public struct Text: Hashable, Comparable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The string itself.
    public var string: String

    /// Wraps a string; its bytes are its UTF-8 encoding.
    public init(_ string: String) {
        self.string = string
    }

    /// Wraps a literal.
    public init(stringLiteral value: String) {
        self.string = value
    }

    /// The string itself.
    public var description: String { string }

    /// Whether the two have the same UTF-8 bytes.
    public static func == (left: Text, right: Text) -> Bool {
        left.string.utf8.elementsEqual(right.string.utf8)
    }

    /// Whether `left` comes first in byte order.
    public static func < (left: Text, right: Text) -> Bool {
        left.string.utf8.lexicographicallyPrecedes(right.string.utf8)
    }

    /// Feeds the UTF-8 bytes into `hasher`.
    public func hash(into hasher: inout Hasher) {
        for byte in string.utf8 { hasher.combine(byte) }
        hasher.combine(0xFF as UInt8)
    }
}
