import Foundation
import Testing

/// Hours pass between runs: launches that nobody reports, activities that outlive iOS's 8 hours, states that wait.
@Suite struct TimerCasesTests {
    /// A phone whose start push was answered and never arrived, an hour and some minutes ago.
    private func missed(_ more: String = "") throws -> World {
        let world = try World(hasMovableClock: true)
        try world.phone("d1")
        try world.declare(.order("cooking", more))
        try world.fault(#""cut":"before""#, on: #"{"event":"start"}"#)
        try world.apply(status: 3)
        _ = try world.pushes()
        return world
    }

    @Test(.long) func aLaunchThatNobodyReportedIsUnconfirmedAndThenExpires() throws {
        let world = try missed()
        try world.settles("Nothing to send; 1 held, 0 blocked.")
        try world.set(minutes: 64)
        try world.apply()
        #expect(try world.run(["launches"]).lines.first?.contains("on d1: outstanding") == true)
        try world.set(minutes: 66)
        try world.apply()
        let held = try world.plan()
        #expect(held.stdout.contains("its start was not confirmed in time; a new generation"), "\(held.stdout)")
        #expect(try world.run(["launches"]).lines.first?.contains("on d1: unconfirmed; its start is unknown") == true)
        // A new generation is another life; that its start is accepted proves the clock right, which closes the old one.
        try world.set(minutes: 14 * 60)
        #expect(try world.pushes().isEmpty)
        try world.declare(.order("cooking", #""generation":"2""#))
        try world.apply()
        #expect(try world.events() == ["start d1"])
        try world.apply()
        let launches = try world.run(["launches", "user_42", "--format", "json"]).items()
        #expect(launches.compactMap { $0["resolution"] as? String } == ["expired", "adopted"])
        let history = try #require(launches.first?["history"] as? [[String: Any]])
        #expect(
            history.compactMap { $0["event"] as? String }
                == ["queued", "sent", "start_unknown", "unconfirmed", "expired"]
        )
        let log = try world.run(["log", "user_42", "--format", "json"]).items().compactMap { $0["kind"] as? String }
        #expect(log.count { $0 == "unconfirmed" } == 1 && log.count { $0 == "expired" } == 1, "\(log)")
        try world.settles()
    }

    @Test func restartStartsAgainAndTheOlderOneThatAppearsAfterAllIsEnded() throws {
        let world = try World(hasMovableClock: true)
        try world.phone("d1")
        try world.declare(.order("cooking", #""restart":"if-unconfirmed""#))
        // The start arrives; what the phone reports of it does not, for two hours.
        try world.fault(#""report":{"late":7200000}"#, on: #"{"type":"activity.registered"}"#)
        try world.apply()
        try world.set(minutes: 66)
        try world.apply()
        let starts = try world.pushes().filter { $0.event == "start" }
        #expect(starts.count == 2)
        #expect(Set(starts.map { $0["apns-collapse-id"] }).count == 2)
        // The alert rang with the first one.
        #expect((starts[0].aps["alert"] as? [String: Any])?["sound"] != nil)
        #expect((starts[1].aps["alert"] as? [String: Any])?["sound"] == nil)
        try world.set(minutes: 130)
        try world.apply()
        try world.apply()
        #expect(try world.simulator.tiles("d1").count == 1)
        let launches = try world.run(["launches", "user_42", "--format", "json"]).items()
        #expect(launches.compactMap { $0["resolution"] as? String } == ["duplicate-ended", "adopted"])
        try world.settles()
    }

    @Test(.long) func afterThreeLaunchesThatNobodyConfirmedTheStartTargetIsPending() throws {
        let world = try World(hasMovableClock: true)
        try world.phone("d1")
        try world.declare(.order("cooking", #""restart":"if-unconfirmed""#))
        try world.fault(#""cut":"before""#, on: #"{"event":"start"}"#, #""times":3"#)
        for run in 0..<3 {
            try world.set(minutes: run * 66)
            try world.apply(status: 3)
        }
        try world.set(minutes: 3 * 66)
        try world.apply()
        let plan = try world.plan()
        #expect(plan.stdout.contains("three starts in a row were not confirmed"), "\(plan.stdout)")
        let status = try world.run(["status", "user_42"]).stdout
        #expect(status.contains("pending"), "\(status)")
        try world.on("d1", "rotate")
        try world.apply()
        #expect(try world.events().filter { $0 == "start d1" }.count == 1)
        #expect(try world.statuses("d1") == ["cooking"])
        try world.settles()
    }

    @Test func renewStartsANewOneWhenTheEightHoursAreOver() throws {
        let world = try World(hasMovableClock: true)
        try world.phone("d1")
        try world.declare(.orders(1...2, "cooking", #""renew":true"#))
        try world.apply()
        try world.set(minutes: 60)
        try world.declare(
            Document(activities: [
                "order-1": Document.activity("cooking", #""renew":true"#, order: "1"),
                "order-2": Document.activity("cooking", order: "2"),
            ])
        )
        try world.apply()
        _ = try world.pushes()
        try world.set(minutes: 481)
        try world.apply()
        let pushes = try world.pushes()
        #expect(pushes.map(\.description) == ["start d1"])
        // It rang when it was first started.
        #expect((pushes.first?.aps["alert"] as? [String: Any])?["sound"] == nil)
        try world.settles()
    }

    @Test(.long) func aStateThatChangesMoreOftenThanItsIntervalWaits() throws {
        let world = try World(hasMovableClock: true)
        try world.phone("d1")
        func declare(_ number: Int) throws {
            try world.declare(
                Document(
                    widgets: ["Stats": #"{"state":{"steps":\#(number)},"minInterval":"15m"}"#],
                    activities: ["order-1001": Document.activity("\(number)", #""minInterval":"15m""#)]
                )
            )
        }
        try declare(1)
        try world.apply()
        try declare(2)
        try world.set(minutes: 20)
        try world.apply()
        #expect(try world.events() == ["reload d1", "reload d1", "start d1", "update d1"].sorted())
        for (minute, number) in [(21, 3), (25, 4), (34, 5)] {
            try world.set(minutes: minute)
            try declare(number)
            try world.apply()
            #expect(try world.events().isEmpty)
            let plan = try world.run(["plan", "--detailed-exitcode"])
            #expect(plan.lines.last?.contains("waiting until") == true, "\(plan.stdout)")
        }
        // What is published is always the newest: whoever looks sees it.
        try world.set(minutes: 36)
        try world.apply()
        #expect(try world.events() == ["reload d1", "update d1"])
        #expect(try world.statuses("d1") == ["5"])
        #expect(try world.widget("d1") == #"{"steps":5}"#)
        try world.settles()
    }

    @Test func expiresAfterIsWhatApnsIsToldAndAnAlertThatComesLaterIsSilent() throws {
        let world = try World(hasMovableClock: true)
        try world.phone("d1")
        try world.declare(.order("cooking", #""expiresAfter":"10m""#))
        try world.apply()
        let start = try #require(try world.pushes().first)
        let expiration = try #require(start["apns-expiration"].flatMap(Int.init))
        #expect(expiration == start.timestamp + 600)
        try world.declare(
            .order("ready", #""expiresAfter":"10m","alert":{"title":"Order","body":"Ready","sound":"default"}"#)
        )
        try world.fault(#""answer":{"status":503,"reason":"ServiceUnavailable"}"#, on: #"{"event":"update"}"#)
        try world.apply(status: 3)
        // After 15 minutes APNs may be asked again, which is too late for the push and for its alert.
        try world.set(minutes: 16)
        try world.apply()
        let updates = try world.pushes().filter { $0.event == "update" }
        #expect(updates.map(\.status) == [503, 200])
        #expect(updates.last?.aps["alert"] == nil)
        #expect(updates.last?["apns-priority"] == "5")
        #expect(try world.statuses("d1") == ["ready"])
        try world.settles()
    }
}
