import Diff
import JSON
import Testing
import Time

/// What a new day does to pushes that wait, and what becomes of those that find no room.
struct QuotaRenewalTests {
    private static let today = UTCDay(at: now)

    private func book(_ left: Int) -> QuotaBook {
        QuotaBook(day: Self.today, sums: QuotaDay(limit: left))
    }

    private func waiting(_ id: Text, cost: Int = 1, on day: UTCDay? = UTCDay(at: now - .days(1))) -> Delivery {
        var delivery = delivery(id, .update, of: "a")
        (delivery.cost, delivery.quotaDay) = (cost, day)
        return delivery
    }

    @Test func theFirstOnesInTheOrderOfSendingFindRoom() {
        var book = book(2)
        let result = book.renew([waiting("1"), waiting("2", on: nil), waiting("3")])
        #expect(result.renewed.map(\.after?.id.text) == ["1", "2"])
        #expect(result.renewed.map(\.after?.quotaDay) == [Self.today, Self.today])
        #expect(result.refused.map(\.id.text) == ["3"])
        #expect(book.sums.reserved == 2)
    }

    @Test func whatHoldsCapacityOrNeedsNoneIsLeftAlone() {
        var book = book(0)
        var sending = waiting("3")
        sending.state = .dispatching(again: false)
        var uncertain = waiting("4")
        uncertain.state = .unknown
        let result = book.renew([waiting("1", on: Self.today), waiting("2", cost: 0, on: nil), sending, uncertain])
        #expect(result.renewed.isEmpty)
        #expect(result.refused.isEmpty)
    }

    private func takeBack(_ delivery: Delivery, isAskedFor: Bool = false, _ records: [any Record]) throws -> [String] {
        var transition = Transition(recorded(records))
        try delivery.takeBack(in: &transition, isRequested: isAskedFor, at: now)
        var changes = LedgerChanges()
        changes.add(transition)
        return changes.lines
    }

    private let note = "(the day's quota is used up; it is planned anew)"

    @Test func aStartIsTakenBackWithItsLaunch() throws {
        let start = delivery("dlv_1", .start, of: "a")
        var queued = instance("a", .queued)
        queued.pending = [start]
        #expect(try takeBack(start, [queued]) == ["a phase: cancelled", "dlv_1: cancelled \(note)"])
    }

    @Test func onlyAReloadThatAPersonAskedForIsOwed() throws {
        let reload = delivery("dlv_1", .reload, registration: "wgt_1")
        let phone = device("phone", widgets: widgets(["Stats"], pending: reload))
        #expect(try takeBack(reload, [phone]) == ["dlv_1: cancelled \(note)"])
        #expect(
            try takeBack(reload, isAskedFor: true, [phone]) == [
                "wgt_1 owes a reload: true", "dlv_1: cancelled \(note)",
            ]
        )
    }

    // MARK: - Reloads that a person asks for

    private func queue(_ registration: WidgetRegistration, quota: QuotaBook? = nil) -> [String] {
        var step = StepContext(
            step: Step(7),
            run: RunID("run_1"),
            now: now,
            ids: IdentifierSupply(at: now, entropy: []),
            quota: quota
        )
        var transition = Transition(recorded([device("phone", widgets: registration)]))
        let reload = RequestedReload(registration, under: Scopes(), hasCredential: true)
        guard case .queued = reload.queue(in: &transition, &step).decision else { return ["refused"] }
        var changes = LedgerChanges()
        changes.add(transition)
        return changes.lines.map { $0.hasPrefix("dlv_7") ? "new" + $0.dropFirst(30) : $0 }
    }

    @Test func aReloadIsQueuedAtOnce() {
        #expect(queue(widgets(["Stats"])) == ["operation reload", "new: queued production"])
    }

    @Test func oneThatWaitsIsSentInItsPlace() {
        var waiting = delivery("dlv_1", .reload, registration: "wgt_1")
        waiting.notBefore = now + hour
        #expect(queue(widgets(["Stats"], pending: waiting)) == ["dlv_1: at once"])
    }

    @Test func itNeedsRoomInTheDaysQuota() {
        #expect(queue(widgets(["Stats"]), quota: book(0)) == ["refused"])
        #expect(queue(widgets(["Stats"]), quota: book(1)) == ["operation reload", "new: queued production booked"])
    }
}
