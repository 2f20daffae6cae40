import Diff
import JSON
import Testing
import Time

/// What pausing and revoking keep from devices.
struct ScopeTests {
    /// A claim about a plan under some scopes.
    struct Row: Sendable, CustomTestStringConvertible {
        let row: Case
        let scopes: [ScopeSubject: Scope]

        init(
            _ claim: String,
            _ scopes: [ScopeSubject: Scope],
            _ declared: [any Declared],
            _ records: [any Record],
            _ expected: [String]
        ) {
            row = Case(claim, declared, records, expected)
            self.scopes = scopes
        }

        var testDescription: String { row.claim }

        func check() {
            let context = DiffContext(now: now, environments: ["app": [.production]], scopes: Scopes(scopes))
            let plan = OwnerPlan(desired: row.desired, recorded: row.recorded, context: context)
            #expect(plan.lines == row.expected, "\(row.claim)")
        }
    }

    private static let paused = Scope(isPaused: true)
    private static let revoked = Scope(isRevoked: true)
    private static let all = ScopeSubject.subscriber("anna")
    private static let order = ScopeSubject.activity(anna, name: "order", device: "phone")
    private static let start = ScopeSubject.startTarget(StartTargetID("stt_Delivery"))
    private static let widget = ScopeSubject.widget(anna, name: "Stats")
    private static func opened(_ at: Moment) -> Scope { Scope(number: 2, openedAt: at) }

    static let pauses: [Row] = [
        Row(
            "a paused subscriber's states commit, and nothing is sent",
            [all: paused],
            [activity("order", 2), DiffTests.widget("Stats", 2)],
            [
                committed(activity()), committed(DiffTests.widget("Stats")), running(),
                device("phone", widgets: widgets(["Stats"]), target()),
            ],
            [
                "commit widget Stats", "commit order life 1", "held reload phone: paused",
                "held update order on phone: paused",
            ]
        ),
        Row(
            "a paused start target starts nothing and updates go on",
            [start: paused],
            [activity("order", 2), activity("two")],
            [committed(activity()), running(), device("phone")],
            [
                "commit order life 1", "commit two life 1", "update order on phone: state_changed",
                "held start two on phone: paused",
            ]
        ),
        Row(
            "an end by removal is held",
            [order: paused],
            [],
            [committed(activity()), running(), device("phone")],
            ["remove order", "held end order on phone: paused"]
        ),
        Row(
            "an end of a logout is not",
            [all: paused],
            [activity()],
            [committed(activity()), running(ending: .logout)],
            ["end order on phone: logged_out"]
        ),
        Row(
            "another device's activity goes on",
            [order: paused],
            [activity("order", 2)],
            [committed(activity()), device("pad"), device("phone"), running("b", on: "pad"), running()],
            ["commit order life 1", "update order on pad: state_changed", "held update order on phone: paused"]
        ),
        Row(
            "what is queued does not expire meanwhile",
            [all: paused],
            [activity()],
            [committed(activity()), device("phone"), instance("a", .queued, pending: pending(.start, age: .hours(9)))],
            ["held start order on phone: paused"]
        ),
        Row(
            "a paused widget alone reloads nothing; another one takes it along",
            [widget: paused],
            [DiffTests.widget("Map"), DiffTests.widget("Stats", 2)],
            [
                committed(DiffTests.widget("Map")), committed(DiffTests.widget("Stats")),
                device("pad", widgets: widgets(["Map", "Stats"])),
                device("phone", widgets: widgets(["Stats"], owes: true)),
            ],
            ["commit widget Stats", "held reload pad: paused", "reload phone: state_changed"]
        ),
    ]

    static let revocations: [Row] = [
        Row(
            "a revoked activity is not launched again where it was ended",
            [order: revoked],
            [activity()],
            [committed(activity()), device("phone"), closed(.revoked)],
            ["blocked start order on phone: revoked"]
        ),
        Row(
            "what is visible ends",
            [order: revoked],
            [activity()],
            [committed(activity()), device("phone"), running(ending: .revoked)],
            ["end order on phone: revocation", "held start order on phone: earlier_end"]
        ),
        Row(
            "what was kept stays as it is",
            [order: revoked],
            [activity("order", 2)],
            [committed(activity("order", 2)), device("phone"), running()],
            ["blocked update order on phone: revoked"]
        ),
        Row(
            "what was kept is not ended by its removal either",
            [order: revoked],
            [],
            [committed(activity()), device("phone"), running()],
            ["remove order"]
        ),
        Row(
            "a revoked start target blocks",
            [start: revoked],
            [activity()],
            [committed(activity()), device("phone")],
            ["blocked start order on phone: revoked"]
        ),
        Row(
            "a new scope needs a registration newer than itself",
            [start: opened(now - hour)],
            [activity()],
            [committed(activity()), device("phone", target(at: now - hour)), closed(.revoked)],
            ["held start order on phone: reauthorized"]
        ),
        Row(
            "and starts with one",
            [start: opened(now - hour)],
            [activity()],
            [committed(activity()), device("phone", target(at: now - hour + .milliseconds(1))), closed(.revoked)],
            ["start order on phone: relaunch"]
        ),
        Row(
            "a revoked subscriber is not reloaded",
            [all: revoked],
            [DiffTests.widget("Stats", 2)],
            [committed(DiffTests.widget("Stats")), device("phone", widgets: widgets(["Stats"]))],
            ["commit widget Stats", "blocked reload phone: revoked"]
        ),
        Row(
            "nor in the next scope before its device registers again",
            [all: opened(now)],
            [DiffTests.widget("Stats", 2)],
            [committed(DiffTests.widget("Stats")), device("phone", widgets: widgets(["Stats"]))],
            ["commit widget Stats", "held reload phone: reauthorized"]
        ),
    ]

    @Test(arguments: pauses) func pause(_ row: Row) { row.check() }
    @Test(arguments: revocations) func revocation(_ row: Row) { row.check() }

    /// A phone that reports into a revoked scope.
    private func phone(_ subject: ScopeSubject) -> Phone {
        var phone = Phone()
        phone.take(report(1, canStart("aa")))
        phone.take(report(1, hasWidgets("bb")))
        phone.scopes = Scopes([subject: Self.revoked])
        return phone
    }

    @Test func lateReportsRegisterNothing() {
        var phone = phone(Self.all)
        phone.take(report(10, canStart("cc")))
        phone.take(report(10, hasWidgets("dd")))
        phone.take(report(10, runs("x", name: "order")))
        #expect(phone.lines == ["owner anna", "widgets bb Stats", "start Delivery aa"])
        let ignored = "report_ignored: device phone reported into a revoked scope: nothing was registered"
        #expect(phone.log.suffix(3) == [ignored, ignored, ignored])
    }

    @Test func unregisteringIsHeardAllTheSame() {
        var phone = phone(Self.all)
        phone.take(report(10, .widgetsUnregistered))
        phone.take(report(11, .startUnregistered(attributesType: "Delivery")))
        #expect(phone.lines == ["owner anna", "widgets - Stats", "start Delivery -"])
    }

    @Test func theReportOfAnOutstandingLaunchServesToEndIt() {
        var phone = phone(Self.all)
        phone.hold(instance("a", .outstanding, ending: .revoked))
        phone.take(report(now, runs("x", launch: "lrq_a")))
        #expect(phone.lines.last == "a of anna running ending revoked")
    }

    @Test func soDoesOneThatDoesNotSayItsLaunch() {
        var phone = phone(Self.all)
        phone.hold(instance("a", .outstanding, ending: .revoked))
        phone.take(report(now, runs("x")))
        #expect(phone.lines.last == "a of anna running ending revoked")
    }
}
