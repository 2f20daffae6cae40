import Foundation
import TestSeeds
import Testing

/// Keys, topics, environments and endpoints that are wrong: one clear message, nothing lost, and everybody else goes on.
@Suite struct ConfigurationFaultTests {
    private static let phones = 6
    private static let courier = "com.example.courier"
    private static let rider = "com.example.rider"

    /// A world with two apps, and phones of each that wait for a reload.
    private func waiting() throws -> World {
        let world = try World(["--app", "\(Self.courier)=ABCDE12345", "--app", "\(Self.rider)=RIDER12345"])
        for app in [Self.courier, Self.rider] {
            try world.simulator.send(
                #"{"do":"add","device":"\#(app)-{n}","subscriber":"u{n}","count":\#(Self.phones),"app":"\#(app)","#
                    + #""widgets":["Stats"]}"#
            )
        }
        try declare(1, world)
        return world
    }

    private func declare(_ steps: Int, _ world: World) throws {
        for app in [Self.courier, Self.rider] {
            let documents = (1...Self.phones).map { number -> String in
                var document = Document.steps(steps, of: "u\(number)")
                document.app = app
                return document.text
            }
            try world.workspace.write("state/\(app).ndjson", documents.joined(separator: "\n"))
        }
    }

    /// Changes what the configuration says of the courier's app.
    private func configure(_ world: World, _ change: (inout [String: Any]) -> Void) throws {
        try world.configure { configuration in
            var apps = configuration["apps"] as? [String: [String: Any]] ?? [:]
            var app = apps[Self.courier] ?? [:]
            change(&app)
            apps[Self.courier] = app
            configuration["apps"] = apps
        }
    }

    private static func useKey(_ id: String, _ fileID: String, in world: World, of app: inout [String: Any]) {
        let file = world.workspace.url.appending(path: "simulator/keys/AuthKey_\(fileID).p8").path
        app["keys"] = ["production": ["keyId": id, "key": ["file": file]]]
    }

    /// Expects one message with these words, and every token still registered.
    private func isOneMessage(_ outcome: Outcome, _ world: World, _ words: [String]) throws {
        let lines = outcome.stderr.split(separator: "\n").filter { !$0.hasPrefix("note:") }
        #expect(lines.count == 1, "\(outcome.stderr)")
        for word in [Self.courier, "(production)", "Nothing was removed", "one probe per run"] + words {
            #expect(outcome.stderr.contains(word), "\(word): \(outcome.stderr)")
        }
        #expect(try registrations(world) == 2 * Self.phones)
    }

    /// How many live widget tokens the ledger holds.
    private func registrations(_ world: World) throws -> Int {
        try world.workspace.records("widgetRegistration").count { $0["token"] != nil }
    }

    private func accepted(_ pushes: [Push]) -> [String] {
        pushes.filter { $0.status == 200 }.map(\.device).sorted()
    }

    private static func devices(_ apps: String...) -> [String] {
        apps.flatMap { app in (1...phones).map { "\(app)-\($0)" } }.sorted()
    }

    // MARK: - What Apple says

    static let answers = [
        ("BadTopic", "check that the bundle id is right"), ("MissingTopic", "check that the bundle id is right"),
        ("TopicDisallowed", "the key is allowed"), ("InvalidProviderToken", "the key was not revoked"),
        ("MissingProviderToken", "check keyId, teamId and the .p8 file"), ("Forbidden", "check key PRODKEY001"),
        ("UnrelatedKeyIdInToken", "check key PRODKEY001"), ("BadCertificateEnvironment", "check key PRODKEY001"),
        ("BadEnvironmentKeyIdInToken", "configure the production key"),
        ("TooManyProviderTokenUpdates", "check key PRODKEY001"),
        ("ExpiredProviderToken", "check this machine's clock"),
        ("BadDeviceToken", "wrong environment, key or endpoint"),
        ("DeviceTokenNotForTopic", "wrong environment, key or endpoint"),
    ]

    @Test(arguments: sample(of: answers, every: 5))
    func oneMessageNamesCauseAndRemedyAndTheOtherAppGoesOn(reason: String, remedy: String) throws {
        let world = try waiting()
        try world.fault(#""answer":{"reason":"\#(reason)"}"#, on: #"{"app":"\#(Self.courier)"}"#, #""times":100000"#)
        try isOneMessage(try world.apply(status: 3), world, [reason, remedy])
        #expect(accepted(try world.pushes()) == Self.devices(Self.rider))

        // Each run asks once, and once more where a new provider token might help.
        for steps in 2...3 {
            try declare(steps, world)
            try isOneMessage(try world.apply(status: 3), world, [reason, remedy])
            let pushes = try world.pushes()
            #expect(pushes.count - accepted(pushes).count == (reason == "ExpiredProviderToken" ? 2 : 1))
            #expect(accepted(pushes) == Self.devices(Self.rider))
        }

        try world.simulator.send(#"{"do":"clear-faults"}"#)
        try world.apply()
        #expect(accepted(try world.pushes()) == Self.devices(Self.courier))
        #expect(try world.widget("\(Self.courier)-1") == #"{"steps":3}"#)
        try world.settles()
    }

    @Test func aKeyThatIsRevokedInTheMiddleOfARunLosesNothing() throws {
        let world = try waiting()
        let revoked = #""answer":{"reason":"InvalidProviderToken"}"#
        try world.fault(revoked, on: #"{"app":"\#(Self.courier)"}"#, #""after":3,"times":100000"#)
        let outcome = try world.apply(status: 3)
        try isOneMessage(outcome, world, ["InvalidProviderToken", "key PRODKEY001 of team ABCDE12345"])
        #expect(
            outcome.lines.last?.contains("\(Self.phones + 3) accepted, 0 failed, 3 held") == true,
            "\(outcome.stdout)"
        )
        try world.simulator.send(#"{"do":"clear-faults"}"#)
        _ = try world.pushes()
        try world.apply()
        #expect(accepted(try world.pushes()).count == Self.phones - 3)
        try world.settles()
    }

    // MARK: - What is written wrong

    static let wrongKeys = [
        ("WRONGKEY01", "PRODKEY001", "ABCDE12345", ["InvalidProviderToken", "key WRONGKEY01 of team ABCDE12345"]),
        ("PRODKEY001", "PRODKEY001", "WRONGTEAM1", ["InvalidProviderToken", "key PRODKEY001 of team WRONGTEAM1"]),
        ("PRODKEY001", "PRODKEY002", "ABCDE12345", ["InvalidProviderToken", "check keyId, teamId and the .p8 file"]),
        ("PRODKEY002", "PRODKEY002", "RIDER12345", ["TopicDisallowed", "the key is allowed for it"]),
        ("SANDKEY001", "SANDKEY001", "ABCDE12345", ["BadEnvironmentKeyIdInToken", "configure the production key"]),
    ]

    @Test(arguments: sample(of: wrongKeys, every: 2))
    func aWrongKeyIsNamedAndPutRightLater(id: String, file: String, team: String, words: [String]) throws {
        let world = try waiting()
        let configuration = try world.workspace.text("lockstep.json")
        try configure(world) { app in
            app["teamId"] = team
            Self.useKey(id, file, in: world, of: &app)
        }
        try isOneMessage(try world.apply(status: 3), world, words)
        #expect(accepted(try world.pushes()) == Self.devices(Self.rider))
        try world.workspace.write("lockstep.json", configuration)
        try world.apply()
        #expect(accepted(try world.pushes()) == Self.devices(Self.courier))
        try world.settles()
    }

    /// Another Apple knows none of the tokens, and would have all of them removed.
    @Test func aLiveProjectPointedAtTheWrongEndpointLosesNothing() throws {
        let world = try waiting()
        try world.apply()
        #expect(accepted(try world.pushes()) == Self.devices(Self.courier, Self.rider))
        let other = try World(["--app", "\(Self.courier)=ABCDE12345"])
        let configuration = try world.workspace.text("lockstep.json")
        try configure(world) { Self.useKey("PRODKEY001", "PRODKEY001", in: other, of: &$0) }
        try world.configure {
            $0["endpoints"] = [
                "production": ["url": other.simulator.ready.url, "caFile": other.simulator.ready.caFile]
            ]
            $0["apps"] = ($0["apps"] as? [String: Any])?.filter { $0.key == Self.courier }
        }
        try world.workspace.remove("state/\(Self.rider).ndjson")
        let documents = (1...Self.phones).map { Document.steps(2, of: "u\($0)").text }
        try world.workspace.write("state/\(Self.courier).ndjson", documents.joined(separator: "\n"))
        let outcome = try world.run(["apply", "--yes", "--only", "u*"], 3)
        try isOneMessage(outcome, world, ["BadDeviceToken", "wrong environment, key or endpoint"])
        try isOneMessage(try world.run(["apply", "--yes", "--only", "u*"], 3), world, ["BadDeviceToken"])

        try world.workspace.write("lockstep.json", configuration)
        try declare(2, world)
        try world.apply()
        #expect(accepted(try world.pushes()) == Self.devices(Self.courier, Self.rider))
        try world.settles()
    }
}
