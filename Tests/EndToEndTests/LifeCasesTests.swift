import Foundation
import Testing

/// Lives of an activity: generations, replacements, duplicates, and activities that the app starts.
@Suite struct LifeCasesTests {
    private func cooking(_ more: String = "") throws -> World {
        let world = try World()
        try world.phone("d1")
        try world.declare(.order("cooking", more))
        try world.apply()
        _ = try world.pushes()
        return world
    }

    @Test func aNewGenerationIsANewTileWithoutASecondRing() throws {
        let world = try cooking(#""generation":"1""#)
        try world.declare(.order("cooking", #""generation":"2""#))
        try world.apply()
        let start = try #require(try world.pushes().first)
        #expect(start.event == "start")
        let alert = try #require(start.aps["alert"] as? [String: Any])
        #expect(alert["title"] as? String == "Order" && alert["sound"] == nil)
        try world.apply()
        #expect(try world.events() == ["end d1"])
        #expect(try world.statuses("d1") == ["cooking"])
        try world.settles()
    }

    @Test func anotherTypeThatThePhoneCannotStartLeavesTheOldTile() throws {
        let world = try cooking()
        try world.declare(.order("cooking", #""attributesType":"Other""#))
        try world.apply()
        #expect(try world.events().isEmpty)
        #expect(try world.statuses("d1") == ["cooking"])
        #expect(try world.plan().stdout.contains("the device has no push-to-start token for this attributes type"))
        try world.settles("Nothing to send; 0 held, 1 blocked.")
    }

    @Test func onlyOneTileOfADeclarationStays() throws {
        let world = try cooking()
        try world.on(
            "d1",
            "start",
            #""name":"order-1001","attributesType":"DeliveryAttributes","attributes":{"orderId":"1001"}"#
        )
        #expect(try world.simulator.tiles("d1").count == 2)
        try world.apply()
        #expect(try world.events() == ["end d1"])
        #expect(try world.statuses("d1") == ["cooking"])
        try world.settles()
    }

    @Test func whatTheAppStartsIsAdoptedUpdatedAndEnded() throws {
        let world = try cooking(#""start":"app""#)
        #expect(try world.statuses("d1").isEmpty)
        try world.settles()
        try world.on(
            "d1",
            "start",
            #""name":"order-1001","attributesType":"DeliveryAttributes","attributes":{"orderId":"1001"}"#
        )
        try world.apply()
        #expect(try world.events() == ["update d1"])
        #expect(try world.statuses("d1") == ["cooking"])
        try world.declare(.order("riding", #""start":"app""#))
        try world.apply()
        #expect(try world.statuses("d1") == ["riding"])
        #expect(try world.simulator.tiles("d1").first?["alertsRung"] as? Int == 0)
        try world.declare(.order("riding", #""start":"app","end":{"state":{"status":"over"},"dismissAt":"now"}"#))
        try world.apply()
        #expect(try world.events() == ["end d1", "update d1"])
        #expect(try world.statuses("d1").isEmpty)
        try world.settles()
    }

    @Test func anActivityThatNobodyDeclaredIsLeftAlone() throws {
        let world = try cooking()
        try world.on("d1", "start", #""attributesType":"DeliveryAttributes","state":{"status":"mine"}"#)
        try world.on("d1", "start", #""name":"unheard","attributesType":"DeliveryAttributes","state":{"status":"own"}"#)
        try world.apply()
        #expect(try world.events().isEmpty)
        #expect(try world.statuses("d1") == ["cooking", "mine", "own"])
        try world.settles()
    }

    @Test func aRotatedTokenGetsTheNextUpdate() throws {
        let world = try cooking()
        try world.on("d1", "rotate")
        try world.declare(.order("riding"))
        try world.apply()
        #expect(try world.events() == ["update d1"])
        #expect(try world.statuses("d1") == ["riding"])
        try world.settles()
    }

    @Test(arguments: [("17.1", "Nothing to send; 0 held, 1 blocked."), ("16.4", "Nothing to send; 0 held, 1 blocked.")])
    func aSystemThatIsTooOldIsBlocked(_ os: String, _ last: String) throws {
        let world = try World()
        try world.phone("d1", os: os)
        try world.report(
            #"{"type":"start.registered","app":"com.example.courier","subscriber":"user_42","device":"d1","#
                + #""at":"\#(Date.now.ISO8601Format())","attributesType":"DeliveryAttributes","token":"abcd","os":"\#(os)"}"#
        )
        try world.declare(.order("cooking"))
        try world.apply()
        #expect(try world.events().isEmpty)
        #expect(try world.plan().stdout.contains("the device's system is too old for this push"))
        try world.settles(last)
    }
}
