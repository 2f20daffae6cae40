import Diff
import JSON
import Testing
import Time

/// What time alone decides: confirmations that are due, launches and deliveries that expire, intervals.
struct TimerTests {
    /// A launch that was sent so long ago; its start expired an hour after it was sent.
    private static func sent(_ age: Span, _ id: Text = "a", _ phase: Instance.Phase = .outstanding) -> Instance {
        instance(id, phase, age: age)
    }

    private static func missed(_ id: Text, _ sequence: Int64, age: Span = .hours(2)) -> Instance {
        instance(id, .unconfirmed, sequence: sequence, age: age)
    }

    private static let again = activity(restart: .ifUnconfirmed)

    static let confirmations: [Case] = [
        Case(
            "a launch has an hour and five minutes to be reported",
            [activity()],
            [committed(activity()), device("phone"), sent(hour + .minutes(5) - .milliseconds(1))],
            []
        ),
        Case(
            "then it is unconfirmed, held and shown",
            [activity()],
            [committed(activity()), device("phone"), sent(hour + .minutes(5))],
            ["held start order on phone: unconfirmed", "miss a"]
        ),
        Case(
            "what a clock that was ahead took for missed is outstanding again, and its successor is taken back",
            [again],
            [
                committed(again), device("phone"), instance("a", .unconfirmed, age: minute),
                instance("b", .queued, sequence: 2, pending: pending(.start)),
            ],
            ["cancel launch b"]
        ),
        Case(
            "it stays so",
            [activity()],
            [committed(activity()), device("phone"), missed("a", 1)],
            ["held start order on phone: unconfirmed"]
        ),
        Case(
            "restart starts it again",
            [again],
            [committed(again), device("phone"), missed("a", 1)],
            ["start order on phone: restart"]
        ),
        Case(
            "restart starts nothing while the launch is outstanding",
            [again],
            [committed(again), device("phone"), sent(hour)],
            []
        ),
        Case(
            "a changed generation starts it again",
            [activity(generation: "2")],
            [committed(activity()), device("phone"), missed("a", 1)],
            ["commit order life 2", "start order on phone: declared"]
        ),
        Case(
            "changed attributes alone do not",
            [activity(attributes: ["id": 2])],
            [committed(activity()), device("phone"), missed("a", 1)],
            ["commit order life 1", "held start order on phone: unconfirmed"]
        ),
        Case(
            "twelve hours after its start expired it is closed, and nothing follows",
            [activity()],
            [committed(activity()), device("phone"), missed("a", 1, age: .hours(13))],
            ["held start order on phone: unconfirmed", "close a: expired"]
        ),
        Case(
            "with restart another one follows it",
            [again],
            [committed(again), device("phone"), instance("a", .closed(.expired), age: .hours(14), registered: 0)],
            ["start order on phone: restart"]
        ),
        Case(
            "what waits for an end goes with it",
            [activity(end: over)],
            [committed(activity(end: over)), device("phone"), missed("a", 1, age: .hours(13))],
            ["close a: expired"]
        ),
        Case(
            "an end waits for a launch that may still be reported",
            [],
            [removed(activity()), device("phone"), missed("a", 1)],
            ["held end order on phone: launch_outstanding"]
        ),
        Case(
            "one phone's silence closes no life: a later phone starts",
            [activity()],
            [
                committed(activity()), device("pad"), device("phone"),
                instance("a", .closed(.expired), age: .hours(14), registered: 0),
            ],
            ["start order on pad: declared", "held start order on phone: unconfirmed"]
        ),
    ]

    static let restarts: [Case] = [
        Case(
            "an older launch that reports while the next one is out is ended",
            [again],
            [committed(again), device("phone"), running(), instance("b", .outstanding, sequence: 2, age: minute)],
            ["end order on phone: duplicate"]
        ),
        Case(
            "where the next one is missed too, the older one stays",
            [again],
            [committed(again), device("phone"), running(), missed("b", 2)],
            []
        ),
        Case(
            "the running one is not ended for the launch that takes its place",
            [activity(attributes: ["id": 2])],
            [
                committed(activity(attributes: ["id": 2])), device("phone"), running(),
                instance("b", .outstanding, attributes: ["id": 2], sequence: 2, replaces: "a", age: minute),
            ],
            []
        ),
        Case(
            "three launches in a row that nobody confirmed make the start target wait",
            [again],
            [
                committed(again), device("phone", target(at: now - .hours(9))), missed("a", 1), missed("b", 2),
                missed("c", 3),
            ],
            ["held start order on phone: start_target_pending"]
        ),
        Case(
            "for other activities of its type too",
            [again, activity("other")],
            [
                committed(again), committed(activity("other")), device("phone", target(at: now - .hours(9))),
                missed("a", 1), missed("b", 2), missed("c", 3),
            ],
            [
                "held start order on phone: start_target_pending", "held start other on phone: start_target_pending",
            ]
        ),
        Case(
            "until it registers again",
            [again],
            [
                committed(again), device("phone", target(at: now - hour)), missed("a", 1), missed("b", 2),
                missed("c", 3),
            ],
            ["start order on phone: restart"]
        ),
        Case(
            "a launch that was confirmed in between breaks the row",
            [again],
            [
                committed(again), device("phone", target(at: now - .hours(9))), missed("a", 1),
                instance("b", .closed(.logout), sequence: 2, age: .hours(2)), missed("c", 3), missed("d", 4),
            ],
            ["start order on phone: restart"]
        ),
    ]

    static let renewals: [Case] = [
        Case(
            "after 8 hours nothing follows",
            [activity()],
            [committed(activity()), device("phone"), running(age: .hours(8))],
            ["close a: expired"]
        ),
        Case(
            "with renew a new one is started at once",
            [activity(renew: true)],
            [committed(activity(renew: true)), device("phone"), running(age: .hours(8))],
            ["start order on phone: renewal", "close a: expired"]
        ),
        Case(
            "and on later phones too",
            [activity(renew: true)],
            [committed(activity(renew: true)), device("pad"), device("phone"), running(age: .hours(8))],
            ["start order on pad: declared", "start order on phone: renewal", "close a: expired"]
        ),
        Case(
            "what a person dismissed is not renewed",
            [activity(renew: true)],
            [committed(activity(renew: true)), device("phone"), closed(.person)],
            []
        ),
    ]

    static let expiries: [Case] = [
        Case(
            "a start that waited for an hour expires, and a new launch is planned",
            [activity()],
            [committed(activity()), device("phone"), instance("a", .queued, pending: pending(.start, age: hour))],
            ["start order on phone: declared", "expire dlv_start"]
        ),
        Case(
            "one that waits for its retry does not expire before it",
            [activity(expiresAfter: .seconds(60))],
            [
                committed(activity(expiresAfter: .seconds(60))), device("phone"),
                instance(
                    "a",
                    .queued,
                    pending: pending(.start, until: now + minute, age: hour, expiresAfter: .seconds(60))
                ),
            ],
            ["in 1 min start order on phone: queued"]
        ),
        Case(
            "expiresAfter counts in place of the hour",
            [activity(expiresAfter: .seconds(7200))],
            [
                committed(activity(expiresAfter: .seconds(7200))), device("phone"),
                instance("a", .queued, pending: pending(.start, age: hour, expiresAfter: .seconds(7200))),
            ],
            ["again start order on phone: queued"]
        ),
        Case(
            "an unknown update that expires counts as not sent",
            [activity("order", 2, expiresAfter: .seconds(600))],
            [
                committed(activity("order", 2, expiresAfter: .seconds(600))), device("phone"),
                running(
                    shows: activity("order", 2).content,
                    pending: pending(.update, .unknown, age: .minutes(10), expiresAfter: .seconds(600))
                ),
            ],
            ["update order on phone: state_changed", "expire dlv_update"]
        ),
        Case(
            "an update expires at its staleAt",
            [activity("order", 2, staleAt: now)],
            [
                committed(activity("order", 2, staleAt: now)), device("phone"),
                running(pending: pending(.update)),
            ],
            ["update order on phone: state_changed", "expire dlv_update"]
        ),
        Case(
            "a start that may have arrived is never planned anew for its age",
            [activity()],
            [
                committed(activity()), device("phone"),
                instance("a", .outstanding, pending: pending(.start, .unknown, age: hour)),
            ],
            ["held start order on phone: start_uncertain"]
        ),
        Case(
            "a reload expires after a day",
            [widget("Stats")],
            [
                committed(widget("Stats"), step: 6),
                device("phone", widgets: widgets(["Stats"], pending: pending(.reload, age: .hours(24)))),
            ],
            ["reload phone: catch_up", "expire dlv_reload"]
        ),
        Case(
            "a reload expires when all its widgets say so",
            [widget("Stats", expiresAfter: .seconds(600))],
            [
                committed(widget("Stats", expiresAfter: .seconds(600)), step: 6),
                device(
                    "phone",
                    widgets: widgets(["Stats"], pending: pending(.reload, age: hour, expiresAfter: .seconds(600)))
                ),
            ],
            ["reload phone: catch_up", "expire dlv_reload"]
        ),
    ]

    private static func updated(_ ago: Span, shows: ActivityContent = activity().content) -> Instance {
        var instance = running(shows: shows)
        instance.updatedAt = now - ago
        return instance
    }

    private static let rare = activity("order", 2, minInterval: .seconds(900))

    static let intervals: [Case] = [
        Case(
            "a silent update waits until its interval is over; its state is committed",
            [rare],
            [committed(activity(minInterval: .seconds(900))), device("phone"), updated(.minutes(5))],
            ["commit order life 1", "in 10 min update order on phone: min_interval"]
        ),
        Case(
            "then it goes",
            [rare],
            [committed(rare), device("phone"), updated(.minutes(15))],
            ["update order on phone: state_changed"]
        ),
        Case(
            "the first update waits for nothing",
            [rare],
            [committed(rare), device("phone"), updated(now - .never)],
            ["update order on phone: state_changed"]
        ),
        Case(
            "an alert does not wait",
            [activity("order", 2, alert: "new", minInterval: .seconds(900))],
            [committed(activity(minInterval: .seconds(900))), device("phone"), updated(minute)],
            ["commit order life 1", "update order on phone: state_changed p10"]
        ),
        Case(
            "what may have arrived is not sent again beside newer state that waits",
            [rare],
            [
                committed(activity("order", 3, minInterval: .seconds(900))), device("phone"),
                {
                    var instance = updated(.minutes(5), shows: activity("order", 3).content)
                    instance.pending = [pending(.update, .unknown)]
                    return instance
                }(),
            ],
            ["commit order life 1", "in 10 min update order on phone: min_interval", "cancel update of a"]
        ),
        Case(
            "a reload waits until the interval of its widget is over",
            [widget("Stats", 2, minInterval: .seconds(900))],
            [
                committed(widget("Stats", minInterval: .seconds(900))),
                device("phone", widgets: widgets(["Stats"], reloadedAt: now - .minutes(5))),
            ],
            ["commit widget Stats", "in 10 min reload phone: min_interval"]
        ),
        Case(
            "a widget without an interval takes the others along",
            [widget("Map", 2), widget("Stats", 2, minInterval: .seconds(900))],
            [
                committed(widget("Map")), committed(widget("Stats", minInterval: .seconds(900))),
                device("phone", widgets: widgets(["Map", "Stats"], reloadedAt: now - .minutes(5))),
            ],
            ["commit widget Map", "commit widget Stats", "reload phone: state_changed"]
        ),
        Case(
            "a new owner's reload waits for nothing",
            [widget("Stats", 2, minInterval: .seconds(900))],
            [
                committed(widget("Stats", minInterval: .seconds(900))),
                device("phone", widgets: widgets(["Stats"], owes: true, reloadedAt: now - .minutes(5))),
            ],
            ["commit widget Stats", "reload phone: state_changed"]
        ),
    ]

    @Test(arguments: confirmations) func confirmation(_ row: Case) { row.check() }
    @Test(arguments: restarts) func restart(_ row: Case) { row.check() }
    @Test(arguments: renewals) func renewal(_ row: Case) { row.check() }
    @Test(arguments: expiries) func expiry(_ row: Case) { row.check() }
    @Test(arguments: intervals) func interval(_ row: Case) { row.check() }
}
