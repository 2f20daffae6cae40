import Foreign
import Foundation
import JSON
import Testing
import TestServers
import Time

@testable import APNs

/// What becomes of pushes when the service cannot be reached, does not answer or does not like the key.
@Suite struct PushFailureTests {
    let bench: PushBench

    init() throws {
        bench = try PushBench()
    }

    /// Submits pushes one by one until the connection gives up, and returns the problem of each.
    private func problems(of connection: PushConnection) throws -> [PushProblem] {
        var problems: [PushProblem] = []
        while connection.failure == nil {
            try bench.poll { connection.freeStreams > 0 }
            let id = Text("push-\(problems.count)")
            try bench.submit(id, to: connection)
            problems.append(try #require(try bench.outcomes(of: id).first?.notProcessed))
            try #require(problems.count < 10, "the connection never gives up")
        }
        #expect(connection.freeStreams == 0)
        return problems
    }

    @Test func aHostThatIsDownIsTriedThreeTimes() throws {
        let port = try ReservedPort()
        let connection = bench.connection(port: port.number)
        let problems = try problems(of: connection)
        #expect(problems.count == 3)
        for problem in problems {
            guard case .unreachable(let error) = problem else {
                return #expect(problem == .closed(host: "", complaint: ""))
            }
            #expect(error.description.contains("127.0.0.1:\(port.number)"))
        }
        #expect(connection.failure == problems.last)
        try bench.submit("late", to: connection)
        #expect(try bench.outcomes(of: "late").first?.notProcessed == connection.failure)
    }

    @Test func aHostThatIsBackIsForgiven() throws {
        let port = try ReservedPort()
        let connection = bench.connection(port: port.number)
        try bench.submit("a", to: connection)
        #expect(try bench.outcomes(of: "a").first?.notProcessed != nil)
        let certificates = bench.certificates
        let server = try Server(in: bench.workspace, port: port) { port in
            ["nghttpd", "-a", "127.0.0.1", String(port), certificates.keyFile, certificates.certificateFile]
        }
        try bench.poll { connection.freeStreams > 0 }
        try bench.submit("a", to: connection)
        #expect(try bench.outcomes(of: "a").first?.status == 404)
        #expect(server.port == port.number)
    }

    @Test func aCertificateThatIsNotTrustedEndsTheMatter() throws {
        let server = try bench.server(#"{"connections": [{}]}"#)
        let other = try Workspace()
        let connection = bench.connection(port: server.port, caFile: try Certificates(in: other).caFile)
        let problems = try problems(of: connection)
        #expect(
            problems == [.insecure(.untrusted(host: "127.0.0.1", reason: "unable to get local issuer certificate"))]
        )
    }

    @Test func aCAFileThatIsMissingEndsTheMatter() throws {
        let connection = bench.connection(port: 1, caFile: "/none.pem")
        let problems = try problems(of: connection)
        #expect(problems.count == 1)
        #expect(problems.first?.description.contains("/none.pem") == true)
    }

    @Test func aHostThatNeverSpeaksIsGivenUp() throws {
        bench.timing.handshake = .milliseconds(300)
        let silent = try ListeningSocket(port: 0)
        let problems = try problems(of: bench.connection(port: silent.port))
        let host = "127.0.0.1:\(silent.port)"
        #expect(problems == [.silent(host: host, during: .handshake, for: .milliseconds(300))])
    }

    @Test func aHostThatNeverAnswersLeavesAnUncertainPush() throws {
        bench.timing.answer = .milliseconds(300)
        let server = try bench.server(#"{"connections": [{"*": [{"wait": true}]}]}"#)
        let connection = bench.connection(port: server.port)
        try bench.submit("a", to: connection)
        let problem = PushProblem.silent(host: "127.0.0.1:\(server.port)", during: .answer, for: .milliseconds(300))
        #expect(try bench.outcomes(of: "a") == [.uncertain(problem)])
        #expect(connection.failure == problem)
    }

    @Test func aHostThatHangsUpBeforeTheFirstByteIsTriedThreeTimes() throws {
        let listener = try ListeningSocket(port: 0)
        let connection = bench.connection(port: listener.port)
        var hangUps = 0
        for id in ["a", "b", "c"] as [Text] {
            try bench.poll { connection.freeStreams > 0 }
            try bench.submit(id, to: connection)
            try bench.poll(every: .milliseconds(20)) {
                if (try? listener.accept()) != nil { hangUps += 1 }
                return bench.completions.contains { $0.id == id }
            }
            #expect(try bench.outcomes(of: id).first?.notProcessed != nil)
        }
        #expect(hangUps == 3 && connection.failure != nil)
    }

    @Test(arguments: [true, false]) func goAwayThatComesFirstShowsItsReason(isBeforeSettings: Bool) throws {
        let reason = #""reason": "BadCertificateEnvironment", "first": \#(isBeforeSettings)"#
        let server = try bench.server(#"{"connections": [{"accept": [{"goAway": 0, \#(reason)}]}]}"#)
        let problems = try problems(of: bench.connection(port: server.port))
        #expect(problems.count == 3)
        #expect(problems.last?.description.contains("BadCertificateEnvironment") == true)
    }

    @Test func aHostThatOnlyRefusesIsGivenUp() throws {
        bench.timing.pauses = []
        let server = try bench.server(#"{"connections": [{"*": [{"reset": 7}]}]}"#)
        let connection = bench.connection(port: server.port)
        var refusals = 0
        while connection.failure == nil, refusals < 100 {
            try bench.submit("a", to: connection)
            #expect(try bench.outcomes(of: "a").first?.notProcessed != nil)
            refusals += 1
        }
        #expect(connection.failure == .reset(host: "127.0.0.1:\(server.port)", code: HTTP2Code.refusedStream))
    }

    // MARK: Proxies

    @Test func aPushGoesThroughTheProxy() throws {
        let server = try bench.server(#"{"connections": [{}]}"#)
        let tinyproxy = try Server.tinyproxy(in: bench.workspace, connectPort: server.port)
        let proxy = try Proxy.fromEnvironment { $0 == "https_proxy" ? "http://127.0.0.1:\(tinyproxy.port)" : nil }
        try bench.submit("a", to: bench.connection(port: server.port, proxy: proxy))
        #expect(try bench.outcomes(of: "a").first?.status == 200)
        #expect(tinyproxy.prints("CONNECT 127.0.0.1:\(server.port)"))
    }

    @Test func aProxyThatRefusesEndsTheMatter() throws {
        let tinyproxy = try Server.tinyproxy(in: bench.workspace, connectPort: 1)
        let proxy = try Proxy.fromEnvironment { $0 == "https_proxy" ? "http://127.0.0.1:\(tinyproxy.port)" : nil }
        let problems = try problems(of: bench.connection(port: 443, proxy: proxy))
        #expect(problems.count == 1)
        #expect(problems.first?.description.contains("no_proxy") == true)
    }

    // MARK: Provider tokens

    @Test func anExpiredTokenIsReplacedOnceOnANewConnection() throws {
        let server = try bench.server(
            """
            {"connections": [{"2": [{"wait": true}], "3": [{"status": 403, "reason": "ExpiredProviderToken"},
              {"answer": 2, "status": 403, "reason": "ExpiredProviderToken"}]}, {}]}
            """
        )
        let connection = bench.connection(port: server.port)
        try bench.submit("1", to: connection)
        try bench.outcomes(of: "1")
        try bench.submit("2", "3", to: connection)
        for outcome in try bench.outcomes(of: "2", "3") {
            guard case .answered(let answer) = outcome else { return #expect(outcome.status == 403) }
            #expect(answer.meaning == .expiredProviderToken)
            bench.now += .seconds(1)
            #expect(try connection.renewProviderToken())
        }
        try bench.submit("2", to: connection)
        #expect(try bench.outcomes(of: "2").first?.status == 200)
        try bench.submit("3", to: connection)
        #expect(try bench.outcomes(of: "3").first?.status == 200)
        let tokens = try bench.requests(of: server).map { "\($0.connection) \($0.fields["authorization"] ?? "")" }
        #expect(Set(tokens.prefix(3)).count == 1 && Set(tokens.suffix(2)).count == 1 && Set(tokens).count == 2)
    }

    @Test func aSecondExpiredTokenIsAFault() throws {
        let server = try bench.server(#"{"connections": [{"*": [{"status": 403, "reason": "ExpiredProviderToken"}]}]}"#)
        let connection = bench.connection(port: server.port)
        try bench.submit("a", to: connection)
        try bench.outcomes(of: "a")
        #expect(try connection.renewProviderToken())
        try bench.submit("a", to: connection)
        try bench.outcomes(of: "a")
        #expect(try !connection.renewProviderToken())
    }

    @Test func aTokenThatGrowsOldMovesToANewConnection() throws {
        let server = try bench.server(#"{"connections": [{}]}"#)
        let connection = bench.connection(port: server.port)
        for id in ["a", "b"] as [Text] {
            try bench.submit(id, to: connection)
            #expect(try bench.outcomes(of: id).first?.status == 200)
            bench.now += .minutes(50)
        }
        let requests = try bench.requests(of: server)
        #expect(requests.map(\.connection) == [1, 2])
        #expect(Set(requests.compactMap { $0.fields["authorization"] }).count == 2)
    }

    // MARK: The end

    @Test func anInterruptEndsTheWaitOnce() throws {
        let signals = Pipe()
        defer { try? signals.fileHandleForWriting.close() }
        let bench = try PushBench(interrupt: signals.fileHandleForReading.fileDescriptor)
        let server = try bench.server(#"{"connections": [{"3": [{"wait": true}]}]}"#)
        let connection = bench.connection(port: server.port)
        try bench.submit("1", to: connection)
        try bench.outcomes(of: "1")
        try signals.fileHandleForWriting.write(contentsOf: [0])
        #expect(try bench.loop.poll(nil) == [])
        // What is in flight can still be waited for, though the descriptor stays readable.
        try bench.submit("2", to: connection)
        #expect(try bench.loop.poll(nil).map(\.outcome.status) == [200])
        try bench.submit("3", to: connection)
        try bench.poll(every: .milliseconds(20)) { (try? bench.requests(of: server).count) == 3 }
        let outcome = PushCompletion.Outcome.uncertain(.stopped(host: "127.0.0.1:\(server.port)"))
        #expect(bench.loop.close().map(\.outcome) == [outcome])
    }

    @Test func aClosedLoopSaysGoodbyeAndGivesUpWhatWasNeverWritten() throws {
        let server = try Server.nghttpd(in: bench.workspace, bench.certificates)
        let connection = bench.connection(port: server.port)
        try bench.submit("a", to: connection)
        try bench.outcomes(of: "a")
        try bench.submit("b", to: connection)
        // Closing writes what waits, so the push is on its way.
        #expect(bench.loop.close().first?.outcome.uncertain != nil)
        let other = bench.connection(port: server.port)
        try bench.submit("c", to: other)
        #expect(bench.loop.close().first?.outcome.notProcessed != nil)
        #expect(server.prints("recv GOAWAY frame <length=8"))
    }
}
