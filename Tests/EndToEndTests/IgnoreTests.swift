import Foundation
import Testing

/// Changes that the configuration calls no reason to push.
@Suite struct IgnoreTests {
    private static func document(clock: Int, status: String = "cooking", steps: Int = 1, more: String = "") -> Document
    {
        var document = Document.order(status, #""state":{"status":"\#(status)","clock":\#(clock)}"# + more)
        document.widgets = ["Stats": #"{"state":{"steps":\#(steps),"clock":\#(clock)}}"#]
        return document
    }

    private static func inStep(_ ignored: Int) -> String {
        "No changes (\(ignored) ignored). Every target is in step with the files."
    }

    private func project() throws -> World {
        let world = try World()
        try world.configure { $0["ignore"] = ["all": ["/state/clock"]] }
        try world.phone("phone-1")
        try world.declare(Self.document(clock: 1))
        try world.apply()
        _ = try world.pushes()
        return world
    }

    @Test func anIgnoredChangeAloneIsNoChangeAndIsCounted() throws {
        let world = try project()
        try world.declare(Self.document(clock: 2))
        #expect(try world.run(["plan", "--detailed-exitcode"]).lines == [Self.inStep(2)])
        #expect(try world.run(["plan", "--format", "markdown"]).lines == ["**\(Self.inStep(2))**"])
        let summary = try #require(try world.run(["plan", "--format", "json"]).items().last)
        #expect(summary["ignored"] as? Int == 2 && summary["hasChanges"] as? Bool == false)
        try world.apply()
        // Neither is it published: what the file shows is what was committed.
        #expect(try world.events() == [])
        #expect(try world.widget("phone-1") == #"{"clock":1,"steps":1}"#)
        try world.settles(Self.inStep(2))
        try world.declare(Self.document(clock: 1))
        try world.settles()
    }

    @Test func aRealChangeBesideItSendsTheNewestOfBoth() throws {
        let world = try project()
        try world.declare(Self.document(clock: 2, status: "riding", steps: 2))
        try world.apply()
        #expect(try world.events() == ["reload phone-1", "update phone-1"])
        #expect(try world.widget("phone-1") == #"{"clock":2,"steps":2}"#)
        let state = try #require(try world.simulator.tiles("phone-1").first?["state"] as? [String: Any])
        #expect(state["clock"] as? Int == 2 && state["status"] as? String == "riding")
        try world.settles()
        // A new phone gets what was committed, and the clock goes on being ignored.
        try world.declare(Self.document(clock: 3, status: "riding", steps: 2))
        try world.phone("phone-2")
        try world.apply()
        #expect(try world.events() == ["start phone-2"])
        try world.settles(Self.inStep(2))
        // An end is a change, and goes out with the newest; from then on its clock is ignored as well.
        let end = #","end":{"state":{"status":"there","clock":4}}"#
        try world.declare(Self.document(clock: 4, status: "riding", steps: 2, more: end))
        try world.apply()
        #expect(try world.events() == ["end phone-1", "end phone-2"])
        try world.settles(Self.inStep(1))
        try world.declare(Self.document(clock: 5, status: "riding", steps: 2, more: end.replacing("4", with: "5")))
        try world.settles(Self.inStep(2))
    }

    @Test func anIgnoredChangeLeavesASavedPlanFresh() throws {
        let world = try project()
        try world.declare(Self.document(clock: 2, status: "riding"))
        try world.run(["plan", "--out", "change.plan"])
        try world.declare(Self.document(clock: 3, status: "riding"))
        try world.run(["apply", "change.plan"])
        #expect(try world.events() == ["update phone-1"])
        let state = try #require(try world.simulator.tiles("phone-1").first?["state"] as? [String: Any])
        #expect(state["clock"] as? Int == 3)
        #expect(try world.run(["apply", "change.plan"]).lines.last?.contains("was applied already") == true)
        try world.settles(Self.inStep(1))
    }

    @Test(.long) func whatIsIgnoredIsCountedWhereOnlyTheChangeIsRead() throws {
        let world = try World()
        try world.configure { $0["ignore"] = ["all": ["/state/clock"]] }
        try world.phone("phone-1")
        try world.declare(Self.document(clock: 1))
        try world.declare(.steps(1, of: "user_7"))
        try world.workspace.commitState()
        try world.apply("--rev", "HEAD")
        try world.declare(Self.document(clock: 2))
        try world.workspace.commitState()
        for _ in 1...2 {
            try world.apply("--rev", "HEAD")
            #expect(try world.run(["plan", "--rev", "HEAD"]).lines.last == Self.inStep(2))
        }
    }

    @Test(.long) func aRuleThatMatchesNothingOrEverythingIsWarnedOf() throws {
        let world = try project()
        let doubtful: [([String: Any], String)] = [
            (["all": ["/state/klock"]], "'/state/klock' matches nothing that is declared"),
            (["widgets": ["Stat": ["/state/clock"]]], "matches nothing that is declared for a widget 'Stat'"),
            (["all": ["/state"]], "'/state' leaves nothing of any state"),
            (["widgets": ["Stats": ["/state/clock", "/state/steps"]]], "'/state/steps' leaves nothing of any state"),
        ]
        for (rules, message) in doubtful {
            try world.configure { $0["ignore"] = rules }
            for command in ["validate", "plan"] {
                let outcome = try world.run([command])
                #expect(outcome.stderr.contains(message), "\(outcome.stderr)")
                #expect(outcome.stderr.contains("lockstep.json:1:"))
            }
        }
        for fine in [["all": ["/state/clock"]], ["all": ["/staleAt", "/state/clock"]]] {
            try world.configure { $0["ignore"] = fine }
            let warnings = try world.run(["validate"]).stderr
            #expect(warnings.isEmpty || warnings.contains("'/staleAt' matches nothing"), "\(warnings)")
        }
        try world.configure { $0["ignore"] = ["all": ["/attributes/orderId"]] }
        #expect(try world.run(["plan"], 65).stderr.contains("begins with one of /state, /alert"))
        try world.configure { $0["ignore"] = nil }
        try world.settles()
    }
}
