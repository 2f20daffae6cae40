import Foundation
import Testing

/// `reload`, token by token.
@Suite struct ReloadCasesTests {
    /// Reloads, and says of each result whether it is ok or its code.
    private func reload(_ world: World, _ words: String..., status: Int32 = 0) throws -> [String] {
        let outcome = try world.run(["reload", "--format", "json"] + words, status)
        let data = try #require(try outcome.json()["data"] as? [String: Any])
        let results = try #require(data["results"] as? [[String: Any]])
        #expect(results.allSatisfy { ($0["id"] as? String)?.hasPrefix("wgt_") == true })
        return results.map { $0["ok"] as? Bool == true ? "ok" : $0["code"] as? String ?? "?" }.sorted()
    }

    private func world(_ devices: String...) throws -> World {
        let world = try World()
        for device in devices { try world.phone(device) }
        try world.declare(.steps(1))
        try world.apply()
        _ = try world.pushes()
        return world
    }

    @Test func aDeadTokenIsSaidOnceAndSkippedTheNextTime() throws {
        let world = try world("d1", "d2")
        try world.fault(
            #""answer":{"reason":"Unregistered","timestamp":\#(Int(Date.now.timeIntervalSince1970 * 1000) + 1000)}"#,
            on: #"{"device":"d1"}"#
        )
        #expect(try reload(world, "user_42") == ["invalid_endpoint", "ok"])
        #expect(try reload(world, "user_42") == ["ok"])
        #expect(try world.events() == ["reload d1 410", "reload d2", "reload d2"])
        try world.settles()
    }

    @Test func whatCannotBeReachedSaysWhy() throws {
        let world = try world("d1")
        try world.simulator.send(
            #"{"do":"add","device":"beta","subscriber":"user_42","environment":"sandbox","widgets":["Stats"]}"#
        )
        try world.configure { configuration in
            var apps = configuration["apps"] as? [String: [String: Any]] ?? [:]
            for name in apps.keys {
                var keys = apps[name]?["keys"] as? [String: Any] ?? [:]
                keys["sandbox"] = nil
                apps[name]?["keys"] = keys
            }
            configuration["apps"] = apps
        }
        #expect(try reload(world, "user_42", status: 3) == ["no_credential", "ok"])
        let words = try world.run(["reload", "user_42"], 3)
        #expect(words.stdout.contains("No sandbox APNs credential configured"), "\(words.stdout)")
        #expect(try world.events() == ["reload d1", "reload d1"])
    }

    @Test func unknownSubscribersAreSkippedAndRepeatedOnesCountOnce() throws {
        let world = try world("d1")
        #expect(try reload(world, "nobody") == [])
        #expect(try reload(world, "user_42", "nobody", "user_42") == ["ok"])
        #expect(try world.events() == ["reload d1"])
        try world.settles()
    }

    @Test func theSameKeyGivesTheSameAnswerAndSendsNothing() throws {
        let world = try world("d1")
        let first = try world.run(["reload", "user_42", "--idempotency-key", "k", "--format", "json"]).json()
        let second = try world.run(["reload", "user_42", "--idempotency-key", "k", "--format", "json"]).json()
        #expect(
            NSDictionary(dictionary: first["data"] as? [String: Any] ?? ["": 0])
                == NSDictionary(dictionary: second["data"] as? [String: Any] ?? [:])
        )
        #expect((second["metadata"] as? [String: Any])?["replayed"] as? Bool == true)
        #expect(try world.events() == ["reload d1"])
        #expect(try world.run(["reload", "nobody", "--idempotency-key", "k"], 64).stderr.contains("'k'"))
        try world.settles()
    }

    static let refusals: [(answer: String, code: String)] = [
        (#"{"reason":"TooManyRequests"}"#, "rate_limited"),
        (#"{"reason":"InternalServerError"}"#, "provider_unavailable"),
        (#"{"reason":"ServiceUnavailable"}"#, "provider_unavailable"),
        (#"{"reason":"PayloadTooLarge"}"#, "rejected"),
        (#"{"status":400,"reason":"SomethingNew"}"#, "rejected"),
        (#"{"reason":"InvalidProviderToken"}"#, "invalid_credential"),
    ]

    @Test func eachRefusalHasItsCode() throws {
        for (answer, code) in Self.refusals {
            let world = try world("d1")
            try world.fault(#""answer":\#(answer)"#)
            #expect(try reload(world, "user_42", status: 3) == [code], "\(answer)")
        }
    }
}
