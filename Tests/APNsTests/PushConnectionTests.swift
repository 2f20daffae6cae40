import Foreign
import JSON
import Testing
import TestServers
import Time

@testable import APNs

/// What becomes of pushes while the connection works.
@Suite struct PushConnectionTests {
    let bench: PushBench

    init() throws {
        bench = try PushBench()
    }

    @Test func aPushArrivesAsItWasBuiltAndItsAnswerComesBack() throws {
        let gone = #"{"status": 410, "reason": "Unregistered", "timestamp": 1700000000123}"#
        let server = try bench.server(#"{"connections": [{"2": [\#(gone)]}]}"#)
        let connection = bench.connection(port: server.port)
        try bench.submit("a", to: connection)
        #expect(try bench.outcomes(of: "a") == [.answered(Answer(status: 200, reason: nil, id: "id-1-1"))])
        try bench.submit("b", to: connection)
        let answer = Answer(
            status: 410,
            reason: "Unregistered",
            id: "id-1-3",
            timestamp: Moment(milliseconds: 1_700_000_000_123)
        )
        #expect(try bench.outcomes(of: "b") == [.answered(answer)])
        #expect(answer.meaning == .deadToken(since: Moment(milliseconds: 1_700_000_000_123)))
        let request = try #require(try bench.requests(of: server).first)
        let token = try #require(request.fields["authorization"])
        #expect(token.hasPrefix("bearer ") && bench.key.token(String(token.dropFirst(7))) != nil)
        #expect(request.fields[":authority"] == "127.0.0.1:\(server.port)")
        #expect(request.fields[":path"] == "/3/device/ab")
        #expect(request.fields["apns-topic"] == "com.example.courier.push-type.widgets")
        #expect(request.body == #"{"aps":{"content-changed":true}}"#)
    }

    // https://github.com/ninenines/gun/issues/246
    @Test(arguments: [(maxStreams: 500, free: 7), (maxStreams: 5, free: 5)])
    func oneStreamUntilTheFirstAnswerThenWhatBothAllow(maxStreams: Int, free: Int) throws {
        bench.maxStreams = maxStreams
        let server = try bench.server(#"{"maxStreams": 7, "connections": [{}]}"#)
        let connection = bench.connection(port: server.port)
        #expect(connection.freeStreams == 1)
        try bench.submit("a", "b", to: connection)
        #expect(connection.freeStreams == 0)
        let outcomes = try bench.outcomes(of: "a", "b")
        #expect(outcomes.first?.status == 200)
        #expect(outcomes.last == .notProcessed(.noFreeStream(host: "127.0.0.1:\(server.port)")))
        #expect(connection.freeStreams == free)
        #expect(try bench.requests(of: server).count == 1)
    }

    @Test func anAnswerAboutTheProviderTokenFreesNoMoreStreams() throws {
        let server = try bench.server(
            #"{"connections": [{"1": [{"status": 403, "reason": "InvalidProviderToken"}]}]}"#
        )
        let connection = bench.connection(port: server.port)
        try bench.submit("a", to: connection)
        #expect(try bench.outcomes(of: "a").first?.status == 403)
        #expect(connection.freeStreams == 1)
        try bench.submit("b", to: connection)
        #expect(try bench.outcomes(of: "b").first?.status == 200)
        #expect(connection.freeStreams == 100)
    }

    @Test func aLoweredLimitIsHonoured() throws {
        let server = try bench.server(
            #"{"connections": [{"1": [{"maxStreams": 2}, {"status": 200}], "*": [{"wait": true}]}]}"#
        )
        let connection = bench.connection(port: server.port)
        try bench.submit("a", to: connection)
        try bench.outcomes(of: "a")
        #expect(connection.freeStreams == 2)
        try bench.submit("b", "c", to: connection)
        #expect(connection.freeStreams == 0)
    }

    // https://github.com/jchambers/pushy/issues/865
    @Test func goAwaySendsTheRestOnANewConnectionAndWaitsForTheOthers() throws {
        let server = try bench.server(
            """
            {"connections": [{"2": [{"wait": true}], "3": [{"wait": true}], "4": [{"wait": true}],
              "5": [{"wait": true}], "6": [{"goAway": 4, "reason": "Shutdown"}, {"answer": 2}, {"answer": 3},
              {"answer": 4, "status": 400, "reason": "BadDeviceToken"}]}, {}]}
            """
        )
        let connection = bench.connection(port: server.port)
        try bench.submit("1", to: connection)
        try bench.outcomes(of: "1")
        try bench.submit("2", "3", "4", "5", "6", to: connection)
        let outcomes = try bench.outcomes(of: "2", "3", "4", "5", "6")
        let away = PushProblem.goAway(host: "127.0.0.1:\(server.port)", code: 0, reason: "Shutdown")
        #expect(outcomes.map(\.status) == [200, 200, 400, nil, nil])
        #expect(outcomes.map(\.notProcessed) == [nil, nil, nil, away, away])
        #expect(connection.freeStreams == 1 && connection.failure == nil)
        try bench.submit("5", to: connection)
        #expect(try bench.outcomes(of: "5").first?.status == 200)
        try bench.submit("6", to: connection)
        #expect(try bench.outcomes(of: "6").first?.status == 200)
        #expect(try bench.requests(of: server).map(\.connection) == [1, 1, 1, 1, 1, 1, 2, 2])
    }

    @Test func aRefusedStreamWasNotProcessedAndAnotherResetIsUncertain() throws {
        let server = try bench.server(#"{"connections": [{"2": [{"reset": 7}], "3": [{"reset": 2}]}]}"#)
        let connection = bench.connection(port: server.port)
        try bench.submit("1", to: connection)
        try bench.outcomes(of: "1")
        try bench.submit("2", "3", "4", to: connection)
        let outcomes = try bench.outcomes(of: "2", "3", "4")
        let host = "127.0.0.1:\(server.port)"
        #expect(outcomes[0] == .notProcessed(.reset(host: host, code: HTTP2Code.refusedStream)))
        #expect(outcomes[1] == .uncertain(.reset(host: host, code: 2)))
        #expect(outcomes[2].status == 200)
    }

    @Test func aLostConnectionLeavesWhatWasWrittenUncertain() throws {
        let server = try bench.server(
            #"{"connections": [{"2": [{"wait": true}], "3": [{"status": 200}], "4": [{"close": true}]}, {}]}"#
        )
        let connection = bench.connection(port: server.port)
        try bench.submit("1", to: connection)
        try bench.outcomes(of: "1")
        try bench.submit("2", "3", "4", to: connection)
        let outcomes = try bench.outcomes(of: "2", "3", "4")
        #expect(outcomes[0].uncertain != nil && outcomes[2].uncertain != nil)
        #expect(outcomes[1].status == 200)
        try bench.submit("5", to: connection)
        #expect(try bench.outcomes(of: "5").first?.status == 200)
        #expect(connection.failure == nil)
    }

    @Test func aForgottenPushIsUncertainWhileTheOthersGoOn() throws {
        bench.timing.answer = .milliseconds(700)
        let server = try bench.server(#"{"connections": [{"2": [{"wait": true}]}]}"#)
        let connection = bench.connection(port: server.port)
        try bench.submit("1", to: connection)
        try bench.outcomes(of: "1")
        try bench.submit("forgotten", to: connection)
        var number = 0
        var isOpen = true
        while isOpen {
            let id = Text("push-\(number)")
            try bench.submit(id, to: connection)
            #expect(try bench.outcomes(of: id).first?.status == 200)
            number += 1
            isOpen = !bench.completions.contains { $0.id == "forgotten" }
        }
        let host = "127.0.0.1:\(server.port)"
        let problem = PushProblem.silent(host: host, during: .answer, for: .milliseconds(700))
        #expect(try bench.outcomes(of: "forgotten") == [.uncertain(problem)])
        #expect(try bench.requests(of: server).allSatisfy { $0.connection == 1 })
        #expect(connection.failure == nil)
    }

    @Test func severalKeysHaveAConnectionAndATokenEach() throws {
        let server = try bench.server(#"{"connections": [{}]}"#)
        let other = try ProviderKey(
            keyID: "OTHER34567",
            teamID: "OTHER12345",
            pem: Array(SigningKey().privatePEM().utf8)
        )
        let first = bench.connection(port: server.port)
        let second = bench.connection(port: server.port, key: other)
        try bench.submit("a", to: first)
        try bench.submit("b", to: second)
        try bench.poll { bench.completions.count == 2 }
        #expect(Set(bench.completions.map(\.connection)) == [first.id, second.id])
        let requests = try bench.requests(of: server)
        #expect(Set(requests.map(\.connection)) == [1, 2])
        #expect(Set(requests.compactMap { $0.fields["authorization"] }).count == 2)
    }

    /// Sends `count` pushes, again those that were not processed, until each is answered with 200 exactly once.
    private func sendAll(_ count: Int, to connection: PushConnection) throws {
        var waiting = Array(0..<count)
        var answers = [Int](repeating: 0, count: count)
        while answers.contains(0) {
            try #require(connection.failure == nil)
            for number in waiting.prefix(connection.freeStreams) {
                try bench.submit(Text(String(number)), to: connection)
                waiting.removeFirst()
            }
            for completion in try bench.loop.poll(.seconds(20)) {
                let number = try #require(Int(completion.id.string))
                if completion.outcome.notProcessed != nil {
                    waiting.append(number)
                } else {
                    try #require(completion.outcome.status == 200)
                    answers[number] += 1
                }
            }
        }
        #expect(answers.allSatisfy { $0 == 1 })
        #expect(bench.loop.close().isEmpty)
    }

    @Test func nghttpdAnswersAThousandPushesOnceEach() throws {
        _ = try bench.workspace.run("mkdir", "-p", "3/device")
        _ = try bench.workspace.write("", to: "3/device/ab")
        let server = try Server.nghttpd(in: bench.workspace, bench.certificates, options: ["-m", "100"])
        try sendAll(1000, to: bench.connection(port: server.port))
    }

    @Test func nginxClosesConnectionsAndStillAnswersEveryPushOnce() throws {
        let server = try Server.nginx(in: bench.workspace, bench.certificates, requestsPerConnection: 20)
        let connection = bench.connection(port: server.port)
        try sendAll(300, to: connection)
        #expect(connection.failure == nil)
    }
}
