import Foundation
import Testing

/// `lockstep simulate` as a program that scripts and tests start.
@Suite struct SimulateTests {
    @Test func aPhoneThatIsAddedReportsIntoTheSpoolAndShowsNothingYet() throws {
        let workspace = try Workspace()
        let simulator = try SimulatorProcess(workspace)
        try simulator.send(
            #"{"do":"add","device":"phone-1","subscriber":"user_42","widgets":["Stats"],"attributesTypes":["T"]}"#
        )
        #expect(try simulator.tiles("phone-1").isEmpty)
        let spool = try FileManager.default.contentsOfDirectory(atPath: workspace.url.appending(path: "reports").path)
        let reports = try spool.filter { $0.hasSuffix(".ndjson") }.map { try workspace.text("reports/\($0)") }.joined()
        #expect(reports.contains(#""type":"widgets.registered""#))
        #expect(reports.contains(#""type":"start.registered""#))
    }

    @Test func curlReachesItAndIsToldWhatIsWrong() throws {
        let workspace = try Workspace()
        let simulator = try SimulatorProcess(workspace)
        let curl = try execute(
            URL(filePath: "/usr/bin/curl"),
            [
                "-sS", "--http2", "--cacert", simulator.ready.caFile, "-X", "POST", "-d", "{}",
                "-w", "%{http_version} %{http_code}", "\(simulator.ready.url)/3/device/abcd",
            ],
            in: workspace.url,
            environment: ["https_proxy": "", "HTTPS_PROXY": ""]
        )
        #expect(curl.stdout.contains(#""reason""#))
        #expect(curl.stdout.hasSuffix("2 400") || curl.stdout.hasSuffix("2 403"), "\(curl.stdout)\(curl.stderr)")
    }

    @Test func aWrongCommandIsAnsweredAndChangesNothing() throws {
        let simulator = try SimulatorProcess(try Workspace())
        #expect(throws: SimulatorProcess.Failure.self) { try simulator.send(#"{"do":"fly"}"#) }
        #expect(try simulator.screens().isEmpty)
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func aSignalEndsItWell(_ signal: Int32) throws {
        let workspace = try Workspace()
        let ready = workspace.url.appending(path: "ready.json").path
        let code = """
            '\(Checkout.lockstep.path)' simulate --ready-file '\(ready)' < /dev/null & pid=$!
            while [ ! -e '\(ready)' ] && kill -0 $pid; do read -rt 0.01 _ <> <(:); done
            kill -\(signal) $pid; wait $pid; echo $?
            """
        #expect(try execute(URL(filePath: "/bin/bash"), ["-c", code], in: workspace.url).lines.last == "0")
    }
}
