import Foreign
import Foundation
import TestSeeds
import Testing

/// The index of the source files: a run of `--rev` reads what changed alone, and comes to what reading everything does.
@Suite struct SourceIndexTests {
    private static let index = "lockstep.db.index"

    private func part(_ files: Int, _ owners: Int) -> String {
        "\(files) changed \(files == 1 ? "file was" : "files were") read and \(owners) "
            + "\(owners == 1 ? "subscriber" : "subscribers") looked at; the index knows the rest."
    }

    /// A world with three phones and the activity of each in a commit that was applied.
    private func applied() throws -> World {
        let world = try World.waiting()
        try world.workspace.commitState()
        try world.apply("--rev", "HEAD")
        return world
    }

    /// Plans with the index and without it, and expects the same.
    @discardableResult
    private func plans(_ world: World, sourceLocation: SourceLocation = #_sourceLocation) throws -> (Outcome, Bool) {
        let arguments = ["plan", "--detailed-exitcode", "--verbose", "--rev", "HEAD"]
        func run() throws -> Outcome {
            let command = world.command(arguments)
            return try execute(URL(filePath: "/usr/bin/env"), command, in: world.workspace.url)
        }
        let quick = try run()
        let (index, aside) = (
            world.workspace.url.appending(path: Self.index), world.workspace.url.appending(path: "aside")
        )
        let exists = world.workspace.exists(Self.index)
        if exists { try FileManager.default.moveItem(at: index, to: aside) }
        let whole = try run()
        if exists { try FileManager.default.moveItem(at: aside, to: index) }
        #expect(quick.stdout == whole.stdout, sourceLocation: sourceLocation)
        #expect(quick.status == whole.status, "\(quick.stderr)", sourceLocation: sourceLocation)
        #expect(!whole.stderr.contains("the index knows"), sourceLocation: sourceLocation)
        return (quick, quick.stderr.contains("the index knows"))
    }

    @Test func aPlanReadsOneFileOfACommitThatChangesOne() throws {
        let world = try applied()
        // The phones report what they were sent: who reported is looked at.
        try world.apply("--rev", "HEAD")
        #expect(try world.run(["plan", "--verbose", "--rev", "HEAD"]).stderr.contains(part(0, 0)))

        try world.declare(.order("riding", of: "u2"))
        try world.workspace.commitState()
        let (plan, isQuick) = try plans(world)
        #expect(isQuick)
        #expect(plan.stderr.contains(part(1, 1)), "\(plan.stderr)")
        try world.apply("--rev", "HEAD")
        #expect(try world.statuses("d2") == ["riding"])
        #expect(try world.run(["plan", "--verbose", "--rev", "HEAD"]).stderr.contains(part(0, 0)))
        #expect(try plans(world).0.lines.last?.hasPrefix("No changes") == true)
    }

    @Test func whatDevicesAndPeopleDoIsSeenAllTheSame() throws {
        let world = try applied()
        try world.apply("--rev", "HEAD")
        // A further phone, before its report is taken in and after.
        try world.phone("d4", of: "u1")
        #expect(try plans(world).0.stdout.contains("1 to start"))
        try world.run(["ingest"])
        let (plan, isQuick) = try plans(world)
        #expect(isQuick && plan.stdout.contains("1 to start"), "\(plan.stdout)")
        // A scope can be anybody's.
        try world.run(["pause", "u1"])
        #expect(try plans(world).0.stdout.contains("1 held"))
        try world.run(["resume", "u1"])
        try world.apply("--rev", "HEAD")
        #expect(try world.statuses("d4") == ["cooking"])
        // What was sent from the disk meanwhile.
        try world.declare(.order("riding", of: "u3"))
        try world.apply()
        #expect(try plans(world).0.stdout.contains("1 to update"))
    }

    @Test(.long) func timeIsSeenToo() throws {
        let world = try World(hasMovableClock: true)
        try world.phone("d1", of: "u1")
        try world.declare(.order("cooking", #""renew":true"#, of: "u1"))
        try world.workspace.commitState()
        try world.apply("--rev", "HEAD")
        try world.apply("--rev", "HEAD")
        #expect(try plans(world).0.lines.last?.hasPrefix("No changes") == true)
        try world.set(minutes: 8 * 60 + 1)
        let (plan, isQuick) = try plans(world)
        #expect(isQuick && plan.stdout.contains("1 to start"), "\(plan.stdout)")
        try world.apply("--rev", "HEAD")
        try world.apply("--rev", "HEAD")
        #expect(try plans(world).0.lines.last?.hasPrefix("No changes") == true)
    }

    @Test(.long) func whatDoesNotFitIsReadWhole() throws {
        let world = try applied()
        try world.apply("--rev", "HEAD")
        #expect(try plans(world).1)
        // A file that is wrong; the same name twice; a link: all is said as if there were no index.
        for (path, text) in [
            ("state/wrong.json", "{"), ("state/twice.json", Document.order("riding", of: "u2").text),
            ("state/spelling.json", #"{"subscriber":"U\u0308ber","widgets":{"W":{"state":1}}}"#),
        ] {
            try world.workspace.write(path, text)
            try world.workspace.commitState()
            #expect(try !plans(world).1)
            try world.workspace.remove(path)
        }
        try world.workspace.commitState()
        #expect(try plans(world).1)
        try world.configure { $0["quota"] = ["dailyPushes": 1000] }
        #expect(try !plans(world).1)
        // A damaged one is no reason to stop, and the next apply makes it anew.
        try world.workspace.write(Self.index, "not a database, but of some length")
        #expect(try !plans(world).1)
        try world.apply("--rev", "HEAD")
        #expect(try plans(world).1)
        // A ledger that is put back brings its own time with it.
        try world.run(["state", "export", "old.db"])
        try world.declare(.order("riding", of: "u2"))
        try world.workspace.commitState()
        try world.apply("--rev", "HEAD")
        try world.run(["state", "import", "old.db"])
        #expect(try !plans(world).1)
    }

    /// Another build may read files in another way, though neither its version nor its size says so.
    @Test(.long) func anotherBuildReadsEverything() throws {
        let world = try applied()
        try world.apply("--rev", "HEAD")
        let build = Data(try #require(try BuildID(of: Checkout.lockstep.path)).bytes)
        var program = try Data(contentsOf: Checkout.lockstep)
        program[try #require(program.prefix(1 << 20).firstRange(of: build)).lowerBound] ^= 1
        let other = world.workspace.url.appending(path: "other")
        try program.write(to: other)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: other.path)
        func isQuick(_ program: URL) throws -> Bool {
            let plan = try execute(program, ["plan", "--verbose", "--rev", "HEAD"], in: world.workspace.url)
            #expect(plan.lines.last?.hasPrefix("No changes") == true, "\(plan.stderr)")
            return plan.stderr.contains("the index knows")
        }
        #expect(try isQuick(Checkout.lockstep))
        #expect(try !isQuick(other))
        let apply = try execute(other, ["apply", "--yes", "--rev", "HEAD"], in: world.workspace.url)
        #expect(apply.status == 0, "\(apply.stderr)")
        #expect(try isQuick(other))
        #expect(try !isQuick(Checkout.lockstep))
        // One that was keyed by version and size is passed over, and the next apply makes it anew.
        try world.apply("--rev", "HEAD")
        #expect(try isQuick(Checkout.lockstep))
        let index = world.workspace.url.appending(path: Self.index).path
        let key = "json_array('lockstep 0.1.0', 1000000, key ->> '$[1]', key ->> '$[2]', key ->> '$[3]')"
        try Database(path: index, mode: .readWrite).execute("UPDATE made SET key = \(key)")
        #expect(try !isQuick(Checkout.lockstep))
        try world.apply("--rev", "HEAD")
        #expect(try isQuick(Checkout.lockstep))
    }

    @Test(.long) func whatOnlyTheWholeCanSayIsSaid() throws {
        let world = try World.waiting()
        try world.configure { configuration in
            configuration["state"] = ["state/*.json", "state/n/*.json"]
            configuration["sensitive"] = ["activities": ["DeliveryAttributes": ["/state/code"]]]
        }
        let secret = #""state":{"status":"cooking","code":"1"}"#
        try world.workspace.write("state/n/u3.json", Document.order("", secret, of: "u3").text)
        try world.workspace.remove("state/u3.json")
        try world.workspace.commitState()
        try world.apply("--rev", "HEAD")
        try world.apply("--rev", "HEAD")
        #expect(try plans(world).1)
        // A glob that matches nothing any more is never "nothing is declared here".
        try world.workspace.git("mv", "state/n", "state/m")
        try world.workspace.commitState()
        let (moved, isMovedQuick) = try plans(world)
        #expect(!isMovedQuick && moved.status == 65 && moved.stderr.contains("'state/n/*.json' matches no"))
        // Neither is a rule that does: what it was to hide would be shown.
        try world.workspace.git("mv", "state/m", "state/n")
        try world.workspace.write(
            "state/n/u3.json",
            Document.order("", secret.replacing("code", with: "pin"), of: "u3").text
        )
        try world.workspace.commitState()
        let (renamed, isRenamedQuick) = try plans(world)
        #expect(!isRenamedQuick && renamed.stderr.contains("'/state/code' matches nothing"), "\(renamed.stderr)")
    }

    /// Edits of all kinds, one commit after the other: each plan is the same with the index and without.
    @Test(.long, arguments: Array(1...(runsLongProofs ? 30 : 1)) as [UInt64])
    func everyEditComesToTheSame(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let world = try World()
        try world.configure { $0["safety"] = ["maxRemovedPercent": 100, "maxReplacedPercent": 100] }
        for number in 1...4 { try world.phone("d\(number)", of: "u\(number)") }
        try world.declare(.order("0", of: "u1"))
        try world.workspace.commitState()
        try world.apply("--rev", "HEAD")
        var quick = 0
        for step in 1...10 {
            for _ in 0...Int.random(in: 0...2, using: &random) { try edit(world, step, &random) }
            try world.workspace.commitState()
            let (plan, isQuick) = try plans(world)
            if isQuick { quick += 1 }
            // 65: a name is declared twice; 4: nothing is declared any more.
            if plan.status == 0 || plan.status == 2, Bool.random(using: &random) { try world.apply("--rev", "HEAD") }
        }
        #expect(quick > 0)
        try world.workspace.remove("state")
        try world.declare(.order("0", of: "u1"))
        try world.workspace.commitState()
        for _ in 1...2 { try world.apply("--rev", "HEAD") }
        #expect(try plans(world).0.lines.last?.hasPrefix("No changes") == true)
    }

    /// A file is written, moved or removed, in one directory or another; a subscriber stands in one or several.
    private func edit(_ world: World, _ step: Int, _ random: inout SeededGenerator) throws {
        let number = Int.random(in: 1...4, using: &random)
        let paths = [
            "state/a/u\(number).json", "state/a/b/u\(number).json", "state/u\(number).json", "state/all.ndjson",
        ]
        let state = world.workspace.url.appending(path: "state")
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            for path in paths where world.workspace.exists(path) { try world.workspace.remove(path) }
        case 1:
            let all = (1...4).map { Document.steps(step, of: "u\($0)").text.replacing("\n", with: "") }
            try world.workspace.write(paths[3], all.joined(separator: "\n") + "\n")
        case 2 where world.workspace.exists("state/a"):
            let (from, to) = (state.appending(path: "a"), state.appending(path: "moved"))
            if world.workspace.exists("state/moved") { try world.workspace.remove("state/moved") }
            try FileManager.default.moveItem(at: from, to: to)
        case 3: try world.on("d\(number)", "rotate")
        default:
            for path in paths[..<3] where world.workspace.exists(path) { try world.workspace.remove(path) }
            let path = paths[Int.random(in: 0..<3, using: &random)]
            try world.workspace.write(path, Document.order("\(step)", of: "u\(number)").text)
        }
        // Git keeps no empty directory, and one that is missing is another matter.
        try world.workspace.write("state/README.md", "\(step)")
    }
}
