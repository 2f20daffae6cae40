public import JSON

/// Whose widgets and activities these are: one subscriber of one app.
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
