import Foundation
import Testing

@testable import lockstep

/// Runs that meet another one at work.
@Suite struct LockTests {
    /// Starts a command in the workspace of a world; what it says goes to `NAME.stdout` and `NAME.stderr` there.
    private func start(_ world: World, _ name: String, _ arguments: String...) throws -> Process {
        let process = Process()
        process.executableURL = Checkout.lockstep
        process.arguments = arguments
        process.currentDirectoryURL = world.workspace.url
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: world.workspace.write("\(name).stdout", ""))
        process.standardError = try FileHandle(forWritingTo: world.workspace.write("\(name).stderr", ""))
        try process.run()
        return process
    }

    /// A world in which an apply waits for an answer that does not come before ``release(_:)``.
    private func busy() throws -> (World, Process) {
        let world = try World()
        try world.phone("d1")
        try world.declare(.order("cooking"))
        try world.apply()
        try world.fault(#""silence":"after""#)
        try world.declare(.order("riding"))
        let holder = try start(world, "holder", "apply", "--yes")
        while holder.isRunning, try world.simulator.requests().count < 2 { usleep(2_000) }
        return (world, holder)
    }

    /// Ends the wait of the run that holds the lock.
    private func release(_ world: World, _ holder: Process) throws {
        try world.simulator.send(#"{"do":"cut"}"#)
        holder.waitUntilExit()
        #expect(holder.terminationStatus == 3)
    }

    @Test(.long) func whoComesSecondIsToldWhoIsAtWork() throws {
        let (world, holder) = try busy()
        for command in [["apply", "--yes"], ["reload", "user_42"]] {
            for timeout in [[], ["--lock-timeout", "1s"]] {
                let refused = try world.run(command + timeout, 75)
                let place = "(pid \(holder.processIdentifier), \(NSUserName())@"
                #expect(refused.stderr.contains("is locked by 'lockstep apply' \(place)"), "\(refused.stderr)")
                #expect(refused.stderr.contains(", since 2"), "\(refused.stderr)")
                #expect(refused.stderr.contains(", run_"), "\(refused.stderr)")
            }
        }
        let json = try world.run(["reload", "user_42", "--format", "json"], 75).json()
        #expect((json["error"] as? [String: Any])?["code"] as? String == "locked")
        // Reports are safe in the spool, however long ingest would have waited.
        let ingest = try world.run(["ingest", "--lock-timeout", "1s"])
        #expect(ingest.stderr.contains("the reports wait in the spool"), "\(ingest.stderr)")
        try release(world, holder)
    }

    @Test(.long, arguments: [["apply", "--yes"], ["ingest"], ["reload", "user_42"]])
    func whoWaitsComesNext(_ command: [String]) throws {
        let (world, holder) = try busy()
        try world.on("d1", "update-os", #""os":"26.1""#)
        let process = try start(
            world,
            "next",
            command[0],
            "--lock-timeout",
            "1h",
            command.count > 1 ? command[1] : "--verbose"
        )
        while process.isRunning, try !world.workspace.text("next.stderr").contains("waiting for 'lockstep apply' (pid")
        {
            usleep(2_000)
        }
        #expect(process.isRunning)
        try release(world, holder)
        process.waitUntilExit()
        let said = try world.workspace.text("next.stderr")
        #expect(process.terminationStatus == 0, "\(said)")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: world.workspace.url.path + "/reports/done").count > 0
        )
        try world.apply(launcher: FakeTime.from("+5m"))
        try world.settles()
    }

    @Test func everyCommandThatMayFindTheLockTakenCanWaitForIt() {
        for row in OptionTable.commands where row.statuses.contains(.locked) {
            #expect(row.options.contains(.lockTimeout), "\(row.name)")
        }
    }

    @Test(arguments: ["5", "5 m", "-5s", "soon"]) func whatIsNoDurationIsRefused(_ text: String) throws {
        let outcome = try Workspace().run("apply", "--yes", "--lock-timeout=\(text)")
        #expect(outcome.status == 64)
        #expect(outcome.stderr.contains("'--lock-timeout' takes a duration such as 90s, 15m or 8h, not '\(text)'"))
    }

    /// A ledger that is reached by two names is one ledger.
    @Test func theLockLiesBesideTheFileThatALinkLeadsTo() throws {
        let world = try World()
        try world.phone("d1")
        try world.declare(.order("cooking"))
        try world.apply()
        try FileManager.default.createSymbolicLink(
            at: world.workspace.url.appending(path: "link.db"),
            withDestinationURL: world.workspace.url.appending(path: "lockstep.db")
        )
        try world.configure { $0["ledger"] = "link.db" }
        let held = ["flock", "lockstep.db.lock"]
        #expect(try world.run(["apply", "--yes"], 75, launcher: held).stderr.contains("is locked by"))
        try world.run(["apply", "--yes"])
        #expect(!world.workspace.exists("link.db.lock") && !world.workspace.exists("link.db.mark"))
        try world.settles()
    }
}
