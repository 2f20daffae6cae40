import Foundation
import Testing

/// `state dump`: the whole ledger in words, a record a line.
@Suite struct DumpTests {
    private static let courier = "com.example.courier"
    private static let rider = "com.example.rider"

    /// A project in whose ledger there is a record of every type.
    private func world() throws -> World {
        let world = try World(["--app", "\(Self.courier)=ABCDE12345", "--app", "\(Self.rider)=ABCDE12345"])
        try world.configure {
            $0["quota"] = ["dailyPushes": 1000]
            $0["sensitive"] = ["widgets": ["Stats": ["/state/owner"]], "all": ["/state/code", "/attributes/to"]]
        }
        try world.phone("d1")
        try world.phone("d2", of: nil)
        try world.phone("d3", of: "rider_7", more: #""app":"\#(Self.rider)""#)
        try world.workspace.write("templates/delivery/1.json", Self.template)
        try world.declare(Self.document(1))
        try world.declare(Self.ride(1))
        try world.workspace.git("init", "--quiet")
        try world.workspace.git("add", "state", "templates")
        try world.workspace.git("commit", "--quiet", "-m", "state")
        try world.apply("--rev", "HEAD")
        try world.on("d2", "identify", #""as":"user_9""#)
        let later = Date(timeIntervalSinceNow: 3600).ISO8601Format()
        try world.report(Self.report("activity.ended", "d1", "user_42", later, #""activityId":"early""#))
        try world.run(["ingest"])
        try world.run(["quota", "use", "3"])
        try world.run(["pause", "user_9"])
        try world.fault(#""answer":{"status":410,"reason":"Unregistered"}"#, on: #"{"device":"d1"}"#)
        try world.run(["reload", "user_42", "--idempotency-key", "once"])
        try world.declare(Self.ride(2))
        try world.fault(#""answer":{"reason":"TopicDisallowed"}"#, on: #"{"app":"\#(Self.rider)"}"#, #""times":9"#)
        try world.apply(status: 3)
        let directory = world.workspace.url.appending(path: "public")
        try FileManager.default.removeItem(at: directory)
        try Data().write(to: directory)
        try world.declare(Self.document(2))
        try world.apply(status: 3)
        return world
    }

    private static func document(_ steps: Int) -> Document {
        var document = Document.order(
            "cooking",
            #""state":{"status":"cooking","code":"Sesame-4711"},"template":"delivery@1","#
                + #""attributes":{"orderId":"1001","to":"Babbage"}"#
        )
        document.app = courier
        document.widgets["Stats"] = #"{"state":{"steps":\#(steps),"owner":"Ada Lovelace"}}"#
        return document
    }

    private static func ride(_ steps: Int) -> Document {
        var document = Document.steps(steps, of: "rider_7")
        document.app = rider
        return document
    }

    private static let template = #"{"state":{"type":"object"},"attributes":{"type":"object"}}"#

    private static func report(
        _ type: String,
        _ device: String,
        _ subscriber: String,
        _ at: String,
        _ more: String
    ) -> String {
        #"{"type":"\#(type)","app":"\#(courier)","device":"\#(device)","subscriber":"\#(subscriber)","#
            + #""at":"\#(at)",\#(more)}"#
    }

    private static let types: Set = [
        "activity", "alias", "closedEarly", "deadToken", "delivery", "device", "earlyReport", "event", "fault",
        "instance", "ledger", "operation", "reloadRequest", "resolution", "run", "scope", "sentElsewhere",
        "startTarget", "template", "touched", "unpublished", "widget", "widgetRegistration",
    ]

    @Test func everyTypeOfRecordIsShownInTheSameOrder() throws {
        let world = try world()
        let dump = try world.run(["state", "dump"])
        let types = Set(try dump.items().compactMap { $0["type"] as? String })
        #expect(Self.types.symmetricDifference(types).sorted() == [])
        #expect(dump.lines.first?.contains(#""type":"ledger""#) == true)
        // In the words of the contract, with times that people read.
        let keys = try dump.items().flatMap(\.keys)
        #expect(!keys.contains { $0.contains("_") || $0 == "commit" }, "\(Set(keys))")
        let instance = try #require(try world.workspace.records("instance").first)
        #expect(instance["phase"] as? String == "running")
        #expect((instance["startedAt"] as? String)?.hasSuffix("Z") == true)
        let again = try world.run(["state", "dump", "--format", "json"])
        #expect(again.lines == dump.lines)
        // A copy holds the same.
        try world.run(["state", "export", "copy.db"])
        try world.configure { $0["ledger"] = "copy.db" }
        #expect(try world.run(["state", "dump"]).lines == dump.lines)
    }

    @Test func everyMemberIsInTheDocs() throws {
        let rows = try Checkout.text("docs/ledger.md").split(separator: "\n")
        for record in try world().workspace.records() {
            let type = try #require(record["type"] as? String)
            let row = try #require(rows.first { $0.hasPrefix("| `\(type)` |") })
            for key in record.keys where key != "type" { #expect(row.contains("`\(key)`"), "\(type).\(key)") }
        }
    }

    @Test func tokensAndSensitiveValuesAreHiddenUnlessAskedFor() throws {
        let world = try world()
        let secrets = ["Sesame-4711", "Babbage", "Ada Lovelace"]
        let tokens = try world.tokens() + world.workspace.records("deadToken").compactMap { $0["token"] as? String }
        let hidden = try world.run(["state", "dump"]).stdout
        let open = try world.run(["state", "dump", "--show-sensitive", "--show-tokens"]).stdout
        for secret in secrets {
            #expect(!hidden.contains(secret))
            #expect(open.contains(secret))
        }
        for token in tokens { #expect(!hidden.contains(token)) }
        #expect(tokens.contains { open.contains($0) } && hidden.contains("\(tokens[0].prefix(8))…"))
        #expect(try !world.run(["state", "dump", "--show-tokens"]).stdout.contains(secrets[0]))
    }

    @Test func aDumpTakesNoLockAndNeedsALedger() throws {
        let world = try World()
        #expect(try world.run(["state", "dump"], 1).stderr.contains("lockstep.db"))
        try world.phone("d1")
        try world.declare(.steps(1))
        try world.apply()
        try world.run(["state", "dump"], launcher: ["flock", "lockstep.db.lock"])
        #expect(try world.run(["state", "export", "x.db", "--show-tokens"], 64).stderr.contains("'state dump'"))
        #expect(try world.run(["state", "dump", "x"], 64).stderr.contains("or dump"))
    }
}
