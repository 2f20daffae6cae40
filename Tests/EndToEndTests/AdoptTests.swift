import Foundation
import Testing

/// `adopt`: a first run on phones that show the declared state already.
@Suite struct AdoptTests {
    /// A world in which the app of one phone started the declared order itself, and another phone shows nothing.
    private func live(_ more: String = "") throws -> World {
        let world = try World()
        try world.phone("d1", "d2")
        try world.on(
            "d1",
            "start",
            #""name":"order-1001","attributesType":"DeliveryAttributes","attributes":{"orderId":"1001"},"state":{"status":"old"}"#
        )
        var document = Document.order("cooking", more)
        document.widgets["Stats"] = #"{"state":{"steps":1}}"#
        try world.declare(document)
        return world
    }

    @Test func nothingIsSentAndTheNextPlanIsEmpty() throws {
        let world = try live()
        let adopt = try world.run(["adopt", "--new-ledger", "--yes"])
        #expect(
            adopt.lines.last
                == "Adopted: 2 declarations of 1 subscriber; nothing was sent, where apply would have sent 4 pushes."
        )
        #expect(try world.events().isEmpty)
        try world.settles()
        #expect(
            try world.run(["adopt", "--yes"]).lines == ["Nothing to adopt. Every target is in step with the files."]
        )
        try world.settles()
        // The widget's state is there for who asks for it.
        #expect(
            try !FileManager.default.contentsOfDirectory(atPath: world.workspace.url.appending(path: "public").path)
                .isEmpty
        )
    }

    @Test func whatChangesLaterIsSentToWhatRuns() throws {
        let world = try live()
        try world.run(["adopt", "--new-ledger", "--yes"])
        var document = Document.order("riding")
        document.widgets["Stats"] = #"{"state":{"steps":2}}"#
        try world.declare(document)
        try world.apply()
        #expect(try world.events() == ["reload d1", "reload d2", "update d1"])
        #expect(try world.statuses("d1") == ["riding"])
        try world.settles()
        try world.declare(nil)
        try world.apply("--allow-removed", "1", "--allow-empty")
        #expect(try world.events() == ["end d1"])
        try world.settles()
    }

    @Test func whatDoesNotRunStartsWithTheNextGeneration() throws {
        let world = try live()
        try world.run(["adopt", "--new-ledger", "--yes"])
        // A phone that comes later is none of the adopted life either.
        try world.phone("d3")
        try world.apply()
        #expect(try world.events().isEmpty)
        try world.settles()
        var document = Document.order("cooking", #""generation":"2""#)
        document.widgets["Stats"] = #"{"state":{"steps":1}}"#
        try world.declare(document)
        try world.apply("--allow-replaced", "1")
        #expect(try world.events() == ["start d1", "start d2", "start d3"])
        try world.apply()
        #expect(try world.events() == ["end d1"])
        try world.settles()
    }

    @Test func aDeclaredEndCountsAsOver() throws {
        let world = try live(#""end":{}"#)
        try world.run(["adopt", "--new-ledger", "--yes"])
        #expect(try world.events().isEmpty)
        try world.settles()
    }

    @Test func onlyWhatIsNamedIsAdopted() throws {
        let world = try live()
        let adopt = try world.run([
            "adopt", "--new-ledger", "--yes", "--only", "user_42/activity/*", "--format", "json",
        ])
        let items = try adopt.items()
        #expect(items.compactMap { $0["name"] as? String } == ["order-1001"])
        #expect(items.last?["adopted"] as? Int == 1)
        #expect(items.last?["unsent"] as? Int == 2)
        try world.apply()
        #expect(try world.events() == ["reload d1", "reload d2"])
        try world.settles()
        #expect(
            try world.run(["adopt", "--yes", "--only", "nobody"]).stderr.contains("--only 'nobody' matches nothing")
        )
    }

    @Test func whatIsNoLongerDeclaredIsLeftToApply() throws {
        let world = try live()
        try world.run(["adopt", "--new-ledger", "--yes"])
        try world.declare(.steps(1))
        try world.run(["adopt", "--yes"])
        try world.run(["plan", "--detailed-exitcode"], 2)
        try world.apply("--allow-removed", "1")
        #expect(try world.events() == ["end d1"])
        try world.settles()
    }

    @Test func adoptingHasToBeMeantAndTakesTheLock() throws {
        let world = try live()
        #expect(try world.run(["adopt", "--new-ledger"], 64).stderr.contains("--yes records without asking"))
        #expect(try world.run(["adopt", "--yes"], 4).stderr.contains("--new-ledger"))
        try world.workspace.write("state/wrong.json", "{")
        try world.run(["adopt", "--new-ledger", "--yes"], 65)
        #expect(!world.workspace.exists("lockstep.db"))
    }

    @Test(.long) func aCommitThatWasAdoptedCountsAsApplied() throws {
        let world = try live()
        let first = try world.workspace.commitState()
        try world.run(["adopt", "--new-ledger", "--yes", "--rev", "HEAD"])
        let second = try world.workspace.commitState()
        try world.apply("--rev", second)
        try world.run(["adopt", "--yes", "--rev", first], 4)
        #expect(try world.events().isEmpty)
        try world.run(["plan", "--rev", second, "--detailed-exitcode"])
    }
}
