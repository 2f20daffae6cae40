import Foundation
import Testing

/// What phones and people do, and what follows.
@Suite struct DeviceCasesTests {
    /// A world whose phone shows `order-1001`.
    private func cooking(_ devices: String...) throws -> World {
        let world = try World()
        for device in devices { try world.phone(device) }
        try world.declare(.order("cooking"))
        try world.apply()
        #expect(try world.events() == devices.map { "start \($0)" })
        return world
    }

    /// From ZhukV/AppleApnPush#80.
    @Test func goodLinesAreTakenAndBadOnesNamed() throws {
        let world = try World()
        let file = Checkout.root.appending(path: "Tests/Cases/tokens.ndjson").path
        try world.run(["init", "elsewhere"])
        try world.declare(.order("cooking"))
        try world.apply()
        let outcome = try world.run(["ingest", file, "--format", "json"], 65)
        let data = try #require(try outcome.json()["data"] as? [String: Any])
        #expect(data["taken"] as? Int == 2)
        let rejections = try #require(data["rejections"] as? [[String: Any]])
        #expect(rejections.map { $0["line"] as? Int } == [3, 4, 5, 6])
        #expect(rejections.allSatisfy { ($0["reason"] as? String)?.isEmpty == false })
        let status = try world.run(["status", "user_42"])
        #expect(status.stdout.contains("abababab…") && status.stdout.contains("80808080…"))
        let done = FileManager.default.enumerator(atPath: world.workspace.url.appending(path: "reports/done").path)
        #expect(done?.allObjects.contains { "\($0)".hasSuffix(".ndjson") } == true)
        #expect(try world.plan().stdout.contains("start order-1001 on d1"))
    }

    @Test func bothDevicesGetTheActivity() throws {
        let world = try cooking("d1", "d2")
        #expect(try world.statuses("d1") == ["cooking"])
        #expect(try world.statuses("d2") == ["cooking"])
        try world.settles()
    }

    /// From home-assistant/core#174870.
    @Test func aNewerStateWaitsForTheTokenAndArrivesOnce() throws {
        let world = try World()
        try world.phone("d1")
        try world.fault(#""report":"lost""#, on: #"{"type":"activity.registered"}"#)
        try world.declare(.order("cooking"))
        try world.apply()
        #expect(try world.events() == ["start d1"])
        for status in ["baking", "packing"] {
            try world.declare(.order(status))
            try world.apply()
            #expect(try world.events().isEmpty)
            #expect(try world.plan().stdout.contains("its start was sent and the device has not reported it yet"))
            try world.settles("Nothing to send; 1 held, 0 blocked.")
        }
        // The app reports its tokens whenever they change.
        try world.on("d1", "rotate")
        try world.apply()
        #expect(try world.events() == ["update d1"])
        #expect(try world.statuses("d1") == ["packing"])
        try world.settles()
    }

    /// From kylebshr/luka-ios#146.
    @Test func aLateReportOfTheEndedActivityLeavesTheNewToken() throws {
        let world = try cooking("d1")
        let old = try #require(try world.simulator.tiles("d1").first?["activityId"] as? String)
        try world.declare(.order("cooking", #""end":{"dismissAt":"now"}"#))
        try world.apply()
        try world.declare(.order("again", #""generation":"2""#))
        try world.apply()
        for type in ["activity.ended", "activity.dismissed"] {
            try world.report(
                #"{"type":"\#(type)","app":"com.example.courier","subscriber":"user_42","device":"d1","#
                    + #""at":"\#(Date.now.ISO8601Format())","activityId":"\#(old)"}"#
            )
        }
        try world.declare(.order("newest", #""generation":"2""#))
        try world.apply()
        #expect(try world.events() == ["end d1", "start d1", "update d1"])
        #expect(try world.statuses("d1") == ["newest"])
        try world.settles()
    }

    /// From home-assistant/iOS#5860.
    @Test func whatAPersonDismissedDoesNotComeBack() throws {
        let world = try cooking("d1")
        try world.on("d1", "dismiss")
        try world.declare(.order("riding"))
        try world.apply()
        #expect(try world.events().isEmpty)
        #expect(try world.statuses("d1").isEmpty)
        try world.settles()
        // A new generation is meant to.
        try world.declare(.order("riding", #""generation":"2""#))
        try world.apply()
        #expect(try world.events() == ["start d1"])
        try world.settles()
    }

    @Test func aPhoneThatComesTwentyHoursLaterStartsNothingThatWasDismissed() throws {
        let world = try World(launcher: FakeTime.from("-20h"))
        try world.phone("d1")
        try world.declare(.order("cooking"))
        try world.apply(launcher: FakeTime.from("-20h"))
        #expect(try world.events() == ["start d1"])
        try world.on("d1", "dismiss")
        try world.report(
            #"{"type":"start.registered","app":"com.example.courier","subscriber":"user_42","device":"d2","#
                + #""at":"\#(Date.now.ISO8601Format())","attributesType":"DeliveryAttributes","token":"abcd","os":"26.0"}"#
        )
        try world.apply()
        #expect(try world.events().isEmpty)
        try world.settles()
    }

    /// From vellum-ai/vellum-assistant#39868.
    @Test func theOldTileEndsOnlyAfterTheNewOneIsConfirmed() throws {
        let world = try cooking("d1")
        try world.fault(#""report":"lost""#, on: #"{"type":"activity.registered"}"#)
        let replaced = Document.order("cooking", #""attributes":{"orderId":"2002"}"#)
        try world.declare(replaced)
        try world.apply()
        #expect(try world.events() == ["start d1"])
        try world.settles()
        #expect(try world.simulator.tiles("d1").count == 2)
        // The app registers its activities again whenever it runs.
        try world.on("d1", "rotate")
        try world.apply()
        #expect(try world.events() == ["end d1"])
        let tile = try #require(try world.simulator.tiles("d1").first)
        #expect((tile["attributes"] as? [String: Any])?["orderId"] as? String == "2002")
        #expect(try world.simulator.tiles("d1").count == 1)
        try world.settles()
    }

    /// From MapleTechLabs/maple#524.
    @Test func whenEveryTokenIsBadTheConfigurationIs() throws {
        let world = try World()
        try world.simulator.send(
            #"{"do":"add","device":"d{n}","subscriber":"u{n}","count":20,"widgets":["Stats"]}"#
        )
        for number in 1...20 { try world.declare(.steps(1, of: "u\(number)")) }
        try world.fault(#""answer":{"reason":"BadDeviceToken"}"#, #""times":1000"#)
        let outcome = try world.apply(status: 3)
        let messages = outcome.stderr.components(separatedBy: "\n").filter { $0.contains("BadDeviceToken") }
        #expect(messages.count == 1, "\(outcome.stderr)")
        #expect(messages.first?.contains("check that these devices' builds use this environment") == true)
        #expect(try world.run(["status"]).stdout.contains("devices: 20"))
        try world.simulator.send(#"{"do":"clear-faults"}"#)
        _ = try world.pushes()
        // One probe comes through, and the rest follows.
        try world.apply()
        #expect(try world.events().count == 20)
        try world.settles()
    }

    @Test func aDeadTokenDoesNotKeepTheProbesToItself() throws {
        let world = try World()
        try world.simulator.send(
            #"{"do":"add","device":"d{n}","subscriber":"u{n}","count":7,"widgets":["Stats"]}"#
        )
        for number in 1...5 { try world.declare(.steps(1, of: "u\(number)")) }
        try world.fault(#""answer":{"reason":"BadDeviceToken"}"#, #""times":1000"#)
        try world.apply(status: 3)
        // Of what is declared after that, the first to be sent is dead too, and the second is not.
        for number in 6...7 { try world.declare(.steps(1, of: "u\(number)")) }
        try world.apply(status: 3)
        try world.simulator.send(#"{"do":"clear-faults"}"#)
        _ = try world.pushes()
        try world.apply()
        #expect(try world.pushes().first?.description == "reload d7")
        try world.settles()
    }

    @Test func oneBadTokenIsADeadToken() throws {
        let world = try World()
        try world.phone("d1")
        try world.declare(.steps(1))
        try world.fault(#""answer":{"reason":"BadDeviceToken"}"#)
        let outcome = try world.apply()
        #expect(outcome.lines.last?.contains("1 dead token removed") == true, "\(outcome.stdout)")
        try world.declare(.steps(2))
        try world.apply()
        #expect(try world.events() == ["reload d1 400"])
        try world.settles()
    }

    /// From loopandlearn/LoopFollow#657.
    @Test func anUpdateTokenThatIsGoneIsClosedAndStartsNothing() throws {
        let world = try cooking("d1")
        try world.fault(#""answer":{"reason":"Unregistered","timestamp":\#(Self.milliseconds(ahead: 60))}"#)
        try world.declare(.order("riding"))
        try world.apply()
        #expect(try world.events() == ["update d1 410"])
        for status in ["near", "here"] {
            try world.declare(.order(status))
            try world.apply()
            try world.settles()
        }
        #expect(try world.events().isEmpty)
    }

    @Test func aTokenReportedAfterItDiedIsKept() throws {
        let world = try World()
        try world.phone("d1")
        try world.declare(.steps(1))
        try world.fault(#""answer":{"reason":"Unregistered","timestamp":\#(Self.milliseconds(ahead: -3600))}"#)
        #expect(try world.apply(status: 3).stdout.contains("1 failed"))
        #expect(try world.run(["status", "user_42"]).stdout.contains("wgt_"))
        try world.settles("Nothing to send; 1 held, 0 blocked.")
        #expect(try world.events() == ["reload d1 410"])
        // A newer report of the token is believed; the widget that the report came from has read the state.
        try world.on("d1", "update-os", #""os":"26.1""#)
        try world.apply()
        #expect(try world.events().isEmpty)
        try world.declare(.steps(2))
        try world.apply()
        #expect(try world.events() == ["reload d1"])
        try world.settles()
    }

    private static func milliseconds(ahead seconds: Double) -> Int {
        Int((Date.now.timeIntervalSince1970 + seconds) * 1000)
    }

    @Test func whatOnlyLooksLikeAReportIsNotOpened() throws {
        let world = try World()
        try world.phone("d1")
        try world.declare(.steps(1))
        #expect(mkfifo(world.workspace.url.appending(path: "reports/pipe.ndjson").path, 0o600) == 0)
        try FileManager.default.createSymbolicLink(
            atPath: world.workspace.url.appending(path: "reports/link.ndjson").path,
            withDestinationPath: "/etc/passwd"
        )
        for arguments in [["plan"], ["apply", "--yes", "--new-ledger"], ["ingest"]] {
            let outcome = try world.run(arguments)
            for name in ["pipe", "link"] {
                #expect(
                    outcome.stderr.contains("reports/\(name).ndjson: warning: not read: reports are files"),
                    "\(outcome.stderr)"
                )
            }
        }
        #expect(!world.workspace.exists("reports/rejected"))
        #expect(try world.events() == ["reload d1"])
        try world.settles()
    }
}
