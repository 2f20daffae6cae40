/// How long APNs keeps trying to deliver a push, and how long a delivery may wait to be sent.
public enum Expiry {
    /// A start: 1 hour, in milliseconds.
    public static let start: Int64 = 3_600_000
    /// A reload: 24 hours.
    public static let reload: Int64 = 24 * 3_600_000
    /// An end: 12 hours after the activity's start, when iOS has taken the tile away.
    public static let end: Int64 = 12 * 3_600_000
    /// How long after its start's expiration the report of a launch is due: 5 minutes.
    public static let confirmation: Int64 = 5 * 60_000
    /// How long after its start's expiration a launch that nobody reported may still be shown: 12 hours.
    public static let unreported: Int64 = 12 * 3_600_000

    /// When a push of one kind expires, in milliseconds since 1970.
    ///
    /// - Parameters:
    ///   - kind: What the push does.
    ///   - since: When it was first sent; while it waits, when it was committed.
    ///   - expiresAfter: What the declaration says, in seconds; it overrides all else.
    ///   - staleAt: The declared `staleAt`, in seconds since 1970.
    ///   - startedAt: When the activity was started, in milliseconds since 1970.
    /// - Returns: The time.
    public static func time(
        of kind: Action.Kind,
        since: Int64,
        expiresAfter: Int64?,
        staleAt: Int64? = nil,
        startedAt: Int64 = 0
    ) -> Int64 {
        if let expiresAfter { return since + expiresAfter * 1000 }
        switch kind {
        case .start: return since + start
        case .reload: return since + reload
        case .end: return startedAt + end
        case .update:
            if let staleAt, staleAt * 1000 > since { return staleAt * 1000 }
            return startedAt + Instance.lifetime
        }
    }
}
