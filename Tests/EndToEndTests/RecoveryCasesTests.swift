import Foundation
import TestSeeds
import Testing

/// Runs that are killed, and runs that meet another one.
@Suite struct RecoveryCasesTests {
    /// How many phones, how many streams, and after how many requests runs are killed, one after the other;
    /// `script/test --all` tries more places, and a thousand phones.
    struct Kills: Sendable {
        var phones = 300
        var streams = 20
        var after: [Int]
    }

    static let kills: [Kills] =
        [Kills(phones: 150, after: [20, 60])]
        + (runsLongProofs
            ? [
                Kills(after: [20, 60]), Kills(phones: 1_000, streams: 100, after: [500]), Kills(after: [1]),
                Kills(after: [2, 3, 5, 8, 13]),
                Kills(after: [40, 41, 42]), Kills(after: [100, 200]), Kills(after: [250]), Kills(after: [10, 290]),
            ] : [])

    @Test(arguments: kills) func killedInTheMiddleOfLaunchesNoPhoneGetsTwoAndRestartGivesEachOne(_ kills: Kills) throws
    {
        let world = try World(["--streams", "\(kills.streams)"], hasMovableClock: true)
        try world.simulator.send(
            #"{"do":"add","device":"d{n}","subscriber":"u{n}","count":\#(kills.phones),"#
                + #""attributesTypes":["DeliveryAttributes"]}"#
        )
        func declare(_ more: String = "") throws {
            let documents = (1...kills.phones).map { Document.order("cooking", more, of: "u\($0)").text }
            try world.workspace.write("state/all.ndjson", documents.joined(separator: "\n"))
        }
        try declare()
        try world.fault(#""delay":5"#, #""chance":1"#)
        for requests in kills.after { try kill(world, after: requests) }
        try world.simulator.send(#"{"do":"clear-faults"}"#)
        try world.apply()
        try world.apply()
        let tiles = try tilesEver(world)
        #expect(tiles.count == kills.phones)
        let without = tiles.keys.filter { tiles[$0] == 0 }.sorted()
        #expect(tiles.values.allSatisfy { $0 <= 1 })
        // A start that was marked and never written waits for a report that will not come; it is never sent blindly.
        #expect(without.count <= kills.streams * kills.after.count)

        try world.set(minutes: 66)
        try world.apply()
        let held = "Nothing to send; \(without.count) held, 0 blocked."
        try world.settles(without.isEmpty ? "No changes. Every target is in step with the files." : held)
        let launches = try world.run(["launches", "--format", "json"]).items()
        #expect(launches.compactMap { $0["device"] as? String }.sorted() == without)
        #expect(launches.allSatisfy { $0["resolution"] as? String == "unconfirmed" })

        try declare(#""restart":"if-unconfirmed""#)
        try world.apply()
        try world.apply()
        #expect(try tilesEver(world).values.allSatisfy { $0 == 1 })
        try world.settles()
    }

    /// How many tiles each phone ever showed.
    private func tilesEver(_ world: World) throws -> [String: Int] {
        try world.simulator.screens().mapValues { screen in
            let apps = (screen as? [String: Any])?["apps"] as? [String: [String: Any]] ?? [:]
            return apps.values.reduce(0) { $0 + (($1["tiles"] as? [Any])?.count ?? 0) }
        }
    }

    /// Kills an apply after Apple has seen so many requests.
    private func kill(_ world: World, after requests: Int) throws {
        let isFirst = !world.workspace.exists("lockstep.db")
        let process = Process()
        // What comes before the program replaces itself by it: the process that is killed is the program.
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = world.command(["apply", "--yes"] + (isFirst ? ["--new-ledger"] : []))
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
        #expect(try Data(contentsOf: ledger) == bytes)
    }

    @Test(.enabled(if: Permission.mounts, "a mount is not allowed here"))
    func aReadOnlyLedgerIsReadAndNothingIsSentOnTheStrengthOfIt() throws {
        let world = try World()
        try world.phone("d1")
        try world.declare(.order("cooking"))
        try world.apply()
        try world.declare(.order("riding"))
        try world.on("d1", "dismiss")
        // A mount that only this command sees, because root may write to whatever its mode is.
        let mount = #"mount --bind lockstep.db lockstep.db && mount -o remount,ro,bind lockstep.db && exec "$0" "$@""#
        let launcher = ["unshare", "--mount", "--map-root-user", "sh", "-c", mount]
        for command in [["apply", "--yes"], ["ingest"], ["reload", "user_42"]] {
            let refused = try world.run(command, 1, launcher: launcher)
            #expect(refused.stderr.contains("needs write permission on the file and its directory"), "\(command)")
        }
        for command in [["plan"], ["status"], ["launches"]] { try world.run(command, 0, launcher: launcher) }
        #expect(try world.events() == ["start d1"])
        try world.apply()
        #expect(try world.events() == [])
        try world.settles()
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
