import Diff
import JSON
import Testing
import Time

/// Ends: by the file, by removal, by logout, by age; and what may follow.
struct EndingTests {
    static let ends: [Case] = [
        Case(
            "a declared end ends the running instance",
            [activity(end: over)],
            [committed(activity()), device("phone"), running()],
            ["commit order life 1", "end order on phone: declared_end"]
        ),
        Case(
            "an end with a new state costs one push",
            [activity(end: over(9))],
            [committed(activity()), device("phone"), running()],
            ["commit order life 1", "end order on phone: declared_end charged"]
        ),
        Case(
            "an end whose state the device shows already is free",
            [activity(end: over(1))],
            [committed(activity()), device("phone"), running()],
            ["commit order life 1", "end order on phone: declared_end"]
        ),
        Case(
            "an end without a state of its own ends with the declared one",
            [activity("order", 2, end: over)],
            [committed(activity()), device("phone"), running()],
            ["commit order life 1", "end order on phone: declared_end charged"]
        ),
        Case(
            "every device's instance ends",
            [activity(end: over)],
            [
                committed(activity()), device("pad"), device("phone"), running("a", on: "pad"),
                running("b", on: "phone"),
            ],
            ["commit order life 1", "end order on pad: declared_end", "end order on phone: declared_end"]
        ),
        Case(
            "an activity that has ended needs nothing",
            [activity(end: over)],
            [committed(activity(end: over)), device("phone"), closed(.declaredEnd)],
            []
        ),
        Case(
            "a change after the end is committed without a push",
            [activity("order", 2, end: over(3))],
            [committed(activity(end: over)), device("phone"), closed(.declaredEnd)],
            ["commit order life 1"]
        ),
        Case(
            "removing a declaration ends its instances",
            [],
            [committed(activity()), device("phone"), running()],
            ["remove order", "end order on phone: removal"]
        ),
        Case(
            "a removed declaration that has ended needs nothing",
            [],
            [removed(activity()), device("phone"), closed(.removal)],
            []
        ),
        Case(
            "a removal ends what the app started under the declaration",
            [],
            [committed(activity(start: .app)), instance("a", .running, origin: .app)],
            ["remove order", "end order on phone: removal"]
        ),
        Case(
            "an undeclared activity that Lockstep did not start is left alone",
            [],
            [
                instance("a", .running, attributes: nil, origin: .app),
                instance("b", .running, of: "", attributes: nil, origin: .unattributed),
            ],
            []
        ),
        Case(
            "… also under a name that was declared once",
            [],
            [removed(activity()), instance("a", .running, attributes: nil, origin: .app, life: 2)],
            []
        ),
        Case(
            "an environment without a key blocks an end",
            [],
            [committed(activity()), instance("a", .running, .sandbox)],
            ["remove order", "blocked end order on phone: no_credential"]
        ),
        Case(
            "a queued end is sent, not made again",
            [],
            [removed(activity()), running(ending: .removal, pending: pending(.end))],
            ["again end order on phone: queued"]
        ),
        Case(
            "… when its time has come",
            [],
            [removed(activity()), running(ending: .removal, pending: pending(.end, until: now + minute))],
            ["in 1 min end order on phone: queued"]
        ),
        Case(
            "an end that was never answered is sent again",
            [activity(end: over)],
            [committed(activity(end: over)), running(ending: .declaredEnd, pending: pending(.end, .unknown))],
            ["again end order on phone: resend"]
        ),
        Case(
            "a refused end is held",
            [activity(end: over)],
            [
                committed(activity(end: over)),
                running(ending: .declaredEnd, revision: 2, rejected: Rejection(revision: 2, tokenAt: now - hour)),
            ],
            ["held end order on phone: rejected"]
        ),
        Case(
            "no update follows an end",
            [activity("order", 2, end: over)],
            [committed(activity(end: over)), running(ending: .declaredEnd, pending: pending(.end, .unknown))],
            ["commit order life 1", "again end order on phone: resend charged"]
        ),
        Case(
            "an end takes the place of an update that waits",
            [activity("order", 2, end: over)],
            [committed(activity("order", 2)), running(pending: pending(.update))],
            ["commit order life 1", "end order on phone: declared_end charged"]
        ),
        Case(
            "a refused update does not hold the end",
            [],
            [
                removed(activity("order", 2)),
                running(revision: 2, rejected: Rejection(revision: 2, tokenAt: now - hour)),
            ],
            ["end order on phone: removal"]
        ),
    ]

    @Test(arguments: ends) func endsWhatIsOver(_ row: Case) { row.check() }

    static let withdrawals: [Case] = [
        Case(
            "a removal that is withdrawn before its end was dispatched cancels it, in a new life",
            [activity()],
            [removed(activity()), device("phone"), running(ending: .removal, pending: pending(.end))],
            ["commit order life 2", "withdraw end of a life 2"]
        ),
        Case(
            "… and a changed state follows at once",
            [activity("order", 2)],
            [removed(activity()), device("phone"), running(ending: .removal, pending: pending(.end))],
            ["commit order life 2", "update order on phone: state_changed", "withdraw end of a life 2"]
        ),
        Case(
            "… with other attributes it is a replacement",
            [activity(attributes: ["id": 2])],
            [removed(activity()), device("phone"), running(ending: .removal, pending: pending(.end))],
            [
                "commit order life 2", "start order on phone: replacement replacing a", "withdraw end of a life 2",
            ]
        ),
        Case(
            "… with another generation it is a replacement",
            [activity(generation: "2")],
            [removed(activity()), device("phone"), running(ending: .removal, pending: pending(.end))],
            [
                "commit order life 2", "start order on phone: replacement replacing a", "withdraw end of a life 1",
            ]
        ),
        Case(
            "after its end was dispatched, a new life waits for the end",
            [activity()],
            [removed(activity()), device("phone"), running(ending: .removal, pending: pending(.end, .unknown))],
            [
                "commit order life 2", "again end order on phone: resend", "held start order on phone: earlier_end",
            ]
        ),
        Case(
            "… and starts when the end is accepted",
            [activity()],
            [committed(activity(), life: 2), device("phone"), closed(.removal)],
            ["start order on phone: declared"]
        ),
        Case(
            "a removal that is withdrawn while the launch is outstanding keeps the launch",
            [activity()],
            [removed(activity()), device("phone"), outstanding()],
            ["commit order life 2", "withdraw end of a life 2"]
        ),
        Case(
            "a removal that is withdrawn when the device has just reported keeps the instance",
            [activity()],
            [removed(activity()), device("phone"), running()],
            ["commit order life 2", "withdraw end of a life 2"]
        ),
        Case(
            "an end that is withdrawn before it was dispatched is cancelled",
            [activity()],
            [committed(activity(end: over)), device("phone"), running(ending: .declaredEnd, pending: pending(.end))],
            ["commit order life 1", "withdraw end of a life 1"]
        ),
        Case(
            "an end that is withdrawn after it was dispatched is not: nothing until the generation changes",
            [activity()],
            [
                committed(activity(end: over)), device("phone"),
                running(ending: .declaredEnd, pending: pending(.end, .unknown)),
            ],
            ["commit order life 1", "again end order on phone: resend"]
        ),
        Case(
            "an end that is withdrawn while the launch is outstanding leaves the launch alone",
            [activity()],
            [committed(activity(end: over)), device("phone"), outstanding()],
            ["commit order life 1"]
        ),
    ]

    @Test(arguments: withdrawals) func takesBackWhatWasNotSent(_ row: Case) { row.check() }

    static let departures: [Case] = [
        Case(
            "logout ends what runs, though the file still declares it",
            [activity()],
            [committed(activity()), running(ending: .logout)],
            ["end order on phone: logged_out"]
        ),
        Case(
            "logout cancels a queued start",
            [activity()],
            [committed(activity()), instance("a", .queued, ending: .logout, pending: pending(.start))],
            ["cancel launch a"]
        ),
        Case(
            "logout waits for the report of an outstanding launch",
            [activity()],
            [committed(activity()), instance("a", .outstanding, ending: .logout)],
            ["held end order on phone: launch_outstanding"]
        ),
        Case(
            "logout ends what only the app knows of",
            [],
            [instance("a", .running, of: "", attributes: nil, origin: .unattributed, ending: .logout)],
            ["end on phone: logged_out"]
        ),
        Case(
            "a device that is back waits for the end of what it showed",
            [activity()],
            [committed(activity()), device("phone"), running(ending: .logout, pending: pending(.end, .unknown))],
            ["again end order on phone: resend", "held start order on phone: earlier_end"]
        ),
        Case(
            "other devices go on",
            [activity("order", 2)],
            [
                committed(activity()), device("pad"), running("a", on: "pad"),
                running("b", on: "phone", ending: .logout),
            ],
            ["commit order life 1", "update order on pad: state_changed", "end order on phone: logged_out"]
        ),
        Case(
            "a removal at the same time ends it once",
            [],
            [committed(activity()), running(ending: .logout)],
            ["remove order", "end order on phone: logged_out"]
        ),
    ]

    @Test(arguments: departures) func leavesNothingOfAPersonBehind(_ row: Case) { row.check() }

    static let ages: [Case] = [
        Case(
            "older than 8 hours: closed, no more pushes",
            [activity("order", 2)],
            [committed(activity()), device("phone"), running(age: .hours(8))],
            ["commit order life 1", "close a: expired"]
        ),
        Case(
            "a second younger: an update",
            [activity("order", 2)],
            [committed(activity()), device("phone"), running(age: Span.hours(8) - .seconds(1))],
            ["commit order life 1", "update order on phone: state_changed"]
        ),
        Case(
            "an end that was not sent in time closes for its own cause",
            [],
            [removed(activity()), running(ending: .removal, age: .hours(9), pending: pending(.end))],
            ["close a: removal"]
        ),
        Case(
            "no first launch elsewhere in the run that finds it expired",
            [activity()],
            [committed(activity()), device("pad"), device("phone"), running(on: "phone", age: .hours(9))],
            ["close a: expired"]
        ),
        Case(
            "an activity that Lockstep did not start expires as well",
            [],
            [instance("a", .running, attributes: nil, origin: .app, age: .hours(9))],
            ["close a: expired"]
        ),
    ]

    @Test(arguments: ages) func closesWhatIsTooOld(_ row: Case) { row.check() }

    static let unknownLaunches: [Case] = [
        Case(
            "an unknown launch blocks launches of its type on its device",
            [activity()],
            [committed(activity()), device("phone"), unknown(age: hour)],
            ["held start order on phone: unknown_launch"]
        ),
        Case(
            "… for 12 hours, though iOS ends it after 8",
            [activity()],
            [committed(activity()), device("phone"), unknown(age: Span.hours(12) - .milliseconds(1))],
            ["held start order on phone: unknown_launch"]
        ),
        Case(
            "… and no longer",
            [activity()],
            [committed(activity()), device("phone"), unknown(age: .hours(12))],
            ["start order on phone: declared", "close x: expired"]
        ),
        Case(
            "… or until it is reported over",
            [activity()],
            [
                committed(activity()), device("phone"),
                instance("x", .closed(.person), of: "", attributes: nil, origin: .unknownLaunch),
            ],
            ["start order on phone: declared"]
        ),
        Case(
            "other types and devices are free",
            [activity(), activity("flight", type: "Flight")],
            [
                committed(activity()), committed(activity("flight", type: "Flight")), device("pad"),
                device("phone", target("Flight")), unknown(age: hour),
            ],
            ["start flight on phone: declared", "start order on pad: declared"]
        ),
        Case(
            "a start that waits is taken back",
            [activity()],
            [committed(activity()), device("phone"), queued(), unknown(age: hour)],
            ["held start order on phone: unknown_launch", "cancel launch a"]
        ),
        Case(
            "a replacement waits too, and the running one is updated",
            [activity("order", 2, generation: "2")],
            [committed(activity()), device("phone"), running(), unknown(age: hour)],
            [
                "commit order life 2", "update order on phone: state_changed",
                "held start order on phone: unknown_launch",
            ]
        ),
    ]

    static func unknown(age: Span) -> Instance {
        instance("x", .running, of: "", attributes: nil, origin: .unknownLaunch, age: age)
    }

    @Test(arguments: unknownLaunches) func holdsWhereAnUnknownLaunchRuns(_ row: Case) { row.check() }
}
