import Foundation
import Testing

/// What the pushes carry, as Apple received it.
@Suite struct PayloadCasesTests {
    /// From OneSignal/react-native-onesignal#1800, jchambers/pushy#990, customerio/customerio-android#723.
    @Test func aChangeOfStateIsSilentAndLaterThanWhatCameBefore() throws {
        let world = try World()
        try world.phone("d1")
        try world.declare(.order("cooking"))
        try world.apply()
        let start = try #require(try world.pushes().first)
        let alert = try #require(start.aps["alert"] as? [String: Any])
        #expect(alert["sound"] as? String == "default")
        #expect(start.aps["sound"] == nil)
        #expect(start["apns-priority"] == "10")
        #expect(start["apns-push-type"] == "liveactivity")
        #expect(start["apns-topic"] == "com.example.courier.push-type.liveactivity")
        #expect(start.aps["input-push-token"] as? Int == 1)
        let attributes = try #require(start.aps["attributes"] as? [String: Any])
        #expect(attributes["launchRequestId"] as? String == start["apns-collapse-id"])
        // The runs follow each other within one second.
        var last = start.timestamp
        for status in ["baking", "packing", "riding"] {
            try world.declare(.order(status))
            try world.apply()
            let update = try #require(try world.pushes().first)
            #expect(update.event == "update")
            #expect(update.aps["alert"] == nil)
            #expect(update["apns-priority"] == "5")
            #expect(update.timestamp > last)
            last = update.timestamp
            #expect(try world.statuses("d1") == [status])
        }
        #expect(try world.simulator.tiles("d1").first?["alertsRung"] as? Int == 1)
        try world.settles()
    }

    @Test func aChangedAlertRingsOnce() throws {
        let world = try World()
        try world.phone("d1")
        try world.declare(.order("cooking"))
        try world.apply()
        let near = #""alert":{"title":{"loc-key":"NEAR","loc-args":["5"]},"body":"Almost there","sound":"bell.caf"}"#
        try world.declare(.order("near", near))
        try world.apply()
        let update = try #require(try world.pushes().last)
        let alert = try #require(update.aps["alert"] as? [String: Any])
        #expect(alert["sound"] as? String == "bell.caf")
        #expect((alert["title"] as? [String: Any])?["loc-key"] as? String == "NEAR")
        #expect(update["apns-priority"] == "10")
        try world.declare(.order("here", near))
        try world.apply()
        #expect(try world.pushes().last?.aps["alert"] == nil)
        #expect(try world.simulator.tiles("d1").first?["alertsRung"] as? Int == 2)
        try world.settles()
    }

    /// From jchambers/pushy#1033.
    @Test(.long, arguments: ["1234", "0.5", "-1", "0"])
    func relevanceIsSentAsItIs(_ score: String) throws {
        let world = try World()
        try world.phone("d1")
        try world.declare(.order("cooking", #""relevanceScore":\#(score)"#))
        try world.apply()
        #expect(try world.pushes().first?.aps["relevance-score"] as? Double == Double(score))
        try world.settles()
    }

    /// From kisimediaDE/capacitor-live-activity#17.
    @Test func aDismissalInThePastOrNowIsCertainlyPast() throws {
        let world = try World()
        try world.phone("d1")
        try world.declare(.orders(1...3, "cooking"))
        try world.apply()
        _ = try world.pushes()
        let ends = ["now", "2020-01-01T00:00:00Z", "2020-01-01T00:00:00+02:00"].enumerated().map { index, date in
            let end = #""end":{"dismissAt":"\#(date)"}"#
            return ("order-\(index + 1)", Document.activity("cooking", end, order: "\(index + 1)"))
        }
        try world.declare(Document(activities: Dictionary(uniqueKeysWithValues: ends)))
        try world.apply()
        let pushes = try world.pushes()
        #expect(pushes.map(\.event) == ["end", "end", "end"])
        for push in pushes {
            let date = try #require(push.aps["dismissal-date"] as? Int)
            #expect(Double(date) < Date.now.timeIntervalSince1970 - 1 || date < push.timestamp)
            #expect(push["apns-priority"] == "10")
        }
        #expect(try world.statuses("d1").isEmpty)
        try world.settles()
    }

    /// From kylebrowning/APNSwift#228.
    @Test func aDismissalDateIsSentWithTheEndOnly() throws {
        let world = try World()
        try world.phone("d1")
        try world.declare(.order("cooking", #""staleAt":"2040-01-01T00:00:00Z""#))
        try world.apply()
        try world.declare(.order("riding", #""staleAt":"2040-01-01T00:00:00Z""#))
        try world.apply()
        let end = #""end":{"state":{"status":"delivered"},"dismissAt":"2040-01-01T00:00:00Z"}"#
        try world.declare(.order("riding", end))
        try world.apply()
        let pushes = try world.pushes()
        #expect(pushes.map(\.event) == ["start", "update", "end"])
        #expect(pushes.map { $0.aps["dismissal-date"] as? Int } == [nil, nil, 2_208_988_800])
        #expect(pushes.map { $0.aps["stale-date"] as? Int } == [2_208_988_800, 2_208_988_800, nil])
        #expect((pushes.last?.aps["content-state"] as? [String: String]) == ["status": "delivered"])
        try world.settles()
    }

    @Test func aReloadCarriesNoData() throws {
        let world = try World()
        try world.phone("d1")
        try world.declare(.steps(1))
        try world.apply()
        let reload = try #require(try world.pushes().first)
        #expect(reload["apns-push-type"] == "widgets")
        #expect(reload["apns-topic"] == "com.example.courier.push-type.widgets")
        #expect(reload.aps["content-changed"] as? Bool == true)
        #expect(reload.aps.count == 1)
        #expect(reload["apns-priority"] == "5")
        try world.settles()
    }
}
