import Foundation
import Testing

/// Runs whose clock is wrong, beside an Apple whose clock is right.
@Suite struct ClockTests {
    private static let ahead = FakeTime.from("+9h")

    /// A world with a running tile.
    private func running(hasMovableClock: Bool = false) throws -> World {
        let world = try World(hasMovableClock: hasMovableClock)
        try world.phone("d1")
        try world.declare(.order("cooking"))
        try world.apply()
        try world.run(["ingest"])
        _ = try world.pushes()
        return world
    }

    @Test func aClockThatIsHoursAheadClosesNothingForGood() throws {
        let world = try running()
        try world.declare(.order("riding"))
        let ahead = try world.apply(launcher: Self.ahead)
        #expect(ahead.lines.last == "Applied: 1 committed; 0 accepted, 0 failed, 0 held, 0 unknown.")
        #expect(try world.events().isEmpty)
        try world.apply()
        #expect(try world.events() == ["update d1"])
        #expect(try world.statuses("d1") == ["riding"])
        try world.settles()
    }

    @Test func whatWasQueuedBeforeGoesOutAfterwards() throws {
        let world = try running()
        try world.declare(.order("riding"))
        try world.cutOff { try world.apply(status: 3) }
        try world.apply(launcher: Self.ahead)
        #expect(try world.events().isEmpty)
        try world.apply()
        #expect(try world.events() == ["update d1"])
        try world.settles()
    }

    /// A push by that clock is refused, and the one message says where to look.
    @Test func whatIsSentByAClockThatIsAheadIsKept() throws {
        let world = try running()
        try world.phone("d2", of: "u2")
        try world.declare(.order("cooking", of: "u2"))
        let ahead = try world.apply(status: 3, launcher: Self.ahead)
        #expect(ahead.stderr.split(separator: "\n").count == 1, "\(ahead.stderr)")
        #expect(ahead.stderr.contains("this machine's clock"), "\(ahead.stderr)")
        try world.declare(.order("riding"))
        try world.apply()
        #expect(try world.events().filter { !$0.hasSuffix(" 0") && !$0.hasPrefix("?") } == ["start d2", "update d1"])
        try world.settles()
    }

    @Test(.long) func whatIsOverIsRecordedOnceAPushProvedTheClock() throws {
        let world = try running(hasMovableClock: true)
        try world.set(minutes: 9 * 60)
        try world.apply()
        #expect(try world.run(["status"]).stdout.contains("running: 1"))
        try world.phone("d2", of: "u2")
        try world.declare(.steps(1, of: "u2"))
        try world.apply()
        #expect(try world.events() == ["reload d2"])
        try world.apply()
        #expect(try world.run(["status"]).stdout.contains("running: 0"))
        try world.settles()
    }

    @Test(.long, arguments: [["apply", "--yes"], ["ingest"], ["reload", "user_42"], ["plan"]])
    func aClockThatIsHoursBehindIsRefused(_ command: [String]) throws {
        let world = try running()
        try world.on("d1", "dismiss")
        try world.declare(.order("riding"))
        let behind = try world.run(command, 1, launcher: FakeTime.from("-3h"))
        #expect(behind.stderr.contains("set the clock and run again"), "\(behind.stderr)")
        #expect(try world.events().isEmpty)
        // The report of the dismissal still waits, and counts as what it is.
        try world.apply()
        #expect(try world.events().isEmpty)
        try world.settles()
    }
}
