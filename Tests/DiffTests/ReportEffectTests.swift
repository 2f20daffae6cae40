import Diff
import JSON
import Testing
import Time

/// What device reports do to pushes, to other devices and to the log.
struct ReportEffectTests {
    /// A phone of Anna's with widgets, a start target, and what is on it.
    private func phone(reload: Delivery? = nil, _ instances: Instance...) -> Phone {
        var phone = Phone()
        phone.take(report(1, hasWidgets("aa")))
        phone.take(report(1, canStart("bb")))
        if let reload { phone.record.widgets?.pending = reload }
        for instance in instances { phone.hold(instance) }
        return phone
    }

    private func lines(_ phone: Phone, _ event: Report.Event, by subscriber: Text = "anna", at: Moment = now) throws
        -> [String]
    {
        let context = ReportContext(
            subscriber: subscriber,
            anonymousIs: subscriber.isAnonymous ? subscriber : nil,
            fresh: FreshIDs(
                widgets: WidgetsID("wgt_n"),
                startTarget: StartTargetID("stt_n"),
                target: TargetID("tgt_n")
            ),
            now: now
        )
        var changes = LedgerChanges()
        changes.add(try phone.record.applied(report(at, event, by: subscriber), context))
        return changes.lines
    }

    private let reload = delivery("dlv_1", .reload, registration: "wgt_1")

    private func launched(_ state: DeliveryState, _ phase: Instance.Phase = .outstanding) -> Instance {
        var instance = instance("a", phase)
        instance.pending = [delivery("dlv_1", .start, state, of: "a", registration: "stt_2")]
        return instance
    }

    // MARK: - Settled pushes

    @Test(arguments: [DeliveryState.queued, .dispatching(again: false), .unknown, .lost])
    func aReportedLaunchHasArrived(_ state: DeliveryState) throws {
        let lines = try lines(phone(launched(state)), runs("x", launch: "lrq_a"))
        #expect(lines.contains("dlv_1: accepted (the device reported its launch)"))
        #expect(lines.contains("adopted: the device reported its launch") == false)
        #expect(lines.contains("adopted: on device phone: the device reported its launch"))
    }

    @Test func whatIsQueuedForAnActivityThatIsOverIsCancelled() throws {
        let lines = try lines(
            phone(running(pending: delivery("dlv_1", .update, of: "a"), delivery("dlv_2", .end, .unknown, of: "a"))),
            isOver("activity-a")
        )
        #expect(lines.filter { $0.hasPrefix("dlv") } == ["dlv_1: cancelled", "dlv_2: lost"])
        #expect(lines.last == "closed: closed on device phone: person")
    }

    @Test func whatIsBeingSentSettlesByItsOwnAnswer() throws {
        let update = delivery("dlv_1", .update, .dispatching(again: false), of: "a")
        let lines = try lines(phone(running(pending: update)), isOver("activity-a"))
        #expect(!lines.contains { $0.hasPrefix("dlv") })
    }

    @Test func aLaunchThatIsOverBeforeItWasReportedIsNotSentAgain() throws {
        let isUnknown = try lines(phone(launched(.unknown)), isOver(launch: "lrq_a"))
        #expect(isUnknown.contains("dlv_1: lost"))
        // Nothing is left to settle: its time was over before.
        let isLost = try lines(phone(launched(.lost)), isOver(launch: "lrq_a"))
        #expect(!isLost.contains { $0.hasPrefix("dlv") })
        #expect(isLost.contains("a phase: closed(Diff.Instance.Closure.person)"))
    }

    @Test func anEndIsCancelledWhereThePersonIsBack() throws {
        var phone = phone(running(ending: .logout, pending: delivery("dlv_1", .end, of: "a")))
        phone.record.owner = nil
        let lines = try lines(phone, canStart("cc"))
        #expect(lines.contains("a ending: -"))
        #expect(lines.contains("dlv_1: cancelled"))
    }

    @Test(arguments: [Report.Event.loggedOut, .widgetsUnregistered])
    func aReloadIsCancelledWithItsRegistration(_ event: Report.Event) throws {
        let lines = try lines(phone(reload: reload), event)
        #expect(lines.contains("wgt_1 token: -"))
        #expect(lines.contains("dlv_1: cancelled"))
    }

    @Test func aReloadStaysWithANewToken() throws {
        let lines = try lines(phone(reload: reload), hasWidgets("cc"))
        #expect(lines == ["wgt_1 token: cc", "device phone of anna"])
    }

    // MARK: - Environments

    @Test func whatIsQueuedGoesWhereItsTokenIsValidNow() throws {
        #expect(try lines(phone(reload: reload), hasWidgets("cc", in: .sandbox)).contains("dlv_1: sandbox"))
        let start = try lines(phone(launched(.queued, .queued)), canStart("cc", in: .sandbox))
        #expect(start.contains("dlv_1: sandbox"))
        let update = delivery("dlv_1", .update, of: "a", .sandbox)
        var running = running(pending: update)
        running.environment = .sandbox
        let lines = try lines(phone(running), runs("activity-a", launch: "lrq_a"))
        #expect(lines.contains("dlv_1: production"))
    }

    @Test func aStartOfSomebodyWhoLeftStaysWhereItWas() throws {
        let lines = try lines(phone(launched(.queued, .queued)), canStart("cc", in: .sandbox), by: "ben")
        #expect(lines.contains("stt_2 of ben"))
        #expect(lines.contains("dlv_1: sandbox"), "it was the owner's when the report came")
        var foreign = phone(launched(.queued, .queued))
        foreign.record.owner = "ben"
        #expect(try !self.lines(foreign, canStart("cc", in: .sandbox), by: "ben").contains("dlv_1: sandbox"))
    }

    // MARK: - Other devices

    @Test func aTokenThatIsTakenIsLostElsewhereAndForAnotherType() throws {
        var phone = phone()
        let elsewhere = OnDevice(app: "app", device: "pad", subscriber: "ben", row: target(token: "cc", at: 2))
        phone.take(report(2, canStart("cc", "Ride")))
        let here = try #require(phone.record.startTargets.last)
        let context = ReportContext(
            subscriber: "anna",
            holders: TokenHolders(
                startTargets: [elsewhere, OnDevice(app: "app", device: "phone", subscriber: "anna", row: here)]
            ),
            fresh: FreshIDs(
                widgets: WidgetsID("wgt_n"),
                startTarget: StartTargetID("stt_n"),
                target: TargetID("tgt_n")
            ),
            now: now
        )
        let transition = try phone.record.applied(report(3, canStart("cc")), context)
        #expect(transition.startTargets.map(\.after?.device) == ["pad"])
        #expect(transition.record.startTargets.map(\.token) == ["cc", nil])
    }

    @Test func whatWasAnAnonymousIDsIsNotWrittenTwice() throws {
        var phone = Phone()
        phone.take(report(1, hasWidgets("aa"), by: "anon_1"))
        let anonymous = Owner(subscriber: "anon_1", app: "app")
        phone.record.widgets?.pending = delivery("dlv_1", .reload, owner: anonymous, registration: "wgt_1")
        let transition = try phone.record.applied(
            report(2, canStart("bb")),
            ReportContext(
                subscriber: "anna",
                fresh: FreshIDs(
                    widgets: WidgetsID("wgt_n"),
                    startTarget: StartTargetID("stt_n"),
                    target: TargetID("tgt_n")
                ),
                now: now
            )
        )
        #expect(transition.aliases == [Alias(app: "app", anonymous: "anon_1", person: "anna")])
        #expect(transition.before.owner == "anna")
        var changes = LedgerChanges()
        changes.add(transition)
        #expect(
            changes.lines == [
                "wgt_1 owes a reload: true", "stt_n of anna", "stt_n token: bb", "device phone of anna",
            ]
        )
        #expect(transition.record.widgets?.pending?.owner == anna)
    }

    // MARK: - The log

    /// What an activity is reported as, and what the log says.
    static let reported: [(event: Report.Event, lines: [String])] = [
        (runs("x", name: "order"), ["adopted: 'order' runs on device phone: the app started it"]),
        (runs("x", launch: "lrq_z"), ["unknown_launch: an activity of an unknown launch runs on phone"]),
        (runs("x"), ["unattributed: an activity runs on phone without id or name"]),
        (isOver("x"), []),
    ]

    @Test(arguments: reported) func notesWhatAppears(_ event: Report.Event, _ expected: [String]) {
        var phone = Phone()
        phone.take(report(now, event))
        #expect(phone.log == expected)
    }

    @Test func notesWhatIsToldFromDeviceAndTypeAlone() {
        var phone = Phone()
        phone.hold(outstanding())
        phone.take(report(now, runs("x")))
        #expect(
            phone.log == [
                "adopted: on device phone: the device reported its launch",
                "only_candidate: told from device phone and type alone: its report had no id",
            ]
        )
        phone.hold(outstanding("b"))
        phone.take(report(now, runs("x", launch: "lrq_b")))
        #expect(
            phone.log.dropFirst(2) == [
                "detached: what runs on device phone is of another launch after all",
                "adopted: on device phone: the device reported its launch",
            ]
        )
    }

    @Test func notesHowALaunchEnded() {
        var phone = Phone()
        phone.hold(running(ending: .duplicate))
        phone.hold(running("b", ending: .replaced))
        phone.hold(running("c", ending: .removal))
        for id in ["a", "b", "c"] { phone.take(report(now, isOver(Text("activity-\(id)")))) }
        #expect(
            phone.log == [
                "duplicate_ended: on device phone: ended; another instance of the same declaration was kept",
                "replaced: on device phone: ended; a newer instance took its place",
                "closed: closed on device phone: removal",
            ]
        )
    }

    static let lives: [(declared: DeclaredLife?, expected: Int64)] = [
        (nil, 1), (DeclaredLife(life: 3, isRemoved: false), 3), (DeclaredLife(life: 3, isRemoved: true), 4),
    ]

    @Test(arguments: lives)
    func anActivityOfTheAppBelongsToTheLifeThatRunsOrComesNext(_ declared: DeclaredLife?, _ life: Int64) {
        var phone = Phone()
        phone.declared = declared
        phone.take(report(now, runs("x", name: "order")))
        #expect(phone.record.instances.first?.instance.life == life)
    }
}
