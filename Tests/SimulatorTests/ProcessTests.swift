import Foundation
import Testing

/// The simulator as a program: outside clients, its clock, its files and its end.
@Suite struct ProcessTests {
    private static let phone =
        #"{"do":"add","device":"d1","subscriber":"user_42","widgets":["Stats"],"attributesTypes":["DeliveryAttributes"]}"#

    @Test func h2loadGetsAnAnswerToEveryRequest() throws {
        let simulator = try RunningSimulator(["--no-request-log", "--first-streams", "1000"], commands: [Self.phone])
        let request = Pushes.reload(try simulator.token("d1", "widgets.registered"), try ProviderTokens.good(simulator))
        let headers = request.headers.flatMap { ["-H", "\($0.key): \($0.value)"] }
        let output = try run(
            "h2load",
            ["-n", "3000", "-c", "3", "-m", "200", "-d", "/dev/stdin"] + headers + [simulator.url + request.path],
            input: request.body
        )
        #expect(output.contains("3000 succeeded, 0 failed, 0 errored"), "\(output)")
        let counters = try simulator.tell(#"{"do":"counters"}"#)
        #expect((counters["effects"] as? [String: Int])?["reloaded"] == 3000)
        #expect(counters["connections"] as? Int == 3)
    }

    @Test func aioapnsSendsAPushAndUnderstandsARefusal() throws {
        let simulator = try RunningSimulator(commands: [Self.phone])
        let apps = try #require(simulator.configuration["apps"] as? [String: [String: Any]])
        let keys = try #require(apps["com.example.courier"]?["keys"] as? [String: [String: Any]])
        let file = try #require((keys["production"]?["key"] as? [String: Any])?["file"] as? String)
        let port = try #require(URL(string: simulator.url)?.port)
        let token = try simulator.token("d1", "start.registered")
        let output = try python(Self.aioapns, [String(port), simulator.caFile, file, token])
        #expect(output.split(separator: "\n") == ["200 None", "400 BadDeviceToken", "400 TopicDisallowed"])
        #expect(try simulator.tiles("d1").count == 1)
    }

    private static let aioapns = """
        import asyncio, ssl, sys, time
        import aioapns.connection
        from aioapns import APNs, NotificationRequest, PushType
        port, ca, key, token = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
        aioapns.connection.APNsProductionClientProtocol.APNS_SERVER = "127.0.0.1"
        aioapns.connection.APNsProductionClientProtocol.APNS_PORT = port
        context = ssl.create_default_context(cafile=ca)
        context.set_alpn_protocols(["h2"])
        message = {"aps": {
            "event": "start", "timestamp": int(time.time()), "content-state": {}, "attributes": {},
            "attributes-type": "DeliveryAttributes", "alert": {"title": "t", "body": "b"}}}
        async def main():
            client = APNs(key=open(key).read(), key_id="PRODKEY001", team_id="ABCDE12345",
                          topic="com.example.courier.push-type.liveactivity", ssl_context=context)
            for to, topic in [(token, None), ("ab" * 32, None), (token, "com.example.nobody")]:
                result = await client.send_notification(NotificationRequest(
                    device_token=to, message=message, push_type=PushType.LIVEACTIVITY, apns_topic=topic))
                print(result.status, result.description)
        asyncio.run(main())
        """

    @Test func itEndsWithItsInputAndWithSIGTERMAndLeavesTheScreens() throws {
        let simulator = try RunningSimulator(commands: [Self.phone])
        #expect(simulator.stop() == 0)
        let screens = try RunningSimulator.json(simulator.directory.appending(path: "apple/screens.json"))
        #expect((screens["devices"] as? [String: Any])?.keys.sorted() == ["d1"])
        let other = try RunningSimulator()
        other.terminate()
        #expect(other.stop() == 0)
        let third = try RunningSimulator()
        try third.tell(#"{"do":"stop"}"#)
        #expect(third.stop() == 0)
    }

    @Test func keysAreForTheirOwnerAloneAndTheLogHoldsNoSecrets() throws {
        let simulator = try RunningSimulator(commands: [Self.phone])
        let token = try simulator.token("d1", "widgets.registered")
        let provider = try ProviderTokens.good(simulator)
        _ = try curl(simulator, [Pushes.reload(token, provider)])
        let log = try String(
            contentsOf: simulator.directory.appending(path: "apple/requests.ndjson"),
            encoding: .utf8
        )
        #expect(log.contains(token.prefix(8)))
        #expect(!log.contains(token.prefix(9)))
        #expect(!log.contains(provider.prefix(20)))
        #expect(!log.contains("authorization"))
        let request = try #require(try simulator.requests().first)
        #expect(request["status"] as? Int == 200)
        #expect(request["effect"] as? String == "reloaded")
        for path in ["publish.key", "keys/AuthKey_PRODKEY001.p8", "keys/AuthKey_SANDKEY001.p8", "keys/server.key"] {
            let file = simulator.directory.appending(path: "apple/\(path)").path
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(path)")
        }
    }

    @Test func theSameSeedMakesTheSameTokens() throws {
        let tokens = try (0..<2).map { _ in
            let simulator = try RunningSimulator(["--seed", "5"], commands: [Self.phone])
            return try simulator.token("d1", "start.registered")
        }
        #expect(tokens[0] == tokens[1])
        #expect(try RunningSimulator(commands: [Self.phone]).token("d1", "start.registered") != tokens[0])
    }
}
