/// A place in a text: line and column count from 1, and a column is one Unicode code point, a tab included.
public struct Place: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The line, from 1.
    public var line: Int
    /// The column, from 1, in code points of the line.
    public var column: Int

    /// A place.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// The two with a colon: `12:7`.
    public var description: String { "\(line):\(column)" }

    /// By line, then by column.
    public static func < (left: Place, right: Place) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// The fault of a text that is not JSON that Lockstep takes, with its place.
public struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of reasons.
    public enum Kind: Hashable, Sendable {
        /// There is nothing but white space.
        case empty
        /// The text ends before the document does.
        case truncated
        /// Another breach of RFC 8259's grammar.
        case syntax
        /// Bytes that are not UTF-8, or an escape that is half of a surrogate pair.
        case encoding
        /// An integer beyond signed 64 bits, or a real beyond a double.
        case range
        /// Nested too deeply.
        case depth
        /// Too many bytes.
        case size
        /// A key that comes twice in one object.
        case duplicateKey
        /// Two keys of one object that look the same and differ in their bytes.
        case lookalikeKeys
        /// A key with a NUL in it.
        case nulInKey
    }

    /// The kind of reason.
    public var kind: Kind
    /// The place of the fault.
    public var place: Place
    /// The problem and what to do about it, in words, without the place.
    public var text: String

    /// A reason with its place.
    public init(_ kind: Kind, at place: Place, _ text: String) {
        self.kind = kind
        self.place = place
        self.text = text
    }

    /// The place and the reason: `12:7: what is wrong`.
    public var description: String { "\(place): \(text)" }
}

/// The limits on the size of a JSON text.
public struct JSONLimits: Hashable, Sendable {
    /// The most bytes.
    public var bytes: Int
    /// The most arrays and objects inside each other.
    public var depth: Int

    /// The limits of every reader that is given no others: 64 MiB, 128 levels.
    public static let standard = JSONLimits(bytes: 64 << 20, depth: 128)

    /// These limits.
    public init(bytes: Int, depth: Int = 128) {
        self.bytes = bytes
        self.depth = depth
    }
}
