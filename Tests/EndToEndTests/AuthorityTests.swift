import Foundation
import Testing

/// Pausing, resuming, revoking and reauthorizing, through the front door.
@Suite struct AuthorityTests {
    private func world() throws -> World {
        let world = try World(hasMovableClock: true)
        try world.phone("d1")
        try world.declare(both(1))
        try world.apply()
        try world.workspace.run("ingest")
        _ = try world.pushes()
        return world
    }

    private func both(_ number: Int) -> Document {
        Document(
            widgets: ["Stats": #"{"state":{"steps":\#(number)}}"#],
            activities: ["order-1001": Document.activity("\(number)")]
        )
    }

    /// The ids of user_42's things: an instance, a widget, its start target, its widgets' registration.
    private func ids(_ world: World) throws -> (activity: String, widget: String, start: String, widgets: String) {
        let data = try world.run(["status", "user_42", "--format", "json"]).json()["data"]
        let subject = try #require((data as? [[String: Any]])?.first)
        func id(_ key: String) -> String { ((subject[key] as? [[String: Any]])?.first?["id"] as? String) ?? "" }
        let device = try #require((subject["devices"] as? [[String: Any]])?.first)
        let start = (device["startTargets"] as? [[String: Any]])?.first?["id"] as? String
        let widgets = (device["widgets"] as? [String: Any])?["id"] as? String
        return (id("instances"), id("widgets"), try #require(start), try #require(widgets))
    }

    private func status(_ world: World, _ id: String) throws -> String {
        let object = try world.run(["status", id, "--format", "json"]).json()["data"] as? [String: Any]
        return [object?["status"], object?["statusReason"]].compactMap { $0 as? String }.joined(separator: " ")
    }

    @Test func aPausedSubscriberIsSentTheNewestStateOnResume() throws {
        let world = try world()
        let ids = try ids(world)
        #expect(
            try world.run(["pause", "user_42"]).lines == [
                "user_42: paused; states still commit, pushes wait for 'resume'"
            ]
        )
        #expect(try world.run(["pause", "user_42"]).lines == ["user_42: was paused already"])
        for id in [ids.activity, ids.widget, ids.start, ids.widgets] {
            #expect(try status(world, id) == "disabled paused")
        }
        for number in 2...3 {
            try world.declare(both(number))
            try world.apply()
        }
        #expect(try world.pushes().isEmpty)
        try world.settles("Nothing to send; 2 held, 0 blocked.")
        #expect(try world.run(["reload", "user_42"], 3).stdout.contains("held"))
        #expect(try world.pushes().isEmpty)
        try world.run(["resume", "user_42"])
        try world.apply()
        #expect(try world.events() == ["reload d1", "update d1"])
        #expect(try world.statuses("d1") == ["3"])
        #expect(try world.widget("d1") == #"{"steps":3}"#)
        #expect(try status(world, ids.activity) == "ready")
        try world.settles()
    }

    @Test(.long) func eachThingCanBePausedByItsID() throws {
        let world = try world()
        let ids = try ids(world)
        try world.run(["pause", ids.activity, ids.widgets])
        try world.declare(both(2))
        try world.apply()
        #expect(try world.pushes().isEmpty)
        try world.run(["resume", ids.widgets])
        try world.apply()
        #expect(try world.events() == ["reload d1"])
        try world.run(["resume", ids.activity])
        try world.run(["pause", ids.start])
        try world.declare(
            Document(activities: ["order-1001": Document.activity("2"), "other": Document.activity("1")])
        )
        try world.apply()
        #expect(try world.events() == ["update d1"])
        try world.run(["resume", ids.start])
        try world.apply()
        #expect(try world.events() == ["start d1"])
        try world.settles()
    }

    @Test func aPauseHoldsADeclaredEndAndNotTheOneOfALogout() throws {
        let world = try world()
        try world.run(["pause", "user_42"])
        try world.declare(.order("1", #""end":{}"#))
        try world.apply()
        #expect(try world.pushes().isEmpty)
        try world.on("d1", "sign-out")
        try world.apply()
        #expect(try world.events() == ["end d1"])
        #expect(try world.simulator.tiles("d1").isEmpty)
        try world.settles()
    }

    @Test func whatIsQueuedWhenAPauseComesStaysQueuedAndDoesNotExpire() throws {
        let world = try World(hasMovableClock: true)
        try world.phone("d1")
        try world.declare(.order("cooking"))
        try world.cutOff { try world.apply(status: 3) }
        try world.run(["pause", "user_42"])
        try world.set(minutes: 180)
        try world.apply()
        #expect(try world.pushes().isEmpty)
        try world.run(["resume", "user_42"])
        try world.apply()
        #expect(try world.events() == ["start d1"])
        try world.settles()
    }

    @Test(.long, arguments: ["pause", "revoke"]) func aReloadThatIsQueuedForAWidgetAloneIsHeldWithIt(_ verb: String)
        throws
    {
        let world = try world()
        try world.declare(both(2))
        try world.cutOff { try world.apply(status: 3) }
        try world.run([verb, ids(world).widget])
        try world.apply()
        #expect(try world.events() == ["update d1"])
        if verb == "pause" {
            try world.run(["resume", ids(world).widget])
            try world.apply()
            #expect(try world.events() == ["reload d1"])
            try world.settles()
        } else {
            try world.settles("Nothing to send; 0 held, 1 blocked.")
        }
    }

    @Test func aRevokedSubscriberLosesItsTilesAndNothingRestoresItButANewScope() throws {
        let world = try world()
        let ids = try ids(world)
        let revoked = try world.run(["revoke", "user_42"])
        #expect(revoked.lines == ["user_42: revoked; the next apply ends 1 running activity"])
        try world.declare(both(2))
        try world.apply()
        #expect(try world.events() == ["end d1"])
        #expect(try world.simulator.tiles("d1").isEmpty)
        try world.settles("Nothing to send; 0 held, 2 blocked.")
        for id in [ids.widget, ids.start, ids.widgets] { #expect(try status(world, id) == "disabled revoked") }
        // A late callback restores nothing.
        try world.on("d1", "rotate")
        try world.apply()
        #expect(try world.pushes().isEmpty)
        #expect(try world.run(["log", "user_42"]).stdout.contains("report_ignored"))
        try world.set(minutes: 1)
        let opened = try world.run(["reauthorize", "user_42"])
        #expect(opened.lines.first?.hasPrefix("user_42: scope 2 is open to devices that register after 20") == true)
        try world.apply()
        #expect(try world.pushes().isEmpty)
        #expect(try status(world, ids.start) == "pending reauthorized")
        try world.set(minutes: 2)
        try world.on("d1", "rotate")
        try world.apply()
        #expect(try world.events().filter { $0.hasPrefix("start") } == ["start d1"])
        #expect(try world.statuses("d1") == ["2"])
        #expect(try status(world, ids.start) == "ready")
        try world.settles()
    }

    @Test(.long) func revokeKeepLeavesTheTileUntilANewScopeReplacesIt() throws {
        let world = try world()
        let ids = try ids(world)
        #expect(try world.run(["revoke", "--keep", ids.activity]).lines == ["\(ids.activity): revoked"])
        try world.declare(both(2))
        try world.apply()
        #expect(try world.events() == ["reload d1"])
        #expect(try world.statuses("d1") == ["1"])
        #expect(try status(world, ids.activity) == "disabled revoked")
        try world.set(minutes: 1)
        try world.run(["reauthorize", ids.activity])
        try world.set(minutes: 2)
        try world.on("d1", "rotate")
        try world.apply()
        try world.apply()
        #expect(try world.statuses("d1") == ["2"])
        #expect(try world.simulator.tiles("d1").count == 1)
        try world.settles()
    }

    @Test func theReportOfALaunchThatWasOutstandingEndsIt() throws {
        let world = try World(hasMovableClock: true)
        try world.phone("d1")
        try world.declare(.order("cooking"))
        try world.fault(#""report":{"late":600000}"#, on: #"{"type":"activity.registered"}"#)
        try world.apply()
        try world.run(["revoke", "user_42"])
        try world.apply()
        #expect(try world.statuses("d1") == ["cooking"])
        try world.set(minutes: 11)
        try world.apply()
        #expect(try world.simulator.tiles("d1").isEmpty)
        try world.settles("Nothing to send; 0 held, 1 blocked.")
    }

    @Test func aRunThatIsSendingLooksAtAPauseBeforeEachBatch() throws {
        let world = try World(["--streams", "2"])
        try world.simulator.send(
            #"{"do":"add","device":"d{n}","subscriber":"u{n}","count":40,"attributesTypes":["DeliveryAttributes"]}"#
        )
        try world.workspace.write(
            "state/all.ndjson",
            (1...40).map { Document.order("cooking", of: "u\($0)").text }.joined(separator: "\n")
        )
        try world.workspace.run("init")
        try world.fault(#""delay":50"#, #""chance":1"#)
        let apply = Process()
        apply.executableURL = Checkout.lockstep
        apply.arguments =
            ["apply", "--yes", "--quiet"] + (world.workspace.exists("lockstep.db") ? [] : ["--new-ledger"])
        apply.currentDirectoryURL = world.workspace.url
        apply.standardInput = FileHandle.nullDevice
        try apply.run()
        while apply.isRunning, try world.simulator.requests().count < 5 { usleep(2_000) }
        try #require(apply.isRunning)
        // u9 comes last in the order of sending.
        try world.run(["pause", "u9"])
        try world.run(["revoke", "u8"])
        apply.waitUntilExit()
        #expect(apply.terminationStatus == 0)
        #expect(try world.simulator.tiles("d9").isEmpty)
        #expect(try world.simulator.tiles("d8").isEmpty)
        try world.run(["resume", "u9"])
        try world.apply()
        #expect(try world.simulator.tiles("d9").count == 1)
        try world.settles("Nothing to send; 0 held, 1 blocked.")
    }

    @Test func whatIsUnknownIsSaidAtOnceAndNothingIsChanged() throws {
        let world = try world()
        let outcome = try world.run(["pause", "user_42", "user_43", "stt_01"], 65)
        #expect(outcome.stderr.contains("'user_43', 'stt_01'"), "\(outcome.stderr)")
        #expect(try world.run(["resume", "user_42"]).lines == ["user_42: was not paused"])
        #expect(try world.run(["reauthorize", "user_42"]).lines == ["user_42: was not revoked"])
        try world.settles()
    }
}
