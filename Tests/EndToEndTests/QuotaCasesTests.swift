import Foundation
import Testing

/// The day's quota, over several days of UTC.
@Suite struct QuotaCasesTests {
    // MARK: - Out of quota

    @Test func outOfQuotaTheStateIsCommittedAndTheNextDaySendsIt() throws {
        let world = try World.inTheEvening(dailyPushes: 2)
        try world.phone("d1", "d2", "d3")
        try world.declare(.steps(1))
        let apply = try world.apply()
        #expect(apply.lines.last?.contains("2 accepted, 0 failed, 0 held, 0 unknown, 1 deferred") == true)
        #expect(try world.events() == ["reload d1", "reload d2"])
        try world.settlesOverQuota(1)
        try world.apply()
        #expect(try world.events() == [])
        #expect(try world.quota() == ["limit": 2, "consumed": 2])

        try world.set(day: 1)
        #expect(try world.quota() == ["limit": 2, "left": 2])
        try world.plan("--detailed-exitcode", status: 2)
        try world.apply()
        #expect(try world.events() == ["reload d3"])
        #expect(try world.quota() == ["limit": 2, "consumed": 1, "left": 1])
        try world.settles()
        let log = try world.run(["log", "user_42", "--format", "json"]).items()
        #expect(log.count { $0["kind"] as? String == "reload_accepted" } == 3)
    }

    @Test func programsSeeWhatWaitsAndUntilWhen() throws {
        let world = try World.inTheEvening(dailyPushes: 1)
        try world.phone("d1", "d2")
        try world.declare(.steps(1))
        try world.apply()
        let plan = try world.plan("--format", "json").items()
        let action = try #require(plan.first { $0["type"] as? String == "action" })
        #expect(action["status"] as? String == "waiting")
        #expect(action["reason"] as? String == "over_quota")
        #expect((action["until"] as? String)?.hasSuffix("T00:00:00Z") == true)
        #expect(plan.last?["deferred"] as? Int == 1)
        #expect(plan.last?["hasChanges"] as? Bool == false)
    }

    @Test func theReceiptOfADeferredUpdateHasNoOperation() throws {
        let world = try World.inTheEvening(dailyPushes: 1)
        try world.phone("d1")
        try world.declare(.order("cooking"))
        try world.apply()
        try world.declare(.order("riding"))
        let events = try world.apply("--format", "json").items()
        let receipt = try #require(events.first { $0["type"] as? String == "receipt" })
        #expect(receipt["revision"] as? Int == 2)
        #expect(receipt["stateCommitted"] as? Bool == true)
        #expect(receipt["operation"] is NSNull)
        #expect(events.last?["deferred"] as? Int == 1)
        #expect(try world.statuses("d1") == ["cooking"])
        try world.settlesOverQuota(1)
        try world.set(day: 1)
        try world.apply()
        #expect(try world.statuses("d1") == ["riding"])
        try world.settles()
    }

    /// It is no launch before there is room for it.
    @Test func aDeferredStartIsLaunchedOnTheNextDay() throws {
        let world = try World.inTheEvening(dailyPushes: 1)
        try world.phone("d1", "d2")
        try world.declare(.order("cooking"))
        try world.apply()
        #expect(try world.events() == ["start d1"])
        try world.apply()
        #expect(try world.run(["launches"]).lines == ["Every launch is resolved."])
        try world.settlesOverQuota(1)
        try world.set(day: 1)
        try world.apply()
        #expect(try world.events() == ["start d2"])
        try world.settles()
    }

    @Test(.long) func newerStateTakesOverWhatAQueuedUpdateHasReserved() throws {
        let world = try World.inTheEvening(dailyPushes: 2)
        try world.phone("d1")
        try world.declare(.order("cooking"))
        try world.apply()
        try world.plan()
        try world.cutOff {
            try world.declare(.order("riding"))
            try world.apply(status: 3)
            try world.declare(.order("arriving"))
            try world.apply(status: 3)
            #expect(try world.quota() == ["limit": 2, "consumed": 1, "reserved": 1])
        }
        try world.apply()
        #expect(try world.statuses("d1") == ["arriving"])
        #expect(try world.quota() == ["limit": 2, "consumed": 2])
        try world.settles()
    }

    // MARK: - What costs

    @Test func anEndWithoutNewStateIsFreeAndOneWithNewStateIsNot() throws {
        let world = try World.inTheEvening(dailyPushes: 3)
        try world.phone("d1")
        var document = Document.orders(1...2, "cooking")
        document.widgets = ["Stats": #"{"state":{"steps":1}}"#]
        try world.declare(document)
        try world.apply()
        #expect(try world.events() == ["reload d1", "start d1", "start d1"])
        document.activities["order-1"] = nil
        document.activities["order-2"] = Document.activity(
            "cooking",
            #""end":{"state":{"status":"delivered"}}"#,
            order: "2"
        )
        try world.declare(document)
        try world.apply()
        #expect(try world.events() == ["end d1"])
        #expect(try world.statuses("d1") == ["cooking"])
        try world.settlesOverQuota(1)
        try world.set(day: 1)
        try world.apply()
        #expect(try world.simulator.tiles("d1").isEmpty)
        #expect(try world.quota() == ["limit": 3, "consumed": 1, "left": 2])
        try world.settles()
    }

    @Test func endsThatALogoutOrARevokeCausesAreNeverHeld() throws {
        let world = try World.inTheEvening(dailyPushes: 3)
        try world.phone("d1", "d2")
        try world.phone("d3", of: "user_43")
        try world.declare(.order("cooking"))
        try world.declare(.order("cooking", of: "user_43"))
        try world.apply()
        #expect(try world.events() == ["start d1", "start d2", "start d3"])
        try world.plan()
        try world.on("d1", "sign-out")
        try world.run(["revoke", "user_43"])
        try world.apply()
        #expect(try world.events() == ["end d1", "end d3"])
        #expect(try world.quota() == ["limit": 3, "consumed": 3])
    }

    @Test func aRefusedPushGivesItsCapacityBack() throws {
        let world = try World.inTheEvening(dailyPushes: 1)
        try world.phone("d1", "d2")
        try world.fault(#""answer":{"reason":"PayloadEmpty"}"#, on: #"{"device":"d1"}"#)
        try world.declare(.steps(1))
        try world.apply(status: 3)
        #expect(try world.quota() == ["limit": 1, "left": 1])
        try world.apply()
        #expect(try world.events() == ["reload d1 400", "reload d2"])
        #expect(try world.quota() == ["limit": 1, "consumed": 1])
    }

    @Test func aRetryIsNotChargedAgain() throws {
        let world = try World.inTheEvening(dailyPushes: 1)
        try world.phone("d1")
        try world.fault(#""answer":{"reason":"TooManyRequests"}"#)
        try world.declare(.steps(1))
        try world.apply(status: 3)
        #expect(try world.quota() == ["limit": 1, "reserved": 1])
        try world.set(day: 0, hour: 23)
        try world.apply()
        #expect(try world.events() == ["reload d1", "reload d1 429"])
        #expect(try world.quota() == ["limit": 1, "consumed": 1])
        try world.settles()
    }

    @Test(.long) func whatPerhapsArrivedStaysOnItsDay() throws {
        let world = try World.inTheEvening(dailyPushes: 1)
        try world.phone("d1")
        try world.fault(#""cut":"after""#)
        try world.declare(.steps(1))
        try world.apply(status: 3)
        #expect(try world.quota() == ["limit": 1, "uncertain": 1])
        try world.set(day: 1)
        #expect(try world.quota() == ["limit": 1, "left": 1])
        try world.declare(.order("cooking"))
        try world.apply()
        #expect(try world.quota() == ["limit": 1, "consumed": 1])
        try world.set(day: 0, hour: 23)
        #expect(try world.quota() == ["limit": 1, "consumed": 1])
    }

    // MARK: - Limits and what was sent elsewhere

    @Test func ofALoweredLimitNothingIsLeftAndNothingIsTakenAway() throws {
        let world = try World.inTheEvening(dailyPushes: 5)
        try world.phone("d1", "d2", "d3")
        try world.declare(.steps(1))
        try world.apply()
        try world.limit(2)
        #expect(try world.quota() == ["limit": 2, "consumed": 3])
        try world.declare(.steps(2))
        try world.apply()
        #expect(try world.events() == ["reload d1", "reload d2", "reload d3"])
        try world.settlesOverQuota(3)
        try world.limit(4)
        try world.apply()
        #expect(try world.events() == ["reload d1"])
    }

    /// flock(1) of util-linux takes the lock of a run.
    @Test func whatWasSentElsewhereCountsAndNeedsNoLock() throws {
        let world = try World.inTheEvening(dailyPushes: 5)
        try world.phone("d1", "d2")
        try world.declare(.steps(1, of: "nobody"))
        try world.apply()
        try world.declare(.steps(1))
        try world.run(["quota", "use", "3"], launcher: ["flock", "lockstep.db.lock"])
        let words = try world.run(["quota", "use", "1"]).lines
        #expect(
            words.first?.hasSuffix("(UTC): 1 of 5 left; 0 accepted, 0 reserved, 0 uncertain, 4 sent elsewhere.") == true
        )
        try world.apply()
        #expect(try world.events() == ["reload d1"])
        #expect(try world.quota() == ["limit": 5, "consumed": 1, "elsewhere": 4])
        try world.set(day: 1)
        #expect(try world.quota() == ["limit": 5, "left": 5])
    }

    @Test func withoutAQuotaThereIsNothingToShow() throws {
        let workspace = try Workspace()
        try workspace.run("init")
        for outcome in [try workspace.run("quota"), try workspace.run("quota", "use", "1")] {
            #expect(outcome.status == 65)
            #expect(outcome.stderr.contains("there is no quota"), "\(outcome.stderr)")
        }
    }

    // MARK: - Reload

    @Test func aReloadThatFindsNoRoomSaysSo() throws {
        let world = try World.inTheEvening(dailyPushes: 3)
        try world.phone("d1", "d2")
        try world.declare(.steps(1))
        try world.apply()
        let outcome = try world.run(["reload", "user_42", "--format", "json"], 3)
        let data = try #require(try outcome.json()["data"] as? [String: Any])
        let results = try #require(data["results"] as? [[String: Any]])
        #expect(results.map { $0["ok"] as? Bool } == [true, false])
        #expect(results.last?["code"] as? String == "quota_exceeded")
        #expect((results.last?["reason"] as? String)?.contains("the day's quota is used up") == true)
        #expect(try world.events() == ["reload d1", "reload d1", "reload d2"])
        #expect(try world.quota() == ["limit": 3, "consumed": 3])
        try world.settles()
    }

    @Test func aReloadThatLosesItsRoomIsStillDue() throws {
        let world = try World.inTheEvening(dailyPushes: 2)
        try world.phone("d1")
        try world.declare(.steps(1))
        try world.apply()
        try world.cutOff { try world.run(["reload", "user_42"], 3) }
        try world.set(day: 1)
        try world.limit(0)
        try world.apply()
        try world.settlesOverQuota(1)
        try world.limit(2)
        try world.apply()
        #expect(try world.events() == ["reload d1", "reload d1"])
        try world.settles()
    }
}

extension World {
    /// The first day of these tests, since 1970: the same also when midnight comes while they run.
    private static let tomorrow = Int(Date.now.timeIntervalSince1970) / 86_400 + 1

    /// A world in the evening of a day, two hours before its end, with so many pushes a day.
    static func inTheEvening(dailyPushes pushes: Int) throws -> World {
        let world = try World(hasMovableClock: true)
        try world.set(day: 0, hour: 22)
        try world.limit(pushes)
        return world
    }

    /// Moves the clock to an hour, by UTC, so many days after the first.
    func set(day: Int, hour: Int = 1) throws {
        let now = Int(Date.now.timeIntervalSince1970)
        let moment = (Self.tomorrow + day) * 86_400 + hour * 3_600
        try set(minutes: (moment - now) / 60)
    }

    /// Configures how many pushes a day there are.
    func limit(_ pushes: Int) throws {
        try configure { $0["quota"] = ["dailyPushes": pushes] }
    }

    /// The sums of the day, those that are 0 left out.
    func quota() throws -> [String: Int] {
        let data = try #require(try run(["quota", "--format", "json"]).json()["data"] as? [String: Any])
        return data.compactMapValues { $0 as? Int }.filter { $0.value != 0 }
    }

    /// Expects that nothing is left to do today but what waits for the next day.
    func settlesOverQuota(_ count: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let plan = try run(["plan", "--detailed-exitcode", "--verbose"], sourceLocation: sourceLocation)
        let last = plan.lines.last ?? ""
        let isAll = last.hasPrefix("Nothing to send; 0 held, \(count) waiting until ")
        let isQuota = last.hasSuffix("(\(count) over the day's quota).")
        #expect(isAll && isQuota, "\(plan.stdout)", sourceLocation: sourceLocation)
    }
}
