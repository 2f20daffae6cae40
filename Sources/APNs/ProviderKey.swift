public import Foreign
public import JSON
public import Time

/// An APNs authentication key: what Apple's portal names by a key id, for one team.
public final class ProviderKey {
    /// The 10 characters that name the key.
    public let keyID: Text
    /// The 10 characters that name the team.
    public let teamID: Text
    let key: SigningKey
    /// The public half, which says which key this is without being secret.
    let publicPEM: String

    /// Reads a key.
    ///
    /// - Parameters:
    ///   - keyID: The 10 characters that name the key.
    ///   - teamID: The 10 characters that name the team.
    ///   - pem: The contents of the `.p8` file.
    /// - Throws: ``CryptoError`` where that is no key for ES256.
    public init(keyID: Text, teamID: Text, pem: [UInt8]) throws(CryptoError) {
        self.keyID = keyID
        self.teamID = teamID
        key = try SigningKey(pem: pem)
        publicPEM = try key.publicPEM()
    }

    /// Makes a token that counts from `second`.
    ///
    /// - Throws: ``CryptoError`` where OpenSSL cannot sign.
    func token(issuedAt second: Moment) throws(CryptoError) -> ProviderToken {
        let header: Value = ["alg": "ES256", "kid": .string(keyID)]
        let claims: Value = ["iat": .integer(second.seconds), "iss": .string(teamID)]
        let message = base64URL(header.canonicalBytes) + "." + base64URL(claims.canonicalBytes)
        let signature = try key.signature(of: Array(message.utf8))
        return ProviderToken(text: message + "." + base64URL(signature), issuedAt: second)
    }

    /// Reads a token back; `nil` where this key did not make it for this team, or it is damaged.
    func token(_ text: String) -> ProviderToken? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = object(parts[0]), let claims = object(parts[1]),
            header["alg"] == "ES256", header["kid"] == .string(keyID), claims["iss"] == .string(teamID),
            let second = claims["iat"]?.integer, let signature = bytes(base64URL: String(parts[2])),
            let verifier = try? key.publicKey(),
            verifier.accepts(signature, of: Array("\(parts[0]).\(parts[1])".utf8))
        else { return nil }
        return ProviderToken(text: text, issuedAt: Moment(seconds: second))
    }

    private func object(_ part: Substring) -> Value? {
        bytes(base64URL: String(part)).flatMap { try? Value(json: $0) }
    }
}

/// A signed statement of who sends (a JSON Web Token, RFC 7519), which APNs takes for an hour.
///
/// See Apple's "Establishing a token-based connection to APNs". The text is a secret: it never appears in a description.
public struct ProviderToken: Equatable, Sendable, CustomStringConvertible {
    /// The token as it goes into the `authorization` header.
    let text: String
    /// The time at which it was made, to the second.
    public let issuedAt: Moment

    /// For how long a token is used: Apple wants a new one no later than after an hour.
    public static let lifetime = Span.minutes(50)

    /// True where it may be used at a time.
    ///
    /// One from the future may not: the clock was set back, and APNs would refuse it.
    public func isUsable(at second: Moment) -> Bool {
        second >= issuedAt && second < issuedAt + ProviderToken.lifetime
    }

    /// The time at which it was made, without the token.
    public var description: String { "provider token of second \(issuedAt.seconds)" }
}
