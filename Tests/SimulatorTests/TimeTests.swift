import Foundation
import Testing

/// The simulator's time is the system's: libfaketime moves it while it runs.
@Suite final class TimeTests {
    private let clock: URL
    private let simulator: RunningSimulator
    /// 2030-05-05 05:05:00 UTC.
    private let start: Int64 = 1_904_187_900
    private let provider: String

    init() throws {
        clock = FileManager.default.temporaryDirectory.appending(path: "clock-\(UUID().uuidString)")
        try Data("@2030-05-05 05:05:00".utf8).write(to: clock)
        let library = try #require(
            ["x86_64", "aarch64"].map { "/usr/lib/\($0)-linux-gnu/faketime/libfaketime.so.1" }
                .first { FileManager.default.fileExists(atPath: $0) },
            "install faketime"
        )
        simulator = try RunningSimulator(
            commands: [
                """
                {"do":"add","device":"d1","subscriber":"user_42","widgets":["Stats"],"reportsEnds":true,\
                "attributesTypes":["DeliveryAttributes"]}
                """
            ],
            environment: [
                "LD_PRELOAD": library, "FAKETIME_TIMESTAMP_FILE": clock.path, "FAKETIME_NO_CACHE": "1", "TZ": "UTC",
            ]
        )
        provider = try ProviderTokens.good(simulator, at: start)
    }

    deinit { try? FileManager.default.removeItem(at: clock) }

    private func move(to time: String) throws { try Data("@\(time)".utf8).write(to: clock, options: .atomic) }

    @Test func reportsAndProviderTokensGoByIt() throws {
        let report = try #require(try simulator.reports().first)
        #expect((report["at"] as? String)?.hasPrefix("2030-05-05T05:05:") == true)
        let token = try simulator.token("d1", "widgets.registered")
        let now = Pushes.reload(token, try ProviderTokens.good(simulator))
        #expect(try curl(simulator, [now]).map(\.reason) == ["ExpiredProviderToken"])
        let then = Pushes.reload(token, provider)
        #expect(try curl(simulator, [then]).map(\.status) == [200])
        try move(to: "2030-05-05 06:06:00")
        #expect(try curl(simulator, [then]).map(\.reason) == ["ExpiredProviderToken"])
    }

    @Test func anActivityEndsAfter8HoursAndLeavesTheScreenAfter12() throws {
        let first = try simulator.token("d1", "start.registered")
        let aps = Pushes.start(timestamp: start)
        #expect(try curl(simulator, [Pushes.activity(first, provider, aps)]).map(\.status) == [200])
        let token = try simulator.token("d1", "activity.registered")
        try move(to: "2030-05-05 13:04:00")
        #expect(try simulator.tiles("d1").map { $0["ended"] as? Bool } == [false])
        try move(to: "2030-05-05 13:06:00")
        #expect(try simulator.tiles("d1").map { $0["ended"] as? Bool } == [true])
        #expect(try simulator.reports("activity.ended").count == 1)
        let late = try ProviderTokens.good(simulator, at: start + 8 * 3_600)
        let update = Pushes.activity(token, late, Pushes.change("update", "late", timestamp: start + 29_000))
        #expect(try curl(simulator, [update]).map(\.reason) == ["ExpiredToken"])
        try move(to: "2030-05-05 17:06:00")
        #expect(try simulator.tiles("d1").isEmpty)
    }

    @Test func aTileGoesStaleAndAnEndedOneLeavesAtItsDate() throws {
        let first = try simulator.token("d1", "start.registered")
        let stale = Pushes.start(timestamp: start).dropLast() + #","stale-date":\#(start + 600)}"#
        #expect(try curl(simulator, [Pushes.activity(first, provider, String(stale))]).map(\.status) == [200])
        #expect(try simulator.tiles("d1").map { $0["stale"] as? Bool } == [false])
        try move(to: "2030-05-05 05:16:00")
        #expect(try simulator.tiles("d1").map { $0["stale"] as? Bool } == [true])
        let token = try simulator.token("d1", "activity.registered")
        let more = #","dismissal-date":\#(start + 1_800)"#
        let end = Pushes.change("end", "there", timestamp: start + 700, more: more)
        #expect(try curl(simulator, [Pushes.activity(token, provider, end)]).map(\.status) == [200])
        #expect(try simulator.tiles("d1").map { $0["ended"] as? Bool } == [true])
        try move(to: "2030-05-05 05:36:00")
        #expect(try simulator.tiles("d1").isEmpty)
    }
}
