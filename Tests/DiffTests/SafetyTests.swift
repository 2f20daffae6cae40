import Diff
import JSON
import Testing
import Time

/// Limits on what one run may do, and the counts they look at.
struct SafetyTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let claim: String
        let summary: Summary
        let open: Int
        let isSelection: Bool
        let overrides: SafetyOverrides
        let limits: SafetyLimits
        let expected: [SafetyViolation]

        init(
            _ claim: String,
            removals: Int = 0,
            replacements: Int = 0,
            pushes: Int = 0,
            declarations: Int = 1,
            protected: [Text] = [],
            open: Int = 0,
            isSelection: Bool = false,
            allowing overrides: SafetyOverrides = SafetyOverrides(),
            limits: SafetyLimits = SafetyLimits(),
            exceeds expected: SafetyViolation...
        ) {
            self.claim = claim
            var summary = Summary()
            summary.removals = removals
            summary.replacements = replacements
            summary.updates = pushes
            summary.declarations = declarations
            summary.protectedRemovals = protected
            self.summary = summary
            self.open = open
            self.isSelection = isSelection
            self.overrides = overrides
            self.limits = limits
            self.expected = expected
        }

        var testDescription: String { claim }
    }

    static let cases: [Case] = [
        Case("30 % of 20 may be removed", removals: 6, open: 20),
        Case(
            "more may not",
            removals: 7,
            open: 20,
            exceeds: .removed(count: 7, of: 20, limit: 30, isPercent: true, allowed: nil)
        ),
        Case("below 10 running the percentage is one of 10", removals: 3, open: 3),
        Case(
            "… so that 8 of 9 are too many",
            removals: 8,
            open: 9,
            exceeds: .removed(count: 8, of: 9, limit: 30, isPercent: true, allowed: nil)
        ),
        Case(
            "the number is a limit of its own",
            removals: 1001,
            open: 100_000,
            exceeds: .removed(count: 1001, of: 100_000, limit: 1000, isPercent: false, allowed: nil)
        ),
        Case("an override allows its number", removals: 8, open: 9, allowing: SafetyOverrides(removed: 8)),
        Case(
            "… and no more",
            removals: 9,
            open: 9,
            allowing: SafetyOverrides(removed: 8),
            exceeds: .removed(count: 9, of: 9, limit: 8, isPercent: false, allowed: 8)
        ),
        Case("30 % of 20 may be replaced", replacements: 6, open: 20),
        Case(
            "more may not",
            replacements: 7,
            open: 20,
            exceeds: .replaced(count: 7, of: 20, limit: 30, isPercent: true, allowed: nil)
        ),
        Case(
            "100 replacements are the limit, whatever the percentage",
            replacements: 101,
            open: 100_000,
            exceeds: .replaced(count: 101, of: 100_000, limit: 100, isPercent: false, allowed: nil)
        ),
        Case(
            "an override allows replacements",
            replacements: 101,
            open: 100_000,
            allowing: SafetyOverrides(replaced: 101)
        ),
        Case("as many pushes as the limit", pushes: 100_000),
        Case("one more is too many", pushes: 100_001, exceeds: .pushes(count: 100_001, limit: 100_000, allowed: nil)),
        Case("an override allows pushes", pushes: 100_001, allowing: SafetyOverrides(pushes: 100_001)),
        Case("the limits can be set", removals: 2, open: 20, limits: SafetyLimits(maxRemovedPercent: 10)),
        Case(
            "a limit of 0 % allows none",
            removals: 1,
            open: 20,
            limits: SafetyLimits(maxRemovedPercent: 0),
            exceeds: .removed(count: 1, of: 20, limit: 0, isPercent: true, allowed: nil)
        ),
        Case(
            "a protected activity needs an override that names it",
            removals: 1,
            protected: ["order", "flight"],
            open: 20,
            allowing: SafetyOverrides(protected: ["order"]),
            exceeds: .protected(names: ["flight"])
        ),
        Case(
            "nothing declared while something runs is refused",
            removals: 1,
            declarations: 0,
            open: 1,
            exceeds: .empty(open: 1)
        ),
        Case("nothing declared while nothing runs is not", declarations: 0),
        Case("what an earlier run removed goes on ending", declarations: 0, open: 1),
        Case("an empty selection is no empty project", removals: 1, declarations: 0, open: 1, isSelection: true),
        Case(
            "--allow-empty alone is not enough",
            removals: 2,
            declarations: 0,
            open: 20,
            allowing: SafetyOverrides(empty: true),
            exceeds: .empty(open: 20)
        ),
        Case(
            "--allow-removed alone is not enough",
            removals: 2,
            declarations: 0,
            open: 2,
            allowing: SafetyOverrides(removed: 2),
            exceeds: .empty(open: 2)
        ),
        Case(
            "both are, when the number suffices",
            removals: 2,
            declarations: 0,
            open: 3,
            allowing: SafetyOverrides(removed: 2, empty: true)
        ),
        Case(
            "… and not when it does not",
            removals: 3,
            declarations: 0,
            open: 3,
            allowing: SafetyOverrides(removed: 2, empty: true),
            exceeds: .empty(open: 3),
            .removed(count: 3, of: 3, limit: 2, isPercent: false, allowed: 2)
        ),
        Case(
            "every limit that is exceeded is named",
            removals: 8,
            replacements: 8,
            pushes: 20,
            protected: ["order"],
            open: 10,
            limits: SafetyLimits(maxPushes: 10),
            exceeds: .removed(count: 8, of: 10, limit: 30, isPercent: true, allowed: nil),
            .replaced(count: 8, of: 10, limit: 30, isPercent: true, allowed: nil),
            .pushes(count: 20, limit: 10, allowed: nil),
            .protected(names: ["order"])
        ),
    ]

    @Test(arguments: cases) func refusesWhatWasNotMeant(_ row: Case) {
        let violations = row.limits.violations(
            of: row.summary,
            open: row.open,
            isSelection: row.isSelection,
            overrides: row.overrides
        )
        #expect(violations == row.expected, "\(row.claim)")
    }

    static let messages: [(SafetyViolation, String)] = [
        (
            .removed(count: 9, of: 20, limit: 30, isPercent: true, allowed: nil),
            "9 of 20 activities would end because their declarations are gone (limit 30 %); "
                + "--allow-removed 9 or safety.maxRemovedPercent allows it"
        ),
        (
            .removed(count: 9, of: 20, limit: 8, isPercent: false, allowed: 8),
            "9 of 20 activities would end because their declarations are gone (--allow-removed 8 allows fewer); "
                + "--allow-removed 9 allows it"
        ),
        (
            .replaced(count: 101, of: 5000, limit: 100, isPercent: false, allowed: nil),
            "101 of 5000 activities would be replaced (limit 100); --allow-replaced 101 or safety.maxReplaced allows it"
        ),
        (
            .pushes(count: 11, limit: 10, allowed: nil),
            "11 pushes would be sent (limit 10); --allow-pushes 11 or safety.maxPushes allows it"
        ),
        (
            .protected(names: ["order"]),
            "protected activities would end because their declarations are gone: 'order'; "
                + "--allow-protected order allows it"
        ),
        (
            .empty(open: 3),
            "the files declare nothing while 3 activities are running or outstanding; if that is meant, "
                + "--allow-empty --allow-removed 3 ends them"
        ),
    ]

    @Test(arguments: messages)
    func saysTheNumbersTheLimitAndTheWayOut(_ violation: SafetyViolation, _ message: String) {
        #expect(violation.description == message)
    }

    // MARK: - Counts

    /// Counts the plan of one owner.
    private func summary(_ declared: [any Declared], _ records: [any Record]) -> Summary {
        var summary = Summary()
        summary.count(DiffTests.Case("", declared, records, []).plan)
        return summary
    }

    @Test func countsPushesByKind() {
        let summary = summary(
            [widget("Stats", 2), activity("one", 2), activity("two"), activity("three", end: over)],
            [
                committed(widget("Stats")), committed(activity("one")), committed(activity("three")),
                device("phone", widgets: widgets(["Stats"]), target()), running("a", of: "one"),
                running("b", of: "three"),
            ]
        )
        #expect(summary.starts == 1)
        #expect(summary.updates == 1)
        #expect(summary.ends == 1)
        #expect(summary.reloads == 1)
        #expect(summary.pushes == 4)
        #expect(summary.commits == 4)
        #expect(summary.hasChanges)
    }

    @Test func anEndInTheFileIsNoRemoval() {
        let summary = summary([activity(end: over)], [committed(activity()), running()])
        #expect(summary.ends == 1)
        #expect(summary.removals == 0)
    }

    @Test func removingCountsWhatRunsAndWhatIsOutstanding() {
        let records: [any Record] = [
            committed(activity("one")), committed(activity("three")), committed(activity("two")),
            running("a", of: "one"), instance("b", .outstanding, of: "two"), instance("c", .queued, of: "three"),
        ]
        #expect(summary([], records).removals == 2)
    }

    @Test func aRemovalThatAnEarlierRunDecidedIsNotCountedAgain() {
        let summary = summary([], [removed(activity()), running()])
        #expect(summary.ends == 1)
        #expect(summary.removals == 0)
    }

    @Test func aRemovalThatCannotBeSentIsCountedAllTheSame() {
        #expect(summary([], [committed(activity()), instance("a", .running, .sandbox)]).removals == 1)
    }

    @Test func logoutIsNoRemoval() {
        #expect(summary([], [committed(activity()), running(ending: .logout)]).removals == 0)
    }

    @Test func protectionOfWhatWasCommittedCounts() {
        let protected = activity(protect: true)
        #expect(summary([], [committed(protected), running()]).protectedRemovals == ["order"])
        #expect(summary([], [committed(protected), outstanding()]).protectedRemovals == ["order"])
        #expect(summary([], [committed(protected), closed(.person)]).protectedRemovals == [])
        #expect(summary([activity(end: over)], [committed(protected), running()]).protectedRemovals == [])
    }

    @Test func whatAnOverrideNamesTakesNoPlaceAmongTheProtected() {
        var summary = Summary(allowedProtected: ["order"])
        let records: [any Record] = [
            committed(activity("flight", protect: true)), committed(activity(protect: true)),
            running("a", of: "flight"), running("b"),
        ]
        summary.count(DiffTests.Case("", [], records, []).plan)
        #expect(summary.protectedRemovals == ["flight"])
        #expect(summary.removals == 2)
    }

    @Test func countsReplacementsThatAreSent() {
        let changed = [activity(generation: "2")]
        #expect(summary(changed, [committed(activity()), device("phone"), running()]).replacements == 1)
        #expect(summary(changed, [committed(activity()), running()]).replacements == 0)
        #expect(summary(changed, [committed(activity()), running()]).blocked == 1)
    }

    @Test func knowsTheFirstTimeAnythingIsDue() {
        let waits: [(Text, Span)] = [("one", hour), ("three", minute), ("two", .hours(2))]
        let summary = summary(
            waits.map { name, _ in activity(name, 2) },
            waits.flatMap { name, wait -> [any Record] in
                [committed(activity(name, 2)), running(name, of: name, pending: pending(.update, until: now + wait))]
            }
        )
        #expect(summary.waiting == 3)
        #expect(summary.waitingUntil == now + minute)
        #expect(!summary.hasChanges)
    }

    @Test func whatOnlyTheLedgerNotesIsNoChange() {
        let summary = summary([activity()], [committed(activity()), running(age: .hours(9))])
        #expect(!summary.hasChanges)
        #expect(!DiffTests.Case("", [activity()], [committed(activity()), running(age: .hours(9))], []).plan.isEmpty)
    }
}
