import Foundation
import Testing

/// Every reason of Apple's that a request can earn by itself, told to curl.
@Suite struct RefusalTests {
    /// A right request with one thing wrong.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let status: Int
        let reason: String?
        var provider: [String: any Sendable] = [:]
        var sandbox = false
        var change: @Sendable (inout CurlRequest) -> Void = { _ in }

        init(
            _ name: String,
            _ status: Int,
            _ reason: String?,
            provider: [String: any Sendable] = [:],
            sandbox: Bool = false,
            _ change: @escaping @Sendable (inout CurlRequest) -> Void = { _ in }
        ) {
            testDescription = name
            self.status = status
            self.reason = reason
            self.provider = provider
            self.sandbox = sandbox
            self.change = change
        }

        static func header(_ name: String, _ value: String?, _ reason: String?) -> Case {
            Case("\(name) \(value.map { "'\($0.prefix(70))'" } ?? "missing")", reason == nil ? 200 : 400, reason) {
                $0.headers[name] = value
            }
        }
    }

    static let cases: [Case] =
        [
            Case("right", 200, nil),
            Case("GET", 405, "MethodNotAllowed") { $0.method = "GET" },
            Case("another path", 404, "BadPath") { $0.path = "/2/device/00" },
            Case("more path", 404, "BadPath") { $0.path += "/more" },
            Case("no token", 400, "MissingDeviceToken") { $0.path = "/3/device/" },
            Case("odd token", 400, "BadDeviceToken") { $0.path += "a" },
            Case("token of letters", 400, "BadDeviceToken") { $0.path = "/3/device/zzzz" },
            Case("unknown token", 400, "BadDeviceToken") {
                $0.path = "/3/device/" + String(repeating: "ab", count: 32)
            },
            Case("upper-case token", 200, nil) { $0.path = "/3/device/" + $0.path.dropFirst(10).uppercased() },
            Case("header twice", 400, "DuplicateHeaders") { $0.more = ["apns-priority: 10", "apns-priority: 5"] },
            Case("no provider token", 403, "MissingProviderToken") { $0.headers["authorization"] = nil },
            Case("no JWT", 403, "InvalidProviderToken") { $0.headers["authorization"] = "bearer abc" },
            Case("basic authorization", 403, "InvalidProviderToken") { $0.headers["authorization"] = "basic eDp5" },
            Case("another key's signature", 403, "InvalidProviderToken", provider: ["strange": true]),
            Case("unknown key id", 403, "InvalidProviderToken", provider: ["kid": "AAAAAAAAAA"]),
            Case("another team", 403, "InvalidProviderToken", provider: ["iss": "AAAAAAAAAA"]),
            Case("HS256", 403, "InvalidProviderToken", provider: ["alg": "HS256"]),
            Case("iat in milliseconds", 403, "InvalidProviderToken", provider: ["iat": 1_796_037_588_000]),
            Case("59 minutes old", 200, nil, provider: ["age": 59 * 60]),
            Case("61 minutes old", 403, "ExpiredProviderToken", provider: ["age": 61 * 60]),
            Case("10 minutes ahead", 403, "InvalidProviderToken", provider: ["age": -600]),
            Case("production's key in the sandbox", 403, "BadEnvironmentKeyIdInToken", sandbox: true),
            .header("apns-topic", nil, "MissingTopic"),
            .header("apns-topic", "com.example.courier push", "BadTopic"),
            .header("apns-topic", "com.example.unknown.push-type.widgets", "TopicDisallowed"),
            .header("apns-topic", "com.example.courier", "TopicDisallowed"),
            .header("apns-push-type", "widget", "InvalidPushType"),
            .header("apns-push-type", nil, nil),
            .header("apns-priority", "1", nil),
            .header("apns-priority", "3", "BadPriority"),
            .header("apns-priority", "high", "BadPriority"),
            .header("apns-expiration", "0", nil),
            .header("apns-expiration", "4102444800", nil),
            .header("apns-expiration", "123.5", "BadExpirationDate"),
            .header("apns-expiration", "-1", "BadExpirationDate"),
            .header("apns-collapse-id", String(repeating: "c", count: 64), nil),
            .header("apns-collapse-id", String(repeating: "c", count: 65), "BadCollapseId"),
            .header("apns-id", "EC1BF194-B3B2-424A-89A9-5A918A6E6B5D", "BadMessageId"),
            .header("apns-id", "1", "BadMessageId"),
            Case("no body", 400, "PayloadEmpty") { $0.body = "" },
            Case("a body that is not JSON", 400, "PayloadEmpty") { $0.body = "{" },
            Case("a body that is no dictionary", 400, "PayloadEmpty") { $0.body = "[]" },
            Case("4,096 bytes", 200, nil) { $0.body = padded(to: 4_096) },
            Case("4,097 bytes", 413, "PayloadTooLarge") { $0.body = padded(to: 4_097) },
            Case("a widget's token for an activity", 400, "DeviceTokenNotForTopic") {
                $0.headers["apns-topic"] = "com.example.courier.push-type.liveactivity"
                $0.headers["apns-push-type"] = "liveactivity"
            },
            Case("priority 1 for an activity", 400, "BadPriority") {
                $0.headers["apns-topic"] = "com.example.courier.push-type.liveactivity"
                $0.headers["apns-push-type"] = "liveactivity"
                $0.headers["apns-priority"] = "1"
            },
            Case("an app that the phone lacks", 400, "DeviceTokenNotForTopic") {
                $0.headers["apns-topic"] = "com.example.other.push-type.widgets"
            },
        ]

    /// A widget payload of so many bytes.
    private static func padded(to count: Int) -> String {
        let frame = #"{"aps":{"content-changed":true},"x":""}"#
        return frame.dropLast(2) + String(repeating: "x", count: count - frame.utf8.count) + #""}"#
    }

    @Test func eachMistakeEarnsItsReason() throws {
        let simulator = try RunningSimulator(
            ["--app", "com.example.courier", "--app", "com.example.other"],
            commands: [#"{"do":"add","device":"d1","subscriber":"user_42","widgets":["Stats"]}"#]
        )
        let token = try simulator.token("d1", "widgets.registered")
        let providers = try ProviderTokens.make(simulator, "production", Self.cases.map(\.provider))
        for (testCase, provider) in zip(Self.cases, providers) {
            var request = Pushes.reload(token, provider)
            testCase.change(&request)
            let answer = try #require(try curl(simulator, [request], sandbox: testCase.sandbox).first)
            #expect(answer.status == testCase.status, "\(testCase.testDescription)")
            #expect(answer.reason == testCase.reason, "\(testCase.testDescription)")
            #expect(answer.timestamp == nil)
            #expect(answer.headers["apns-id"] != nil)
        }
    }

    @Test func aPhoneThatIsDeadToAppleAnswers410WithTheTimeInMilliseconds() throws {
        let simulator = try RunningSimulator(commands: [
            #"{"do":"add","device":"d1","subscriber":"user_42","widgets":["Stats"]}"#
        ])
        let token = try simulator.token("d1", "widgets.registered")
        let before = Int64(Date().timeIntervalSince1970 * 1000)
        try simulator.tell(#"{"do":"reinstall","device":"d1"}"#)
        let after = Int64(Date().timeIntervalSince1970 * 1000)
        let provider = try ProviderTokens.good(simulator)
        let fresh = try simulator.token("d1", "widgets.registered")
        #expect(fresh != token)
        let answers = try curl(simulator, [Pushes.reload(token, provider), Pushes.reload(fresh, provider)])
        #expect(answers.map(\.status) == [410, 200])
        #expect(answers[0].reason == "Unregistered")
        #expect((before...after).contains(try #require(answers[0].timestamp)))
    }

    @Test func aTokenOfTheOtherEnvironmentIsBad() throws {
        let simulator = try RunningSimulator(commands: [
            #"{"do":"add","device":"d1","subscriber":"user_42","widgets":["Stats"],"environment":"sandbox"}"#
        ])
        let token = try simulator.token("d1", "widgets.registered")
        let wrong = Pushes.reload(token, try ProviderTokens.good(simulator))
        #expect(try curl(simulator, [wrong]).map(\.reason) == ["BadDeviceToken"])
        let right = Pushes.reload(token, try ProviderTokens.good(simulator, "sandbox"))
        let answer = try #require(try curl(simulator, [right], sandbox: true).first)
        #expect(answer.status == 200)
        #expect(answer.headers["apns-unique-id"] != nil)
    }

    @Test func aConnectionKeepsItsTeamAndItsProviderToken() throws {
        let simulator = try RunningSimulator(
            ["--app", "com.example.courier", "--app", "com.example.other=ZZZZZ99999"],
            commands: [#"{"do":"add","device":"d1","subscriber":"user_42","widgets":["Stats"]}"#]
        )
        let token = try simulator.token("d1", "widgets.registered")
        let tokens = try ProviderTokens.make(simulator, "production", [["age": 60], ["age": 30]])
        let renewed = tokens.map { Pushes.reload(token, $0) }
        #expect(
            try curl(simulator, [renewed[0], renewed[1], renewed[0]]).map(\.reason)
                == [nil, "TooManyProviderTokenUpdates", nil]
        )
        let foreign = try ProviderTokens.make(simulator, "production", [[:]], app: "com.example.other")[0]
        var others = Pushes.reload(token, foreign)
        others.headers["apns-topic"] = "com.example.other.push-type.widgets"
        #expect(try curl(simulator, [renewed[0], others]).map(\.reason) == [nil, "UnrelatedKeyIdInToken"])
        // On a connection of its own it is another team's app that never gave out this token.
        #expect(try curl(simulator, [others]).map(\.reason) == ["DeviceTokenNotForTopic"])
    }

    @Test func theIdComesBackOrIsMade() throws {
        let simulator = try RunningSimulator(commands: [
            #"{"do":"add","device":"d1","subscriber":"user_42","widgets":["Stats"]}"#
        ])
        let token = try simulator.token("d1", "widgets.registered")
        let made = Pushes.reload(token, try ProviderTokens.good(simulator))
        var given = made
        given.headers["apns-id"] = "eabeae54-14a8-11e5-b60b-1697f925ec7b"
        let answers = try curl(simulator, [given, made, made])
        #expect(answers[0].headers["apns-id"] == "eabeae54-14a8-11e5-b60b-1697f925ec7b")
        #expect(answers[1].headers["apns-id"]?.count == 36)
        #expect(answers[1].headers["apns-id"] != answers[2].headers["apns-id"])
    }
}
