import Foundation
import Testing

/// Published files, and what never leaves the program.
@Suite struct PublishCasesTests {
    /// Python's own hmac says where a file belongs.
    private func path(of subscriber: String, in world: World) throws -> String {
        let code = """
            import hashlib, hmac, sys
            key = open("simulator/publish.key", "rb").read()
            name = hmac.new(key, b"com.example.courier\\0" + sys.argv[1].encode(), hashlib.sha256).hexdigest()
            print(f"public/{name[:2]}/{name}.json")
            """
        let python = try execute(
            URL(filePath: "/usr/bin/env"),
            ["python3", "-c", code, subscriber],
            in: world.workspace.url
        )
        return try #require(python.lines.first)
    }

    private func published(_ path: String, _ world: World) throws -> [String: [String: Any]] {
        let data = Data(try world.workspace.text(path).utf8)
        let file = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(file["version"] as? Int == 1 && file["app"] as? String == "com.example.courier")
        return try #require(file["widgets"] as? [String: [String: Any]])
    }

    @Test(arguments: ["user_42", "Zoë 🛵/../x"])
    func aFileLiesWhereTheKeySaysAndHoldsTheState(_ subscriber: String) throws {
        let world = try World()
        try world.workspace.write(
            "state/a.json",
            #"{"subscriber":"\#(subscriber)","widgets":{"A":{"state":{"n":1}},"B":{"state":[0.1,null]}}}"#
        )
        try world.apply()
        let path = try path(of: subscriber, in: world)
        let first = try published(path, world)
        #expect(Set(first.keys) == ["A", "B"])
        #expect(first["A"]?["revision"] as? Int == 1 && first["A"]?["changedAt"] is String)
        #expect(try world.workspace.text(path).contains(#""state":[0.1,null]"#))
        #expect(try world.run(["status", subscriber]).stdout.contains(path))
        // A changed widget gets a revision; a removed one leaves the file.
        try world.workspace.write(
            "state/a.json",
            #"{"subscriber":"\#(subscriber)","widgets":{"A":{"state":{"n":2}}}}"#
        )
        try world.apply()
        let second = try published(path, world)
        #expect(Set(second.keys) == ["A"])
        #expect(second["A"]?["revision"] as? Int == 2)
        try world.settles()
    }

    @Test func withoutAPlaceToPublishWidgetsAreReloadedAllTheSame() throws {
        let world = try World()
        try world.configure { $0["publish"] = nil }
        try world.phone("d1")
        try world.declare(.steps(1))
        try world.apply()
        #expect(try world.events() == ["reload d1"])
        try world.settles()
    }

    @Test func whatCannotBePublishedIsNotReloadedButTheRestGoesOut() throws {
        let world = try World()
        try world.phone("d1")
        var document = Document.order("cooking")
        document.widgets["Stats"] = #"{"state":1}"#
        try world.declare(document)
        let directory = world.workspace.url.appending(path: "public")
        try FileManager.default.removeItem(at: directory)
        try Data().write(to: directory)
        let outcome = try world.apply(status: 3)
        #expect(outcome.stderr.contains("reloads wait until the state can be published"), "\(outcome.stderr)")
        #expect(try world.events() == ["start d1"])
        try FileManager.default.removeItem(at: directory)
        try world.apply()
        #expect(try world.events() == ["reload d1"])
        #expect(try world.widget("d1") == "1")
        try world.settles()
    }

    @Test func oneFileThatCannotBeWrittenKeepsNoOtherBack() throws {
        let world = try World()
        for number in 1...4 {
            try world.phone("d\(number)", of: "u\(number)")
            try world.declare(.steps(1, of: "u\(number)"))
        }
        try world.apply()
        _ = try world.pushes()
        let blocked = String(try path(of: "u2", in: world).prefix(9))
        try world.workspace.remove(blocked)
        try world.workspace.write(blocked, "no directory")
        for number in 1...4 { try world.declare(.steps(2, of: "u\(number)")) }
        let apply = try world.apply(status: 3)
        #expect(apply.stderr.contains(blocked), "\(apply.stderr)")
        #expect(apply.lines.last?.contains("3 accepted, 0 failed, 1 held") == true, "\(apply.stdout)")
        #expect(
            try world.events()
                == ["reload d1", "reload d3", "reload d4"]
        )
        #expect(try world.plan().stderr.contains("1 published file is still to be written"))
        try world.workspace.remove(blocked)
        try world.apply()
        #expect(try world.events() == ["reload d2"])
        #expect(try world.widget("d2") == #"{"steps":2}"#)
        try world.settles()
    }

    @Test(.long) func anotherKeyOrDirectoryAndALostOneHaveEveryFileWrittenAnew() throws {
        let world = try World()
        try world.declare(.steps(1))
        try world.apply()
        func expectAnew(_ sourceLocation: SourceLocation = #_sourceLocation) throws {
            let status = try world.run(["status", "user_42"]).stdout
            let path = String(try #require(status.firstMatch(of: /[a-z]+\/[0-9a-f]{2}\/[0-9a-f]{64}\.json/)).0)
            #expect(!world.workspace.exists(path), sourceLocation: sourceLocation)
            let plan = try world.run(["plan", "--detailed-exitcode"], sourceLocation: sourceLocation)
            #expect(plan.stderr.contains("1 published file is still to be written"), sourceLocation: sourceLocation)
            try world.apply()
            #expect(try world.workspace.text(path).contains(#""steps":1"#), sourceLocation: sourceLocation)
            #expect(try world.run(["plan"]).stderr.isEmpty, sourceLocation: sourceLocation)
        }
        try world.workspace.write("simulator/publish.key", "another key of the same project\n")
        try expectAnew()
        try world.configure { configuration in
            var publish = configuration["publish"] as? [String: Any]
            publish?["directory"] = "elsewhere"
            configuration["publish"] = publish
        }
        try expectAnew()
        try world.workspace.remove("elsewhere")
        try expectAnew()
        try world.settles()
    }

    @Test func noSecretIsInAnyOutputOrLog() throws {
        let world = try World()
        try world.phone("d1", "d2")
        var output = ""
        func say(_ words: String..., status: Int32) throws {
            for format in ["human", "json"] {
                let outcome = try world.run(words + ["--format", format, "--verbose"], status)
                output += outcome.stdout + outcome.stderr
            }
        }
        try world.declare(.order("cooking"))
        try world.apply()
        try say("status", "user_42", status: 0)
        try say("plan", status: 0)
        try world.fault(#""answer":{"reason":"InvalidProviderToken"}"#, #""times":9"#)
        try world.declare(.order("riding"))
        try say("apply", "--yes", status: 3)
        try say("reload", "user_42", status: 3)
        try world.cutOff { try say("apply", "--yes", status: 3) }
        try world.run(["ingest", Checkout.root.appending(path: "Tests/Cases/tokens.ndjson").path], 65)
        try say("status", status: 0)
        // Everything on the disk but the keys, the kept provider tokens, the ledger and the devices' own reports.
        let hidden = ["keys/", "publish.key", "lockstep.db", "reports/"]
        let files = FileManager.default.enumerator(atPath: world.workspace.url.path)?.allObjects as? [String] ?? []
        for file in files where !hidden.contains(where: file.contains) {
            output += String(
                decoding: FileManager.default.contents(atPath: "\(world.workspace.url.path)/\(file)") ?? Data(),
                as: UTF8.self
            )
        }
        let bodies = try ["PRODKEY001", "SANDKEY001"].flatMap {
            try world.workspace.text("simulator/keys/AuthKey_\($0).p8").split(separator: "\n").filter {
                !$0.hasPrefix("-")
            }
        }
        let bearers = try world.providerTokens()
        let tokens = try world.tokens()
        #expect(bodies.count >= 2 && bearers.count == 1 && tokens.count >= 6)
        let publishKey = try world.workspace.text("simulator/publish.key")
        for secret in bodies.map(String.init) + bearers + tokens + [publishKey] {
            #expect(!output.contains(secret), "a secret that begins with \(secret.prefix(8))")
        }
        for bearer in bearers {
            for part in bearer.split(separator: ".") { #expect(!output.contains(part)) }
        }
        #expect(output.contains(tokens[0].prefix(8)))
        for file in files where file.contains("lockstep.db.tokens/") {
            let facts = try FileManager.default.attributesOfItem(atPath: "\(world.workspace.url.path)/\(file)")
            #expect(facts[.posixPermissions] as? Int == 0o600)
        }
        // Neither key nor bearer is in the ledger.
        let ledger = try Data(contentsOf: world.workspace.url.appending(path: "lockstep.db"))
        for secret in bodies.map(String.init) + bearers { #expect(ledger.range(of: Data(secret.utf8)) == nil) }
    }

    @Test func aKeyThatOthersCanReadDrawsAWarning() throws {
        let world = try World()
        try world.phone("d1")
        try world.declare(.steps(1))
        let key = world.workspace.url.appending(path: "simulator/keys/AuthKey_PRODKEY001.p8").path
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
        let warned = try world.apply()
        #expect(warned.stderr.contains("AuthKey_PRODKEY001.p8 can be read by others; chmod 600 "), "\(warned.stderr)")
        #expect(try world.run(["apply", "--yes", "--quiet"]).stderr.isEmpty)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
        #expect(try world.apply().stderr.isEmpty)
    }

    @Test func aSecretThatIsMissingStopsTheRunBeforeAnythingIsCommitted() throws {
        let world = try World()
        try world.phone("d1")
        try world.declare(.steps(1))
        try world.configure { $0["publish"] = ["directory": "public", "key": ["env": "LOCKSTEP_TEST_KEY"]] }
        for value in ["", nil] {
            let outcome = try world.apply(status: 65, environment: value.map { ["LOCKSTEP_TEST_KEY": $0] } ?? [:])
            #expect(outcome.stderr.contains("LOCKSTEP_TEST_KEY"), "\(outcome.stderr)")
        }
        try world.apply(environment: ["LOCKSTEP_TEST_KEY": "k"])
        try world.settles()
    }
}
