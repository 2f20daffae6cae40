import Foundation
import Testing

/// What goes wrong on purpose, seen by a client that we did not write (the Python package `h2`).
@Suite struct FaultTests {
    private let simulator: RunningSimulator
    private let provider: String
    private let tokens: [String]

    init() throws {
        simulator = try RunningSimulator(commands: [
            """
            {"do":"add","device":"d{n}","subscriber":"user_{n}","count":4,"os":"26.0","widgets":["Stats"],\
            "attributesTypes":["DeliveryAttributes"]}
            """
        ])
        provider = try ProviderTokens.good(simulator)
        let simulator = simulator
        tokens = try (1...4).map { try simulator.token("d\($0)", "widgets.registered") }
    }

    private var reloads: [CurlRequest] { tokens.map { Pushes.reload($0, provider) } }

    /// How many pushes reached a phone.
    private func effects() throws -> Int {
        let counters = try simulator.tell(#"{"do":"counters"}"#)
        return (counters["effects"] as? [String: Int])?["reloaded"] ?? 0
    }

    @Test func oneStreamIsAllowedUntilTheFirstAuthenticatedRequest() throws {
        var wrong = reloads[0]
        wrong.headers["authorization"] = nil
        #expect(try h2(simulator, [wrong], until: [1]) == [["streams", "1"], ["answer", "1", "403"]])
        let seen = try h2(simulator, reloads, first: reloads[0], until: [3, 5, 7, 9])
        #expect(seen.first == ["streams", "1"])
        #expect(seen.contains(["streams", "1000"]))
        #expect(seen.filter { $0[0] == "answer" && $0[2] == "200" }.count == 5)
    }

    @Test func goAwayNamesTheLastStreamBelowThoseThatWereNotProcessed() throws {
        try simulator.tell(#"{"do":"fault","on":{"device":"d2"},"goaway":{"reason":"Shutdown"}}"#)
        let seen = try h2(simulator, reloads, first: reloads[0])
        #expect(seen.contains(["goaway", "3", "0", #"{"reason":"Shutdown"}"#]))
        let answered = seen.filter { $0[0] == "answer" }.map { $0[1] }
        #expect(answered == ["1", "3"])
        #expect(try effects() == 2)
    }

    @Test func goAwayCanIncludeTheRequestWhichIsAnswered() throws {
        try simulator.tell(#"{"do":"fault","goaway":{"processed":true}}"#)
        let request = reloads[0]
        let headers = request.headers.flatMap { ["-H", "\($0.key): \($0.value)"] }
        let seen = try run(
            "nghttp",
            ["-nv", "-d", "/dev/stdin"] + headers + [simulator.url + request.path],
            input: request.body
        )
        #expect(seen.contains("GOAWAY"))
        #expect(seen.contains(":status: 200"))
        #expect(try effects() == 1)
    }

    @Test func aRefusedStreamIsNotProcessed() throws {
        try simulator.tell(#"{"do":"fault","on":{"device":"d2"},"reset":"REFUSED_STREAM"}"#)
        let seen = try h2(simulator, reloads, first: reloads[0], until: [3, 5, 7, 9])
        #expect(seen.filter { $0[0] == "reset" } == [["reset", "5", "7"]])
        #expect(seen.filter { $0[0] == "answer" }.map { $0[1] } == ["1", "3", "7", "9"])
        #expect(try effects() == 4)
    }

    @Test(arguments: [("before", 2), ("after", 3)])
    func aCutEndsTheConnectionWithoutAnAnswer(_ moment: String, effects expected: Int) throws {
        try simulator.tell(#"{"do":"fault","on":{"device":"d2"},"cut":"\#(moment)"}"#)
        let seen = try h2(simulator, reloads, first: reloads[0])
        #expect(seen.last == ["closed"])
        #expect(!seen.contains { $0[0] == "answer" && $0[1] == "5" })
        #expect(try effects() == expected)
    }

    @Test(arguments: [("before", 4), ("after", 5)])
    func silenceLeavesTheOtherStreamsAlone(_ moment: String, effects expected: Int) throws {
        try simulator.tell(#"{"do":"fault","on":{"device":"d2"},"silence":"\#(moment)"}"#)
        let seen = try h2(simulator, reloads, first: reloads[0], until: [3, 7, 9])
        #expect(seen.filter { $0[0] == "answer" }.map { $0[1] } == ["1", "3", "7", "9"])
        #expect(try effects() == expected)
    }

    @Test func aDelayedAnswerComesAfterTheOthers() throws {
        try simulator.tell(#"{"do":"fault","on":{"device":"d2"},"delay":200}"#)
        let seen = try h2(simulator, reloads, first: reloads[0], until: [3, 5, 7, 9])
        #expect(seen.filter { $0[0] == "answer" }.map { $0[1] } == ["1", "3", "7", "9", "5"])
    }

    @Test func streamsCanBeLowered() throws {
        try simulator.tell(#"{"do":"fault","streams":7}"#)
        let seen = try h2(simulator, reloads, first: reloads[0], until: [3, 5, 7, 9])
        #expect(seen.contains(["streams", "7"]))
        #expect(!seen.contains(["streams", "1000"]))
        try simulator.tell(#"{"do":"streams","limit":9}"#)
        #expect(try h2(simulator, reloads, first: reloads[0], until: [9]).contains(["streams", "9"]))
    }

    @Test func anyAnswerCanBeAskedForAndEndsAfterSoManyUses() throws {
        try simulator.tell(
            #"{"do":"fault","times":2,"after":1,"answer":{"status":503,"reason":"ServiceUnavailable"}}"#
        )
        let answers = try curl(simulator, reloads)
        #expect(answers.map(\.status) == [200, 503, 503, 200])
        #expect(answers[1].reason == "ServiceUnavailable")
        #expect(try effects() == 2)
        try simulator.tell(#"{"do":"fault","answer":{"reason":"Unregistered","timestamp":1234567890123}}"#)
        try simulator.tell(#"{"do":"fault","answer":{"status":599,"reason":"Unheard","processed":true}}"#)
        let more = try curl(simulator, Array(reloads.prefix(2)))
        #expect(more.map(\.status) == [410, 599])
        #expect(more.map(\.reason) == ["Unregistered", "Unheard"])
        #expect(more[0].timestamp == 1_234_567_890_123)
        #expect(try effects() == 3)
    }

    @Test func theScopeDecidesWhomAFaultHits() throws {
        let scopes = [
            #"{"token":"\#(tokens[0].prefix(8))"}"#, #"{"subscriber":"user_2"}"#,
            #"{"event":"reload","device":"d3","environment":"production","app":"com.example.courier"}"#,
            #"{"event":"start"}"#, #"{"environment":"sandbox"}"#,
        ]
        for scope in scopes {
            try simulator.tell(#"{"do":"fault","on":\#(scope),"answer":{"reason":"TooManyRequests"}}"#)
        }
        #expect(try curl(simulator, reloads).map(\.status) == [429, 429, 429, 200])
        #expect(try simulator.tell(#"{"do":"clear-faults"}"#)["cleared"] as? Int == 2)
    }

    @Test func chancesFallTheSameWithTheSameSeed() throws {
        let many = Array(repeating: reloads, count: 10).flatMap { $0 }
        func statuses() throws -> [Int] {
            try simulator.tell(#"{"do":"fault","chance":0.5,"seed":7,"answer":{"reason":"InternalServerError"}}"#)
            defer { _ = try? simulator.tell(#"{"do":"clear-faults"}"#) }
            return try curl(simulator, many).map(\.status)
        }
        let first = try statuses()
        #expect((10...30).contains(first.filter { $0 == 500 }.count))
        #expect(try statuses() == first)
    }

    @Test func reportsAreLostDoubledAndLate() throws {
        let before = try simulator.reports().count
        try simulator.tell(#"{"do":"fault","on":{"type":"widgets.registered"},"report":"lost"}"#)
        try simulator.tell(#"{"do":"fault","on":{"type":"start.registered"},"report":"doubled"}"#)
        try simulator.tell(#"{"do":"sign-in","device":"d1","as":"user_9"}"#)
        let reports = try simulator.reports().dropFirst(before)
        #expect(reports.map { $0["type"] as? String } == ["start.registered", "start.registered"])
        try simulator.tell(#"{"do":"fault","on":{"type":"subscriber.loggedOut"},"report":{"late":100000}}"#)
        try simulator.tell(#"{"do":"sign-out","device":"d1"}"#)
        #expect(try simulator.reports("subscriber.loggedOut").isEmpty)
    }

    @Test(arguments: [
        (#"{"do":"fault"}"#, "exactly one of"),
        (#"{"do":"fault","delay":1,"cut":"after"}"#, "exactly one of"),
        (#"{"do":"fault","cut":"later"}"#, "'cut'"),
        (#"{"do":"fault","delay":1,"on":{"phone":"d1"}}"#, "'phone'"),
        (#"{"do":"fault","delay":1,"on":{"event":"begin"}}"#, "reload, start, update, end"),
    ])
    func aWrongFaultIsRefusedWithTheReason(_ command: String, part: String) throws {
        let answer = try simulator.ask(command)
        #expect(answer["ok"] as? Bool == false)
        #expect((answer["error"] as? String)?.contains(part) == true, "\(answer)")
    }
}
