public import JSON

/// Which owners a cursor covers: all whose subscriber lies between two, both included.
public struct OwnerRange: Hashable, Sendable {
    /// The first subscriber.
    public var first: Text
    /// The last subscriber.
    public var last: Text

    /// Every owner: no subscriber comes after U+10FFFF.
    public static let all = OwnerRange(first: "", last: "\u{10FFFF}\u{10FFFF}")

    /// Exactly one subscriber.
    public static func only(_ subscriber: Text) -> OwnerRange { OwnerRange(first: subscriber, last: subscriber) }

    /// The subscribers that begin with a prefix.
    public static func prefix(_ prefix: Text) -> OwnerRange {
        OwnerRange(first: prefix, last: Text(prefix.string + "\u{10FFFF}\u{10FFFF}"))
    }

    /// The subscribers between two.
    public init(first: Text, last: Text) {
        self.first = first
        self.last = last
    }
}
