import Foundation
import Testing

/// Templates beside everything else: what an app makes of the bytes, what is blocked and held, and what is recorded.
@Suite struct TemplateFlowTests {
    /// What an app declares, decoded as ActivityKit does: with a `JSONDecoder` as it comes.
    private struct ContentState: Decodable, Equatable {
        var status: String
        var eta: Date?
    }

    private struct Attributes: Decodable, Equatable {
        var orderId: String
        var orderedAt: Date
    }

    private static let moment = Date(timeIntervalSince1970: 1_796_032_800)
    private static let time = "2026-11-30T11:00:00+01:00"

    private func order(_ status: String, _ template: String = "delivery@1", _ more: String = "") -> String {
        let attributes = #""attributes":{"orderId":"1001","orderedAt":"\#(Self.time)"}"#
        return Document.activity(
            "",
            #""state":{"status":"\#(status)","eta":"\#(Self.time)"},\#(attributes),"template":"\#(template)"\#(more)"#
        )
    }

    private func world(_ versions: Int = 1) throws -> World {
        let world = try World()
        for version in 1...versions {
            let statuses = version == 1 ? #"["cooking","delivered"]"# : #"["baking","delivered"]"#
            try world.workspace.write(
                "templates/delivery/\(version).json",
                TemplateCasesTests.delivery(status: statuses)
            )
        }
        return world
    }

    private func decoded<Value: Decodable>(_ value: Any?) throws -> Value {
        try JSONDecoder().decode(Value.self, from: JSONSerialization.data(withJSONObject: try #require(value)))
    }

    @Test func theAppDecodesWhatArrivesAndAlertsStayAsTheyAreWritten() throws {
        let world = try world()
        try world.phone("d1")
        let words = #","alert":{"title":"Order","body":"\#(Self.time)"},"staleAt":"2126-11-30T10:00:00Z""#
        let widget = #"{"state":{"status":"cooking","eta":"\#(Self.time)"},"template":"delivery@1"}"#
        try world.declare(
            Document(widgets: ["Stats": widget], activities: ["order-1001": order("cooking", "delivery@1", words)])
        )
        try world.apply()
        let state = ContentState(status: "cooking", eta: Self.moment)
        let start = try #require(try world.pushes().first { $0.event == "start" })
        #expect(try decoded(start.aps["content-state"]) == state)
        #expect(try decoded(start.aps["attributes"]) == Attributes(orderId: "1001", orderedAt: Self.moment))
        #expect((start.aps["alert"] as? [String: Any])?["body"] as? String == Self.time)
        #expect(start.aps["stale-date"] as? Int == 1_796_032_800 + 36_524 * 86_400)
        let published = try world.widget("d1")
        #expect(try JSONDecoder().decode(ContentState.self, from: Data(published.utf8)) == state)
        try world.settles()
    }

    @Test func aVersionThatTheAppDoesNotListIsBlockedThereAndStartsElsewhere() throws {
        let world = try world(2)
        try world.phone("d1", more: #""templates":["delivery@1"]"#)
        try world.phone("d2", more: #""templates":["delivery@1","delivery@2"]"#)
        try world.declare(Document(activities: ["order-1001": order("baking", "delivery@2")]))
        try world.apply()
        #expect(try world.events() == ["start d2"])
        let items = try world.run(["plan", "--format", "json"]).items()
        #expect(items.compactMap { $0["reason"] as? String } == ["template_not_listed"])
        try world.settles("Nothing to send; 0 held, 1 blocked.")
    }

    @Test(.long) func aMismatchHoldsThatInstanceAndNothingElse() throws {
        let world = try world(2)
        try world.phone("d1")
        let widget = #"{"state":{"status":"STATUS"},"template":"delivery@VERSION"}"#
        func declare(_ first: String, _ second: String, _ version: Int) throws {
            let widget = widget.replacing("STATUS", with: second).replacing("VERSION", with: "\(version)")
            let orders = [
                "order-1": order(first, "delivery@\(version)"), "order-2": order(second, "delivery@\(version)"),
            ]
            try world.declare(Document(widgets: ["Stats": widget], activities: orders))
        }
        try declare("cooking", "cooking", 1)
        try world.apply()
        _ = try world.pushes()
        // Of the tiles of version 1, one gets a state that it takes, the other one that only version 2 takes.
        try declare("baking", "delivered", 2)
        try world.apply()
        #expect(try world.events() == ["reload d1", "update d1"])
        #expect(try world.statuses("d1") == ["cooking", "delivered"])
        try world.settles("Nothing to send; 1 held, 0 blocked.")
        // A state that version 1 takes goes on; so does a new generation with one that it does not.
        try declare("delivered", "delivered", 2)
        try world.apply()
        #expect(try world.statuses("d1") == ["delivered", "delivered"])
        try world.declare(
            Document(activities: ["order-1": order("baking", "delivery@2", #","generation":"2""#)])
        )
        try world.apply("--allow-removed", "9", "--allow-replaced", "9")
        try world.apply("--allow-removed", "9", "--allow-replaced", "9")
        #expect(try world.statuses("d1") == ["baking"])
        try world.settles()
    }

    @Test func onlyVersionsOfWhatWasAppliedNeverChange() throws {
        let world = try world(2)
        try world.declare(Document(subscriber: "u1", activities: ["order-1001": order("cooking")]))
        try world.declare(Document(subscriber: "u2", activities: ["order-1001": order("baking", "delivery@2")]))
        try world.apply("--only", "u1")
        let changed = TemplateCasesTests.delivery("unix-seconds", status: #"["baking"]"#)
        try world.workspace.write("templates/delivery/2.json", changed)
        try world.run(["plan"])
        // What adopt records, is applied.
        try world.run(["adopt", "--yes"])
        try world.workspace.write("templates/delivery/2.json", TemplateCasesTests.delivery())
        let outcome = try world.run(["plan"], 65)
        #expect(outcome.stderr.contains("templates/delivery/2.json: 'delivery@2' was first applied at "))
        try world.workspace.write("templates/delivery/2.json", changed)
        try world.settles()
    }

    /// With `--rev` the templates are those of the commit, also of declarations that alone were read because they changed.
    @Test(.long) func ofACommitTheTemplatesCountToo() throws {
        let world = try world(2)
        try world.phone("d1")
        func commit(_ path: String) throws {
            try world.workspace.git("add", "--all", path)
            try world.workspace.git("commit", "--quiet", "-m", "a change")
        }
        try world.workspace.git("init", "--quiet")
        try commit("templates")
        try world.declare(Document(activities: ["order-1": order("cooking")]))
        try commit("state")
        try world.workspace.remove("templates")
        try world.apply("--rev", "HEAD")
        #expect(try world.events() == ["start d1"])
        let orders = ["order-1": order("cooking"), "order-2": order("baking", "delivery@2")]
        try world.declare(Document(activities: orders))
        try commit("state")
        try world.apply("--rev", "HEAD")
        #expect(try world.events() == ["start d1"])
        let plan = try world.run(["plan", "--rev", "HEAD", "--detailed-exitcode"])
        #expect(plan.lines.last?.hasPrefix("No changes") == true, "\(plan.stdout)")

        try world.workspace.write("templates/delivery/1.json", TemplateCasesTests.delivery(status: #"["frozen"]"#))
        try world.workspace.write("templates/delivery/2.json", TemplateCasesTests.delivery("unix-seconds"))
        try commit("templates")
        let outcome = try world.run(["plan", "--rev", "HEAD"], 65)
        for version in 1...2 {
            #expect(
                outcome.stderr.contains(
                    "templates/delivery/\(version).json: 'delivery@\(version)' was first applied at "
                ),
                "\(outcome.stderr)"
            )
        }
    }
}
