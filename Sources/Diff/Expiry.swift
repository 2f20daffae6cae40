public import Time

/// The time for which APNs keeps trying to deliver a push, and for which a delivery may wait to be sent.
public enum Expiry {
    /// A start: 1 hour.
    public static let start = Span.hours(1)
    /// A reload: 24 hours.
    public static let reload = Span.hours(24)
    /// An end: 12 hours after the activity's start, when iOS has taken the tile away.
    public static let end = Span.hours(12)
    /// The time after its start's expiration at which the report of a launch is due: 5 minutes.
    public static let confirmation = Span.minutes(5)
    /// The time after its start's expiration for which a launch that nobody reported may be shown: 12 hours.
    public static let unreported = Span.hours(12)

    /// The expiration of a push of one kind.
    ///
    /// - Parameters:
    ///   - kind: The kind of the push.
    ///   - since: The time at which it was first sent; while it waits, the time of its commit.
    ///   - expiresAfter: The time of the declaration; it overrides all else.
    ///   - staleAt: The declared `staleAt`.
    ///   - startedAt: The time at which the activity was started.
    /// - Returns: The time.
    public static func time(
        of kind: Action.Kind,
        since: Moment,
        expiresAfter: Span?,
        staleAt: Moment? = nil,
        startedAt: Moment = .never
    ) -> Moment {
        if let expiresAfter { return since + expiresAfter }
        switch kind {
        case .start: return since + start
        case .reload: return since + reload
        case .end: return startedAt + end
        case .update:
            if let staleAt, staleAt > since { return staleAt }
            return startedAt + Instance.lifetime
        }
    }
}
