import Foundation
import Testing

/// Runs that are killed, and runs that meet another one.
@Suite struct RecoveryCasesTests {
    /// After how many requests runs are killed, one after the other; `script/test --all` tries more places.
    static let kills: [[Int]] =
        ProcessInfo.processInfo.environment["LOCKSTEP_TEST_ALL"] == nil
        ? [[20, 60]] : [[20, 60], [1], [2, 3, 5, 8, 13], [40, 41, 42], [100, 200], [250], [10, 290]]

    @Test(arguments: kills) func killedInTheMiddleOfSomeHundredLaunchesNoPhoneGetsTwo(_ kills: [Int]) throws {
        let world = try World(["--streams", "20"])
        let phones = 300
        try world.simulator.send(
            #"{"do":"add","device":"d{n}","subscriber":"u{n}","count":\#(phones),"#
                + #""attributesTypes":["DeliveryAttributes"]}"#
        )
        let documents = (1...phones).map { Document.order("cooking", of: "u\($0)").text }
        try world.workspace.write("state/all.ndjson", documents.joined(separator: "\n"))
        try world.fault(#""delay":5"#, #""chance":1"#)
        for answers in kills { try kill(world, after: answers) }
        try world.simulator.send(#"{"do":"clear-faults"}"#)
        try world.apply()
        try world.apply()
        let tiles = try world.simulator.screens().keys.map { try world.tilesEver($0) }
        #expect(tiles.count == phones)
        #expect(tiles.allSatisfy { $0 <= 1 })
        // A start that was marked and never written waits for a report that will not come; it is never sent blindly.
        let missing = tiles.count { $0 == 0 }
        #expect(missing <= 20 * kills.count)
        try world.settles(
            missing == 0
                ? "No changes. Every target is in step with the files."
                : "Nothing to send; \(missing) held, 0 blocked."
        )
    }

    /// Kills an apply after Apple has seen so many requests.
    private func kill(_ world: World, after requests: Int) throws {
        let isFirst = !world.workspace.exists("lockstep.db")
        let process = Process()
        process.executableURL = Checkout.lockstep
        process.arguments = ["apply", "--yes"] + (isFirst ? ["--new-ledger"] : [])
        process.currentDirectoryURL = world.workspace.url
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        let log = world.workspace.url.appending(path: "simulator/requests.ndjson").path
        while process.isRunning, Self.lines(log) < requests { usleep(2_000) }
        try #require(process.isRunning)
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    private static func lines(_ path: String) -> Int {
        (FileManager.default.contents(atPath: path) ?? Data()).count { $0 == UInt8(ascii: "\n") }
    }

    @Test func ofADamagedLedgerEveryCommandSaysWhatToDo() throws {
        let world = try World()
        try world.phone("d1")
        try world.declare(.order("cooking"))
        try world.apply()
        let ledger = world.workspace.url.appending(path: "lockstep.db")
        var bytes = try Data(contentsOf: ledger)
        // The header stays whole, so that the damage shows only when a table is read.
        bytes.replaceSubrange(4_096..., with: Data(repeating: 0x5A, count: bytes.count - 4_096))
        try bytes.write(to: ledger)
        for command in [["plan"], ["status"], ["apply", "--yes"], ["reload", "user_42"]] {
            #expect(try world.run(command, 1).stderr.contains("restore the last backup"), "\(command)")
        }
    }

    /// flock(1) of util-linux takes the same lock.
    @Test func whileAnotherRunHoldsTheLockReportsWaitAndPlansGoOn() throws {
        let world = try World()
        try world.phone("d1")
        try world.declare(.order("cooking"))
        try world.apply()
        try world.declare(.order("riding"))
        let held = ["flock", "lockstep.db.lock"]
        let apply = try world.run(["apply", "--yes"], 75, launcher: held)
        #expect(apply.stderr.contains("lockstep.db.lock is locked by"))
        try world.run(["reload", "user_42"], 75, launcher: held)
        try world.on("d1", "dismiss")
        let ingest = try world.run(["ingest"], 0, launcher: held)
        #expect(ingest.stderr.contains("the reports wait in the spool"))
        let plan = try world.run(["plan"], 0, launcher: held)
        #expect(plan.lines.last == "Plan: 1 to commit, nothing to send; 0 held, 0 blocked.")
        try world.run(["status"], 0, launcher: held)
        try world.apply()
        #expect(try world.events() == ["start d1"])
        try world.settles()
    }
}
