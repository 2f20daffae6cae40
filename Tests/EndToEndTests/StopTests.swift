import Foundation
import Testing

/// What a signal does to a run that is sending.
@Suite struct StopTests {
    static let phones = 40

    /// A workspace with so many phones to reload, one after the other, each answered late.
    private func slowProject(delay: Int = 50) throws -> (Workspace, SimulatorProcess) {
        let workspace = try Workspace()
        let simulator = try SimulatorProcess(workspace, ["--streams", "1"])
        try simulator.send(
            #"{"do":"add","count":\#(Self.phones),"device":"d{n}","subscriber":"u{n}","widgets":["W"]}"#
        )
        try simulator.send(#"{"do":"fault","delay":\#(delay),"chance":1}"#)
        let documents = (1...Self.phones).map { #"{"subscriber":"u\#($0)","widgets":{"W":{"state":\#($0)}}}"# }
        try workspace.write("state/all.ndjson", documents.joined(separator: "\n"))
        return (workspace, simulator)
    }

    /// Applies, up to where something has happened.
    private func startApply(_ workspace: Workspace, until isReached: () throws -> Bool) throws -> Process {
        let process = Process()
        process.executableURL = Checkout.lockstep
        process.arguments = ["apply", "--yes", "--new-ledger"]
        process.currentDirectoryURL = workspace.url
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: workspace.write("stdout", ""))
        process.standardError = try FileHandle(forWritingTo: workspace.write("stderr", ""))
        try process.run()
        while try process.isRunning && !isReached() { usleep(5_000) }
        return process
    }

    /// Applies, sends the signal as soon as pushes are under way, and waits for the end.
    private func interruptApply(_ workspace: Workspace, _ signal: Int32) throws -> Outcome {
        try interruptApply(workspace, signal) { try requests(workspace) >= 3 }
    }

    private func interruptApply(_ workspace: Workspace, _ signal: Int32, once isReached: () throws -> Bool) throws
        -> Outcome
    {
        let process = try startApply(workspace, until: isReached)
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        try #require(process.terminationReason == .exit)
        return Outcome(
            status: process.terminationStatus,
            stdout: try workspace.text("stdout"),
            stderr: try workspace.text("stderr")
        )
    }

    private func requests(_ workspace: Workspace) throws -> Int {
        guard workspace.exists("simulator/requests.ndjson") else { return 0 }
        return try workspace.text("simulator/requests.ndjson").count { $0 == "\n" }
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func theRunRecordsWhatIsInFlightAndTheNextOneSendsTheRest(signal: Int32, status: Int32) throws {
        let (workspace, simulator) = try slowProject()
        let stopped = try interruptApply(workspace, signal)
        #expect(stopped.status == status, "\(stopped.stderr)")
        #expect(stopped.lines.last?.hasSuffix("Stopped by a signal; the rest is queued for the next run.") == true)
        #expect(try requests(workspace) < Self.phones)

        try simulator.send(#"{"do":"clear-faults"}"#)
        #expect(try workspace.run("apply", "--yes").status == 0)
        #expect(try requests(workspace) == Self.phones)
        let screens = try simulator.screens()
        for number in [1, Self.phones] {
            let apps = (screens["d\(number)"] as? [String: Any])?["apps"] as? [String: [String: Any]]
            let widgets = apps?["com.example.courier"]?["widgets"] as? [String: [String: Any]]
            #expect(widgets?["W"]?["state"] as? Int == number)
        }
        try workspace.assertInStep()
    }

    /// Whether a process holds a signal back, which it does until it has taken note of the first one.
    private func blocks(_ process: Process, _ signal: Int32) throws -> Bool {
        let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("SigBlk:") })
        let mask = try #require(UInt64(line.dropFirst("SigBlk:\t".count), radix: 16))
        return mask & 1 << UInt64(signal - 1) != 0
    }

    /// Asks a run to stop, and once it has taken note of that, asks again.
    private func terminateTwice(_ process: Process) throws {
        kill(process.processIdentifier, SIGTERM)
        while process.isRunning, try blocks(process, SIGTERM) { usleep(5_000) }
        #expect(process.isRunning)
        kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal)
    }

    @Test func aSecondSignalEndsARunThatWaitsForAnswers() throws {
        let (workspace, simulator) = try slowProject()
        try simulator.send(#"{"do":"clear-faults"}"#)
        try simulator.send(#"{"do":"fault","delay":600000,"chance":1}"#)
        let process = try startApply(workspace) { try requests(workspace) >= 1 }
        try terminateTwice(process)
        try simulator.send(#"{"do":"clear-faults"}"#)
        #expect(try workspace.run("apply", "--yes").status == 0)
        try workspace.assertInStep()
    }

    /// Some of the starts in flight arrived, the others did not; nobody knows which until the phones report.
    @Test func aSecondSignalDoublesNoStart() throws {
        let world = try World()
        let phones = 12
        try world.simulator.send(
            #"{"do":"add","device":"d{n}","subscriber":"u{n}","count":\#(phones),"attributesTypes":["DeliveryAttributes"]}"#
        )
        let documents = (1...phones).map { Document.order("cooking", of: "u\($0)").text }
        try world.workspace.write("state/all.ndjson", documents.joined(separator: "\n"))
        try world.fault(#""silence":"before""#, #""after":1,"times":5"#)
        try world.fault(#""silence":"after""#, #""after":1,"times":6"#)
        let process = try startApply(world.workspace) { try requests(world.workspace) >= phones }
        try terminateTwice(process)
        let next = try world.apply()
        #expect(next.lines.last == "Applied: 0 committed; 0 accepted, 0 failed, 0 held, 0 unknown.", "\(next.stdout)")
        #expect(try requests(world.workspace) == phones)
        let tiles = try (1...phones).map { try world.tilesEver("d\($0)") }
        #expect(tiles.reduce(0, +) == 7 && tiles.allSatisfy { $0 <= 1 })
        try world.settles("Nothing to send; 5 held, 0 blocked.")
    }

    @Test(.long) func aSignalIsHeardInTheMiddleOfALongCommit() throws {
        let world = try World()
        let owners = 6_000
        let documents = (1...owners).map { Document.steps(1, of: "u\($0)").text }
        try world.workspace.write("state/all.ndjson", documents.joined(separator: "\n"))
        let stopped = try interruptApply(world.workspace, SIGTERM) { try world.step() >= 1 }
        #expect(stopped.status == 143, "\(stopped.stderr)")
        #expect(stopped.lines.last?.contains("of \(owners) committed") == true, "\(stopped.stdout)")
        #expect(try world.step() < owners / 500)
        try world.apply()
        try world.settles()
    }

    // MARK: - A limited time

    @Test(.long) func aRunWhoseTimeIsOverFinishesWhatIsInFlightAndLeavesTheRest() throws {
        let (workspace, simulator) = try slowProject(delay: 150)
        let first = try workspace.run("apply", "--yes", "--new-ledger", "--max-runtime", "3s")
        #expect(first.status == 0, "\(first.stderr)")
        #expect(first.lines.last?.hasSuffix("Stopped by --max-runtime; the rest is queued for the next run.") == true)
        let sent = try requests(workspace)
        #expect(sent < Self.phones)
        #expect(first.lines.last?.contains("\(sent) accepted, 0 failed, \(Self.phones - sent) held, 0 unknown") == true)
        try simulator.send(#"{"do":"clear-faults"}"#)
        #expect(try workspace.run("apply", "--yes").status == 0)
        #expect(try requests(workspace) == Self.phones)
        try workspace.assertInStep()
    }

    /// A limit that is too short for any progress would leave everything undone for ever, in silence.
    @Test func aTimeThatIsTooShortForAnythingIsAFailure() throws {
        let world = try World()
        try world.phone("d1")
        try world.declare(.order("cooking"))
        let short = try world.run(["apply", "--yes", "--new-ledger", "--max-runtime", "0s"], 1)
        #expect(short.stderr.contains("--max-runtime 0s was over before anything was committed or sent"))
        #expect(try world.events().isEmpty)
        try world.run(["apply", "--yes"])
        try world.settles()
        // With nothing to do, no time is enough.
        try world.run(["apply", "--yes", "--max-runtime", "0s"])
    }
}

extension World {
    /// The last step of the ledger, seen by another program; 0 while there is none.
    func step() throws -> Int {
        // The facts of the whole come first.
        let words = ["-c", #""$0" state dump | head -n 1"#, Checkout.lockstep.path]
        let dump = try execute(URL(filePath: "/bin/sh"), words, in: workspace.url)
        return try dump.items().first?["step"] as? Int ?? 0
    }
}
