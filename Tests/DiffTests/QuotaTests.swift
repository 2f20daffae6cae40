import Diff
import JSON
import TestSeeds
import Testing
import Time

/// The arithmetic of one day's quota, and who gets what is left of it.
@Suite struct QuotaTests {
    @Test func aDayGoesFromMidnightToMidnight() {
        let day = UTCDay(at: now)
        #expect(day.start <= now && now < day.end)
        #expect(UTCDay(at: day.start) == day)
        #expect(UTCDay(at: day.end - .milliseconds(1)) == day)
        #expect(UTCDay(at: day.end) > day)
    }

    // MARK: - The sums

    @Test func nothingIsReservedAboveTheLimit() throws {
        var day = QuotaDay(limit: 2, elsewhere: 1)
        try day.reserve()
        #expect(throws: QuotaError.exceeded(limit: 2)) { try day.reserve() }
        try day.release()
        #expect(day.left == 1)
    }

    @Test func ofALoweredLimitNothingIsLeft() {
        #expect(QuotaDay(limit: 2, reserved: 1, consumed: 3).left == 0)
    }

    @Test func whatIsNotReservedIsNotGivenBack() {
        var day = QuotaDay(limit: 5, uncertain: 1, consumed: 1)
        #expect(throws: QuotaError.nothingReserved) { try day.release() }
        #expect(day == QuotaDay(limit: 5, uncertain: 1, consumed: 1))
    }

    /// Whatever is tried in whatever order: the sum is what was reserved and not released, and within the limit.
    @Test(arguments: 0..<20)
    func noHistoryGoesAboveTheLimit(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var day = QuotaDay(limit: Int.random(in: 0...6, using: &random))
        var held = 0
        for _ in 0..<300 {
            do {
                if Bool.random(using: &random) {
                    try day.reserve()
                    held += 1
                } else {
                    try day.release()
                    held -= 1
                }
            } catch {}
            #expect(day.reserved == held)
            #expect(held >= 0)
            #expect(held + day.left == day.limit)
        }
    }

    // MARK: - Claims

    private func plan(_ recorded: Recorded, _ declared: any Declared...) -> OwnerPlan {
        let context = DiffContext(now: now, environments: ["app": [.production]])
        return OwnerPlan(desired: desired(declared), recorded: recorded, context: context)
    }

    private func claims(_ recorded: Recorded, _ declared: any Declared...) -> [String] {
        let context = DiffContext(now: now, environments: ["app": [.production]])
        let plan = OwnerPlan(desired: desired(declared), recorded: recorded, context: context)
        return plan.claims(recorded).map { "\($0.rank) \($0.step == .afterAll ? "new" : "\($0.step.number)")" }
    }

    private func changed(_ activity: ActivityDeclaration, step: Step) -> RecordedActivity {
        RecordedActivity(declaration: activity, life: 1, revision: 1, changedStep: step)
    }

    @Test func whatIsSentClaimsByTheAgeOfItsState() {
        #expect(claims(recorded([device("phone")]), activity()) == ["1 new"])
        #expect(claims(recorded([changed(activity(), step: 7), device("phone")]), activity()) == ["1 7"])
        let silent = recorded([changed(activity("order", 2), step: 8), running()])
        #expect(claims(silent, activity("order", 2)) == ["2 8"])
        #expect(claims(silent, activity("order", 3)) == ["2 new"])
        let phone = device("phone", widgets: widgets(["A", "B"], reloaded: 5))
        let unseen = recorded([
            committed(widget("A"), step: 9, at: now), committed(widget("B"), step: 6, at: now), phone,
        ])
        #expect(claims(unseen, widget("A"), widget("B")) == ["3 6"])
        #expect(claims(unseen, widget("A", 2), widget("B", 2)) == ["3 new"])
        let owing = recorded([committed(widget("A")), device("phone", widgets: widgets(["A"], owes: true))])
        #expect(claims(owing, widget("A")) == ["3 0"])
    }

    @Test func whatHoldsCapacityOrNeedsNoneClaimsNothing() {
        #expect(claims(recorded([committed(activity()), device("phone"), queued()]), activity()) == [])
        let resent = running(shows: activity().content, pending: pending(.update, .unknown))
        #expect(claims(recorded([committed(activity()), resent]), activity()) == [])
        // Removal ends with the last state.
        #expect(claims(recorded([committed(activity()), running()])) == [])
        #expect(claims(recorded([committed(activity()), running()]), activity(end: over)) == [])
        #expect(claims(recorded([committed(activity()), running()]), activity(end: over(2))) == ["0 new"])
    }

    @Test func whatTakesThePlaceOfAQueuedUpdateTakesItsCapacityToo() {
        let queued = recorded([committed(activity("order", 2)), running(pending: pending(.update))])
        #expect(claims(queued, activity("order", 3)) == [])
        #expect(claims(queued, activity("order", 2, end: over(3))) == [])
        let unknown = recorded([committed(activity("order", 2)), running(pending: pending(.update, .unknown))])
        #expect(claims(unknown, activity("order", 3)) == ["2 new"])
    }

    // MARK: - Scarcity

    private func claim(_ rank: Int64, _ step: Step, _ subscriber: Text, _ ordinal: Int = 0) -> Claim {
        Claim(rank: rank, step: step, owner: Owner(subscriber: subscriber, app: "app"), ordinal: ordinal)
    }

    @Test func capacityGoesByRankThenAgeThenOwner() {
        let order = [
            claim(0, 9, "z"), claim(1, .afterAll, "z"), claim(2, 3, "b"), claim(2, 3, "b", 1), claim(2, 3, "c"),
            claim(2, 4, "a"), claim(3, 1, "a"),
        ]
        #expect(order.shuffled().sorted() == order)
        for (place, first) in order.enumerated() {
            let allocation = Allocation(firstRefused: first)
            #expect(order.map(allocation.grants) == order.indices.map { $0 < place })
        }
        #expect(order.allSatisfy(Allocation().grants))
    }

    @Test func theCountsTellTheRankAtWhichItRunsOut() {
        var demand = Demand()
        for rank: Int64 in [0, 1, 1, 2, 2, 3] { demand.count(claim(rank, 1, "a")) }
        let shortages = (0...6).map { left in demand.shortage(left: left).map { "\($0.rank):\($0.granted)" } ?? "none" }
        #expect(shortages == ["0:0", "1:0", "1:1", "2:0", "2:1", "3:0", "none"])
        #expect(Demand().shortage(left: 0) == nil)
    }

    @Test func whatFindsNoRoomWaitsAndTheRestOfThePlanStays() {
        let phones = [device("phone"), device("tablet")]
        let recorded = recorded(phones)
        let before = plan(recorded, activity())
        var after = before
        after.wait(for: Allocation(firstRefused: before.claims(recorded)[1], until: now + hour), recorded)
        #expect(after.changes == before.changes)
        #expect(after.actions[0] == before.actions[0])
        #expect(after.actions[1].status == .waiting(until: now + hour))
        #expect(after.actions[1].reason == .overQuota)
        var summary = Summary()
        summary.count(after)
        #expect((summary.starts, summary.waiting, summary.deferred, summary.waitingUntil) == (1, 1, 1, now + hour))
        #expect(summary.commits == 1)
    }
}
