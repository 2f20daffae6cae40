import Diff
import JSON
import Testing
import Time

@Suite struct PayloadTests {
    private let alert: Value = ["title": "Order", "body": "In the kitchen", "sound": "default"]

    private func text(_ payload: [UInt8]) -> String { String(decoding: payload, as: UTF8.self) }

    /// The sample of Apple's "Updating widgets with WidgetKit push notifications", without its trailing comma.
    @Test func aReloadSaysThatContentChanged() {
        #expect(text(Payload.reload) == #"{"aps":{"content-changed":true}}"#)
    }

    @Test func aStartCarriesItsLaunchAndItsAlert() {
        let payload = Payload.start(
            Push.Start(
                attributesType: "DeliveryAttributes",
                attributes: ["orderId": "1001"],
                launch: LaunchID("lrq_1"),
                content: ActivityContent(
                    state: ["status": "cooking"],
                    staleAt: Moment(seconds: 1_700_000_600),
                    relevanceScore: 75,
                    alert: alert
                ),
                rings: true,
                asksForToken: true
            ),
            at: Moment(seconds: 1_700_000_000)
        )
        let expected = """
            {"aps":{"alert":{"body":"In the kitchen","sound":"default","title":"Order"},\
            "attributes":{"launchRequestId":"lrq_1","orderId":"1001"},"attributes-type":"DeliveryAttributes",\
            "content-state":{"status":"cooking"},"event":"start","input-push-token":1,"relevance-score":75,\
            "stale-date":1700000600,"timestamp":1700000000}}
            """
        #expect(text(payload) == expected)
    }

    @Test func aSilentStartKeepsTitleAndBody() {
        let payload = Payload.start(
            Push.Start(
                attributesType: "A",
                attributes: [:],
                launch: LaunchID("lrq_1"),
                content: ActivityContent(state: [:], alert: alert),
                rings: false,
                asksForToken: false
            ),
            at: Moment(seconds: 1)
        )
        let expected = """
            {"aps":{"alert":{"body":"In the kitchen","title":"Order"},"attributes":{"launchRequestId":"lrq_1"},\
            "attributes-type":"A","content-state":{},"event":"start","timestamp":1}}
            """
        #expect(text(payload) == expected)
    }

    // https://github.com/home-assistant/mobile-apps-fcm-push/pull/309
    @Test func anUpdateSendsFalsyValuesAsTheyAre() {
        let payload = Payload.update(
            ActivityContent(state: ["a": 0, "b": false, "c": .null, "d": ""], relevanceScore: 0),
            rings: false,
            at: Moment(seconds: 2)
        )
        let expected = """
            {"aps":{"content-state":{"a":0,"b":false,"c":null,"d":""},"event":"update","relevance-score":0,\
            "timestamp":2}}
            """
        #expect(text(payload) == expected)
    }

    // https://github.com/jchambers/pushy/pull/990
    @Test func anUpdateKeepsTheSoundInsideTheAlert() {
        let payload = Payload.update(
            ActivityContent(state: [:], staleAt: Moment(seconds: 3), alert: alert),
            rings: true,
            at: Moment(seconds: 2)
        )
        let expected = """
            {"aps":{"alert":{"body":"In the kitchen","sound":"default","title":"Order"},"content-state":{},\
            "event":"update","stale-date":3,"timestamp":2}}
            """
        #expect(text(payload) == expected)
    }

    @Test(arguments: [(nil, ""), (Moment(seconds: 1), #""dismissal-date":1,"#)])
    func anEndCarriesItsDismissal(date: Moment?, member: String) {
        let payload = Payload.end(state: ["status": "delivered"], at: Moment(seconds: 9), dismissalDate: date)
        let expected = #"{"aps":{"content-state":{"status":"delivered"},"# + member + #""event":"end","timestamp":9}}"#
        #expect(text(payload) == expected)
    }
}
