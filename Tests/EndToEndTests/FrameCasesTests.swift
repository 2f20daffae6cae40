import Foundation
import TestServers
import TestSeeds
import Testing

/// What the ledger makes of each way in which a request can end, with Apple's part played by the simulator and by a server
/// on another implementation of HTTP/2.
///
/// The pushes are starts, where it matters most: certainly not processed is sent again, perhaps processed never.
@Suite struct FrameCasesTests {
    /// Time runs so fast that a minute without an answer is soon over.
    private static let fast = FakeTime.from("+0 x60")

    /// Expects so many deliveries that wait to be sent, and so many of which nobody knows.
    private func expect(_ world: World, queued: Int, unknown: Int) throws {
        let lines = try world.run(["status"]).lines
        #expect(lines.contains("queued: \(queued)"), "\(lines)")
        #expect(lines.contains("unknown: \(unknown)"), "\(lines)")
    }

    // MARK: - The simulator

    static let unprocessed = [
        (#""reset":"REFUSED_STREAM""#, #""after":1,"times":2"#),
        (#""goaway":{"reason":"Shutdown"}"#, #""after":1"#),
        // Its last stream is 0.
        (#""goaway":{"reason":"Shutdown"}"#, ""),
        (#""goaway":{"processed":true}"#, #""after":1"#),
        (#""connect":"cut""#, ""),
        (#""connect":{"goaway":"Shutdown"}"#, ""),
        (#""streams":1"#, ""),
        (#""streams":0"#, #""after":2"#),
    ]

    @Test(arguments: sample(of: unprocessed, every: 3))
    func whatWasCertainlyNotProcessedGoesOutAgainInTheSameRun(effect: String, more: String) throws {
        let world = try World.waiting()
        try world.fault(effect, more)
        let outcome = try world.apply()
        #expect(outcome.lines.last?.contains("3 accepted, 0 failed, 0 held, 0 unknown") == true, "\(outcome.stdout)")
        for number in 1...3 { #expect(try world.tilesEver("d\(number)") == 1) }
        try world.settles()
    }

    static let neverProcessed = [
        (#""reset":"REFUSED_STREAM""#, "refused the stream"),
        (#""goaway":{"reason":"Shutdown"}"#, "Shutdown"),
        (#""connect":"cut""#, "127.0.0.1"),
        (#""connect":{"goaway":"BadCertificateEnvironment"}"#, "BadCertificateEnvironment"),
    ]

    @Test(arguments: sample(of: neverProcessed, every: 4))
    func whatIsNeverProcessedStaysQueuedForTheNextRun(effect: String, message: String) throws {
        let world = try World.waiting()
        try world.fault(effect, #""times":1000"#)
        let outcome = try world.apply(status: 3)
        #expect(outcome.stderr.split(separator: "\n").count == 1, "\(outcome.stderr)")
        #expect(
            outcome.stderr.contains(message) && outcome.stderr.contains("the next run sends it"),
            "\(outcome.stderr)"
        )
        try expect(world, queued: 3, unknown: 0)
        try world.simulator.send(#"{"do":"clear-faults"}"#)
        try world.apply()
        for number in 1...3 { #expect(try world.tilesEver("d\(number)") == 1) }
        try world.settles()
    }

    static let perhapsProcessed: [(String, Int, [String])] = [
        (#""cut":"before""#, 0, []), (#""cut":"after""#, 1, []), (#""reset":"INTERNAL_ERROR""#, 0, []),
        (#""reset":"CANCEL""#, 0, []), (#""silence":"before""#, 0, fast), (#""silence":"after""#, 1, fast),
        (#""answer":{"reason":"InternalServerError","processed":true}"#, 1, []),
    ]

    @Test(arguments: sample(of: perhapsProcessed, every: 3))
    func whatMayHaveBeenProcessedIsNotStartedAgain(effect: String, tiles: Int, launcher: [String]) throws {
        let world = try World.waiting()
        // The last one, so that a cut takes no other with it.
        try world.fault(effect, on: #"{"device":"d3"}"#)
        try world.apply(status: 3, launcher: launcher)
        try expect(world, queued: 0, unknown: 1)
        // A tile that is there is reported, and that settles it.
        try world.apply()
        try world.apply()
        #expect(try world.tilesEver("d3") == tiles)
        #expect(try world.pushes().filter { $0.device == "d3" }.count == 1)
        try expect(world, queued: 0, unknown: 1 - tiles)
        try world.settles(
            tiles == 1 ? "No changes. Every target is in step with the files." : "Nothing to send; 1 held, 0 blocked."
        )
    }

    // MARK: - Another server

    struct Row: CustomTestStringConvertible {
        let claim: String
        let scenario: String
        /// What the next run sends, to the simulator.
        let sent: [String]
        let unknown: Int
        var message = ""
        var launcher: [String] = []
        var testDescription: String { claim }
    }

    static let rows = [
        Row(
            claim: "a refused stream was not processed",
            scenario: #"{"connections": [{"*": [{"reset": 7}]}]}"#,
            sent: ["start d1", "start d2", "start d3"],
            unknown: 0,
            message: "refused the stream"
        ),
        Row(
            claim: "of a stream that was reset nobody knows",
            scenario: #"{"connections": [{"*": [{"reset": 2}]}]}"#,
            sent: [],
            unknown: 3
        ),
        Row(
            claim: "GOAWAY before SETTINGS processed nothing, and says why",
            scenario:
                #"{"connections": [{"accept": [{"goAway": 0, "reason": "BadCertificateEnvironment", "first": true}]}]}"#,
            sent: ["start d1", "start d2", "start d3"],
            unknown: 0,
            message: "BadCertificateEnvironment"
        ),
        Row(
            claim: "GOAWAY with last stream 0 processed nothing, and says why",
            scenario: #"{"connections": [{"*": [{"goAway": 0, "reason": "Shutdown"}]}]}"#,
            sent: ["start d1", "start d2", "start d3"],
            unknown: 0,
            message: "Shutdown"
        ),
        Row(
            claim: "what is above GOAWAY's last stream was not processed, and what is below is answered",
            scenario: #"""
                {"connections": [{"2": [{"wait": true}], "3": [{"goAway": 2, "reason": "Shutdown"}, {"answer": 2}]},
                  {"*": [{"reset": 7}]}]}
                """#,
            sent: ["start d3"],
            unknown: 0
        ),
        Row(
            claim: "of a connection that is lost nobody knows what was processed",
            scenario: #"{"connections": [{"*": [{"close": true}]}]}"#,
            sent: [],
            unknown: 3
        ),
        Row(
            claim: "of a peer that is silent nobody knows, and what was not written yet is not sent to it",
            scenario: #"{"connections": [{"*": [{"wait": true}]}]}"#,
            sent: ["start d2", "start d3"],
            unknown: 1,
            message: "said nothing for 60 s",
            launcher: fast
        ),
    ]

    @Test(arguments: sample(of: rows, every: 4)) func anotherServersWordCountsAsApples(_ row: Row) throws {
        let world = try World.waiting()
        let workspace = try TestServers.Workspace()
        let certificates = try Certificates(in: workspace)
        let server = try Server.push(in: workspace, certificates, row.scenario)
        let configuration = try world.workspace.text("lockstep.json")
        let endpoint = ["url": "https://127.0.0.1:\(server.port)", "caFile": certificates.caFile]
        try world.configure { $0["endpoints"] = ["production": endpoint] }
        let outcome = try world.apply(status: 3, launcher: row.launcher)
        #expect(row.message.isEmpty || outcome.stderr.contains(row.message), "\(outcome.stderr)")
        try expect(world, queued: row.sent.count, unknown: row.unknown)

        try world.workspace.write("lockstep.json", configuration)
        try world.apply()
        #expect(try world.events() == row.sent)
        try world.apply()
        #expect(try world.events().isEmpty)
        // Who was answered there shows nothing here, and has nothing to report.
        try world.settles(
            row.unknown == 0
                ? "No changes. Every target is in step with the files."
                : "Nothing to send; \(row.unknown) held, 0 blocked."
        )
    }
}
