public import JSON

/// The owner of widgets and activities: one subscriber of one app.
///
/// Cursors of desired and recorded state both run in this order: by the bytes of the subscriber, then of the app.
public struct Owner: Hashable, Comparable, Sendable {
    /// The caller's own user id, 1 to 256 bytes of UTF-8, or an anonymous id (`anon_…`).
    public var subscriber: Text
    /// The app's bundle id.
    public var app: Text

    /// One subscriber of one app.
    public init(subscriber: Text, app: Text) {
        self.subscriber = subscriber
        self.app = app
    }

    /// By the bytes of the subscriber, then of the app.
    public static func < (left: Owner, right: Owner) -> Bool {
        left.subscriber == right.subscriber ? left.app < right.app : left.subscriber < right.subscriber
    }
}

/// The owners that a cursor covers: all whose subscriber lies between two, both included.
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

    /// True of an owner whose subscriber is one of them.
    public func contains(_ owner: Owner) -> Bool { first <= owner.subscriber && owner.subscriber <= last }
}

extension Text {
    /// True of the id of somebody who was not identified: `anon_…`.
    public var isAnonymous: Bool { string.utf8.starts(with: "anon_".utf8) }
}
