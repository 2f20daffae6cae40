public import JSON
public import Time

/// The answer of APNs to one push, and its meaning.
///
/// See Apple's "Handling notification responses from APNs".
public struct Answer: Equatable, Sendable {
    /// The treatment of a push after an answer.
    public enum Meaning: Equatable, Sendable {
        /// APNs took it.
        case accepted
        /// The token is no longer valid; since when APNs knows.
        case deadToken(since: Moment?)
        /// The token is wrong, or the environment, key or topic that it was used with.
        case suspectToken
        /// It was not processed; another time it may be.
        case retryLater
        /// Key, team, topic or environment are wrong, which every push of this app and environment would suffer.
        case configuration
        /// The provider token is too old: send it again with a new one, on a new connection.
        case expiredProviderToken
        /// This push is refused for good.
        case rejected
    }

    /// The HTTP status.
    public let status: Int
    /// Apple's reason; `nil` for an accepted push, and where the answer had none.
    public let reason: Text?
    /// The `apns-id`, by which Apple finds the push in its logs.
    public let id: Text?
    /// Its meaning.
    public let meaning: Meaning

    /// Classifies an answer.
    ///
    /// - Parameters:
    ///   - status: The HTTP status.
    ///   - reason: Apple's reason; one that is not known here is judged by the status.
    ///   - id: The `apns-id`.
    ///   - timestamp: Of a 410, since when the token is invalid.
    public init(status: Int, reason: Text?, id: Text? = nil, timestamp: Moment? = nil) {
        self.status = status
        self.reason = reason
        self.id = id
        let known = status == 200 ? .accepted : reason.flatMap { Answer.meanings[$0] }
        // APNs signs every answer with an id and every refusal with a reason: without both, something else answered.
        let isForeign = reason == nil && id == nil
        let meaning = known ?? Answer.meaning(ofUnknownReasonWith: status, isForeign: isForeign)
        self.meaning = meaning == .deadToken(since: nil) ? .deadToken(since: timestamp) : meaning
    }

    /// True where it shows that APNs took the provider token, after which a connection may use all its streams.
    var provesAuthentication: Bool { status != 403 && reason != "TooManyProviderTokenUpdates" }

    /// Every reason that Apple documents, and the older spelling of one.
    static let meanings: [Text: Meaning] = [
        // 400
        "BadCollapseId": .rejected,
        "BadDeviceToken": .suspectToken,
        "BadExpirationDate": .rejected,
        "BadMessageId": .rejected,
        "BadPriority": .rejected,
        "BadTopic": .configuration,
        "DeviceTokenNotForTopic": .suspectToken,
        "DuplicateHeaders": .rejected,
        "IdleTimeout": .retryLater,
        "InvalidPushType": .rejected,
        "MissingDeviceToken": .rejected,
        "MissingTopic": .configuration,
        "PayloadEmpty": .rejected,
        "TopicDisallowed": .configuration,
        // 403
        "BadCertificate": .configuration,
        "BadCertificateEnvironment": .configuration,
        "BadEnvironmentKeyIdInToken": .configuration,
        "BadEnvironmentKeyInToken": .configuration,
        "ExpiredProviderToken": .expiredProviderToken,
        "Forbidden": .configuration,
        "InvalidProviderToken": .configuration,
        "MissingProviderToken": .configuration,
        "UnrelatedKeyIdInToken": .configuration,
        // 404 and 405
        "BadPath": .rejected,
        "MethodNotAllowed": .rejected,
        // 410
        "ExpiredToken": .deadToken(since: nil),
        "Unregistered": .deadToken(since: nil),
        // 413
        "PayloadTooLarge": .rejected,
        // 429
        "TooManyProviderTokenUpdates": .configuration,
        "TooManyRequests": .retryLater,
        // 500 and 503
        "InternalServerError": .retryLater,
        "ServiceUnavailable": .retryLater,
        "Shutdown": .retryLater,
    ]

    private static func meaning(ofUnknownReasonWith status: Int, isForeign: Bool) -> Meaning {
        switch status {
        case 403: .configuration
        case ..<500 where isForeign && status != 429: .configuration
        case 410: .deadToken(since: nil)
        case 429, 500...: .retryLater
        default: .rejected
        }
    }
}
