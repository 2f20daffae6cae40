import Foundation
import Testing

/// Whose phone it is: sign-in, logout, identify, and several phones.
@Suite struct OwnerCasesTests {
    private static func both(_ status: String, of person: String) -> Document {
        var document = Document.order(status, of: person)
        document.widgets["Stats"] = #"{"state":{"of":"\#(person)"}}"#
        return document
    }

    /// A world in which A's phone shows A's activity and B has none.
    private func signedIn() throws -> World {
        let world = try World()
        try world.phone("d1", of: "A")
        for person in ["A", "B"] { try world.declare(Self.both("for \(person)", of: person)) }
        try world.apply()
        #expect(try world.statuses("d1") == ["for A"])
        _ = try world.pushes()
        return world
    }

    @Test func anotherPersonOnThePhoneSeesOnlyTheirs() throws {
        let world = try signedIn()
        try world.on("d1", "sign-in", #""as":"B""#)
        try world.apply()
        try world.apply()
        #expect(try world.statuses("d1") == ["for B"])
        #expect(try world.widget("d1") == #"{"of":"B"}"#)
        #expect(try world.events() == ["end d1", "reload d1", "start d1"])
        try world.declare(Self.both("for A again", of: "A"))
        try world.apply()
        #expect(try world.events().isEmpty)
        #expect(try world.statuses("d1") == ["for B"])
        try world.settles()
    }

    @Test func logoutTakesTheTileAndSignInBringsItBack() throws {
        let world = try signedIn()
        try world.on("d1", "sign-out")
        try world.apply()
        #expect(try world.events() == ["end d1"])
        #expect(try world.statuses("d1").isEmpty)
        try world.declare(Self.both("later", of: "A"))
        try world.apply()
        #expect(try world.events().isEmpty)
        try world.settles()
        try world.on("d1", "sign-in", #""as":"A""#)
        try world.apply()
        #expect(try world.statuses("d1") == ["later"])
        #expect(try world.events() == ["reload d1", "start d1"])
        try world.settles()
    }

    @Test func anAnonymousPersonsTilesGoOnUnderTheirName() throws {
        let world = try World()
        try world.phone("d1", of: nil)
        try world.declare(Self.both("cooking", of: "anon_d1"))
        try world.apply()
        #expect(try world.statuses("d1") == ["cooking"])
        _ = try world.pushes()
        try world.on("d1", "identify", #""as":"A""#)
        try world.apply()
        #expect(try world.statuses("d1") == ["cooking"])
        // The file still says anon_d1, and means A.
        try world.declare(Self.both("riding", of: "anon_d1"))
        try world.apply()
        #expect(try world.statuses("d1") == ["riding"])
        try world.settles()
        // So does a file that names A.
        try world.declare(nil, of: "anon_d1")
        try world.declare(Self.both("near", of: "A"))
        try world.apply()
        #expect(try world.statuses("d1") == ["near"])
        #expect(try world.pushes().allSatisfy { $0.event != "start" && $0.event != "end" })
        try world.settles()
    }

    @Test func eachDeviceIsServedAndOneThatLeavesTakesNothingFromTheOther() throws {
        let world = try World()
        try world.phone("d1", "d2", of: "A")
        try world.declare(Self.both("cooking", of: "A"))
        try world.apply()
        #expect(try world.events() == ["reload d1", "reload d2", "start d1", "start d2"])
        try world.on("d2", "sign-out")
        try world.declare(Self.both("riding", of: "A"))
        try world.apply()
        #expect(try world.events() == ["end d2", "update d1"])
        #expect(try world.statuses("d1") == ["riding"])
        #expect(try world.statuses("d2").isEmpty)
        try world.settles()
    }

    @Test func aReinstalledAppIsReachedByItsNewTokens() throws {
        let world = try signedIn()
        try world.on("d1", "reinstall")
        try world.declare(Self.both("riding", of: "A"))
        try world.apply()
        try world.declare(Self.both("near", of: "A"))
        try world.apply()
        try world.settles()
        #expect(try world.widget("d1") == #"{"of":"A"}"#)
    }

    /// A run from cron would say it every minute.
    @Test func whatAnAliasDeclaresBesideItsPersonIsHeldAndNotRepeatedByAQuietRun() throws {
        let world = try World()
        try world.phone("d1", of: nil)
        try world.declare(.steps(1, of: "anon_d1"))
        try world.declare(.steps(2, of: "A"))
        try world.on("d1", "identify", #""as":"A""#)
        let loud = try world.apply()
        #expect(loud.stderr.contains("'Stats' of 'anon_d1' is held: 'anon_d1' is 'A' now"), "\(loud.stderr)")
        #expect(try world.widget("d1") == #"{"steps":2}"#)
        for format in ["human", "json"] {
            let quiet = try world.run(["apply", "--yes", "--quiet", "--format", format])
            #expect(!(quiet.stdout + quiet.stderr).contains("is held"), "\(quiet.stdout)\(quiet.stderr)")
        }
        try world.settles()
    }
}
