internal import Diff
internal import JSON
enum PushType { case widgets, liveActivity }
struct PushRequestError: Error {}
struct PushRequest {
    init(token: Text, app: Text, type: PushType, priority: Int, expiration: Int64, collapseID: Text?, payload: [UInt8])
        throws
    {}
}
enum Payload {
    static let reload: [UInt8] = []
    static func start(
        attributesType: Text,
        attributes: Value,
        state: Value,
        alert: Value,
        timestamp: Int64,
        staleDate: Int64?,
        relevanceScore: Value?,
        inputPushToken: Bool
    ) -> [UInt8] { [] }
    static func update(state: Value, alert: Value?, timestamp: Int64, staleDate: Int64?, relevanceScore: Value?)
        -> [UInt8]
    { [] }
    static func end(state: Value, timestamp: Int64, dismissalDate: Int64?) -> [UInt8] { [] }
}
enum PushVerdict {
    case accepted, deadToken(Int64?), suspectToken, retryLater, expiredProviderToken, configuration, rejected
}
struct PushAnswer { var status: Int; var reason: Text?; var apnsID: Text?; var verdict: PushVerdict }
struct NotProcessed { var isConnectionFailure: Bool }
enum PushOutcome { case answered(PushAnswer), notProcessed(NotProcessed), uncertain(String) }
struct PushCompletion { var id: Int; var outcome: PushOutcome }
final class PushConnection {
    var freeStreams = 0; func submit(_ r: PushRequest, id: Int) throws {};
    func renewProviderToken() throws -> Bool { false }
}
final class PushConnections {
    func connection(for: Credentials.Lane, environment: PushEnvironment) throws -> PushConnection { PushConnection() }
    func poll(timeout: Int) throws -> [PushCompletion] { [] }
    func close() {}
}
