import JSON
import Testing
import Time

@testable import APNs

@Suite struct AnswerTests {
    private static let dead = Moment(milliseconds: 1_700_000_000_123)

    /// All 32 reasons of Apple's "Handling notification responses from APNs", and the older spelling of one.
    static let documented: [(status: Int, reason: Text, meaning: Answer.Meaning)] = [
        (400, "BadCollapseId", .rejected),
        (400, "BadDeviceToken", .suspectToken),
        (400, "BadExpirationDate", .rejected),
        (400, "BadMessageId", .rejected),
        (400, "BadPriority", .rejected),
        (400, "BadTopic", .configuration),
        (400, "DeviceTokenNotForTopic", .suspectToken),
        (400, "DuplicateHeaders", .rejected),
        (400, "IdleTimeout", .retryLater),
        (400, "InvalidPushType", .rejected),
        (400, "MissingDeviceToken", .rejected),
        (400, "MissingTopic", .configuration),
        (400, "PayloadEmpty", .rejected),
        (400, "TopicDisallowed", .configuration),
        (403, "BadCertificate", .configuration),
        (403, "BadCertificateEnvironment", .configuration),
        (403, "ExpiredProviderToken", .expiredProviderToken),
        (403, "Forbidden", .configuration),
        (403, "InvalidProviderToken", .configuration),
        (403, "MissingProviderToken", .configuration),
        (403, "UnrelatedKeyIdInToken", .configuration),
        (403, "BadEnvironmentKeyIdInToken", .configuration),
        (404, "BadPath", .rejected),
        (405, "MethodNotAllowed", .rejected),
        (410, "ExpiredToken", .deadToken(since: dead)),
        (410, "Unregistered", .deadToken(since: dead)),
        (413, "PayloadTooLarge", .rejected),
        (429, "TooManyProviderTokenUpdates", .configuration),
        (429, "TooManyRequests", .retryLater),
        (500, "InternalServerError", .retryLater),
        (503, "ServiceUnavailable", .retryLater),
        (503, "Shutdown", .retryLater),
        (403, "BadEnvironmentKeyInToken", .configuration),
    ]

    @Test(arguments: documented)
    func aDocumentedReasonHasItsMeaning(status: Int, reason: Text, meaning: Answer.Meaning) {
        let answer = Answer(status: status, reason: reason, id: "an-id", timestamp: Self.dead)
        #expect(answer.meaning == meaning)
        #expect(answer.reason == reason && answer.id == "an-id" && answer.status == status)
    }

    @Test func theTableHoldsAllReasonsAndNoOthers() {
        #expect(Set(Answer.meanings.keys) == Set(Self.documented.map(\.reason)))
        #expect(Self.documented.count == 32 + 1)
    }

    @Test(arguments: [
        (200, Answer.Meaning.accepted), (400, .rejected), (403, .configuration), (410, .deadToken(since: nil)),
        (418, .rejected), (429, .retryLater), (500, .retryLater), (502, .retryLater), (503, .retryLater),
    ])
    func anUnknownReasonIsJudgedByItsStatus(status: Int, meaning: Answer.Meaning) {
        #expect(Answer(status: status, reason: "SomethingNew").meaning == meaning)
        #expect(Answer(status: status, reason: nil, id: "an-id").meaning == meaning)
    }

    @Test(arguments: [
        (301, Answer.Meaning.configuration), (404, .configuration), (405, .configuration), (410, .configuration),
        (429, .retryLater), (502, .retryLater),
    ])
    func anAnswerWithNeitherReasonNorIdIsNotOfAPNs(status: Int, meaning: Answer.Meaning) {
        #expect(Answer(status: status, reason: nil).meaning == meaning)
    }

    @Test func onlyAnAnswerPastAuthenticationFreesTheStreams() {
        #expect(Answer(status: 200, reason: nil).provesAuthentication)
        #expect(Answer(status: 400, reason: "BadDeviceToken").provesAuthentication)
        #expect(Answer(status: 410, reason: "Unregistered").provesAuthentication)
        for (status, reason, _) in Self.documented where status == 403 {
            #expect(!Answer(status: status, reason: reason).provesAuthentication)
        }
        #expect(!Answer(status: 429, reason: "TooManyProviderTokenUpdates").provesAuthentication)
    }
}
