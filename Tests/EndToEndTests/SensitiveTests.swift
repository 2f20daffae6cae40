import Foreign
import Foundation
import JSON
import Testing

/// Values that the configuration calls sensitive: nobody reads them anywhere but on the phone.
@Suite struct SensitiveTests {
    /// What they were, and what they become.
    private static let old = (code: "Sesame-4711", name: "Ada Lovelace", number: 471_100_000_001)
    private static let new = (code: "Sesame-0815", name: "Grace Hopper", number: 471_100_000_002)

    private static let secrets =
        [old, new].flatMap { [$0.code, $0.name, String($0.number)] } + ["Babbage", "+49 30 123"]

    private static func document(_ secret: (code: String, name: String, number: Int), more: String = "") -> Document {
        var document = Document.order(
            "cooking",
            #""state":{"status":"cooking","code":"\#(secret.code)","pin":[1,\#(secret.number)]},"#
                + #""attributes":{"orderId":"1001","to":"Babbage"},"#
                + #""alert":{"title":"Order","body":{"loc-key":"FOR","loc-args":["\#(secret.name)"]}}"# + more
        )
        document.widgets = ["Stats": #"{"state":{"steps":1,"owner":{"name":"\#(secret.name)"},"phone":"+49 30 123"}}"#]
        return document
    }

    private func project() throws -> World {
        let world = try World()
        try world.configure {
            $0["sensitive"] = [
                "all": ["/state/phone"], "widgets": ["Stats": ["/state/owner"]],
                "activities": ["DeliveryAttributes": ["/state/code", "/state/pin/1", "/attributes/to", "/alert/body"]],
            ]
        }
        try world.phone("phone-1")
        try world.declare(Self.document(Self.old))
        return world
    }

    private func expectHidden(_ text: String, _ what: String) {
        for secret in Self.secrets { #expect(!text.contains(secret), "\(what) shows \(secret): \(text)") }
    }

    /// Runs a command, which shows none.
    @discardableResult
    private func check(_ world: World, _ arguments: [String], _ status: Int32 = 0) throws -> Outcome {
        let outcome = try world.run(arguments, status)
        expectHidden(outcome.stdout + outcome.stderr, arguments.joined(separator: " "))
        return outcome
    }

    private func checkPlans(_ world: World) throws {
        for format in ["human", "json", "markdown"] {
            try check(world, ["plan", "--verbose", "--format", format, "--out", "\(format).plan"])
            try check(world, ["show", "\(format).plan", "--verbose", "--format", format])
        }
        try world.run(["plan", "--show-sensitive", "--out", "shown.plan"])
        #expect(try check(world, ["show", "shown.plan", "--show-sensitive"]).stdout.contains("***"))
    }

    @Test func nothingThatTheProgramWritesShowsOne() throws {
        let world = try project()
        try checkPlans(world)
        try check(world, ["adopt", "--yes", "--new-ledger", "--only", "user_42/widget/*", "--verbose"])
        try check(world, ["apply", "--yes", "--verbose", "--format", "json"])
        _ = try world.pushes()
        try check(world, ["ingest"])
        try world.declare(Self.document(Self.new))
        try checkPlans(world)
        try check(world, ["apply", "human.plan", "--verbose"])
        try world.declare(Self.document(Self.old, more: #","end":{"state":{"status":"there","code":"Sesame-4711"}}"#))
        try checkPlans(world)
        try check(world, ["apply", "--yes", "--verbose", "--format", "json"])
        try check(world, ["reload", "user_42", "--format", "json"])

        var ids: Set<String> = []
        for command in [["status"], ["status", "user_42"], ["log"], ["launches"], ["launches", "user_42"]] {
            try check(world, command)
            let json = try check(world, command + ["--format", "json"]).stdout
            ids.formUnion(json.matches(of: /"((?:tgt|stt|wgt|lrq|op|dlv|run)_[0-9A-Z]+)"/).map { String($0.output.1) })
        }
        #expect(ids.count > 5)
        for id in ids.sorted() { try check(world, ["status", id, "--format", "json"]) }
        try check(world, ["state", "dump"])
        try check(world, ["state", "move", "user_42/widget/Stats", "user_42/widget/Other", "--format", "json"])

        // What the program left behind, but for the ledger with its copies, and what is published.
        let files = try #require(
            FileManager.default.enumerator(at: world.workspace.url, includingPropertiesForKeys: nil)
        )
        var names: Set<String> = []
        for case let file as URL in files
        where (try? file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true {
            let path = String(file.path.dropFirst(world.workspace.url.path.count + 1))
            guard !["state/", "public/", "simulator/"].contains(where: path.hasPrefix) else { continue }
            let data = try Data(contentsOf: file)
            if data.starts(with: Data("SQLite format 3".utf8)) || path.hasSuffix("-wal") || path.hasSuffix("-shm") {
                continue
            }
            names.insert(path)
            expectHidden(String(decoding: data, as: UTF8.self), path)
        }
        #expect(names.isSuperset(of: ["human.plan", "json.plan", "markdown.plan", "shown.plan"]))
        #expect(names.contains { $0.hasSuffix(".mark") } && names.contains { $0.hasSuffix(".lock") }, "\(names)")
        #expect(names.contains { $0.hasPrefix("reports/done/") }, "\(names)")

        // Nothing is masked in these: they have none.
        let texts = try world.workspace.records("event").compactMap { $0["text"] as? String }
        let reasons = try world.workspace.records("delivery").flatMap { [$0["note"], $0["reason"]] }
        #expect(texts.count > 3)
        expectHidden("\(texts) \(reasons)", "the ledger's messages")
    }

    /// Files that are wrong, with a secret in the line, or in the very value.
    private static let wrong: [(String, String)] = [
        (#","stat":{}"#, "unknown key 'stat'"),
        (#","alert":{"title":471100000001,"body":"Ada Lovelace"}"#, "'title' must be a string, or an object"),
        (#","alert":471100000001"#, "'alert' must be an object, not a number"),
        (#","alert":{"title":"x","body":{"loc-key":471100000001}}"#, "'loc-key' must be a string, not a number"),
        (#","state":471100000001"#, "'state' must be an object, not a number"),
        (#","attributes":{"to":471100000001471100000001}"#, "this integer does not fit 64 bits"),
        (#","end":{"state":"Sesame-4711"}"#, "'state' must be an object, not a string"),
        (#","staleAt":"soon","#, "a comma before '}'"),
    ]

    @Test func anErrorInAFileShowsNoneAndOnRequestItsLine() throws {
        let world = try project()
        for (more, message) in Self.wrong {
            let activity = #""order-1001":{"attributesType":"DeliveryAttributes"\#(more)}"#
            try world.workspace.write("state/wrong.json", #"{"subscriber":"Ada","liveActivities":{\#(activity)}}"#)
            for command in [
                ["validate"], ["validate", "--format", "json"], ["plan"], ["plan", "--format", "markdown"],
            ] {
                let outcome = try check(world, command, 65)
                #expect((outcome.stderr + outcome.stdout).contains(message) || command.last == "markdown", "\(outcome)")
            }
        }
        // The last of them is there still.
        #expect(try world.run(["validate", "--show-sensitive"], 65).stderr.contains(#""staleAt":"soon",}"#))
        try world.workspace.remove("state/wrong.json")
        try world.apply()
        try world.settles()
    }

    @Test(.long) func aChangeOfOneIsShownAsAChangeAndOnlyShowSensitiveShowsIt() throws {
        let world = try project()
        try world.apply()
        try world.declare(Self.document((Self.new.code, Self.old.name, Self.old.number)))
        let human = try world.run(["plan"]).stdout
        #expect(human.contains(#"~ /state/code: "*** (before)" → "*** (after)""#), "\(human)")
        #expect(!human.contains("/state/pin") && !human.contains("/alert"), "\(human)")
        let markdown = try world.run(["plan", "--format", "markdown"]).lines
        #expect(markdown.contains(#"-     /state/code: "*** (before)""#))
        #expect(markdown.contains(#"+     /state/code: "*** (after)""#))
        let update = try world.run(["plan", "--format", "json"]).items().first { $0["action"] as? String == "update" }
        let patch = try #require(update?["patch"] as? [[String: String]])
        #expect(
            patch == [["op": "replace", "path": "/state/code", "value": "*** (after)", "was": "*** (before)"]]
        )
        let shown = try world.run(["plan", "--show-sensitive", "--out", "change.plan"]).stdout
        #expect(shown.contains(#"~ /state/code: "Sesame-4711" → "Sesame-0815""#), "\(shown)")
        #expect(try world.run(["status", "user_42", "--show-sensitive"]).stdout.contains("Sesame-4711"))

        // Another value than the one that was reviewed is found, though the plan does not have it.
        try world.declare(Self.document(("Sesame-9999", Self.old.name, Self.old.number)))
        #expect(try world.run(["apply", "change.plan"], 5).stderr.contains("is declared otherwise now"))
        try world.declare(Self.document((Self.new.code, Self.old.name, Self.old.number)))
        try world.run(["apply", "change.plan"])
        #expect(try world.statuses("phone-1", "code") == ["Sesame-0815"])
        #expect(try world.widget("phone-1").contains("Ada Lovelace"))
        try world.settles()
    }

    @Test func aTemplateSaysWhatIsSensitiveAndMaySaySoLater() throws {
        let world = try World()
        try world.phone("phone-1")
        func template(_ sensitive: String) throws {
            let eta = #""eta":{"type":"string","format":"swift-date"},"code":{"type":"string","maxLength":6}"#
            let state = #"{"type":"object","properties":{\#(eta)}}"#
            try world.workspace.write("templates/delivery/3.json", #"{\#(sensitive)"state":\#(state)}"#)
        }
        func declare(_ code: String, _ eta: String = #""2026-11-30T10:00:00Z""#) throws {
            let state = #""state":{"status":"cooking","eta":\#(eta),"code":\#(code)}"#
            try world.declare(.order("cooking", state + #","template":"delivery@3""#))
        }
        try template("")
        try declare(#""4711""#)
        try world.apply()
        #expect(try world.run(["status", "user_42"]).stdout.contains("4711"))

        try template(#""sensitive":["/state/eta","/state/code"],"#)
        #expect(try !world.run(["status", "user_42"]).stdout.contains("4711"))
        try declare(#""0815""#)
        let plan = try world.run(["plan", "--out", "change.plan"]).stdout
        #expect(plan.contains(#"/state/code: "*** (before)" → "*** (after)""#), "\(plan)")
        #expect(try !world.workspace.text("change.plan").contains("0815"))
        let time = #""2026-11-30T10:00:00Z""#
        for (code, eta, message) in [
            (#""0815""#, "1796032800", "'/eta' must be a time, in RFC 3339 with an offset"),
            (#""08150815""#, time, "'/code' "), ("8150815", time, "'/code' "),
        ] {
            try declare(code, eta)
            let outcome = try world.run(["validate"], 65)
            #expect(outcome.stderr.contains("does not match delivery@3: \(message)"), "\(outcome.stderr)")
            for secret in ["0815", "8150815", "1796032800"] { #expect(!outcome.stderr.contains(secret)) }
        }
        try declare(#""0815""#)
        try world.run(["apply", "change.plan"])
        #expect(try world.statuses("phone-1", "code") == ["0815"])
        // The ledger knows it without the file.
        try world.workspace.remove("templates/delivery/3.json")
        #expect(try !world.run(["status", "user_42"]).stdout.contains("0815"))
        try template(#""sensitive":["/eta"],"#)
        #expect(try world.run(["validate"], 65).stderr.contains("templates/delivery/3.json:1:15"))
        try template(#""sensitive":["/state/eta"],"#)
        try world.settles()
    }

    @Test func aSavedPlanDoesNotLetAShortOneBeGuessed() throws {
        let world = try project()
        func saved() throws -> String {
            try world.run(["plan", "--out", "change.plan"])
            return try world.workspace.text("change.plan")
                .replacing(/"(createdAt|expiresAt|lineage)":"[^"]*"/, with: "")
        }
        // Without a ledger there is no key: the digests, and the id, do not depend on what is sensitive.
        let first = try saved()
        try world.declare(Self.document(Self.new))
        #expect(try saved() == first)
        try world.run(["apply", "change.plan", "--new-ledger"])
        #expect(try world.run(["apply", "change.plan"]).lines.last?.contains("was applied already") == true)

        // With one, who knows everything but the code can hash every guess, and finds nothing.
        try world.workspace.write(
            "state/pin.json",
            #"{"subscriber":"user_7","widgets":{"Stats":{"state":{"phone":"42"}}}}"#
        )
        let digests = Set(try saved().matches(of: /[0-9a-f]{64}/).map { String($0.output) })
        #expect(digests.count >= 2)
        for pin in 0..<100 {
            let body: JSON.Value = ["state": ["phone": .string(Text(String(pin)))]]
            #expect(!digests.contains(sha256(body.canonicalBytes).map { String(format: "%02x", $0) }.joined()))
        }
        try world.apply()
        try world.settles()
    }

    @Test func aRuleThatMatchesNothingIsWarnedOfAtItsPlace() throws {
        let world = try project()
        try world.workspace.write(
            "lockstep.json",
            try world.workspace.text("lockstep.json").replacing(
                "\"\\/state\\/phone\"",
                with: "\"/state/phone\", \n\"/state/fone\""
            )
        )
        let warned = try world.run(["validate"])
        #expect(warned.stderr.contains("lockstep.json:2:1: warning: '/state/fone' matches nothing"), "\(warned.stderr)")
        #expect(try world.run(["validate", "state/user_42.json"]).stderr == "")
        for wrong in ["state/phone", "/phone", "/", ""] {
            try world.configure { $0["sensitive"] = ["all": [wrong]] }
            let outcome = try world.run(["validate"], 65)
            #expect(outcome.stderr.contains("lockstep.json:1:"))
            #expect(outcome.stderr.contains("JSON Pointer that begins with one of /state, /attributes, /alert"))
        }
        try world.configure { $0["sensitive"] = nil }
        try world.apply()
        try world.settles()
    }
}
