internal import Foreign
internal import JSON
internal import Time

/// A signing key that Apple knows: who it belongs to, and for which environment it is.
struct ProviderKey {
    let id: String
    let team: String
    let environment: APNsEnvironment
    let key: VerifyingKey
}

/// The claims of a provider token, once its signature has been checked.
struct ProviderToken: Equatable {
    let keyID: String
    let team: String
    let issuedAt: Moment
}

/// Reads and verifies provider tokens (RFC 7515, ES256), remembering those that it has seen.
final class ProviderTokens {
    /// The age that a token may reach.
    static let longestAge = Span.hours(1)
    /// The time that the sender's clock may be ahead.
    static let clockTolerance = Span.minutes(1)

    private let keys: [String: ProviderKey]
    private var verified: [String: ProviderToken] = [:]

    init(keys: [ProviderKey]) {
        self.keys = Dictionary(keys.map { ($0.id, $0) }) { first, _ in first }
    }

    /// The environment that a key is for.
    func environment(ofKey id: String) -> APNsEnvironment? { keys[id]?.environment }

    /// Verifies the token of an `authorization` header.
    ///
    /// - Throws: ``Refusal`` with `MissingProviderToken`, `InvalidProviderToken` or `ExpiredProviderToken`.
    func token(authorization: String?, at now: Moment) throws(Refusal) -> ProviderToken {
        guard let authorization, !authorization.isEmpty else { throw Refusal(.missingProviderToken) }
        let token: ProviderToken
        if let known = verified[authorization] { token = known } else { token = try verify(authorization) }
        let age = Moment(seconds: now.seconds) - token.issuedAt
        guard age >= .zero - Self.clockTolerance else { throw Refusal(.invalidProviderToken) }
        guard age <= Self.longestAge else { throw Refusal(.expiredProviderToken) }
        return token
    }

    private func verify(_ authorization: String) throws(Refusal) -> ProviderToken {
        let words = authorization.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bearer", let token = read(words[1]) else {
            throw Refusal(.invalidProviderToken)
        }
        // A sender has one token an hour; this only bounds what a broken one can make us keep.
        if verified.count >= 1_000 { verified = [:] }
        verified[authorization] = token
        return token
    }

    private func read(_ text: Substring) -> ProviderToken? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let header = decode(parts[0]), let claims = decode(parts[1]),
            let signature = bytes(base64URL: parts[2]), header["alg"] == "ES256",
            let keyID = header["kid"]?.text?.string, let key = keys[keyID],
            let issuedAt = seconds(claims["iat"]), claims["iss"]?.text?.string == key.team,
            key.key.accepts(signature, of: Array("\(parts[0]).\(parts[1])".utf8))
        else { return nil }
        return ProviderToken(keyID: keyID, team: key.team, issuedAt: Moment(seconds: issuedAt))
    }

    private func decode(_ part: String) -> Value? {
        bytes(base64URL: part).flatMap { try? Value(json: $0) }
    }

    /// Apple takes the time as a number, and as a string of digits too, which APNSwift sends.
    private func seconds(_ value: Value?) -> Int64? {
        value?.integer ?? value?.text.flatMap { Int64($0.string) }
    }
}
