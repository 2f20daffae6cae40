import Diff
import JSON
import Testing
import Time

/// Starting one activity on each device.
struct LaunchTests {
    static let starts: [Case] = [
        Case(
            "a declared activity starts on every device with a start target",
            [activity()],
            [device("pad"), device("phone")],
            ["commit order life 1", "start order on pad: declared", "start order on phone: declared"]
        ),
        Case(
            "a phone that comes later gets a first launch too",
            [activity()],
            [committed(activity()), device("pad"), device("phone"), running(on: "phone")],
            ["start order on pad: declared"]
        ),
        Case(
            "each name is an activity of its own",
            [activity("one"), activity("two")],
            [committed(activity("one")), device("phone"), running(of: "one")],
            ["commit two life 1", "start two on phone: declared"]
        ),
        Case("without a device it is committed", [activity()], [], ["commit order life 1"]),
        Case(
            "a target of another type starts nothing",
            [activity()],
            [device("phone", target("Flight"))],
            ["commit order life 1"]
        ),
        Case(
            "a target without a token starts nothing",
            [activity()],
            [committed(activity()), device("phone", target(token: nil))],
            []
        ),
        Case(
            "what only the app starts is never launched",
            [activity(start: .app)],
            [device("phone")],
            ["commit order life 1"]
        ),
        Case(
            "what is over when it is first seen never starts",
            [activity(end: over)],
            [device("phone")],
            ["commit order life 1"]
        ),
        Case(
            "no launch while staleAt lies in the past",
            [activity(staleAt: now)],
            [committed(activity(staleAt: now)), device("phone")],
            ["held start order on phone: stale_at_passed"]
        ),
        Case(
            "a launch while staleAt lies ahead",
            [activity(staleAt: now + .seconds(1))],
            [committed(activity(staleAt: now + .seconds(1))), device("phone")],
            ["start order on phone: declared"]
        ),
        Case(
            "remote starts exist from iOS 17.2 on",
            [activity()],
            [
                committed(activity()), device("a", target(os: OSVersion(17, 1))),
                device("b", target(os: OSVersion(17, 2))), device("c", target(os: nil)),
            ],
            ["blocked start order on a: os_too_old", "start order on b: declared", "start order on c: declared"]
        ),
        Case(
            "an environment without a key blocks",
            [activity()],
            [committed(activity()), device("phone", target(in: .sandbox))],
            ["blocked start order on phone: no_credential"]
        ),
        Case(
            "a template version that the app does not list blocks; no list means any",
            [activity(template: "delivery@3")],
            [
                committed(activity(template: "delivery@3")), device("a", target(templates: ["delivery@2"])),
                device("b", target(templates: ["delivery@2", "delivery@3"])), device("c"),
                device("d", target(templates: [])),
            ],
            [
                "blocked start order on a: template_not_listed", "start order on b: declared",
                "start order on c: declared", "blocked start order on d: template_not_listed",
            ]
        ),
    ]

    @Test(arguments: starts) func startsOncePerDevice(_ row: Case) { row.check() }

    @Test func aRestoredLedgerHoldsStartsAndTakesBackQueuedOnes() {
        let records: [any Record] = [committed(activity()), device("pad"), device("phone"), queued()]
        let context = DiffContext(now: now, environments: ["app": [.production]], isRestored: true)
        let plan = OwnerPlan(desired: desired([activity()]), recorded: recorded(records), context: context)
        let held = ["pad", "phone"].map { "held start order on \($0): restored_ledger" }
        #expect(plan.lines == held + ["cancel launch a"])
    }

    static let launches: [Case] = [
        Case(
            "no second start while one is outstanding",
            [activity()],
            [committed(activity()), device("phone"), outstanding()],
            []
        ),
        Case(
            "a start that was never answered is held, not sent again",
            [activity()],
            [
                committed(activity()), device("phone"),
                instance("a", .outstanding, age: minute, pending: pending(.start, .unknown)),
            ],
            ["held start order on phone: start_uncertain"]
        ),
        Case(
            "newer state waits for the device's report",
            [activity("order", 2)],
            [committed(activity()), device("phone"), outstanding()],
            ["commit order life 1", "held update order on phone: launch_outstanding"]
        ),
        Case(
            "an end waits for the device's report",
            [activity(end: over)],
            [committed(activity()), device("phone"), outstanding()],
            ["commit order life 1", "held end order on phone: launch_outstanding"]
        ),
        Case(
            "a removal waits for the device's report",
            [],
            [committed(activity()), device("phone"), outstanding()],
            ["remove order", "held end order on phone: launch_outstanding"]
        ),
        Case(
            "a new generation waits for the device's report",
            [activity(generation: "2")],
            [committed(activity()), device("phone"), outstanding()],
            ["commit order life 2", "held update order on phone: launch_outstanding"]
        ),
        Case(
            "a start that was certainly not processed is sent again",
            [activity()],
            [committed(activity()), device("phone"), queued()],
            ["again start order on phone: queued"]
        ),
        Case(
            "… when its time has come",
            [activity()],
            [committed(activity()), device("phone"), queued(until: now + .minutes(15))],
            ["in 15 min start order on phone: queued"]
        ),
        Case(
            "a queued start carries a newer state",
            [activity("order", 2)],
            [committed(activity()), device("phone"), queued()],
            ["commit order life 1", "again start order on phone: queued"]
        ),
        Case(
            "a queued start is taken back by an end",
            [activity(end: over)],
            [committed(activity()), device("phone"), queued()],
            ["commit order life 1", "cancel launch a"]
        ),
        Case(
            "a queued start is taken back by a removal",
            [],
            [committed(activity()), device("phone"), queued()],
            ["remove order", "cancel launch a"]
        ),
        Case(
            "a queued start with other attributes is made anew",
            [activity(attributes: ["id": 2])],
            [committed(activity()), device("phone"), queued()],
            ["commit order life 1", "start order on phone: declared", "cancel launch a"]
        ),
        Case(
            "a queued start is taken back once only the app may start it",
            [activity(start: .app)],
            [committed(activity()), device("phone"), queued()],
            ["commit order life 1", "cancel launch a"]
        ),
        Case(
            "a queued start is taken back when staleAt passes",
            [activity(staleAt: now - .seconds(1))],
            [committed(activity(staleAt: now - .seconds(1))), device("phone"), queued()],
            ["held start order on phone: stale_at_passed", "cancel launch a"]
        ),
        Case(
            "a queued start is taken back when the start target is gone",
            [activity()],
            [committed(activity()), device("phone", target(token: nil)), queued()],
            ["cancel launch a"]
        ),
        Case(
            "a queued start is taken back when the person closes this generation elsewhere",
            [activity()],
            [committed(activity()), device("pad"), closed("b", .person, on: "pad"), device("phone"), queued()],
            ["cancel launch a"]
        ),
        Case(
            "a queued start whose key was taken out of the configuration is blocked",
            [activity()],
            [committed(activity()), device("phone", target(in: .sandbox)), queued()],
            ["blocked start order on phone: no_credential", "cancel launch a"]
        ),
        Case(
            "a refused start is held",
            [activity()],
            [committed(activity()), device("phone"), refused()],
            ["held start order on phone: rejected"]
        ),
        Case(
            "a newer state lifts the refusal of a start",
            [activity("order", 2)],
            [committed(activity()), device("phone"), refused()],
            ["commit order life 1", "start order on phone: declared"]
        ),
        Case(
            "… in a later run as well, when something else held it until then",
            [activity("order", 2)],
            [committed(activity("order", 2)), device("phone"), refused()],
            ["start order on phone: declared"]
        ),
        Case(
            "a change that the start does not carry lifts nothing",
            [activity(protect: true)],
            [committed(activity()), device("phone"), refused()],
            ["commit order life 1", "held start order on phone: rejected"]
        ),
        Case(
            "a newer token report lifts the refusal of a start",
            [activity()],
            [committed(activity()), device("phone", target(at: now - minute)), refused()],
            ["start order on phone: declared"]
        ),
        Case(
            "a new generation lifts the refusal of a start",
            [activity(generation: "2")],
            [committed(activity(generation: "2"), life: 2), device("phone"), refused()],
            ["start order on phone: declared"]
        ),
        Case(
            "a start token that was dead before it was reported is held whatever the state",
            [activity("order", 2)],
            [committed(activity()), device("phone"), refused(.untilReported(tokenAt: now - .hours(2)))],
            ["commit order life 1", "held start order on phone: rejected"]
        ),
        Case(
            "a launch made after a refusal goes on",
            [activity("order", 2)],
            [
                committed(activity("order", 2)), device("phone"), refused(),
                instance("b", .queued, sequence: 2, pending: pending(.start)),
            ],
            ["again start order on phone: queued"]
        ),
    ]

    /// A start of state 1 that APNs refused for the token of two hours ago.
    static func refused(_ rejection: Rejection = Rejection(revision: 1, tokenAt: now - .hours(2))) -> Instance {
        instance("a", .failed, rejected: rejection)
    }

    @Test(arguments: launches) func neverStartsTwice(_ row: Case) { row.check() }
}
