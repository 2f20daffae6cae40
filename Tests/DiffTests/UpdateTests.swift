import Diff
import JSON
import Testing
import Time

/// Updating what runs.
struct UpdateTests {
    static let updates: [Case] = [
        Case(
            "a running activity that shows what is declared needs nothing",
            [activity()],
            [committed(activity()), device("phone"), running()],
            []
        ),
        Case(
            "a changed state is one silent update",
            [activity("order", 2)],
            [committed(activity()), device("phone"), running()],
            ["commit order life 1", "update order on phone: state_changed"]
        ),
        Case(
            "a changed staleAt is an update",
            [activity(staleAt: now + .seconds(60))],
            [committed(activity()), device("phone"), running()],
            ["commit order life 1", "update order on phone: state_changed"]
        ),
        Case(
            "a staleAt that passes is none",
            [activity(staleAt: now - .seconds(60))],
            [
                committed(activity(staleAt: now - .seconds(60))), device("phone"),
                running(shows: activity(staleAt: now - .seconds(60)).content),
            ],
            []
        ),
        Case(
            "a changed relevanceScore is an update",
            [activity(relevance: 0)],
            [committed(activity()), device("phone"), running()],
            ["commit order life 1", "update order on phone: state_changed"]
        ),
        Case(
            "a changed alert is an update that rings",
            [activity(alert: "again")],
            [committed(activity()), device("phone"), running()],
            ["commit order life 1", "update order on phone: state_changed p10"]
        ),
        Case(
            "the state changes and the file still holds the alert: silent",
            [activity("order", 2, alert: "ring")],
            [committed(activity()), device("phone"), running()],
            ["commit order life 1", "update order on phone: state_changed"]
        ),
        Case(
            "an alert that is taken out is a silent update",
            [activity(alert: nil, start: .app)],
            [committed(activity(start: .app)), device("phone"), running()],
            ["commit order life 1", "update order on phone: state_changed"]
        ),
        Case(
            "declared priority high is 10",
            [activity("order", 2, priority: .high)],
            [committed(activity(priority: .high)), device("phone"), running()],
            ["commit order life 1", "update order on phone: state_changed p10"]
        ),
        Case(
            "… but 5 where the person switched frequent pushes off",
            [activity("order", 2, priority: .high)],
            [committed(activity(priority: .high)), device("phone", target(frequentPushes: false)), running()],
            ["commit order life 1", "update order on phone: state_changed"]
        ),
        Case(
            "an alert is 10 all the same",
            [activity("order", 2, alert: "again")],
            [committed(activity()), device("phone", target(frequentPushes: false)), running()],
            ["commit order life 1", "update order on phone: state_changed p10"]
        ),
        Case(
            "another priority, protection or start alone is committed without a push",
            [activity(start: .app, priority: .high, protect: true)],
            [committed(activity()), device("phone"), running()],
            ["commit order life 1"]
        ),
        Case(
            "an update does not need a start target",
            [activity("order", 2)],
            [committed(activity()), running()],
            ["commit order life 1", "update order on phone: state_changed"]
        ),
        Case(
            "what the launch did not show goes out once the device reports it",
            [activity("order", 2)],
            [committed(activity("order", 2)), device("phone"), running()],
            ["update order on phone: state_changed"]
        ),
        Case(
            "an adopted activity of the app takes the declared alert as rung",
            [activity(start: .app)],
            [
                committed(activity(start: .app)),
                instance("a", .running, shows: nil, attributes: nil, origin: .app),
            ],
            ["update order on phone: state_changed", "adopt a"]
        ),
        Case(
            "updates exist from iOS 17 on",
            [activity("order", 2)],
            [committed(activity()), instance("a", .running, os: OSVersion(16, 4))],
            ["commit order life 1", "blocked update order on phone: os_too_old"]
        ),
        Case(
            "an environment without a key blocks",
            [activity("order", 2)],
            [committed(activity()), instance("a", .running, .sandbox)],
            ["commit order life 1", "blocked update order on phone: no_credential"]
        ),
        Case(
            "another template alone does not touch a running instance",
            [activity(template: "delivery@2")],
            [committed(activity(template: "delivery@1")), instance("a", .running, template: "delivery@1")],
            ["commit order life 1"]
        ),
    ]

    @Test(arguments: updates) func updatesWhatRuns(_ row: Case) { row.check() }

    static let unsettled: [Case] = [
        Case(
            "a queued update is sent, not made again",
            [activity("order", 2)],
            [committed(activity("order", 2)), running(pending: pending(.update))],
            ["again update order on phone: queued"]
        ),
        Case(
            "… when its time has come",
            [activity("order", 2)],
            [committed(activity("order", 2)), running(pending: pending(.update, until: now + minute))],
            ["in 1 min update order on phone: queued"]
        ),
        Case(
            "a newer state takes the place of a queued update",
            [activity("order", 3)],
            [committed(activity("order", 2)), running(pending: pending(.update))],
            ["commit order life 1", "update order on phone: state_changed superseding dlv_update"]
        ),
        Case(
            "… and hands its alert on",
            [activity("order", 3, alert: "again")],
            [committed(activity("order", 2, alert: "again")), running(pending: pending(.update))],
            ["commit order life 1", "update order on phone: state_changed p10 superseding dlv_update"]
        ),
        Case(
            "a state that changes back takes a queued update back",
            [activity()],
            [committed(activity("order", 2)), running(pending: pending(.update))],
            ["commit order life 1", "cancel update of a"]
        ),
        Case(
            "an update that was never answered is sent again",
            [activity("order", 2)],
            [
                committed(activity("order", 2)),
                running(shows: activity("order", 2).content, pending: pending(.update, .unknown)),
            ],
            ["again update order on phone: resend"]
        ),
        Case(
            "… silently, though it had an alert",
            [activity("order", 2, alert: "again")],
            [
                committed(activity("order", 2, alert: "again")),
                running(shows: activity("order", 2, alert: "again").content, pending: pending(.update, .unknown)),
            ],
            ["again update order on phone: resend"]
        ),
        Case(
            "an update that was never answered is not sent again once the state is newer",
            [activity("order", 3)],
            [
                committed(activity("order", 2)),
                running(shows: activity("order", 2).content, pending: pending(.update, .unknown)),
            ],
            ["commit order life 1", "update order on phone: state_changed superseding dlv_update"]
        ),
        Case(
            "a refused update is held: no push loop",
            [activity("order", 2)],
            [
                committed(activity("order", 2)),
                running(revision: 2, rejected: Rejection(revision: 2, tokenAt: now - hour)),
            ],
            ["held update order on phone: rejected"]
        ),
        Case(
            "a newer state lifts the refusal",
            [activity("order", 3)],
            [
                committed(activity("order", 2)),
                running(revision: 2, rejected: Rejection(revision: 2, tokenAt: now - hour)),
            ],
            ["commit order life 1", "update order on phone: state_changed"]
        ),
        Case(
            "a newer token report lifts the refusal",
            [activity("order", 2)],
            [
                committed(activity("order", 2)),
                running(revision: 2, rejected: Rejection(revision: 2, tokenAt: now - .hours(2))),
            ],
            ["update order on phone: state_changed"]
        ),
        Case(
            "a token that was dead before it was reported is held whatever the state",
            [activity("order", 2)],
            [committed(activity()), running(rejected: .untilReported(tokenAt: now - hour))],
            ["commit order life 1", "held update order on phone: rejected"]
        ),
        Case(
            "a queued update whose key was taken out of the configuration is blocked",
            [activity("order", 2)],
            [committed(activity("order", 2)), instance("a", .running, .sandbox, pending: pending(.update))],
            ["blocked update order on phone: no_credential"]
        ),
    ]

    @Test(arguments: unsettled) func goesOnWithWhatIsNotSettled(_ row: Case) { row.check() }

    @Test func anUpdateShowsWhatChanges() throws {
        let row = Case("", [activity("order", 2)], [committed(activity()), running()], [])
        let update = try #require(row.plan.actions.first)
        #expect(update.before == ["state": 1, "alert": "ring"])
        #expect(update.after == ["state": 2, "alert": "ring"])
    }
}
