import Diff
import JSON
import Testing
import Time

/// What `state forget` and `state move` write.
struct ByHandTests {
    private let step = StepContext(
        step: Step(7),
        run: RunID("run_1"),
        now: now,
        ids: IdentifierSupply(at: now, entropy: [])
    )

    private func forget(_ target: TargetName, _ records: [any Record]) throws -> [String] {
        var transition = Transition(recorded(records))
        try target.forget(in: &transition, step)
        return lines(transition)
    }

    private func rename(_ target: TargetName, _ scopes: [ScopeSubject: Scope], _ records: [any Record]) -> [String] {
        var transition = Transition(recorded(records))
        target.rename(in: &transition, to: "new", Scopes(scopes), step)
        return lines(transition)
    }

    private func lines(_ transition: Transition) -> [String] {
        var changes = LedgerChanges()
        changes.add(transition)
        return changes.lines
    }

    @Test func aForgottenActivityLeavesItsInstancesToNobody() throws {
        var ending = running("b", ending: .removal)
        ending.pending = [delivery("dlv_2", .end, of: "b")]
        let lines = try forget(
            .activity("order"),
            [
                committed(activity()), committed(activity("two")),
                running(pending: delivery("dlv_1", .update, of: "a")), ending, running("c", of: "two"),
            ]
        )
        #expect(
            lines == [
                "activity order of anna -> -", "a name: ''", "b name: ''", "b ending: -",
                "dlv_1: cancelled (forgotten by hand)", "dlv_2: cancelled (forgotten by hand)",
                "forgotten: anna/activity/order was forgotten by hand",
            ]
        )
    }

    @Test func aLaunchThatWasNotSentIsCancelled() throws {
        var queued = instance("a", .queued)
        queued.pending = [delivery("dlv_1", .start, of: "a")]
        let lines = try forget(.activity("order"), [committed(activity()), queued])
        #expect(
            lines == [
                "activity order of anna -> -", "a name: ''", "a phase: cancelled",
                "dlv_1: cancelled (forgotten by hand)", "forgotten: anna/activity/order was forgotten by hand",
            ]
        )
    }

    @Test(arguments: [Instance.Closure.logout, .revoked])
    func whatNothingMayKeepEndsAllTheSame(_ cause: Instance.Closure) throws {
        var ending = running(ending: cause)
        ending.pending = [delivery("dlv_1", .end, of: "a")]
        let lines = try forget(.activity("order"), [ending])
        #expect(lines == ["a name: ''", "forgotten: anna/activity/order was forgotten by hand"])
    }

    @Test func aForgottenWidgetLeavesThePublishedFile() throws {
        let lines = try forget(.widget("Stats"), [committed(widget("Map")), committed(widget("Stats"))])
        #expect(
            lines == [
                "widget Stats of anna -> -", "forgotten: anna/widget/Stats was forgotten by hand", "unpublished anna",
            ]
        )
    }

    @Test func aMovedActivityTakesItsInstancesAndScopesAlong() {
        let former = ScopeSubject.activity(anna, name: "order", device: "phone")
        let other = ScopeSubject.activity(anna, name: "two", device: "phone")
        let lines = rename(
            .activity("order"),
            [former: Scope(isPaused: true), other: Scope(isPaused: true)],
            [committed(activity()), running(), running("b", of: "two")]
        )
        #expect(
            lines == [
                "activity - -> new of anna", "activity order of anna -> -", "a name: 'new'",
                "scope anna/order/phone 1 paused -> anna/new/phone 1 paused",
                "moved: anna/activity/order was renamed to 'new' by hand",
            ]
        )
    }

    @Test func aMovedWidgetKeepsItsTarget() {
        let lines = rename(
            .widget("Stats"),
            [.widget(anna, name: "Stats"): Scope(isRevoked: true)],
            [committed(widget("Stats"))]
        )
        #expect(
            lines == [
                "widget Stats of anna -> new of anna", "scope anna/Stats 1 revoked -> anna/new 1 revoked",
                "moved: anna/widget/Stats was renamed to 'new' by hand", "unpublished anna",
            ]
        )
    }

    @Test func aScopeThatWasLeftUnderTheNewNameGivesWay() {
        let lines = rename(
            .widget("Stats"),
            [.widget(anna, name: "Stats"): Scope(isPaused: true), .widget(anna, name: "new"): Scope(isRevoked: true)],
            []
        )
        #expect(
            lines.prefix(2) == ["scope anna/new 1 revoked -> -", "scope anna/Stats 1 paused -> anna/new 1 paused"]
        )
    }
}
