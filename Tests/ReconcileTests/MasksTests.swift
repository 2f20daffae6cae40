import Diff
import JSON
import Reconcile
import TestDeclarations
import Testing
import Time

/// What a plan shows of a change where something is sensitive.
@Suite struct MasksTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let pointers: [String]
        let before: Value
        let after: Value
        let edits: [String]

        var testDescription: String { "\(pointers) \(before.canonical) \(after.canonical)" }

        init(_ pointers: [String], _ before: Value, _ after: Value, _ edits: [String]) {
            (self.pointers, self.before, self.after, self.edits) = (pointers, before, after, edits)
        }
    }

    static let rows: [Row] = [
        Row(["/state/code"], ["code": 1], ["code": 2], [#"replace /state/code "*** (before)" "*** (after)""#]),
        Row(["/state/code"], ["code": 1], ["code": 1.0], []),
        Row(["/state/code"], ["code": "a", "n": 1], ["code": "a", "n": 2], ["replace /state/n 1 2"]),
        Row(["/state/code"], [:], ["code": 2], [#"add /state/code "*** (after)""#]),
        Row(["/state/code"], ["code": 1], [:], [#"remove /state/code "*** (before)""#]),
        Row(["/state/code"], ["code": .null], ["code": 2], [#"replace /state/code "*** (before)" "*** (after)""#]),
        Row(
            ["/state/who"],
            ["who": ["name": "a"]],
            ["who": ["name": "b"]],
            [
                #"replace /state/who "*** (before)" "*** (after)""#
            ]
        ),
        Row(["/state"], ["who": "a"], ["who": "b"], [#"replace /state "*** (before)" "*** (after)""#]),
        Row(["/state", "/state/who"], ["who": "a"], ["who": "b"], [#"replace /state "*** (before)" "*** (after)""#]),
        Row(["/state/who", "/state"], ["who": "a"], ["who": "b"], [#"replace /state "*** (before)" "*** (after)""#]),
        // What is no object yet, or no more, is hidden as a whole.
        Row(
            ["/state/who/name"],
            ["who": "a"],
            ["who": ["name": "b"]],
            [
                #"replace /state/who "*** (before)" {"name":"*** (after)"}"#
            ]
        ),
        Row(
            ["/state/list/0"],
            ["list": ["a", "b"]],
            ["list": ["c", "d"]],
            [
                #"replace /state/list ["*** (before)","b"] ["*** (after)","d"]"#
            ]
        ),
        Row(
            ["/state/list/name"],
            ["list": ["a"]],
            ["list": ["b"]],
            [
                #"replace /state/list "*** (before)" "*** (after)""#
            ]
        ),
        Row(["/state/list/9"], ["list": ["a"]], ["list": ["b"]], [#"replace /state/list/0 "a" "b""#]),
        Row(["/attributes/x"], ["x": 1], ["x": 2], ["replace /state/x 1 2"]),
    ]

    @Test(arguments: rows)
    func marksStandInPlaceOfWhatIsSensitive(_ row: Row) throws {
        let rules = try row.pointers.map { PointerRules.Rule(.all, try #require(Pointer($0))) }
        var plan = OwnerPlan(owner: Owner(subscriber: "s", app: "a"))
        let before = WidgetDeclaration(name: "W", state: row.before)
        plan.changes = [.widget(WidgetDeclaration(name: "W", state: row.after), before: before)]
        #expect(edits(of: plan, rules) == row.edits)
        // A reload shows the same, under the widget's name.
        plan.changes = []
        plan.actions = [
            Action(
                kind: .reload,
                status: .send,
                reason: .stateChanged,
                device: "d",
                before: ["W": row.before],
                after: ["W": row.after],
                priority: 5
            )
        ]
        #expect(edits(of: plan, rules) == row.edits.map { $0.replacing(" /state", with: " /W") })
    }

    /// Which rules are meant for what.
    static let scopes: [(PointerRules.Rule.Scope, widget: Bool, activity: Bool)] = [
        (.all, true, true), (.widget("W"), true, false), (.widget("A"), false, false), (.activity("T"), false, true),
        (.activity("W"), false, false), (.template("t@1"), true, true), (.template("t@2"), true, true),
        (.template("t@3"), false, false),
    ]

    @Test(arguments: scopes)
    func aRuleHidesOnlyWhatItIsFor(_ scope: PointerRules.Rule.Scope, _ widget: Bool, _ activity: Bool) throws {
        let owner = Owner(subscriber: "s", app: "a")
        func declared(_ value: Value, _ template: Text) -> Desired {
            let activity = ActivityDeclaration(
                name: "A",
                attributesType: "T",
                state: ["x": value],
                template: template,
                end: .init(state: ["x": value])
            )
            let widget = WidgetDeclaration(name: "W", state: ["x": value], template: template)
            return Desired(owner: owner, widgets: [widget], activities: [activity])
        }
        // The version that was committed counts as well as the one that is declared now.
        let (old, new) = (declared(1, "t@1"), declared(2, "t@2"))
        var plan = OwnerPlan(owner: owner)
        plan.changes = [
            .widget(new.widgets[0], before: old.widgets[0]),
            .activity(new.activities[0], life: 1, before: old.activities[0]),
        ]
        var recorded = Recorded(owner: owner)
        recorded.widgets = [
            RecordedWidget(
                id: TargetID("tgt_w"),
                declaration: old.widgets[0],
                revision: 1,
                changedStep: Step(1),
                changedAt: Moment(milliseconds: 1)
            )
        ]
        recorded.activities = [RecordedActivity(declaration: old.activities[0], life: 1, revision: 1)]
        let rules = PointerRules([.init(scope, try #require(Pointer("/state/x")))])
        let entries = PlanEntry.entries(of: plan, new, recorded, masks: Masks(rules))
        let hidden = entries.map { entry in entry.edits.filter { $0.was == "*** (before)" }.count }
        #expect(hidden == [widget ? 1 : 0, activity ? 2 : 0])
    }

    private func edits(of plan: OwnerPlan, _ rules: [PointerRules.Rule]) -> [String] {
        PlanEntry.entries(of: plan, masks: Masks(PointerRules(rules))).flatMap(\.edits).map { edit in
            let was = edit.was.map { " \($0.canonical)" } ?? ""
            return switch edit.operation {
            case .add(let pointer, let value): "add \(pointer) \(value.canonical)"
            case .remove(let pointer): "remove \(pointer)\(was)"
            case .replace(let pointer, let value): "replace \(pointer)\(was) \(value.canonical)"
            }
        }
    }
}
