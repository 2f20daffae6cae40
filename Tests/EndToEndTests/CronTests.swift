import Foundation
import Testing

/// The wrapper for cron, with stand-ins for `lockstep` that end as each test needs.
@Suite struct CronTests {
    static let wrapper = Checkout.root.appending(path: "cron/lockstep-cron")

    /// Runs the wrapper over a project whose `lockstep COMMAND` runs the given shell code.
    private func run(in project: Scratch, ingest: String = "exit 0", apply: String = "exit 0") throws -> Outcome {
        let program = try project.write(
            "stub/lockstep",
            "#!/bin/sh\ncase $1 in\ningest) \(ingest) ;;\napply) \(apply) ;;\nesac\n"
        )
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        return try execute(Self.wrapper, ["."], in: project.url, environment: ["LOCKSTEP": program.path])
    }

    @Test func saysNothingWhenNothingHappened() throws {
        let outcome = try run(in: Scratch())
        #expect(outcome.status == 0)
        #expect(outcome.stdout + outcome.stderr == "")
    }

    @Test func showsWhatChanged() throws {
        let outcome = try run(in: Scratch(), apply: "echo 'sent 3 pushes'; exit 0")
        #expect(outcome.status == 0)
        #expect(outcome.lines.first?.hasPrefix("lockstep in ") == true)
        #expect(outcome.lines.last == "sent 3 pushes")
    }

    @Test func anotherRunAtWorkIsNoNews() throws {
        let outcome = try run(in: Scratch(), ingest: "exit 0", apply: "echo 'locked by …' >&2; exit 75")
        #expect(outcome.status == 0)
        #expect(outcome.stdout + outcome.stderr == "")
    }

    @Test(arguments: [3, 4, 65])
    func failuresKeepTheirStatus(_ status: Int) throws {
        let outcome = try run(in: Scratch(), apply: "echo reason >&2; exit \(status)")
        #expect(outcome.status == Int32(status))
        #expect(outcome.lines.suffix(3) == ["reason", "", "exit status \(status)"])
    }

    @Test func appliesThoughAReportWasRejectedAndSaysSo() throws {
        let outcome = try run(in: Scratch(), ingest: "exit 65", apply: "echo applied")
        #expect(outcome.status == 65)
        #expect(outcome.lines.contains("applied"))
    }

    @Test func pullsFirstAndGoesOnWithTheOldFilesWhereThatFails() throws {
        let upstream = try Scratch()
        let clone = try Scratch()
        let git = URL(filePath: "/usr/bin/git")
        let identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"]
        try upstream.write("state", "one")
        for arguments in [["init", "-q"], ["add", "."], identity + ["commit", "-qm", "one"]] {
            #expect(try execute(git, arguments, in: upstream.url).status == 0)
        }
        #expect(try execute(git, ["clone", "-q", upstream.url.path, "."], in: clone.url).status == 0)
        try upstream.write("state", "two")
        #expect(try execute(git, identity + ["commit", "-qam", "two"], in: upstream.url).status == 0)

        #expect(try run(in: clone, apply: "cat state").lines.last == "two")

        try FileManager.default.removeItem(at: upstream.url)
        let outcome = try run(in: clone, apply: "cat state")
        #expect(outcome.status == 1)
        #expect(outcome.stdout.contains("The files could not be pulled; this run used those of "))
        #expect(outcome.lines.contains("two"))
    }

    @Test func withTheRealProgramItSaysWhatWasSentAndThenNothing() throws {
        let workspace = try Workspace()
        let simulator = try SimulatorProcess(workspace)
        try simulator.send(#"{"do":"add","device":"d1","subscriber":"u1","widgets":["W"]}"#)
        try workspace.write("state/u1.json", #"{ "subscriber": "u1", "widgets": { "W": { "state": 1 } } }"#)
        func run() throws -> Outcome {
            let program = ["LOCKSTEP": Checkout.lockstep.path]
            return try execute(Self.wrapper, ["."], in: workspace.url, environment: program)
        }
        let unready = try run()
        #expect(unready.status == 4)
        #expect(unready.stdout.contains("--new-ledger"))

        #expect(try workspace.run("apply", "--yes", "--new-ledger").status == 0)
        #expect(try run().stdout == "")
        try workspace.write("state/u1.json", #"{ "subscriber": "u1", "widgets": { "W": { "state": 2 } } }"#)
        let sent = try run()
        #expect(sent.status == 0)
        #expect(sent.lines.last == "Applied: 1 committed; 1 accepted, 0 failed, 0 held, 0 unknown.")
        #expect(try run().stdout == "")
        try workspace.assertInStep()
    }
}
