import Foundation
import Testing

/// A ledger that is put back from a backup, beside phones that know more than it does.
@Suite struct RestoreTests {
    /// Backs the ledger up as SQLite does it while others write.
    private func backUp(_ world: World) throws {
        let sqlite = URL(filePath: "/usr/bin/sqlite3")
        try #require(try execute(sqlite, ["lockstep.db", ".backup backup.db"], in: world.workspace.url).status == 0)
    }

    /// Puts the backup in place of the ledger; the mark, which no backup has, stays.
    private func restore(_ world: World) throws {
        for name in ["lockstep.db", "lockstep.db-wal", "lockstep.db-shm"] where world.workspace.exists(name) {
            try world.workspace.remove(name)
        }
        let url = world.workspace.url
        try FileManager.default.copyItem(at: url.appending(path: "backup.db"), to: url.appending(path: "lockstep.db"))
    }

    /// Takes in again what was reported since the backup.
    private func ingestAgain(_ world: World) throws {
        let done = world.workspace.url.appending(path: "reports/done").path
        let files = try FileManager.default.contentsOfDirectory(atPath: done).map { "\(done)/\($0)" }
        try world.run(["ingest"] + files)
    }

    /// A world whose ledger was backed up before two phones got their activity, and then restored.
    private func restored() throws -> World {
        let world = try World()
        try world.phone("d0", of: "u0")
        try world.declare(.order("cooking", of: "u0"))
        try world.apply()
        try backUp(world)
        for number in 1...2 {
            try world.phone("d\(number)", of: "u\(number)")
            try world.declare(.order("cooking", of: "u\(number)"))
        }
        try world.apply()
        #expect(try world.events() == ["start d0", "start d1", "start d2"])
        try restore(world)
        return world
    }

    @Test func noPhoneGetsASecondTile() throws {
        let world = try restored()
        // Nobody has reported yet, and the phones' registrations are lost with the rest.
        #expect(try world.plan().stderr.contains("was restored from a backup"))
        try ingestAgain(world)
        try world.phone("d3", of: "u3")
        try world.declare(.order("cooking", of: "u3"))
        try world.declare(.order("riding", of: "u0"))
        let plan = try world.plan()
        #expect(plan.lines.contains { $0.contains("start order-1001 on d3: held; the ledger was restored") })
        #expect(plan.stderr.contains("'lockstep apply --after-restore'"), "\(plan.stderr)")
        let json = try world.plan("--format", "json").items()
        let reasons = json.filter { $0["action"] as? String == "start" }.compactMap { $0["reason"] as? String }
        #expect(reasons == ["restored_ledger", "restored_ledger", "restored_ledger"])

        // What needs no start goes out meanwhile, run after run.
        try world.apply()
        #expect(try world.events() == ["update d0"])
        let quiet = try world.run(["apply", "--yes", "--quiet"])
        #expect(quiet.stdout == "" && quiet.stderr == "", "\(quiet.stdout)\(quiet.stderr)")
        try world.settles("Nothing to send; 3 held, 0 blocked.")
        #expect(try world.run(["status"]).stdout.contains("restoredSince: 2"))

        #expect(try world.plan("--after-restore").lines.last == "Plan: 1 to start (1 push); 2 held, 0 blocked.")
        try world.apply("--after-restore")
        #expect(try world.events() == ["start d3"])
        for device in ["d0", "d1", "d2", "d3"] { #expect(try world.tilesEver(device) == 1, "\(device)") }
        // The tiles of the lost launches stay as they are until they are over.
        try world.settles("Nothing to send; 2 held, 0 blocked.")
        #expect(try world.plan().stdout.contains("an activity whose launch this ledger does not know"))
        let log = try world.run(["log"]).stdout
        #expect(log.contains("restored from a backup") && log.contains("--after-restore"))
    }

    @Test func theOldBackupIsRecognisedEachTime() throws {
        let world = try restored()
        try world.apply("--after-restore")
        try world.settles()
        try restore(world)
        #expect(try world.apply().stderr.contains("was restored from a backup"))
        #expect(try world.events().isEmpty)
    }

    /// The backup was made after the commit and before its starts were sent, so that it holds every launch, as queued.
    @Test(.long) func aLaunchThatWasQueuedThenMayHaveArrivedSince() throws {
        let world = try World()
        try world.phone("d1", "d2")
        try world.declare(.order("cooking"))
        try world.cutOff { try world.apply(status: 3) }
        try backUp(world)
        try world.fault(#""report":"lost""#, on: #"{"device":"d2","type":"activity.registered"}"#)
        try world.apply()
        #expect(try world.events() == ["start d1", "start d2"])
        try restore(world)
        try world.apply()
        // d1 has reported; what its start carried is lost, so it is told what to show.
        #expect(try world.events() == ["update d1"])
        try world.settles("Nothing to send; 1 held, 0 blocked.")
        // Who says that devices reported takes on himself that d2 did not.
        try world.apply("--after-restore")
        #expect(try world.events() == ["start d2"])
        #expect(try world.tilesEver("d1") == 1)
        try world.settles()
    }

    @Test func nothingRingsAgainBeforeTheLedgerIsAccepted() throws {
        let world = try World()
        try world.phone("d1")
        try world.declare(.order("cooking"))
        try world.apply()
        try world.apply()
        try backUp(world)
        let ringing = Document.order("here", #""alert":{"title":"Order","body":"At the door","sound":"default"}"#)
        try world.declare(ringing)
        try world.apply()
        try restore(world)
        try world.apply()
        let pushes = try world.pushes().filter { $0.event == "update" }
        #expect(pushes.map { $0.aps["alert"] != nil } == [true, false])
        #expect(try world.statuses("d1") == ["here"])
        try world.settles()
    }

    @Test func publishedStateIsThatOfTheRestoredLedger() throws {
        let world = try World()
        try world.phone("d1")
        try world.declare(.steps(1))
        try world.apply()
        try backUp(world)
        try world.declare(.steps(2))
        try world.apply()
        try world.declare(.steps(1))
        try restore(world)
        try world.apply()
        let path = try #require(
            try world.run(["status", "user_42"]).lines.first { $0.contains("published: ") }?.split(separator: " ").last
        )
        let file = try String(contentsOfFile: String(path), encoding: .utf8)
        #expect(file.contains(#""steps":1"#), "\(file)")
        try world.settles()
    }

    // MARK: - The mark

    /// The mark of a world that sent something, as an object.
    private func mark(_ world: World) throws -> [String: Any] {
        let data = Data(try world.workspace.text("lockstep.db.mark").utf8)
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    private func sent() throws -> World {
        let world = try World()
        try world.phone("d1")
        try world.declare(.order("cooking"))
        try world.apply()
        _ = try world.events()
        return world
    }

    @Test func everyStepMovesTheMarkUp() throws {
        let world = try sent()
        let first = try #require(try mark(world)["commit"] as? Int)
        #expect(try world.run(["status"]).stdout.contains("commit: \(first)"))
        try world.run(["ingest"])
        let second = try #require(try mark(world)["commit"] as? Int)
        #expect(second > first)
        try world.declare(.order("riding"))
        try world.apply()
        #expect(try #require(try mark(world)["commit"] as? Int) > second)
        try world.settles()
    }

    @Test func aMissingMarkIsSaidOnceAndHoldsNothing() throws {
        let world = try sent()
        try world.workspace.remove("lockstep.db.mark")
        try world.phone("d2")
        #expect(try world.apply().stderr.contains("lockstep.db.mark was missing"))
        #expect(try world.events() == ["start d2"])
        #expect(try world.apply().stderr == "")
        try world.settles()
    }

    @Test(arguments: ["", "{}", "nonsense", #"{"commit":"9","lineage":"ldg_1"}"#])
    func aMarkThatTellsNothingHoldsStarts(_ text: String) throws {
        let world = try sent()
        try world.workspace.write("lockstep.db.mark", text)
        try world.phone("d2")
        #expect(try world.plan().stderr.contains("lockstep.db.mark is no mark ("))
        #expect(try world.apply().stderr.contains("lockstep.db.mark is no mark ("))
        try world.settles("Nothing to send; 1 held, 0 blocked.")
        #expect(try world.events().isEmpty)
        try world.apply("--after-restore")
        #expect(try world.events() == ["start d2"])
        try world.settles()
    }

    @Test func theMarkOfAnotherLedgerSaysNothing() throws {
        let world = try sent()
        try world.workspace.write("lockstep.db.mark", #"{"commit":900,"lineage":"ldg_01ARZ3NDEKTSV4RRFFQ69G5FAV"}"#)
        try world.phone("d2")
        #expect(try world.apply().stderr == "")
        #expect(try world.events() == ["start d2"])
        #expect(try #require(try mark(world)["commit"] as? Int) < 900)
        try world.settles()
    }

    @Test func withoutARestoreTheOptionChangesNothing() throws {
        let world = try sent()
        try world.apply("--after-restore")
        try world.settles()
        #expect(try !world.run(["log"]).stdout.contains("--after-restore"))
    }
}
