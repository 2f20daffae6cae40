import Diff
import JSON
import Testing
import Time

/// What goes out, as what, and what is marked with it.
struct DispatchTests {
    /// One claim about the push of the only open delivery of a record.
    struct Row: Sendable, CustomTestStringConvertible {
        let claim: String
        let recorded: Recorded
        var scopes: [ScopeSubject: Scope] = [:]
        var isRestored = false
        var quota: QuotaBook?
        var isRequested = false
        let expected: [String]

        init(
            _ claim: String,
            _ records: [any Record],
            scopes: [ScopeSubject: Scope] = [:],
            isRestored: Bool = false,
            left: Int? = nil,
            isRequested: Bool = false,
            _ expected: [String]
        ) {
            self.claim = claim
            recorded = DiffTests.recorded(records)
            self.scopes = scopes
            self.isRestored = isRestored
            quota = left.map { QuotaBook(day: UTCDay(at: now), sums: QuotaDay(limit: $0)) }
            self.isRequested = isRequested
            self.expected = expected
        }

        var testDescription: String { claim }

        func check() throws {
            let delivery = try #require(recorded.openDeliveries.first)
            var dispatch = Dispatch(
                step: 9,
                now: now,
                scopes: Scopes(scopes),
                isRestored: isRestored,
                quota: quota
            )
            if isRequested { dispatch.requested = [delivery.id] }
            var transition = Transition(recorded)
            let push = try dispatch.send(delivery, of: &transition)
            let lines = [push?.line].compactMap(\.self) + transition.lines
            #expect(lines == expected, "\(claim)")
            if let push { #expect(push.delivery == transition.record.openDeliveries.first, "\(claim)") }
        }
    }

    /// Shows the state 1 and is to be updated.
    static func updated(
        shows: ActivityContent? = activity().content,
        _ status: DeliveryStatus = .queued,
        ending: Instance.Closure? = nil
    ) -> Instance {
        running(shows: shows, ending: ending, pending: pending(.update, status))
    }

    static func isMarked(_ state: String, timestamp: String = "now") -> [String] {
        ["update \(state)", "a timestamp \(timestamp)"]
    }

    static let marked = isMarked("queued → dispatching attempt 1")
    private static let cancelled = ["update queued → cancelled (nothing left to send)"]

    static let updates: [Row] = [
        Row(
            "an update carries the newest state and is silent",
            [committed(activity("order", 2)), updated()],
            ["update 2 silent p5 until +420 min"] + marked
        ),
        Row(
            "… until its staleAt, where that lies ahead",
            [committed(activity("order", 2, staleAt: now + hour)), updated()],
            ["update 2 silent p5 until +60 min"] + marked
        ),
        Row(
            "a new alert rings",
            [committed(activity(alert: "again"), alertAt: now), updated()],
            ["update 1 rings p10 until +420 min"] + marked
        ),
        Row(
            "… but not of a restored ledger: it may have rung",
            [committed(activity(alert: "again"), alertAt: now), updated()],
            isRestored: true,
            ["update 1 silent p5 until +420 min"] + marked
        ),
        Row(
            "an alert that waited as long as its expiresAfter rings",
            [committed(activity(alert: "again", expiresAfter: hour), alertAt: now - hour), updated()],
            ["update 1 rings p10 until +420 min"] + marked
        ),
        Row(
            "… one that waited longer does not",
            [
                committed(activity(alert: "again", expiresAfter: hour), alertAt: now - hour - .milliseconds(1)),
                updated(),
            ],
            ["update 1 silent p5 until +420 min"] + marked
        ),
        Row(
            "an alert that is taken out is silent",
            [committed(activity(alert: nil)), updated()],
            ["update 1 silent p5 until +420 min"] + marked
        ),
        Row(
            "of what the app started, the declared alert counts as rung",
            [committed(activity()), updated(shows: nil)],
            ["update 1 silent p5 until +420 min"] + marked
        ),
        Row(
            "declared priority high is 10",
            [committed(activity("order", 2, priority: .high)), device("phone"), updated()],
            ["update 2 silent p10 until +420 min"] + marked
        ),
        Row(
            "… but 5 where the person switched frequent pushes off",
            [
                committed(activity("order", 2, priority: .high)), device("phone", target(frequentPushes: false)),
                updated(),
            ],
            ["update 2 silent p5 until +420 min"] + marked
        ),
        Row(
            "what may have arrived is sent again as it was, silently",
            [
                committed(activity(alert: "again"), alertAt: now),
                updated(shows: activity(alert: "again").content, .unknown),
            ],
            ["update 1 silent p5 until +420 min"] + isMarked("unknown → dispatching again attempt 1")
        ),
        Row(
            "… and not once it is no longer the newest",
            [committed(activity("order", 2)), updated(.unknown)],
            ["update unknown → lost"]
        ),
        Row("what is shown needs no push", [committed(activity()), updated()], cancelled),
        Row("nor what is to end", [committed(activity("order", 2)), updated(ending: .removal)], cancelled),
        Row("nor what was removed", [removed(activity("order", 2)), updated()], cancelled),
        Row("nor what is declared over", [committed(activity("order", 2, end: over)), updated()], cancelled),
        Row(
            "nor what is older than 8 hours",
            [committed(activity("order", 2)), running(age: .hours(8), pending: pending(.update))],
            cancelled
        ),
        Row(
            "nor what its template does not take",
            [committed(activity("order", 2)), mismatched(updated())],
            cancelled
        ),
        Row(
            "timestamps rise, whatever the clock shows",
            [committed(activity("order", 2)), stamped(updated(), now + .seconds(5))],
            ["update 2 silent p5 until +420 min"]
                + isMarked("queued → dispatching attempt 1", timestamp: "+6 s")
        ),
    ]

    @Test(arguments: updates) func updatesCarryTheNewestState(_ row: Row) throws { try row.check() }

    static func launch(
        _ id: Text = "a",
        template: Text? = nil,
        replaces: Text? = nil,
        life: Int64 = 1
    ) -> Instance {
        instance(id, .queued, template: template, life: life, replaces: replaces, pending: pending(.start))
    }

    private static let started = [
        "start queued → dispatching attempt 1", "a outstanding started now expires +60 min shows 1 timestamp now",
    ]
    private static let takenBack = ["start queued → cancelled (nothing left to send)", "a cancelled"]

    static let starts: [Row] = [
        Row(
            "a start rings, and its launch is outstanding",
            [committed(activity()), device("phone"), launch()],
            ["start 1 rings p10 until +60 min"] + started
        ),
        Row(
            "one that takes the place of what runs does not ring",
            [committed(activity()), device("phone"), launch(replaces: "b"), running("b")],
            ["start 1 silent p10 until +60 min"] + started
        ),
        Row(
            "nor one whose alert rang on the device before, in this life",
            [committed(activity()), device("phone"), launch(), closed("b", .logout)],
            ["start 1 silent p10 until +60 min"] + started
        ),
        Row(
            "… which a new life, another device and another alert do not tell",
            [
                committed(activity(alert: "again"), life: 2, alertAt: now), device("phone"), launch(life: 2),
                closed("b", .logout), instance("c", .closed(.logout), on: "pad", life: 2),
                instance("d", .closed(.logout), life: 2),
            ],
            ["start 1 rings p10 until +60 min"] + started
        ),
        Row(
            "nor one whose alert waited too long",
            [committed(activity(expiresAfter: hour), alertAt: now - .hours(2)), device("phone"), launch()],
            ["start 1 silent p10 until +60 min"] + started
        ),
        Row(
            "a state that is stale already starts nothing",
            [committed(activity(staleAt: now)), device("phone"), launch()],
            takenBack
        ),
        Row("nor is what was removed started", [removed(activity()), device("phone"), launch()], takenBack),
        Row(
            "nor anything without a token",
            [committed(activity()), device("phone", target(token: nil)), launch()],
            takenBack
        ),
        Row(
            "nor what its template does not take",
            [committed(activity()), device("phone"), mismatched(launch())],
            takenBack
        ),
    ]

    @Test(arguments: starts) func startsLaunch(_ row: Row) throws { try row.check() }

    static func ended(_ cause: Instance.Closure, _ status: DeliveryStatus = .queued, cost: Int = 0) -> Instance {
        var end = pending(.end, status)
        end.cost = cost
        return running(ending: cause, pending: end)
    }

    static let endMarked = ["end queued → dispatching attempt 1", "a timestamp now"]

    static let ends: [Row] = [
        Row(
            "a removal ends with what is shown, at once",
            [removed(activity("order", 2)), ended(.removal)],
            ["end 1 gone at -60 min p10 until +660 min"] + endMarked
        ),
        Row(
            "a declared end shows its state, and iOS decides when it goes",
            [committed(activity(end: over(9))), ended(.declaredEnd, cost: 1)],
            ["end 9 gone when iOS thinks fit p10 until +660 min"] + endMarked
        ),
        Row(
            "… without one, the declared state",
            [committed(activity("order", 2, end: over)), ended(.declaredEnd, cost: 1)],
            ["end 2 gone when iOS thinks fit p10 until +660 min"] + endMarked
        ),
        Row(
            "… at the declared time",
            [
                committed(activity(end: ActivityDeclaration.End(state: 9, dismissAt: .at(now + hour)))),
                ended(.declaredEnd, cost: 1),
            ],
            ["end 9 gone at +60 min p10 until +660 min"] + endMarked
        ),
        Row(
            "… or now",
            [
                committed(activity(end: ActivityDeclaration.End(state: 9, dismissAt: .now))),
                ended(.declaredEnd, cost: 1),
            ],
            ["end 9 gone at -60 min p10 until +660 min"] + endMarked
        ),
        Row(
            "one that shows nothing new is free",
            [committed(activity(end: over)), ended(.declaredEnd, cost: 1)],
            [
                "end 1 gone when iOS thinks fit p10 until +660 min", "end queued → dispatching attempt 1 cost 0",
                "a timestamp now",
            ]
        ),
        Row(
            "a declared end that its template does not take is taken back",
            [committed(activity(end: over(9))), mismatched(ended(.declaredEnd))],
            ["end queued → cancelled (nothing left to send)"]
        ),
        Row(
            "… any other goes out",
            [committed(activity(end: over(9))), mismatched(ended(.logout))],
            ["end 1 gone at -60 min p10 until +660 min"] + endMarked
        ),
    ]

    @Test(arguments: ends) func endsTakeTheTileAway(_ row: Row) throws { try row.check() }

    private static func mismatched(_ instance: Instance) -> Instance {
        var instance = instance
        instance.isMismatched = true
        return instance
    }

    private static func stamped(_ instance: Instance, _ timestamp: Moment) -> Instance {
        var instance = instance
        instance.lastTimestamp = timestamp
        return instance
    }

    @Test func aStartAsksForATokenFromIOS18On() throws {
        func asks(_ os: OSVersion?) throws -> Bool? {
            let record = recorded([committed(activity()), device("phone", target(os: os)), Self.launch()])
            var transition = Transition(record)
            var dispatch = Dispatch(step: 9, now: now)
            let push = try dispatch.send(try #require(record.openDeliveries.first), of: &transition)
            guard case .start(let start)? = push?.content else { return nil }
            return start.asksForToken
        }
        #expect(try asks(OSVersion(17, 2)) == false)
        #expect(try asks(OSVersion(18)) == true)
        #expect(try asks(nil) == true)
    }
}
