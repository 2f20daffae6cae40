import Foundation
import Testing

/// Templates, from the file to the phone: what does not match is caught, and times go out as the app decodes them.
@Suite struct TemplateCasesTests {
    /// A template of `DeliveryAttributes` with a time in its attributes and in its state.
    static func delivery(_ format: String = "swift-date", status: String = #"["cooking","delivered"]"#) -> String {
        """
        {
          "attributes": {
            "type": "object",
            "required": ["orderId"],
            "additionalProperties": false,
            "properties": { "orderId": { "type": "string" }, "orderedAt": { "type": "string", "format": "\(format)" } }
          },
          "state": {
            "type": "object",
            "required": ["status"],
            "additionalProperties": false,
            "properties": {
              "status": { "enum": \(status) },
              "steps": { "type": "integer" },
              "eta": { "anyOf": [{ "type": "string", "format": "\(format)" }, { "type": "null" }] }
            }
          }
        }
        """
    }

    private static let order = #"{"orderId":"1001","orderedAt":"2026-11-30T10:00:00+01:00"}"#

    private func order(_ state: String, _ template: String = "delivery@1", _ more: String = "") -> Document {
        let keys = #""state":\#(state),"attributes":\#(Self.order),"template":"\#(template)""#
        return Document(activities: ["order-1001": Document.activity("", keys + (more.isEmpty ? "" : ",") + more)])
    }

    private func world(_ template: String = delivery(), more: String = "") throws -> World {
        let world = try World()
        try world.workspace.write("templates/delivery/1.json", template)
        try world.phone("d1", more: more)
        return world
    }

    static let formats: [(format: String, at: String, time: String, half: String)] = [
        ("swift-date", "817725600", "2026-11-30T10:00:00Z", "817725600.5"),
        ("unix-seconds", "1796032800", "2026-11-30T10:00:00Z", "1796032800.5"),
        ("unix-milliseconds", "1796032800000", "2026-11-30T10:00:00Z", "1796032800500"),
    ]

    @Test(.long, arguments: formats)
    func timesGoOutAsTheAppDecodesThem(format: String, at: String, time: String, half: String) throws {
        let world = try world(Self.delivery(format))
        try world.declare(order(#"{"status":"cooking","eta":"\#(time)"}"#))
        try world.apply()
        let start = try #require(try world.pushes().first)
        #expect((start.aps["content-state"] as? [String: Any])?["eta"] as? Double == Double(at))
        let attributes = try #require(start.aps["attributes"] as? [String: Any])
        let hour: Double = format == "unix-milliseconds" ? 3_600_000 : 3_600
        #expect(attributes["orderedAt"] as? Double == Double(at).map { $0 - hour })
        try world.settles()
        // An update, with a fraction; and nothing at all where an optional time is null.
        try world.declare(order(#"{"status":"cooking","eta":"2026-11-30T11:00:00.500+01:00"}"#))
        try world.apply()
        #expect(try world.tileState()["eta"] as? Double == Double(half))
        try world.settles()
        try world.declare(order(#"{"status":"cooking","eta":null}"#))
        try world.apply()
        #expect(try world.tileState()["eta"] is NSNull)
        // An end.
        try world.declare(
            order("{\"status\":\"cooking\"}", "delivery@1", #""end":{"state":{"status":"delivered","eta":"\#(time)"}}"#)
        )
        try world.apply()
        let end = try #require(try world.pushes().last)
        #expect((end.aps["content-state"] as? [String: Any])?["eta"] as? Double == Double(at))
        try world.settles()
    }

    @Test func publishedStateHasTimesAsTheAppDecodesThem() throws {
        let world = try World()
        try world.workspace.write("templates/delivery/1.json", Self.delivery())
        try world.phone("d1")
        let widget = #"{"state":{"status":"cooking","eta":"2026-11-30T10:00:00Z"},"template":"delivery@1"}"#
        try world.declare(Document(widgets: ["Stats": widget]))
        try world.apply()
        #expect(try world.widget("d1") == #"{"eta":817725600,"status":"cooking"}"#)
        try world.settles()
    }

    static let wrong: [(state: String, messages: [String])] = [
        (#"{"status":"frozen"}"#, [#"'state' does not match delivery@1: '/status' must be "cooking" or "delivered""#]),
        (#"{"status":"cooking","steps":"3"}"#, ["'/steps' must be a whole number, not a string"]),
        (
            #"{"status":"cooking","steps":0.5,"stepz":1}"#,
            [
                "'/steps' must be a whole number, not 0.5", "'/stepz' is not known; did you mean 'steps'?",
            ]
        ),
        ("{}", ["it must have 'status'"]),
        (#"{"status":"cooking","eta":1796032800}"#, [#""2026-11-30T10:00:00Z" was probably meant"#]),
        (#"{"status":"cooking","eta":"2026-11-30"}"#, ["'2026-11-30' has no time of day; write 2026-11-30T00:00:00Z"]),
        (#"{"status":"cooking","eta":true}"#, ["'/eta' must be a string or null, not true"]),
    ]

    /// APNs answers 200, and the tile never changes: the commonest silent failure of all.
    @Test(arguments: wrong)
    func aStateThatTheAppCannotDecodeIsNeverSent(state: String, messages: [String]) throws {
        let world = try world()
        try world.declare(order(state))
        for arguments in [["validate"], ["plan"], ["apply", "--yes", "--new-ledger"]] {
            let outcome = try world.run(arguments, 65)
            for message in messages { #expect(outcome.stderr.contains(message), "\(outcome.stderr)") }
            #expect(outcome.stderr.contains("state/user_42.json:1:"), "\(outcome.stderr)")
        }
        #expect(try world.events().isEmpty)
    }

    @Test func everyMismatchComesOutInOneRunWithItsPlace() throws {
        let workspace = try Workspace()
        try workspace.run("init")
        try workspace.write("templates/delivery/3.json", Self.delivery())
        try workspace.write(
            "state/user_42.json",
            """
            {
              "subscriber": "user_42",
              "widgets": {
                "Stats": { "state": { "status": "cooking", "steps": 1.5 }, "template": "delivery@3" }
              },
              "liveActivities": {
                "order-1001": {
                  "attributesType": "DeliveryAttributes",
                  "attributes": { "orderId": 1001 },
                  "state": { "status": "cooking" },
                  "template": "delivery@3",
                  "alert": { "title": "Order", "body": "In the kitchen" },
                  "end": { "state": { "statuz": "delivered" } }
                },
                "order-1002": {
                  "attributesType": "DeliveryAttributes",
                  "state": { "status": "cooking" },
                  "template": "delivery@2",
                  "alert": { "title": "Order", "body": "In the kitchen" }
                }
              }
            }
            """
        )
        let outcome = try workspace.run("validate")
        #expect(outcome.status == 65)
        let problems = outcome.stderr.split(separator: "\n").filter { $0.hasPrefix("state/") }
        #expect(
            problems == [
                "state/user_42.json:4:57: 'state' does not match delivery@3: '/steps' must be a whole number, not 1.5",
                "state/user_42.json:9:34: 'attributes' does not match delivery@3: '/orderId' must be a string, not 1001",
                "state/user_42.json:13:25: 'end.state' does not match delivery@3: it must have 'status'",
                "state/user_42.json:13:27: 'end.state' does not match delivery@3: '/statuz' is not known; did you mean 'status'?",
                "state/user_42.json:18:19: there is no template 'delivery@2', which would be templates/delivery/2.json; did you "
                    + "mean 'delivery@3'?",
            ]
        )
    }

    @Test func withoutADirectoryATemplateIsOnlyRecorded() throws {
        let world = try World()
        try world.phone("d1", more: #""templates":["delivery@1"]"#)
        try world.declare(order(#"{"status":"cooking","eta":"2026-11-30T10:00:00Z"}"#))
        try world.apply()
        #expect(try world.tileState()["eta"] as? String == "2026-11-30T10:00:00Z")
        try world.settles()
    }

    @Test func aVersionNeverChangesOnceItWasApplied() throws {
        let world = try world()
        try world.declare(order(#"{"status":"cooking"}"#))
        try world.apply()
        // Another spelling of the same file is the same version.
        let data = Data(Self.delivery().utf8)
        let same = try JSONSerialization.data(withJSONObject: JSONSerialization.jsonObject(with: data))
        try world.workspace.write("templates/delivery/1.json", String(decoding: same, as: UTF8.self))
        try world.settles()
        try world.workspace.write("templates/delivery/1.json", Self.delivery("unix-seconds"))
        for arguments in [["plan"], ["apply", "--yes"]] {
            let outcome = try world.run(arguments, 65)
            #expect(outcome.stderr.contains("templates/delivery/1.json: 'delivery@1' was first applied at "))
            #expect(outcome.stderr.contains("a version never changes"), "\(outcome.stderr)")
        }
        // It needs no ledger to be a valid file.
        try world.run(["validate"])
        try world.workspace.remove("templates")
        #expect(try world.run(["plan"], 65).stderr.contains("templates: this directory is missing"))
        try world.workspace.write("templates/delivery/1.json", Self.delivery())
        try world.settles()
    }

    @Test(.long) func whatRunsKeepsTheVersionItWasStartedWith() throws {
        let world = try world()
        try world.declare(order(#"{"status":"cooking","eta":"2026-11-30T10:00:00Z"}"#))
        try world.apply()
        let second = Self.delivery("unix-seconds", status: #"["cooking","baking","delivered"]"#)
        try world.workspace.write("templates/delivery/2.json", second)
        // Both versions take it: the tile gets it as the app that decodes version 1 needs it.
        try world.declare(order(#"{"status":"delivered","eta":"2026-11-30T10:00:00Z"}"#, "delivery@2"))
        try world.apply()
        #expect(try world.tileState()["eta"] as? Int == 817_725_600)
        try world.settles()
        // Only version 2 takes it: no error of the file, and nothing is sent.
        _ = try world.pushes()
        try world.declare(order(#"{"status":"baking"}"#, "delivery@2"))
        try world.apply()
        #expect(try world.events().isEmpty)
        #expect(try world.statuses("d1") == ["delivered"])
        let items = try world.run(["plan", "--format", "json"]).items()
        let held = items.filter { $0["reason"] as? String == "template_mismatch" }
        #expect(held.count == 1 && held.first?["status"] as? String == "held")
        try world.settles("Nothing to send; 1 held, 0 blocked.")
        // A phone that comes later starts with the declared version.
        try world.phone("d2")
        try world.apply()
        #expect(try world.events() == ["start d2"])
        #expect(try world.statuses("d2") == ["baking"])
        // Nor is an end sent with a state that the tile cannot show; the file of version 1 is not needed any more.
        try world.workspace.remove("templates/delivery/1.json")
        try world.declare(order(#"{"status":"cooking"}"#, "delivery@2", #""end":{"state":{"status":"baking"}}"#))
        try world.apply()
        #expect(try world.events() == ["end d2"])
        try world.settles("Nothing to send; 1 held, 0 blocked.")
        try world.declare(order(#"{"status":"cooking"}"#, "delivery@2", #""end":{"state":{"status":"delivered"}}"#))
        try world.apply()
        #expect(try world.events() == ["end d1"])
        try world.settles()
    }

    @Test func aStartThatWaitsTakesTheVersionThatIsDeclaredWhenItIsSent() throws {
        let world = try world()
        try world.declare(order(#"{"status":"cooking"}"#))
        try world.cutOff { try world.apply(status: 3) }
        let second = Self.delivery("unix-seconds", status: #"["baking"]"#)
        try world.workspace.write("templates/delivery/2.json", second)
        try world.declare(order(#"{"status":"baking","eta":"2026-11-30T10:00:00Z"}"#, "delivery@2"))
        try world.apply()
        #expect(try world.events() == ["start d1"])
        #expect(try world.tileState()["eta"] as? Int == 1_796_032_800)
        try world.settles()
    }
}

extension World {
    /// The content state of the phone's only tile.
    fileprivate func tileState(_ device: String = "d1") throws -> [String: Any] {
        try #require(try simulator.tiles(device).first?["state"] as? [String: Any])
    }
}
