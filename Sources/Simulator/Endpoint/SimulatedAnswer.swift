internal import JSON
public import Time

/// Apple's answer to a request.
public struct SimulatedAnswer: Equatable, Sendable {
    /// The HTTP status.
    public let status: Int
    /// The reason of a refusal.
    public var reason: String?
    /// The `apns-id` header.
    public let apnsID: String
    /// The `apns-unique-id` header, which only the sandbox sends.
    var uniqueID: String?
    /// The death of the token; only with status 410.
    public var timestamp: Moment?
}

/// The fate of a request.
public enum SimulatedOutcome: Equatable, Sendable {
    /// The answer goes out at once.
    case answer(SimulatedAnswer)
    /// The answer goes out later.
    case answerLater(SimulatedAnswer, after: Span)
    /// The answer goes out, and the connection may have so many streams from now on.
    case answerAllowing(SimulatedAnswer, streams: UInt32)
    /// Nothing ever comes.
    case silence
    /// The stream is reset with a code of HTTP/2.
    case reset(code: UInt32)
    /// The connection breaks.
    case cut
    /// GOAWAY; the request is above its last stream where there is no answer.
    case goAway(reason: String?, SimulatedAnswer?)

    /// The answer, where the sender gets one.
    public var answer: SimulatedAnswer? {
        switch self {
        case .answer(let answer), .answerLater(let answer, _), .answerAllowing(let answer, _): answer
        case .goAway(_, let answer): answer
        case .silence, .reset, .cut: nil
        }
    }
}

extension SimulatedAnswer {
    /// The body: empty with success, else JSON with the reason.
    var body: [UInt8] {
        guard status != 200, let reason else { return [] }
        var body: Value = ["reason": .string(Text(reason))]
        if let timestamp { body = ["reason": .string(Text(reason)), "timestamp": .integer(timestamp.milliseconds)] }
        return body.canonicalBytes
    }
}
