import Diff
import JSON
import Testing
import Time

/// What pausing, revoking and reauthorizing write.
struct AuthorityTests {
    /// A claim: what is recorded under a subject, what a person does, and what is written.
    struct Row: Sendable, CustomTestStringConvertible {
        let claim: String
        let subject: ScopeSubject
        let change: ScopeChange
        let scope: Scope?
        let records: [Recorded]
        let expected: [String]

        init(
            _ claim: String,
            _ change: ScopeChange,
            of subject: ScopeSubject,
            in scope: Scope? = nil,
            _ records: [any Record],
            _ expected: [String]
        ) {
            self.claim = claim
            self.subject = subject
            self.change = change
            self.scope = scope
            self.records = [recorded(records)]
            self.expected = expected
        }

        var testDescription: String { claim }

        func check() throws {
            let named = NamedScope(id: "id", subject: subject, recorded: scope)
            let result = try change.applied(to: named, records, at: now)
            #expect(result.changes.lines == expected, "\(claim)")
            #expect(result.outcome.isChanged == !expected.isEmpty, "\(claim)")
        }
    }

    private static let all = ScopeSubject.subscriber("anna")
    private static let order = ScopeSubject.activity(anna, name: "order", device: "phone")
    private static let start = ScopeSubject.startTarget(StartTargetID("stt_Delivery"))
    private static let reloads = ScopeSubject.widgets(WidgetsID("wgt_1"))
    private static let queuedStart = delivery("dlv_1", .start, of: "a", registration: "stt_Delivery")
    private static let paused = "paused: paused: pushes are held, states still commit"
    private static let revoked = "revoked: revoked: what is visible ends, and nothing more is sent"
    private static let kept = "revoked: revoked: what was visible is kept, and nothing more is sent"
    private static let opened = "reauthorized: reauthorized: a new scope is open to what registers from now on"

    private static func launched(_ phase: Instance.Phase, _ deliveries: Delivery...) -> Instance {
        var instance = instance("a", phase)
        instance.startTarget = StartTargetID("stt_Delivery")
        instance.pending = deliveries
        return instance
    }

    static let pauses: [Row] = [
        Row("a pause is noted", .pause, of: all, [running()], ["scope - -> anna 1 paused", paused]),
        Row("a second one changes nothing", .pause, of: all, in: Scope(isPaused: true), [running()], []),
        Row(
            "resuming leaves the row of the first scope",
            .resume,
            of: all,
            in: Scope(isPaused: true),
            [running()],
            ["scope anna 1 paused -> anna 1", "resumed: resumed: the newest state is sent"]
        ),
        Row("resuming what is not paused changes nothing", .resume, of: all, [running()], []),
        Row(
            "a pause after a resume finds that row",
            .pause,
            of: all,
            in: Scope(),
            [],
            ["scope anna 1 -> anna 1 paused", paused]
        ),
    ]

    static let revocations: [Row] = [
        Row(
            "what is queued is cancelled, with the launch that was never sent",
            .revoke(keepsTiles: false),
            of: all,
            [launched(.queued, queuedStart)],
            [
                "a phase: cancelled", "scope - -> anna 1 revoked", "dlv_1: cancelled (its scope was revoked)", revoked,
            ]
        ),
        Row(
            "what is visible ends, and its update is cancelled",
            .revoke(keepsTiles: false),
            of: all,
            [launched(.running, delivery("dlv_1", .update, of: "a"))],
            [
                "a ending: revoked", "scope - -> anna 1 revoked", "dlv_1: cancelled (its scope was revoked)", revoked,
            ]
        ),
        Row(
            "what is kept stays, and what is outstanding ends once it is reported",
            .revoke(keepsTiles: true),
            of: all,
            [running(), instance("b", .outstanding), instance("c", .unconfirmed)],
            ["b ending: revoked", "c ending: revoked", "scope - -> anna 1 revoked", kept]
        ),
        Row(
            "what is being sent settles by its own answer",
            .revoke(keepsTiles: true),
            of: all,
            [launched(.running, delivery("dlv_1", .update, .dispatching(again: false), of: "a"))],
            ["scope - -> anna 1 revoked", kept]
        ),
        Row(
            "an uncertain update stays unknown and is not sent again",
            .revoke(keepsTiles: true),
            of: all,
            [launched(.running, delivery("dlv_1", .update, .unknown, of: "a"))],
            ["scope - -> anna 1 revoked", "dlv_1: lost", kept]
        ),
        Row(
            "an end of a logout is neither cancelled nor another one's",
            .revoke(keepsTiles: false),
            of: all,
            [ended(.logout)],
            ["scope - -> anna 1 revoked", revoked]
        ),
        Row(
            "an end of a removal becomes one of the revocation",
            .revoke(keepsTiles: false),
            of: all,
            [ended(.removal)],
            [
                "a ending: revoked", "scope - -> anna 1 revoked", "dlv_1: cancelled (its scope was revoked)", revoked,
            ]
        ),
        Row(
            "an activity is revoked on one device",
            .revoke(keepsTiles: false),
            of: order,
            [running(), running("b", on: "pad"), running("c", of: "two")],
            ["a ending: revoked", "scope - -> anna/order/phone 1 revoked", revoked]
        ),
        Row(
            "a start target takes its starts and what it started along, and leaves updates of others",
            .revoke(keepsTiles: false),
            of: start,
            [launched(.queued, queuedStart), running("b", pending: delivery("dlv_2", .update, of: "b"))],
            [
                "a phase: cancelled", "scope - -> stt_Delivery 1 revoked",
                "dlv_1: cancelled (its scope was revoked)", revoked,
            ]
        ),
        Row(
            "widgets take their reload along",
            .revoke(keepsTiles: false),
            of: reloads,
            [
                running(),
                device(
                    "phone",
                    widgets: widgets(["Stats"], pending: delivery("dlv_1", .reload, registration: "wgt_1"))
                ),
            ],
            ["scope - -> wgt_1 1 revoked", "dlv_1: cancelled (its scope was revoked)", revoked]
        ),
        Row(
            "a widget declaration alone cancels nothing: a reload is for all widgets of a device",
            .revoke(keepsTiles: false),
            of: .widget(anna, name: "Stats"),
            [device("phone", widgets: widgets(["Stats"], pending: delivery("dlv_1", .reload, registration: "wgt_1")))],
            ["scope - -> anna/Stats 1 revoked", revoked]
        ),
        Row(
            "what is over stays so",
            .revoke(keepsTiles: false),
            of: all,
            [closed(.person), instance("b", .failed)],
            ["scope - -> anna 1 revoked", revoked]
        ),
        Row(
            "revoking again ends what was kept the first time",
            .revoke(keepsTiles: false),
            of: all,
            in: Scope(isRevoked: true),
            [running()],
            ["a ending: revoked"]
        ),
    ]

    private static func ended(_ cause: Instance.Closure) -> Instance {
        var instance = running(ending: cause)
        instance.pending = [delivery("dlv_1", .end, of: "a")]
        return instance
    }

    static let openings: [Row] = [
        Row(
            "the next scope ends what the closed one kept",
            .reauthorize,
            of: all,
            in: Scope(isPaused: true, isRevoked: true),
            [running()],
            ["a ending: revoked", "scope anna 1 paused revoked -> anna 2 paused", opened]
        ),
        Row("what is not revoked needs no new scope", .reauthorize, of: all, [running()], []),
    ]

    @Test(arguments: pauses) func pausesAndResumes(_ row: Row) throws { try row.check() }
    @Test(arguments: revocations) func takesOutOfAClosedScope(_ row: Row) throws { try row.check() }
    @Test(arguments: openings) func opensTheNextScope(_ row: Row) throws { try row.check() }

    @Test func aNewScopeIsOpenFromNowOn() {
        let scope = ScopeChange.reauthorize.scope(after: Scope(number: 3, isRevoked: true), at: now)
        #expect(scope == Scope(number: 4, openedAt: now))
    }

    @Test func onlyWhatRunsIsCountedAsEnding() throws {
        let record = recorded([running(), running("b", ending: .revoked), instance("c", .outstanding), ended])
        let named = NamedScope(id: "anna", subject: Self.all, recorded: nil)
        let result = try ScopeChange.revoke(keepsTiles: false).applied(to: named, [record], at: now)
        #expect(result.outcome.ending == 2)
        #expect(result.outcome.kind == "subscriber")
    }

    private var ended: Instance { running("d", ending: .logout) }

    @Test func aReloadWhoseDeviceLeftIsCancelledToo() throws {
        var record = recorded([])
        record.attach(delivery("dlv_1", .reload, registration: "wgt_1"))
        let named = NamedScope(id: "anna", subject: Self.all, recorded: nil)
        let result = try ScopeChange.revoke(keepsTiles: true).applied(to: named, [record], at: now)
        #expect(result.changes.deliveries.map(\.after?.status) == [.cancelled])
    }
}
