import Diff
import JSON
import TestDeclarations
import Testing
import Time

/// Changes that are no reason to push, by what differs.
@Suite struct IgnoreTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let pointers: [String]
        let before: Value
        let after: Value
        let isIgnored: Bool

        var testDescription: String { "\(pointers) \(before.canonical) \(after.canonical)" }

        init(_ pointers: [String], _ before: Value, _ after: Value, _ isIgnored: Bool) {
            (self.pointers, self.before, self.after, self.isIgnored) = (pointers, before, after, isIgnored)
        }
    }

    static let rows: [Row] = [
        Row(["/state/clock"], ["clock": 1, "n": 1], ["clock": 2, "n": 1], true),
        Row(["/state/clock"], ["clock": 1, "n": 1], ["clock": 2, "n": 2], false),
        Row(["/state/clock"], ["n": 1], ["clock": 2, "n": 1], true),
        Row(["/state/clock"], ["clock": 1, "n": 1], ["n": 1], true),
        Row(["/state/clock"], ["clock": 1], ["clock": ["at": 2]], true),
        Row(["/state/clock", "/state/n"], ["clock": 1, "n": 1], ["clock": 2, "n": 2], true),
        Row(["/state/at/clock"], ["at": ["clock": 1]], ["at": ["clock": 2]], true),
        Row(["/state/at/clock"], ["at": 1], ["at": ["clock": 2]], false),
        Row(["/state/at/clock"], ["n": 1], ["n": 1, "at": ["clock": 2]], false),
        // The second element stays the second one.
        Row(["/state/a/0", "/state/a/1"], ["a": [1, 2, 3]], ["a": [4, 5, 3]], true),
        Row(["/state/a/0", "/state/a/1"], ["a": [1, 2, 3]], ["a": [4, 5, 6]], false),
        Row(["/state/a/0"], ["a": [1]], ["a": [1, 2]], false),
        Row(["/state/a/x"], ["a": [1]], ["a": [2]], false),
        Row(["/state"], ["n": 1], ["m": [2]], true),
        Row(["/staleAt"], ["n": 1], ["n": 2], false),
    ]

    @Test(arguments: rows)
    func onlyWhatTheRulesPointToIsIgnored(_ row: Row) throws {
        let rules = PointerRules(try row.pointers.map { PointerRules.Rule(.all, try #require(Pointer($0))) })
        let owner = Owner(subscriber: "s", app: "a")
        func declared(_ state: Value) -> Desired {
            let activity = ActivityDeclaration(name: "A", attributesType: "T", state: state, end: .init(state: state))
            return Desired(owner: owner, widgets: [.init(name: "W", state: state)], activities: [activity])
        }
        let (old, new) = (declared(row.before), declared(row.after))
        var recorded = Recorded(owner: owner)
        recorded.widgets = [
            RecordedWidget(
                id: TargetID("tgt_w"),
                declaration: old.widgets[0],
                revision: 1,
                changedStep: 1,
                changedAt: 1
            )
        ]
        recorded.activities = [RecordedActivity(declaration: old.activities[0], life: 1, revision: 1)]
        var settled = new
        #expect(settled.settle(rules, recorded) == (row.isIgnored ? 2 : 0))
        #expect(settled == (row.isIgnored ? old : new))
        // What is settled has nothing to plan, and neither has what is equal.
        let context = DiffContext(now: 0, environments: [:])
        #expect(OwnerPlan(desired: settled, recorded: recorded, context: context).hasChanges == !row.isIgnored)
        var same = old
        #expect(same.settle(rules, recorded) == 0 && same == old)
    }

    @Test func anEndIsAChangeAndARemovedActivityIsNew() throws {
        let rules = PointerRules([.init(.all, try #require(Pointer("/state")))])
        let owner = Owner(subscriber: "s", app: "a")
        let running = ActivityDeclaration(name: "A", attributesType: "T", state: ["n": 1])
        var ended = running
        ended.end = .init(state: ["n": 2])
        var recorded = Recorded(owner: owner)
        recorded.activities = [RecordedActivity(declaration: running, life: 1, revision: 1)]
        var desired = Desired(owner: owner, activities: [ended])
        #expect(desired.settle(rules, recorded) == 0)
        recorded.activities[0].isRemoved = true
        desired.activities[0] = ActivityDeclaration(name: "A", attributesType: "T", state: ["n": 2])
        #expect(desired.settle(rules, recorded) == 0)
    }
}
