internal import Foreign
internal import JSON
internal import Time

/// Apple's refusal of a request.
struct Refusal: Error, Equatable {
    let reason: Reason
    /// The death of the token, with status 410.
    var timestamp: Moment?

    init(_ reason: Reason, timestamp: Moment? = nil) {
        self.reason = reason
        self.timestamp = timestamp
    }
}

/// A push that Apple accepts.
struct AcceptedPush {
    let token: PushToken
    let record: TokenRecord
    let push: Push
    /// The end of the time that Apple keeps it for a phone out of reach; `nil` does not keep it.
    let expires: Moment?
}

/// Checks requests as Apple does, and in Apple's order: the first fault is the answer.
struct Inspector {
    /// The time that Apple keeps a push that names no expiration.
    static let storage = Span.days(30)
    /// The longest `apns-collapse-id`, in bytes.
    static let longestCollapseID = 64

    let tokens: ProviderTokens
    /// The team of each app.
    let teams: [String: String]
    /// The phones.
    let world: World

    /// Checks one request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - payload: Its body as JSON, where it is that.
    ///   - environment: The service that it reached.
    ///   - session: Apple's memory of its connection.
    ///   - now: The present.
    /// - Returns: The push.
    /// - Throws: ``Refusal`` with Apple's reason.
    func inspect(
        _ request: SimulatedRequest,
        payload: Value?,
        environment: APNsEnvironment,
        session: inout ProviderSession,
        at now: Moment
    ) throws(Refusal) -> AcceptedPush {
        guard request.method == "POST" else { throw Refusal(.methodNotAllowed) }
        let token = try Inspector.token(inPath: request.path)
        try checkRepetition(request)
        let provider = try authenticate(request, environment: environment, session: &session, at: now)
        let (topic, pushType) = try checkTopic(request, team: provider.team)
        try checkPriority(request, pushType)
        let expires = try expiration(request, at: now)
        try checkIdentifiers(request)
        let push = Push(payload: try checkPayload(of: request, payload, pushType: pushType), pushType: pushType)
        let record = try checkToken(token, app: topic, pushType: pushType, environment: environment)
        return AcceptedPush(token: token, record: record, push: push, expires: expires)
    }

    /// The token of a path.
    static func token(inPath path: String) throws(Refusal) -> PushToken {
        let prefix = "/3/device"
        guard path.utf8.starts(with: prefix.utf8) else { throw Refusal(.badPath) }
        let rest = path.utf8.dropFirst(prefix.utf8.count)
        guard let slash = rest.first else { throw Refusal(.missingDeviceToken) }
        let digits = rest.dropFirst()
        guard slash == UInt8(ascii: "/"), !digits.contains(UInt8(ascii: "/")) else { throw Refusal(.badPath) }
        guard !digits.isEmpty else { throw Refusal(.missingDeviceToken) }
        guard let bytes = Hex.bytes(digits) else { throw Refusal(.badDeviceToken) }
        return PushToken(bytes: bytes)
    }

    private func checkRepetition(_ request: SimulatedRequest) throws(Refusal) {
        let names = request.headers.lazy.map(\.name)
        for (index, name) in names.enumerated() where name.utf8.starts(with: "apns-".utf8) || name == "authorization" {
            guard !names.dropFirst(index + 1).contains(name) else { throw Refusal(.duplicateHeaders) }
        }
    }

    private func authenticate(
        _ request: SimulatedRequest,
        environment: APNsEnvironment,
        session: inout ProviderSession,
        at now: Moment
    ) throws(Refusal) -> ProviderToken {
        let authorization = request.header("authorization")
        let token = try tokens.token(authorization: authorization, at: now)
        try session.admit(
            token,
            authorization: authorization ?? "",
            keyFits: tokens.environment(ofKey: token.keyID) == environment,
            at: now
        )
        return token
    }

    /// The topic names an app of the team and ends as the push type wants; without a push type it implies one.
    private func checkTopic(_ request: SimulatedRequest, team: String) throws(Refusal) -> (app: String, PushType) {
        guard let topic = request.header("apns-topic") else { throw Refusal(.missingTopic) }
        guard !topic.isEmpty, topic.utf8.allSatisfy(Inspector.isTopicCharacter) else { throw Refusal(.badTopic) }
        let implied = PushType.implied(byTopic: topic)
        let app = String(topic.utf8.dropLast(implied.topicSuffix.utf8.count)) ?? topic
        guard teams[app] == team else { throw Refusal(.topicDisallowed) }
        guard let word = request.header("apns-push-type") else { return (app, implied) }
        guard let pushType = PushType(rawValue: word) else { throw Refusal(.invalidPushType) }
        guard pushType.topicSuffix == implied.topicSuffix else { throw Refusal(.topicDisallowed) }
        return (app, pushType)
    }

    private func checkPriority(_ request: SimulatedRequest, _ pushType: PushType) throws(Refusal) {
        guard let text = request.header("apns-priority") else { return }
        guard let priority = Int(text), pushType.priorities.contains(priority), String(priority) == text else {
            throw Refusal(.badPriority)
        }
    }

    private func expiration(_ request: SimulatedRequest, at now: Moment) throws(Refusal) -> Moment? {
        guard let text = request.header("apns-expiration") else { return now + Self.storage }
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let seconds = Int64(text) else {
            throw Refusal(.badExpirationDate)
        }
        return seconds == 0 ? nil : min(Moment(seconds: seconds), Moment(seconds: (now + Self.storage).seconds))
    }

    private func checkIdentifiers(_ request: SimulatedRequest) throws(Refusal) {
        if let id = request.header("apns-collapse-id"), id.utf8.count > Self.longestCollapseID {
            throw Refusal(.badCollapseID)
        }
        if let id = request.header("apns-id"), !Inspector.isUUID(id) { throw Refusal(.badMessageID) }
    }

    /// Apple has no reason of its own for a body that is no JSON dictionary: it finds no payload in it.
    private func checkPayload(
        of request: SimulatedRequest,
        _ payload: Value?,
        pushType: PushType
    ) throws(Refusal) -> Value {
        guard !request.body.isEmpty else { throw Refusal(.payloadEmpty) }
        guard request.body.count <= pushType.payloadLimit else { throw Refusal(.payloadTooLarge) }
        guard let payload, payload.object != nil else { throw Refusal(.payloadEmpty) }
        return payload
    }

    private func checkToken(
        _ token: PushToken,
        app: String,
        pushType: PushType,
        environment: APNsEnvironment
    ) throws(Refusal) -> TokenRecord {
        guard let record = world.tokens[token], record.environment == environment else {
            throw Refusal(.badDeviceToken)
        }
        guard record.app == app, record.purpose.pushType == pushType else { throw Refusal(.deviceTokenNotForTopic) }
        if let death = record.death { throw Refusal(death.reason, timestamp: death.at) }
        return record
    }

    private static func isTopicCharacter(_ character: UInt8) -> Bool {
        switch character {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// True where `text` is a UUID in the canonical form: lower-case digits, 8-4-4-4-12.
    static func isUUID(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.utf8.count) == [8, 4, 4, 4, 12]
            && text.utf8.allSatisfy { $0 == 0x2D || (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
