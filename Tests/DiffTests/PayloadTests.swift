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
            Payload.Constants(
                attributesType: "DeliveryAttributes",
                attributes: Object([Object.Member(key: "orderId", value: "1001")]),
                launchRequestID: "lrq_1"
            ),
            Payload.Content(
                state: ["status": "cooking"],
                alert: alert,
                timestamp: Moment(seconds: 1_700_000_000),
                staleDate: Moment(seconds: 1_700_000_600),
                relevanceScore: 75
            ),
            isSilent: false,
            asksForToken: true
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
            Payload.Constants(attributesType: "A", attributes: Object(), launchRequestID: "lrq_1"),
            Payload.Content(state: [:], alert: alert, timestamp: Moment(seconds: 1)),
            isSilent: true,
            asksForToken: false
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
            Payload.Content(
                state: ["a": 0, "b": false, "c": .null, "d": ""],
                timestamp: Moment(seconds: 2),
                staleDate: nil,
                relevanceScore: 0
            )
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
            Payload.Content(
                state: [:],
                alert: alert,
                timestamp: Moment(seconds: 2),
                staleDate: Moment(seconds: 3)
            )
        )
        let expected = """
            {"aps":{"alert":{"body":"In the kitchen","sound":"default","title":"Order"},"content-state":{},\
            "event":"update","stale-date":3,"timestamp":2}}
            """
        #expect(text(payload) == expected)
    }

    @Test(arguments: [(nil, ""), (Moment(seconds: 1), #""dismissal-date":1,"#)])
    func anEndCarriesItsDismissal(date: Moment?, member: String) {
        let payload = Payload.end(
            Payload.Content(state: ["status": "delivered"], timestamp: Moment(seconds: 9)),
            dismissalDate: date
        )
        let expected = #"{"aps":{"content-state":{"status":"delivered"},"# + member + #""event":"end","timestamp":9}}"#
        #expect(text(payload) == expected)
    }
}
