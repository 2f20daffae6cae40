import Diff
import JSON
import Testing
import Time

/// What becomes of a push, and of what it was for.
struct AnswerTests {
    /// One claim about the outcome of the push of the only open delivery of a record.
    struct Row: Sendable, CustomTestStringConvertible {
        let claim: String
        let recorded: Recorded
        let settlement: Settlement
        var answer = DeliveryAnswer()
        let expected: [String]

        init(
            _ claim: String,
            _ records: [any Record],
            _ settlement: Settlement,
            answer: DeliveryAnswer = DeliveryAnswer(),
            _ expected: [String]
        ) {
            self.claim = claim
            recorded = DiffTests.recorded(records)
            self.settlement = settlement
            self.answer = answer
            self.expected = expected
        }

        var testDescription: String { claim }

        func check() throws {
            let (push, record) = try AnswerTests.sent(recorded)
            let attempt = Attempt(push, settlement, answer: answer, run: RunID("run"), at: now + .seconds(1))
            var transition = Transition(record)
            let settled = try attempt.settle(in: &transition)
            #expect(transition.lines == expected, "\(claim)")
            #expect(settled.answer.status == answer.status && settled.answer.at == now + .seconds(1), "\(claim)")
            if case .unknown(let later) = settlement { #expect(settled.notBefore == later, "\(claim)") }
        }
    }

    /// The push of the only open delivery of a record, and the record once it is marked.
    static func sent(_ recorded: Recorded) throws -> (Push, Recorded) {
        var dispatch = Dispatch(step: 9, now: now)
        var transition = Transition(recorded)
        let delivery = try #require(recorded.openDeliveries.first)
        let push = try dispatch.send(delivery, of: &transition)
        return (try #require(push), transition.record)
    }

    private static let later = now + .minutes(15)

    static func launched() -> [any Record] {
        [committed(activity()), device("phone"), instance("a", .queued, pending: pending(.start))]
    }

    static func updated(_ status: DeliveryStatus = .queued) -> [any Record] {
        let shows = status == .unknown ? activity("order", 2).content : activity().content
        let rejection = Rejection(revision: 1, tokenAt: 0)
        return [
            committed(activity("order", 2)),
            running(shows: shows, rejected: rejection, pending: pending(.update, status)),
        ]
    }

    private static func ended(_ cause: Instance.Closure) -> [any Record] {
        [removed(activity()), running(ending: cause, pending: pending(.end))]
    }

    private static func reloaded() -> [any Record] {
        var reload = pending(.reload)
        reload.registration = "wgt_1"
        return [
            device(
                "phone",
                widgets: widgets(["Stats"], owes: true, rejected: Rejection(revision: 1, tokenAt: 0), pending: reload)
            )
        ]
    }

    static let accepted: [Row] = [
        Row("an accepted start waits for the device's report", launched(), .accepted, ["start dispatching → accepted"]),
        Row(
            "an accepted update is what is shown, and lifts what held it",
            updated(),
            .accepted,
            ["update dispatching → accepted", "a shows 2 updated +1 s lifted"]
        ),
        Row(
            "an accepted end closes for its cause",
            ended(.logout),
            .accepted,
            ["end dispatching → accepted", "a closed: logout"]
        ),
        Row(
            "an accepted reload pays what was owed",
            reloaded(),
            .accepted,
            ["reload dispatching → accepted", "widgets reloaded to 9 reloaded +1 s owe nothing lifted"]
        ),
        Row(
            "a resend that is accepted settles what was unknown",
            updated(.unknown),
            .accepted,
            ["update dispatching again → accepted", "a updated +1 s lifted"]
        ),
    ]

    @Test(arguments: accepted) func recordsWhatWasAccepted(_ row: Row) throws { try row.check() }

    private static let busy = DeliveryAnswer(status: 503, reason: "ServiceUnavailable")
    private static let refused = DeliveryAnswer(note: "the stream was refused")

    static let requeued: [Row] = [
        Row(
            "a start that was not processed is no launch yet",
            launched(),
            .requeued(notBefore: later),
            answer: busy,
            [
                "start dispatching → queued not before +15 min",
                "a queued started never expires never shows nothing",
                "log start_queued lrq_a: on device phone: queued again: 503 ServiceUnavailable",
            ]
        ),
        Row(
            "what was not even answered is no line of the log",
            updated(),
            .requeued(notBefore: .never),
            answer: refused,
            ["update dispatching → queued (the stream was refused)"]
        ),
        Row(
            "a resend that was not processed stays unknown",
            updated(.unknown),
            .requeued(notBefore: later),
            answer: busy,
            [
                "update dispatching again → unknown not before +15 min",
                "log update_queued lrq_a: on device phone: queued again: 503 ServiceUnavailable",
            ]
        ),
        Row(
            "a reload is logged by its registration",
            reloaded(),
            .requeued(notBefore: later),
            answer: busy,
            [
                "reload dispatching → queued not before +15 min",
                "log reload_queued wgt_1: on device phone: queued again: 503 ServiceUnavailable",
            ]
        ),
    ]

    @Test(arguments: requeued) func requeuesWhatWasNotProcessed(_ row: Row) throws { try row.check() }

    private static let silent = DeliveryAnswer(note: "the connection was lost")

    static let unknown: [Row] = [
        Row(
            "a start that may have arrived stays outstanding",
            launched(),
            .unknown(notBefore: .never),
            answer: silent,
            [
                "start dispatching → unknown (the connection was lost)",
                "log start_unknown lrq_a: on device phone: unknown: the connection was lost",
            ]
        ),
        Row(
            "an update that may have arrived counts as shown",
            updated(),
            .unanswered(at: now),
            answer: silent,
            [
                "update dispatching → unknown not before +1 min (the connection was lost)",
                "a shows 2 updated +1 s lifted",
                "log update_unknown lrq_a: on device phone: unknown: the connection was lost",
            ]
        ),
        Row(
            "an end that may have arrived closes nothing",
            ended(.removal),
            .unanswered(at: now),
            answer: silent,
            [
                "end dispatching → unknown not before +1 min (the connection was lost)",
                "log end_unknown lrq_a: on device phone: unknown: the connection was lost",
            ]
        ),
        Row(
            "a reload that may have arrived counts for the interval, and stays owed",
            reloaded(),
            .unanswered(at: now),
            answer: silent,
            [
                "reload dispatching → unknown not before +1 min (the connection was lost)", "widgets reloaded +1 s",
                "log reload_unknown wgt_1: on device phone: unknown: the connection was lost",
            ]
        ),
    ]

    @Test(arguments: unknown) func remembersWhatMayHaveArrived(_ row: Row) throws { try row.check() }

    static let rejected: [Row] = [
        Row(
            "a refused start fails its launch",
            launched(),
            .rejected,
            ["start dispatching → failed", "a failed held at 1", "resolved lrq_a failed"]
        ),
        Row(
            "a refused update holds its revision for this token",
            updated(),
            .rejected,
            ["update dispatching → failed", "a held at 1"]
        ),
        Row(
            "a refused resend counts as not sent",
            updated(.unknown),
            .rejected,
            ["update dispatching again → lost", "a shows nothing held at 1"]
        ),
        Row("a refused end is held", ended(.removal), .rejected, ["end dispatching → failed", "a held at 1"]),
        Row(
            "a refused reload holds its step",
            reloaded(),
            .rejected,
            ["reload dispatching → failed", "widgets held at 9"]
        ),
    ]

    @Test(arguments: rejected) func holdsWhatWasRefused(_ row: Row) throws { try row.check() }

    static let dead: [Row] = [
        Row(
            "a dead start token leaves its registration, and the launch fails",
            launched(),
            .invalidEndpoint(at: nil),
            [
                "start dispatching → failed", "a failed", "stt_Delivery loses its token", "dead aa at +1 s",
                "resolved lrq_a failed", "log invalid_endpoint stt_Delivery: the token aa… of device phone is dead",
            ]
        ),
        Row(
            "a dead update token closes its activity",
            updated(),
            .invalidEndpoint(at: now),
            [
                "update dispatching → failed", "a closed: gone loses its token", "dead cc at now",
                "log invalid_endpoint a: the token cc… of device phone is dead",
            ]
        ),
        Row(
            "… for the reason that it was to end for",
            ended(.logout),
            .invalidEndpoint(at: now),
            [
                "end dispatching → failed", "a closed: logout loses its token", "dead cc at now",
                "log invalid_endpoint a: the token cc… of device phone is dead",
            ]
        ),
        Row(
            "… with what else waits for it",
            [
                removed(activity()),
                running(ending: .removal, pending: pending(.end), pending(.update)),
            ],
            .invalidEndpoint(at: now),
            [
                "end dispatching → failed", "update queued → cancelled", "a closed: removal loses its token",
                "dead cc at now", "log invalid_endpoint a: the token cc… of device phone is dead",
            ]
        ),
        Row(
            "a dead widget token leaves its registration",
            reloaded(),
            .invalidEndpoint(at: now),
            [
                "reload dispatching → failed", "widgets lose their token", "dead bb at now",
                "log invalid_endpoint wgt_1: the token bb… of device phone is dead",
            ]
        ),
        Row(
            "a token that was reported after its death is held until the next report",
            updated(),
            .invalidEndpoint(at: now - .hours(2)),
            ["update dispatching → failed", "a held at its token"]
        ),
        Row(
            "… a start with its launch",
            launched(),
            .invalidEndpoint(at: now - .hours(3)),
            ["start dispatching → failed", "a failed held at its token", "resolved lrq_a failed"]
        ),
    ]

    @Test(arguments: dead) func removesDeadTokens(_ row: Row) throws { try row.check() }

    @Test func aTokenThatMovedOnStays() throws {
        var (push, record) = try Self.sent(recorded(Self.reloaded()))
        record.devices[0].widgets?.token = "ee"
        var transition = Transition(record)
        push.delivery.notBefore = .never
        try Attempt(push, .invalidEndpoint(at: nil), answer: DeliveryAnswer(), run: RunID("run"), at: now)
            .settle(in: &transition)
        #expect(transition.record.devices[0].widgets?.token == "ee")
        #expect(transition.deadTokens.map(\.token) == ["bb"])
    }

    @Test func aSuspectIsTriedLastAndSettledOnceItIsBelieved() throws {
        var (push, record) = try Self.sent(recorded(Self.launched()))
        var transition = Transition(record)
        let requeue = Settlement.requeued(notBefore: .never)
        let doubt = Attempt(push, requeue, answer: DeliveryAnswer(note: "BadDeviceToken"), run: RunID("run"), at: now)
        push.delivery = try doubt.settle(in: &transition)
        record = transition.record
        #expect(push.delivery.state == .queued && record.instances[0].phase == .queued)

        var last = Transition(record)
        try push.delivery.suspect(in: &last)
        #expect(last.lines == ["start queued → queued rank 4"])

        var believed = Transition(record)
        let answer = DeliveryAnswer(status: 400, reason: "BadDeviceToken")
        let death = Attempt(push, .invalidEndpoint(at: nil), answer: answer, run: RunID("run"), at: now)
        #expect(try death.settle(in: &believed).state == .failed)
        #expect(believed.record.instances[0].phase == .failed)
        #expect(believed.record.devices[0].startTargets[0].token == nil)
    }

    static let recovered: [(records: [any Record], lines: [String])] = [
        (
            launched(),
            [
                "start dispatching → unknown (the run that sent it died)",
                "log start_unknown lrq_a: on device phone: unknown: the run that sent it died",
            ]
        ),
        (
            updated(),
            [
                "update dispatching → unknown (the run that sent it died)", "a shows 2 updated now",
                "log update_unknown lrq_a: on device phone: unknown: the run that sent it died",
            ]
        ),
        (
            ended(.removal),
            [
                "end dispatching → unknown (the run that sent it died)",
                "log end_unknown lrq_a: on device phone: unknown: the run that sent it died",
            ]
        ),
        (
            reloaded(),
            [
                "reload dispatching → unknown (the run that sent it died)",
                "log reload_unknown wgt_1: on device phone: unknown: the run that sent it died",
            ]
        ),
    ]

    @Test(arguments: recovered.indices) func whatADeadRunWasSendingMayHaveArrived(_ index: Int) throws {
        let (push, record) = try Self.sent(recorded(Self.recovered[index].records))
        var transition = Transition(record)
        try push.delivery.recover(in: &transition, run: RunID("run"), at: now)
        #expect(transition.lines == Self.recovered[index].lines)
    }
}
