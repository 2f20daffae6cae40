import Foundation
import Testing

/// What a run refuses with exit status 4, in which words, and what lets it pass.
@Suite struct SafetyCasesTests {
    /// A world whose phone shows `order-1` and so on.
    private func running(_ count: Int, _ more: String = "", safety: [String: Int] = [:]) throws -> World {
        let world = try World()
        try world.configure { $0["safety"] = safety }
        try world.phone("d1")
        try world.declare(.orders(1...count, "cooking", more))
        try world.apply()
        #expect(try world.events().count == count)
        return world
    }

    /// Expects that plan and apply refuse in these words, that the option allows it, and that nothing is left to do.
    private func isRefused(_ world: World, _ message: String, unless options: [String]) throws {
        for command in [["plan"], ["apply", "--yes"]] {
            let outcome = try world.run(command, 4)
            #expect(outcome.stderr.contains(message), "\(outcome.stderr)")
        }
        #expect(try world.events().isEmpty)
        try world.run(["apply", "--yes"] + options)
        // What the phones report of it may have to be followed up: a replacement ends the old tile.
        try world.apply()
        try world.settles()
    }

    @Test(.long) func removalsAreLimitedInPercent() throws {
        let world = try running(20)
        try world.declare(.orders(1...14, "cooking"))
        try world.plan()
        try world.declare(.orders(1...13, "cooking"))
        try world.run(["plan", "--allow-removed", "6"], 4)
        try isRefused(
            world,
            "7 of 20 activities would end because their declarations are gone (limit 30 %); "
                + "--allow-removed 7 or safety.maxRemovedPercent allows it",
            unless: ["--allow-removed", "7"]
        )
        #expect(try world.statuses("d1").count == 13)
    }

    @Test func removalsAreLimitedByNumber() throws {
        let world = try running(4, safety: ["maxRemoved": 1])
        try world.declare(.orders(1...2, "cooking"))
        try isRefused(
            world,
            "2 of 4 activities would end because their declarations are gone (limit 1); "
                + "--allow-removed 2 or safety.maxRemoved allows it",
            unless: ["--allow-removed", "2"]
        )
    }

    @Test(.long) func replacementsAreLimited() throws {
        let world = try running(4, safety: ["maxReplaced": 3])
        try world.declare(.orders(1...4, "cooking", #""generation":"2""#))
        try isRefused(
            world,
            "4 of 4 activities would be replaced (limit 3); --allow-replaced 4 or safety.maxReplaced allows it",
            unless: ["--allow-replaced", "4"]
        )
    }

    @Test func pushesAreLimited() throws {
        let world = try running(3, safety: ["maxPushes": 3])
        try world.declare(.orders(1...4, "riding"))
        try isRefused(
            world,
            "4 pushes would be sent (limit 3); --allow-pushes 4 or safety.maxPushes allows it",
            unless: ["--allow-pushes", "4"]
        )
    }

    @Test(.long) func protectedActivitiesEndByRemovalOnlyWhenNamed() throws {
        let world = try running(3, #""protect":true"#)
        try world.declare(.orders(1...1, "cooking", #""protect":true"#))
        let named = ["--allow-protected", "order-2", "--allow-protected", "order-3"]
        try world.run(["plan", "--allow-protected", "order-2"], 4)
        try isRefused(
            world,
            "protected activities would end because their declarations are gone: 'order-2', 'order-3'; "
                + "--allow-protected order-2 --allow-protected order-3 allows it",
            unless: named
        )
        // An end in the file is no removal.
        try world.declare(.orders(1...1, "cooking", #""protect":true,"end":{}"#))
        try world.apply()
        #expect(try world.statuses("d1").isEmpty)
        try world.settles()
    }

    @Test func anEmptyProjectNeedsBothOptionsAndASufficientNumber() throws {
        let world = try running(2)
        try world.workspace.remove("state/user_42.json")
        let message =
            "the files declare nothing while 2 activities are running or outstanding; if that is meant, "
            + "--allow-empty --allow-removed 2 ends them"
        try world.run(["apply", "--yes", "--allow-removed", "2"], 4)
        try world.run(["apply", "--yes", "--allow-empty", "--allow-removed", "1"], 4)
        try isRefused(world, message, unless: ["--allow-empty", "--allow-removed", "2"])
        #expect(try world.statuses("d1").isEmpty)
    }

    @Test func aDirectoryThatWasNeverThereIsNoEmptyOne() throws {
        let world = try World()
        let never = try world.run(["apply", "--yes", "--new-ledger", "--allow-empty"], 65)
        #expect(never.stderr.contains("state"))
        #expect(!world.workspace.exists("lockstep.db"))
        try world.declare(.steps(1))
        try world.apply()
        try world.workspace.remove("state")
        let missing = try world.run(["apply", "--yes"], 65)
        #expect(
            missing.stderr.contains("'state' does not exist; create it, or correct the path; --allow-empty takes it")
        )
        try world.apply("--allow-empty")
        try world.run(["plan", "--allow-empty", "--detailed-exitcode"])
    }

    @Test func whatAnEarlierRunQueuedCountsAsPushesAgain() throws {
        let world = try running(3, safety: ["maxPushes": 3])
        try world.declare(.orders(1...3, "riding"))
        try world.cutOff { try world.apply(status: 3) }
        try world.declare(.orders(1...4, "riding"))
        #expect(try world.run(["plan"], 4).stderr.contains("4 pushes would be sent (limit 3)"))
        try world.apply("--allow-pushes", "4")
        #expect(try world.statuses("d1") == ["riding", "riding", "riding", "riding"])
        try world.settles()
    }
}
