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

    /// Compares the UTF-8 bytes of the two.
    public static func == (left: Text, right: Text) -> Bool {
        // Most that are equal are short, or copies of one string.
        if left.representation == right.representation { return true }
        // Known without looking at a byte, and most often different where the texts are.
        guard left.string.utf8.count == right.string.utf8.count else { return false }
        let left = left.string.utf8Span.span
        let right = right.string.utf8Span.span
        for index in left.indices where left[index] != right[index] { return false }
        return true
    }

    /// Compares in byte order.
    public static func < (left: Text, right: Text) -> Bool {
        let left = left.string.utf8Span.span
        let right = right.string.utf8Span.span
        for index in 0..<min(left.count, right.count) where left[index] != right[index] {
            return left[index] < right[index]
        }
        return left.count < right.count
    }

    /// The two words that stand for the string: where they are the same, so is all behind them.
    private var representation: (UInt64, UInt64) { unsafe unsafeBitCast(string, to: (UInt64, UInt64).self) }

    /// Feeds the UTF-8 bytes into `hasher`.
    public func hash(into hasher: inout Hasher) {
        let bytes = string.utf8Span.span
        unsafe bytes.withUnsafeBufferPointer { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(bytes.count)
    }
}

extension Text {
    /// True where the text is in Unicode's Normalization Form C.
    ///
    /// Of two texts that look the same and differ in bytes, at least one is not.
    public var isComposed: Bool {
        if string.utf8.allSatisfy({ $0 < 0x80 }) { return true }
        var span = string.utf8Span
        return span.checkForNFC(quickCheck: false)
    }

    /// The code points of everything that is not printable ASCII, for showing two texts that look the same.
    ///
    /// `"é"` is `\u{e9}` in one spelling and `e\u{301}` in the other.
    public var spelledOut: String {
        string.unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
    }
}
