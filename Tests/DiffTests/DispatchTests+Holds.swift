import Diff
import JSON
import Testing
import Time

/// What pause, revocation and quota keep from going out.
extension DispatchTests {
    private static func reloaded(_ widgets: WidgetRegistration) -> Device {
        var reload = pending(.reload)
        reload.registration = widgets.id.text
        var widgets = widgets
        widgets.pending = reload
        return device("phone", widgets: widgets)
    }

    private static let stats = ScopeSubject.widget(anna, name: "Stats")
    private static let rings = ScopeSubject.widget(anna, name: "Rings")
    private static let paused = Scope(isPaused: true)
    private static let revoked = Scope(isRevoked: true)
    private static let reload = [
        "reload p5 until +1440 min", "reload queued → dispatching attempt 1 revision 9",
    ]
    private static func changed(_ name: Text, at: Moment = now - hour) -> RecordedWidget {
        committed(widget(name), step: 6, at: at)
    }

    static let reloads: [Row] = [
        Row("a reload brings its device up to the last step", [reloaded(widgets(["Stats"]))], reload),
        Row(
            "without a token there is none",
            [reloaded(widgets(["Stats"], token: nil))],
            ["reload queued → cancelled (nothing left to send)"]
        ),
        Row(
            "one stays queued where all that changed is paused",
            [changed("Stats"), changed("Rings"), reloaded(widgets(["Stats", "Rings"]))],
            scopes: [stats: paused, rings: revoked],
            []
        ),
        Row(
            "one is cancelled where all that changed is revoked",
            [changed("Stats"), reloaded(widgets(["Stats"]))],
            scopes: [stats: revoked],
            ["reload queued → cancelled (its scope was revoked)"]
        ),
        Row(
            "one widget that is not held takes the others along",
            [changed("Stats"), changed("Rings"), reloaded(widgets(["Stats", "Rings"]))],
            scopes: [stats: paused],
            reload
        ),
        Row(
            "one that is owed goes out",
            [changed("Stats"), reloaded(widgets(["Stats"], owes: true))],
            scopes: [stats: paused],
            reload
        ),
        Row(
            "what the device saw when it registered does not hold it, as in the plan",
            [changed("Stats", at: now - .hours(3)), reloaded(widgets(["Stats"]))],
            scopes: [stats: paused],
            reload
        ),
        Row(
            "a paused device is not reloaded",
            [changed("Stats"), reloaded(widgets(["Stats"], owes: true))],
            scopes: [.widgets(WidgetsID("wgt_1")): paused],
            []
        ),
    ]

    @Test(arguments: reloads) func reloadsCarryNothing(_ row: Row) throws { try row.check() }

    private static let all = ScopeSubject.subscriber("anna")
    private static let order = ScopeSubject.activity(anna, name: "order", device: "phone")
    private static let startTarget = ScopeSubject.startTarget(StartTargetID("stt_Delivery"))

    static let authority: [Row] = [
        Row("what is paused stays queued", [committed(activity("order", 2)), updated()], scopes: [order: paused], []),
        Row(
            "what was revoked is cancelled",
            [committed(activity("order", 2)), updated()],
            scopes: [all: revoked],
            ["update queued → cancelled (its scope was revoked)"]
        ),
        Row(
            "… a start with its launch",
            [committed(activity()), device("phone"), launch()],
            scopes: [startTarget: revoked],
            ["start queued → cancelled (its scope was revoked)", "a cancelled"]
        ),
        Row(
            "an update goes out though the start target is revoked",
            [committed(activity("order", 2)), updated()],
            scopes: [startTarget: revoked],
            ["update 2 silent p5 until +420 min"] + marked
        ),
        Row("an end waits too", [removed(activity()), ended(.removal)], scopes: [all: paused], []),
        Row(
            "… but what a logout or a revocation ends goes out whatever holds",
            [removed(activity()), ended(.revoked)],
            scopes: [all: revoked],
            ["end 1 gone at -60 min p10 until +660 min"] + endMarked
        ),
    ]

    @Test(arguments: authority) func authorityIsAskedAgain(_ row: Row) throws { try row.check() }

    private static let today = UTCDay(at: now)
    private static func booked(_ delivery: Delivery, on day: UTCDay?) -> Delivery {
        var delivery = delivery
        delivery.quotaDay = day
        return delivery
    }
    private static func booked(_ instance: Instance, on day: UTCDay?) -> Instance {
        var instance = instance
        instance.pending = instance.pending.map { booked($0, on: day) }
        return instance
    }
    private static let full = "(the day's quota is used up; it is planned anew)"

    static let quotas: [Row] = [
        Row(
            "a push holds its capacity already",
            [committed(activity("order", 2)), booked(updated(), on: today)],
            left: 0,
            ["update 2 silent p5 until +420 min"] + marked
        ),
        Row(
            "one of another day is booked to the day on which it is sent",
            [committed(activity("order", 2)), booked(updated(), on: UTCDay(1))],
            left: 1,
            ["update 2 silent p5 until +420 min"]
                + isMarked("queued → dispatching attempt 1 day \(today.number)")
        ),
        Row(
            "… and taken back where there is no room",
            [committed(activity("order", 2)), updated()],
            left: 0,
            ["update queued → cancelled \(full)"]
        ),
        Row(
            "… a start with its launch",
            [committed(activity()), device("phone"), launch()],
            left: 0,
            ["start queued → cancelled \(full)", "a cancelled"]
        ),
        Row(
            "… a reload without a trace, because its widgets say that it is due",
            [reloaded(widgets(["Stats"]))],
            left: 0,
            ["reload queued → cancelled \(full)"]
        ),
        Row(
            "… one that a person asked for is owed",
            [reloaded(widgets(["Stats"]))],
            left: 0,
            isRequested: true,
            ["reload queued → cancelled \(full)", "widgets owe a reload"]
        ),
        Row(
            "what may have arrived keeps its day",
            [
                committed(activity("order", 2)),
                booked(updated(shows: activity("order", 2).content, .unknown), on: UTCDay(1)),
            ],
            left: 0,
            ["update 2 silent p5 until +420 min"] + isMarked("unknown → dispatching again attempt 1")
        ),
        Row(
            "an end that shows something new since it was queued needs room",
            [committed(activity(end: over(9))), ended(.declaredEnd)],
            left: 1,
            [
                "end 9 gone when iOS thinks fit p10 until +660 min",
                "end queued → dispatching attempt 1 cost 1 day \(today.number)", "a timestamp now",
            ]
        ),
        Row(
            "… one that shows nothing new any more gives it back",
            [committed(activity(end: over)), booked(ended(.declaredEnd, cost: 1), on: today)],
            left: 0,
            [
                "end 1 gone when iOS thinks fit p10 until +660 min", "end queued → dispatching attempt 1 cost 0 day -",
                "a timestamp now",
            ]
        ),
    ]

    @Test(arguments: quotas) func booksWhatIsSent(_ row: Row) throws { try row.check() }

    @Test func onlyWhatHoldsNoCapacityNeedsRoom() throws {
        let dispatch = Dispatch(step: 9, now: now)
        func needsRoom(_ instance: Instance, _ declared: ActivityDeclaration) throws -> Bool {
            let record = recorded([committed(declared), instance])
            return dispatch.needsRoom(try #require(record.openDeliveries.first), of: record)
        }
        #expect(try needsRoom(Self.updated(), activity("order", 2)))
        #expect(try !needsRoom(Self.booked(Self.updated(), on: Self.today), activity("order", 2)))
        #expect(try !needsRoom(Self.updated(.unknown), activity("order", 2)))
        #expect(try !needsRoom(Self.ended(.removal), activity("order", 2)))
        #expect(try needsRoom(Self.ended(.declaredEnd), activity(end: over(9))))
    }
}
