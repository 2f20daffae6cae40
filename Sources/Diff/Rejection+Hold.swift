public import Time

extension Rejection {
    /// Holds a token, whatever the state, until a newer report: APNs found it invalid at a time before it was reported.
    public static func untilReported(tokenAt: Moment) -> Rejection { Rejection(revision: .max, tokenAt: tokenAt) }

    /// Whether only a newer token report can lift it.
    var holdsToken: Bool { revision == .max }
}
