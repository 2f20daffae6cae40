import Diff
import JSON
import TestSeeds
import Testing
import Time

/// The plan promises what the push does: whether it is urgent, and what it costs.
struct PromiseTests {
    /// Whatever is declared and shown, and whenever it was committed: what is queued goes out as the plan says.
    @Test(arguments: 0..<500 as Range<UInt64>)
    func aPushIsWhatThePlanPromises(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func any<Element>(_ elements: [Element]) throws -> Element {
            try #require(elements.randomElement(using: &random))
        }
        let alerts: [Value?] = [nil, "ring", "again"]
        let order = activity(
            "order",
            try any([1, 2]),
            alert: try any(alerts),
            start: .app,
            priority: try any([.normal, .high]),
            expiresAfter: try any([nil, hour]),
            end: try any([nil, nil, over, over(2)])
        )
        let kind: Action.Kind = order.end == nil ? .update : .end
        let shown = try any([nil, activity("order", 1, alert: any(alerts)).content])
        var running = running(shows: shown, ending: order.end == nil ? nil : .declaredEnd, pending: pending(kind))
        running.pending[0].createdAt = now
        let isRestored = Bool.random(using: &random)
        let record = recorded([
            committed(order, alertAt: try any([now, now - .minutes(30), now - .hours(2)])), running,
            device("phone", target(frequentPushes: try any([nil, true, false]))),
        ])

        let context = DiffContext(now: now, environments: ["app": [.production]], isRestored: isRestored)
        let plan = OwnerPlan(desired: desired([order]), recorded: record, context: context)
        var dispatch = Dispatch(step: 9, now: now, isRestored: isRestored)
        var transition = Transition(record)
        let push = try dispatch.send(try #require(record.openDeliveries.first), of: &transition)
        let promise = plan.actions.first { $0.status == .send }
        #expect((push == nil) == (promise == nil), "\(plan.lines)")
        #expect(push?.priority == promise?.priority, "\(plan.lines)")
        #expect(push?.delivery.cost == promise?.cost, "\(plan.lines)")
    }

    static let silent: [Case] = [
        Case(
            "an alert that waited longer than its expiresAfter does not ring any more",
            [activity(alert: "again", expiresAfter: hour)],
            [
                committed(activity(alert: "again", expiresAfter: hour), alertAt: now - .hours(2)), device("phone"),
                running(),
            ],
            ["update order on phone: state_changed"]
        ),
        Case(
            "… and waits for the interval, as silent updates do",
            [activity(alert: "again", minInterval: hour, expiresAfter: hour)],
            [
                committed(activity(alert: "again", minInterval: hour, expiresAfter: hour), alertAt: now - .hours(2)),
                device("phone"), updated(running(), at: now - .minutes(10)),
            ],
            ["in 50 min update order on phone: min_interval"]
        ),
        Case(
            "one that changed again rings, however long the one before waited",
            [activity(alert: "third", expiresAfter: hour)],
            [
                committed(activity(alert: "again", expiresAfter: hour), alertAt: now - .hours(2)), device("phone"),
                running(),
            ],
            ["commit order life 1", "update order on phone: state_changed p10"]
        ),
        Case(
            "so does one that is declared again",
            [activity(alert: "again", expiresAfter: hour)],
            [removed(activity(alert: "again", expiresAfter: hour)), device("phone"), running()],
            ["commit order life 2", "update order on phone: state_changed p10", "withdraw end of a life 2"]
        ),
    ]

    @Test(arguments: silent) func thePlanSaysWhatRings(_ row: Case) { row.check() }

    @Test func ofARestoredLedgerNothingRings() {
        let declared = activity(alert: "again")
        let context = DiffContext(now: now, environments: ["app": [.production]], isRestored: true)
        let record = recorded([committed(activity()), device("phone"), running()])
        let plan = OwnerPlan(desired: desired([declared]), recorded: record, context: context)
        #expect(plan.lines == ["commit order life 1", "update order on phone: state_changed"])
    }

    private static func updated(_ instance: Instance, at moment: Moment) -> Instance {
        var instance = instance
        instance.updatedAt = moment
        return instance
    }
}
