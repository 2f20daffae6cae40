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
        #expect(open.lines[0].hasSuffix("order-1001 of user_42 on d1: outstanding; its start is accepted"))
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
        #expect(try world.run(["log", "nobody"], 0).lines == [])
        #expect(try world.run(["log"], 0).lines.first?.hasSuffix("on device d1: accepted (200)") == true)
    }
}
