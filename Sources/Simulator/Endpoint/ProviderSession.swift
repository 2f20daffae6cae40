internal import Time

/// Apple's memory of who sends on one connection.
struct ProviderSession {
    /// The time that a connection has to keep a provider token before it may bring another.
    static let shortestUse = Span.minutes(20)

    /// True where a request with a valid provider token has been seen.
    private(set) var isAuthenticated = false
    private var keyID: String?
    private var authorization: String?
    private var changedAt = Moment.distantPast

    /// Checks a provider token against those that this connection has brought before.
    ///
    /// - Throws: ``Refusal`` with `BadEnvironmentKeyIdInToken`, `UnrelatedKeyIdInToken` or
    ///   `TooManyProviderTokenUpdates`.
    mutating func admit(
        _ token: ProviderToken,
        authorization: String,
        keyFits: Bool,
        at now: Moment
    ) throws(Refusal) {
        guard keyFits else { throw Refusal(.badEnvironmentKeyIDInToken) }
        guard keyID == nil || keyID == token.keyID else { throw Refusal(.unrelatedKeyIDInToken) }
        if self.authorization != authorization {
            guard self.authorization == nil || now - changedAt >= Self.shortestUse else {
                throw Refusal(.tooManyProviderTokenUpdates)
            }
            self.authorization = authorization
            changedAt = now
        }
        keyID = token.keyID
        isAuthenticated = true
    }
}
