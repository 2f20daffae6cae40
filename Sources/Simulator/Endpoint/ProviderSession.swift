/// What Apple remembers of one connection about who sends on it.
struct ProviderSession {
    /// How long a connection has to keep a provider token before it may bring another, in milliseconds.
    static let shortestUse: Int64 = 20 * 60_000

    /// Whether a request with a valid provider token has been seen.
    private(set) var isAuthenticated = false
    private var keyID: String?
    private var authorization: String?
    private var changedAt: Int64 = 0

    /// Checks a provider token against those that this connection has brought before.
    ///
    /// - Throws: ``Refusal`` with `BadEnvironmentKeyIdInToken`, `UnrelatedKeyIdInToken` or
    ///   `TooManyProviderTokenUpdates`.
    mutating func admit(
        _ token: ProviderToken,
        authorization: String,
        keyFits: Bool,
        at now: Int64
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
