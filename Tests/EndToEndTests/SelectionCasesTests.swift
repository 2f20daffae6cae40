import Foundation
import Testing

/// `--only` and the questions before a first or an unwatched apply.
@Suite struct SelectionCasesTests {
    /// A world with a widget and an activity for each of two people.
    private func two() throws -> World {
        let world = try World()
        for person in ["a", "b"] {
            try world.phone("phone-\(person)", of: person)
            try world.declare(Self.document("cooking", of: person))
        }
        return world
    }

    private static func document(_ status: String, of person: String) -> Document {
        var document = Document.order(status, of: person)
        document.widgets["Stats"] = #"{"state":"\#(status)"}"#
        return document
    }

    @Test func aSubscriberIsOnePersonsTargets() throws {
        let world = try two()
        try world.apply("--only", "a")
        #expect(try world.events() == ["reload phone-a", "start phone-a"])
        try world.run(["plan", "--only", "a", "--detailed-exitcode"])
        try world.run(["plan", "--detailed-exitcode"], 2)
        try world.apply()
        #expect(try world.events() == ["reload phone-b", "start phone-b"])
        try world.settles()
    }

    @Test func aKindAndANameIsOneTarget() throws {
        let world = try two()
        try world.apply("--only", "b/activity/order-*")
        #expect(try world.events() == ["start phone-b"])
        try world.apply("--only", "b/widget/Stats", "--only", "a/activity/*")
        #expect(try world.events() == ["reload phone-b", "start phone-a"])
        try world.apply()
        #expect(try world.events() == ["reload phone-a"])
        try world.settles()
    }

    @Test func whatIsNotNamedIsNeitherEndedNorSent() throws {
        let world = try two()
        try world.apply()
        _ = try world.pushes()
        // b's update stays queued, b's file goes.
        try world.declare(Self.document("riding", of: "b"))
        try world.cutOff { try world.apply(status: 3) }
        try world.declare(nil, of: "a")
        try world.apply("--only", "nobody", "--only", "a/widget/*")
        #expect(try world.events().isEmpty)
        #expect(try world.statuses("phone-a") == ["cooking"])
        #expect(try world.statuses("phone-b") == ["cooking"])
        try world.apply("--only", "b")
        #expect(try world.events() == ["reload phone-b", "update phone-b"])
        try world.apply("--only", "a")
        #expect(try world.events() == ["end phone-a"])
        try world.settles()
    }

    @Test func whatIsExcludedIsNeitherChangedSentNorEnded() throws {
        let world = try two()
        try world.apply("--exclude", "b")
        #expect(try world.events() == ["reload phone-a", "start phone-a"])
        try world.apply("--exclude", "b/widget/*")
        #expect(try world.events() == ["start phone-b"])
        try world.apply()
        #expect(try world.events() == ["reload phone-b"])
        try world.settles()
        try world.declare(nil, of: "a")
        try world.run(["plan", "--exclude", "a", "--detailed-exitcode"])
        try world.apply("--only", "*", "--exclude", "a/activity/*")
        #expect(try world.events().isEmpty)
        #expect(try world.statuses("phone-a") == ["cooking"])
        try world.apply("--allow-removed", "1")
        #expect(try world.events() == ["end phone-a"])
        try world.settles()
    }

    @Test func aFileIsWhatItDeclares() throws {
        let world = try two()
        try world.apply("--only-file", "./state/a.json", "--exclude", "a/widget/*")
        #expect(try world.events() == ["start phone-a"])
        try world.apply("--only-file", "state/b.json")
        #expect(try world.events() == ["reload phone-b", "start phone-b"])
        #expect(
            try world.run(["plan", "--only-file", "state/none.json"]).stderr
                .contains("--only-file 'state/none.json' matches nothing")
        )
        try world.apply()
        #expect(try world.events() == ["reload phone-a"])
        try world.settles()
    }

    @Test func aFirstApplyNeedsToBeMeant() throws {
        let world = try two()
        let outcome = try world.run(["apply", "--yes"], 4)
        #expect(outcome.stderr.contains("--new-ledger"), "\(outcome.stderr)")
        #expect(try world.run(["plan"]).lines.last?.hasPrefix("Plan: ") == true)
        #expect(!world.workspace.exists("lockstep.db"))
        #expect(try world.run(["apply", "--new-ledger"], 64).stderr.contains("--yes sends without asking"))
        try world.run(["apply", "--new-ledger", "--yes"])
        #expect(try world.run(["apply", "--new-ledger", "--yes"], 1).stderr.contains("lockstep.db"))
        #expect(try world.events().count == 4)
        try world.settles()
    }

    @Test func aPatternCoversIdsWithASlash() throws {
        let world = try World()
        for id in ["a/b", "a-b", "c"] {
            try world.phone("d-\(id.replacing("/", with: "."))", of: id)
            try world.workspace.write("state/\(id.replacing("/", with: ".")).json", Document.steps(1, of: id).text)
        }
        #expect(try world.run(["plan", "--exclude", "a*"]).lines.last?.contains("1 device to reload") == true)
        #expect(try world.run(["plan", "--only", "a*"]).lines.last?.contains("2 devices to reload") == true)
        try world.apply("--only", "a/b")
        #expect(try world.events() == ["reload d-a.b"])
        try world.apply("--only", "*/widget/Stats")
        #expect(try world.events() == ["reload d-a-b", "reload d-c"])
        try world.settles()
    }

    @Test func aPatternThatMatchesNothingChangesNothing() throws {
        let world = try two()
        try world.apply()
        try world.declare(nil, of: "a")
        try world.declare(nil, of: "b")
        // No empty project: nobody was asked about everything.
        let plan = try world.run(["plan", "--only", "nobody/*", "--detailed-exitcode"])
        #expect(plan.stderr.contains("--only 'nobody/*' matches nothing"))
        try world.run(["apply", "--yes", "--only", "nobody"])
        try world.run(["plan"], 4)
        #expect(try world.statuses("phone-a") == ["cooking"])
    }
}
