import Foundation
import Testing

/// What a signal does to a run that is sending.
@Suite struct StopTests {
    static let phones = 40

    /// A workspace with so many phones to reload, one after the other, each answered late.
    private func slowProject() throws -> (Workspace, SimulatorProcess) {
        let workspace = try Workspace()
        let simulator = try SimulatorProcess(workspace, ["--streams", "1"])
        try simulator.send(
            #"{"do":"add","count":\#(Self.phones),"device":"d{n}","subscriber":"u{n}","widgets":["W"]}"#
        )
        try simulator.send(#"{"do":"fault","delay":50,"chance":1}"#)
        let documents = (1...Self.phones).map { #"{"subscriber":"u\#($0)","widgets":{"W":{"state":\#($0)}}}"# }
        try workspace.write("state/all.ndjson", documents.joined(separator: "\n"))
        return (workspace, simulator)
    }

    /// Applies, up to where so many pushes are under way.
    private func startApply(_ workspace: Workspace, until pushes: Int) throws -> Process {
        let process = Process()
        process.executableURL = Checkout.lockstep
        process.arguments = ["apply", "--yes", "--new-ledger"]
        process.currentDirectoryURL = workspace.url
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: workspace.write("stdout", ""))
        process.standardError = try FileHandle(forWritingTo: workspace.write("stderr", ""))
        try process.run()
        while try process.isRunning && requests(workspace) < pushes { usleep(2_000) }
        return process
    }

    /// Applies, sends the signal as soon as pushes are under way, and waits for the end.
    private func interruptApply(_ workspace: Workspace, _ signal: Int32) throws -> Outcome {
        let process = try startApply(workspace, until: 3)
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

    @Test func aSecondSignalEndsARunThatWaitsForAnswers() throws {
        let (workspace, simulator) = try slowProject()
        try simulator.send(#"{"do":"clear-faults"}"#)
        try simulator.send(#"{"do":"fault","delay":600000,"chance":1}"#)
        let process = try startApply(workspace, until: 1)
        kill(process.processIdentifier, SIGTERM)
        while process.isRunning, try blocks(process, SIGTERM) { usleep(2_000) }
        #expect(process.isRunning)
        kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal)
        try simulator.send(#"{"do":"clear-faults"}"#)
        #expect(try workspace.run("apply", "--yes").status == 0)
        try workspace.assertInStep()
    }
}
