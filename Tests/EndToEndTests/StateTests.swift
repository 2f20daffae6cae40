import Foundation
import Testing

/// `state`: the ledger changed by hand, with a backup before each change.
@Suite struct StateTests {
    private func running() throws -> World {
        let world = try World()
        try world.phone("d1")
        var document = Document.order("cooking")
        document.widgets["Stats"] = #"{"state":{"steps":1}}"#
        try world.declare(document)
        try world.apply()
        _ = try world.events()
        return world
    }

    private func backups(_ world: World) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: world.workspace.url.path)
            .filter { $0.hasPrefix("lockstep.db.backup-") }.sorted()
    }

    @Test func whatIsForgottenIsNeitherEndedNorUpdated() throws {
        let world = try running()
        try world.declare(.steps(1))
        let forget = try world.run(["state", "forget", "user_42/activity/order-*"])
        #expect(
            forget.lines == [
                "user_42/activity/order-1001: forgotten; nothing was sent, and what is on phones stays there"
            ]
        )
        try world.settles()
        try world.apply()
        #expect(try world.events().isEmpty)
        #expect(try world.statuses("d1") == ["cooking"])
        #expect(try world.run(["log"]).stdout.contains("user_42/activity/order-1001 was forgotten by hand"))
        // Declared again, it is new.
        try world.declare(.order("riding"))
        try world.apply()
        #expect(try world.events() == ["start d1"])
        #expect(try world.statuses("d1") == ["cooking", "riding"])
        try world.settles()
    }

    @Test func aSubscriberIsForgottenWithAllTargets() throws {
        let world = try running()
        try world.workspace.remove("state/user_42.json")
        let json = try world.run(["state", "forget", "user_42", "--format", "json"]).json()
        let data = try #require(json["data"] as? [String: Any])
        #expect(data["changed"] as? [String] == ["user_42/widget/Stats", "user_42/activity/order-1001"])
        #expect(try backups(world) == [try #require(data["backup"] as? String)])
        try world.settles()
    }

    @Test func aStartThatIsQueuedIsTakenBack() throws {
        let world = try World()
        try world.phone("d1")
        try world.declare(.order("cooking"))
        try world.cutOff { try world.apply(status: 3) }
        try world.declare(nil)
        try world.run(["state", "forget", "user_42/activity/order-1001"])
        try world.apply()
        #expect(try world.events().isEmpty)
        try world.settles()
    }

    @Test(.long) func whatWasRenamedInTheFilesGoesOn() throws {
        let world = try running()
        var document = Document()
        document.activities["order-2002"] = Document.activity("cooking")
        document.widgets["Rings"] = #"{"state":{"steps":1}}"#
        try world.declare(document)
        try world.run(["plan", "--detailed-exitcode", "--allow-removed", "1"], 2)
        let move = try world.run(["state", "move", "user_42/activity/order-1001", "order-2002"])
        #expect(move.lines == ["user_42/activity/order-1001: is user_42/activity/order-2002 now"])
        try world.run(["state", "move", "user_42/widget/Stats", "Rings"])
        try world.settles()
        document.activities["order-2002"] = Document.activity("riding")
        try world.declare(document)
        try world.apply()
        #expect(try world.events() == ["update d1"])
        #expect(try world.statuses("d1") == ["riding"])
        try world.settles()
        #expect(try backups(world).count == 2)
    }

    @Test func aBackupPutsTheLedgerBack() throws {
        let world = try running()
        let forget = try world.run(["state", "forget", "user_42"])
        let backup = try #require(try backups(world).first)
        #expect(forget.stderr.contains(backup))
        try world.run(["plan", "--detailed-exitcode"], 2)
        try world.run(["state", "import", backup])
        // What it does not know may have happened since: it counts as restored until that is accepted.
        try world.run(["apply", "--yes", "--after-restore"])
        #expect(try world.events().isEmpty)
        try world.settles()
        #expect(try world.statuses("d1") == ["cooking"])
    }

    @Test func anExportMovesAProjectToAnotherHost() throws {
        let world = try running()
        try world.run(["state", "export", "moved.db"])
        let mode = try FileManager.default.attributesOfItem(
            atPath: world.workspace.url.appending(path: "moved.db").path
        )
        #expect((mode[.posixPermissions] as? Int) == 0o600)
        for file in ["lockstep.db", "lockstep.db-wal", "lockstep.db-shm", "lockstep.db.mark"]
        where world.workspace.exists(file) { try world.workspace.remove(file) }
        try world.run(["state", "import", "moved.db"])
        #expect(try backups(world).isEmpty)
        try world.settles()
    }

    static let refused: [(words: [String], status: Int32, message: String)] = [
        (["forget", "nobody"], 65, "the ledger holds no target that 'nobody' matches"),
        (["move", "user_42/activity/none", "x"], 65, "the ledger holds no target 'user_42/activity/none'"),
        (["move", "user_42", "x"], 65, "the ledger holds no target 'user_42'"),
        (["move", "user_42/widget/Stats", ""], 65, "is no name of a declaration"),
        (["move", "user_42/widget/Stats", "Stats"], 65, "holds 'user_42/widget/Stats' already"),
        (["export", "lockstep.json"], 65, "lockstep.json exists already"),
        (["import", "lockstep.json"], 1, "lockstep.json"),
        (["import", "none.db"], 1, "none.db"),
        (["forget"], 64, "forget TARGET…"),
        (["drop", "everything"], 64, "forget TARGET…"),
    ]

    @Test func whatCannotBeDoneChangesNothing() throws {
        let world = try running()
        for (words, status, message) in Self.refused {
            let outcome = try world.run(["state"] + words, status)
            #expect(outcome.stderr.contains(message), "\(words): \(outcome.stderr)")
        }
        #expect(try backups(world).isEmpty)
        try world.settles()
    }
}
