import Diff
import JSON
import Testing
import Time

/// What `reload` says of a token.
@Suite struct ReloadResultTests {
    /// A registration, its scopes, whether there is a credential, and what keeps a reload from it.
    static let obstacles: [(WidgetRegistration, Scopes, hasCredential: Bool, String)] = [
        (widgets(["Stats"]), Scopes(), true, "ok"),
        (widgets(["Stats"], os: nil), Scopes(), true, "ok"),
        (
            widgets(["Stats"], os: OSVersion(18)), Scopes(), true,
            "unsupported: Widget pushes need iOS 26; the device has 18"
        ),
        (widgets(["Stats"]), Scopes(), false, "no_credential: No production APNs credential configured"),
        (widgets(["Stats"]), paused, false, "held: \(Reason.paused.words)"),
        (widgets(["Stats"]), revoked, true, "revoked: \(Reason.revoked.words)"),
        (widgets(["Stats"]), reopened, true, "held: \(Reason.reauthorized.words)"),
    ]

    static let paused = Scopes([.subscriber("anna"): Scope(isPaused: true)])
    static let revoked = Scopes([.widgets(WidgetsID("wgt_1")): Scope(isRevoked: true)])
    static let reopened = Scopes([.widgets(WidgetsID("wgt_1")): Scope(number: 2, openedAt: now)])

    @Test(arguments: obstacles)
    func aTokenIsReloadedWhereNothingIsInTheWay(
        _ registration: WidgetRegistration,
        _ scopes: Scopes,
        _ hasCredential: Bool,
        _ words: String
    ) {
        let obstacle = ReloadObstacle(to: registration, of: anna, under: scopes, hasCredential: hasCredential)
        #expect(obstacle.words == words)
    }

    /// A status, an answer, and the result.
    static let pushes: [(DeliveryStatus, DeliveryAnswer, String)] = [
        (.accepted, DeliveryAnswer(status: 200), "ok"),
        (.failed, DeliveryAnswer(status: 410, reason: "Unregistered"), "invalid_endpoint: Unregistered"),
        (.failed, DeliveryAnswer(status: 400, reason: "BadDeviceToken"), "invalid_endpoint: BadDeviceToken"),
        (
            .failed, DeliveryAnswer(status: 400, reason: "DeviceTokenNotForTopic"),
            "invalid_endpoint: DeviceTokenNotForTopic"
        ),
        (.failed, DeliveryAnswer(status: 400, reason: "PayloadEmpty"), "rejected: PayloadEmpty"),
        (.unknown, DeliveryAnswer(status: 503, note: "it died"), "unknown: it died"),
        (.dispatching, DeliveryAnswer(), "unknown"),
        (
            .queued, DeliveryAnswer(status: 403, reason: "InvalidProviderToken"),
            "invalid_credential: InvalidProviderToken"
        ),
        (.queued, DeliveryAnswer(status: 400, reason: "TopicDisallowed"), "invalid_credential: TopicDisallowed"),
        (.queued, DeliveryAnswer(status: 429, reason: "TooManyRequests"), "rate_limited: TooManyRequests"),
        (.queued, DeliveryAnswer(status: 503, reason: "Shutdown"), "provider_unavailable: Shutdown"),
        (.queued, DeliveryAnswer(), "held"),
        (.superseded, DeliveryAnswer(), "held"),
    ]

    @Test(arguments: pushes)
    func aQueuedPushIsAcceptedOrHasACode(_ status: DeliveryStatus, _ answer: DeliveryAnswer, _ words: String) {
        var push = pending(.reload, status)
        push.answer = answer
        let entry = ReloadEntry(id: WidgetsID("wgt_1"), .queued(push.id))
        #expect(ReloadResult(of: entry, push).obstacle.words == words)
    }

    @Test func whatWasRefusedKeepsItsReason() {
        let obstacle = ReloadObstacle.overQuota(at: now)
        let entry = ReloadEntry(id: WidgetsID("wgt_1"), .refused(obstacle))
        #expect(ReloadResult(of: entry, nil).obstacle == obstacle)
        #expect(obstacle.code == .quotaExceeded)
        #expect(obstacle.reason?.string.hasSuffix("there is room again at 2023-11-15T00:00:00Z") == true)
    }

    @Test func aPushThatTheLedgerNoLongerHasIsUnknown() {
        let entry = ReloadEntry(id: WidgetsID("wgt_1"), .queued(DeliveryID("dlv_1")))
        #expect(ReloadResult(of: entry, nil).obstacle.words == "unknown")
    }
}

extension ReloadObstacle? {
    /// `ok`, or the code and the reason.
    fileprivate var words: String {
        guard let self else { return "ok" }
        return "\(self.code.rawValue)" + (self.reason.map { ": \($0)" } ?? "")
    }
}
