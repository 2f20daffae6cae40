import Foundation
import Testing

/// What becomes of reservations when the UTC day ends, and who goes first where there is not enough.
@Suite struct QuotaOrderTests {
    // MARK: - Midnight

    @Test(.long) func whatWasNotSentGetsRoomAnewInOrderOrIsTakenBack() throws {
        let world = try World.inTheEvening(dailyPushes: 3)
        for subscriber in ["carl", "bert", "anna"] {
            try world.phone("of-\(subscriber)", of: subscriber)
            try world.declare(.steps(1, of: subscriber))
        }
        try world.cutOff { try world.apply(status: 3) }
        #expect(try world.quota() == ["limit": 3, "reserved": 3])
        try world.set(day: 1)
        try world.limit(1)
        let plan = try world.plan()
        #expect(plan.lines.last?.hasPrefix("Plan: 1 device to reload (1 push); 0 held, 0 blocked, 2 waiting") == true)
        try world.apply()
        #expect(try world.events() == ["reload of-anna"])
        try world.settlesOverQuota(2)
        try world.limit(3)
        try world.apply()
        #expect(try world.events() == ["reload of-bert", "reload of-carl"])
        #expect(try world.quota() == ["limit": 3, "consumed": 3])
        try world.settles()
    }

    @Test(.long) func aQueuedLaunchThatLosesItsRoomIsCancelledAndLaunchedLater() throws {
        let world = try World.inTheEvening(dailyPushes: 1)
        try world.phone("d1")
        try world.declare(.order("cooking"))
        try world.cutOff { try world.apply(status: 3) }
        try world.set(day: 1)
        try world.run(["quota", "use", "1"])
        try world.apply()
        #expect(try world.events() == [])
        let launch = try #require(try world.run(["launches", "user_42", "--format", "json"]).items().first)
        #expect(launch["resolution"] as? String == "cancelled")
        try world.settlesOverQuota(1)
        try world.set(day: 2)
        try world.apply()
        #expect(try world.events() == ["start d1"])
        try world.settles()
    }

    /// While Apple keeps the first push waiting the day changes, and somebody else uses most of the new one.
    @Test(.long) func aRunThatCrossesMidnightReservesAnew() throws {
        let world = try World(["--streams", "1"], hasMovableClock: true)
        try world.set(day: 0, hour: 22)
        try world.limit(3)
        for subscriber in ["anna", "bert", "carl"] {
            try world.phone("of-\(subscriber)", of: subscriber)
            try world.declare(.steps(1, of: subscriber))
        }
        try world.fault(#""silence":"after""#)
        let apply = try world.begin(["apply", "--yes", "--new-ledger"], until: 1)
        #expect(try world.quota() == ["limit": 3, "reserved": 3])
        try world.set(day: 1)
        try world.run(["quota", "use", "2"])
        try world.simulator.send(#"{"do":"cut"}"#)
        apply.waitUntilExit()
        #expect(apply.terminationStatus == 3)
        let last = try world.workspace.text("stdout").split(separator: "\n").last ?? ""
        #expect(last.contains("1 accepted, 0 failed, 0 held, 1 unknown, 1 deferred: the day's quota is used up"))
        #expect(try world.quota() == ["limit": 3, "consumed": 1, "elsewhere": 2])
        try world.set(day: 1, hour: 2)
        try world.apply()
        #expect(try world.quota() == ["limit": 3, "consumed": 1, "elsewhere": 2])
        #expect(try world.events().count { $0 == "reload of-anna" } == 1)
        try world.settlesOverQuota(1)
        try world.set(day: 2)
        try world.apply()
        #expect(try world.events() == ["reload of-carl"])
        try world.settles()
    }

    // MARK: - Order

    @Test func whatWaitsLongestGoesFirst() throws {
        let world = try World.inTheEvening(dailyPushes: 1)
        for subscriber in ["anna", "bert", "carl"] { try world.phone("of-\(subscriber)", of: subscriber) }
        try world.declare(.steps(1, of: "carl"))
        try world.apply()
        try world.declare(.steps(1, of: "bert"))
        try world.apply()
        try world.set(day: 1)
        try world.declare(.steps(1, of: "anna"))
        try world.apply()
        #expect(try world.events() == ["reload of-bert", "reload of-carl"])
        try world.settlesOverQuota(1)
        try world.set(day: 2)
        try world.apply()
        #expect(try world.events() == ["reload of-anna"])
        try world.settles()
    }

    @Test func startsComeBeforeSilentUpdatesAndTheseBeforeReloads() throws {
        let world = try World.inTheEvening(dailyPushes: 2)
        try world.phone("d1")
        var document = Document.order("cooking")
        try world.declare(document)
        try world.apply()
        try world.limit(3)
        document.widgets = ["Stats": #"{"state":{"steps":1}}"#]
        document.activities["order-1001"] = Document.activity("riding")
        document.activities["z"] = Document.activity("cooking")
        try world.declare(document)
        try world.apply()
        #expect(try world.events() == ["start d1", "start d1", "update d1"])
        try world.settlesOverQuota(1)
        try world.set(day: 1)
        try world.apply()
        #expect(try world.events() == ["reload d1"])
        try world.settles()
    }
}
