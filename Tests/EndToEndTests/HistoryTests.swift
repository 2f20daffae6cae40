import Foundation
import Testing

/// What an operator reads after a night: what was sent, and which starts nobody knows the outcome of.
@Suite struct HistoryTests {
    @Test func launchesListsTheStartsThatNobodyReported() throws {
        let world = try World()
        try world.phone("d1")
        try world.declare(.order("cooking"))
        #expect(try world.workspace.run("apply", "--yes", "--new-ledger", "--quiet").status == 0)
        // The report waits in the spool: only plan and apply look at it.
        let open = try world.run(["launches"], 0)
        #expect(open.lines.count == 1)
        #expect(
            open.lines[0].contains(
                "order-1001 of user_42 on d1: outstanding; its start is accepted; its report is due by "
            )
        )
        try world.workspace.run("ingest")
        #expect(try world.run(["launches"], 0).lines == ["Every launch is resolved."])

        let all = try world.run(["launches", "user_42", "--format", "json"], 0).items()
        let launch = try #require(all.first)
        #expect(all.count == 1 && launch["resolution"] as? String == "adopted")
        let id = try #require(launch["launchRequestId"] as? String)
        #expect(try world.run(["launches", id], 0).lines.first?.hasPrefix(id) == true)
        try world.settles()
    }

    @Test func logTellsALaunchFromStartToEnd() throws {
        let world = try World()
        try world.phone("d1")
        try world.declare(.order("cooking"))
        try world.apply()
        try world.on("d1", "dismiss")
        try world.workspace.run("ingest")
        let lines = try world.run(["log", "user_42", "--format", "json"], 0).items()
        #expect(lines.compactMap { $0["kind"] as? String } == ["start_accepted", "adopted", "closed"])
        let launch = try #require(lines.first?["subject"] as? String)
        #expect(launch.hasPrefix("lrq_"))
        #expect(try world.run(["log", launch], 0).lines.count == 3)
        for command in ["log", "launches", "status"] {
            #expect(try world.run([command, "nobody"], 65).stderr.contains("nothing is known of 'nobody'"))
        }
        #expect(try world.run(["log"], 0).lines.first?.hasSuffix("on device d1: accepted (200)") == true)
    }

    @Test(.long) func whatWasUncertainStaysInTheLogOnceItIsSettled() throws {
        let world = try World()
        try world.phone("d1", of: nil)
        try world.workspace.write("state/anon.json", Document.order("cooking", of: "anon_d1").text)
        try world.fault(#""cut":"after""#, on: #"{"event":"start"}"#)
        try world.apply(status: 3)
        try world.apply()
        try world.on("d1", "identify", #""as":"user_42""#)
        try world.workspace.run("ingest")
        for subject in ["anon_d1", "user_42"] {
            let lines = try world.run(["log", subject, "--format", "json"]).items()
            #expect(
                lines.compactMap { $0["kind"] as? String }.prefix(3) == ["start_unknown", "start_accepted", "adopted"],
                "\(lines)"
            )
            let accepted = lines.last { $0["kind"] as? String == "start_accepted" }
            #expect(accepted?["text"] as? String == "on device d1: accepted: the device reported its launch")
            let launch = try #require(try world.run(["launches", subject, "--format", "json"]).items().first)
            let history = try #require(launch["history"] as? [[String: Any]])
            #expect(
                history.compactMap { $0["event"] as? String } == [
                    "queued", "sent", "start_unknown", "start_accepted", "adopted",
                ]
            )
        }
    }

    @Test func whatNeverLeftIsNotCalledSent() throws {
        let world = try World()
        try world.phone("d1")
        try world.declare(.order("cooking"))
        try world.fault(#""answer":{"status":503,"reason":"ServiceUnavailable"}"#, on: #"{"event":"start"}"#)
        try world.apply(status: 3)
        let launch = try #require(try world.run(["launches", "--format", "json"]).items().first)
        let history = try #require(launch["history"] as? [[String: Any]])
        #expect(history.compactMap { $0["event"] as? String } == ["queued", "start_queued"])
        #expect(try world.run(["log", "user_42"]).stdout.contains("queued again: 503 ServiceUnavailable"))
    }

    @Test func anActivityOfAnUnknownLaunchIsShownAndCannotBeRevoked() throws {
        let world = try World()
        try world.phone("d1")
        try world.declare(.steps(1))
        try world.apply()
        let now = Date().formatted(.iso8601)
        try world.report(
            #"{"type":"activity.registered","app":"com.example.courier","subscriber":"user_42","device":"d1","at":"\#(now)","#
                + #""activityId":"A1","attributesType":"DeliveryAttributes","token":"aabb","launchRequestId":"lrq_00000000000000000000000000"}"#
        )
        try world.workspace.run("ingest")
        let line = try #require(try world.run(["launches"]).lines.first)
        #expect(line.contains("on d1: unknown_launch; no launch of 'DeliveryAttributes' there until"), "\(line)")
        let target = try #require(line.split(separator: " ").first.map(String.init))
        #expect(try world.run(["revoke", target], 65).stderr.contains("belongs to no declaration"))
        try world.declare(.order("cooking"))
        try world.apply()
        try world.settles("Nothing to send; 1 held, 0 blocked.")
    }
}
