import Diff
import Foreign
import Foundation
import JSON
import Reconcile
import TestDeclarations
import Testing
import Time

@testable import lockstep

@Suite struct PlanRenderingTests {
    static let owner = Owner(subscriber: "user_42", app: "com.example.courier")

    static let order = ActivityDeclaration(
        name: "order-1001",
        attributesType: "DeliveryAttributes",
        state: ["status": "cooking"]
    )

    static var cooked: ActivityDeclaration {
        var order = order
        order.state = ["status": "ready"]
        return order
    }

    static var plan: OwnerPlan {
        var plan = OwnerPlan(owner: owner)
        plan.changes = [
            .widget(WidgetDeclaration(name: "Stats", state: ["steps": 1]), before: nil),
            .activity(cooked, life: 1, before: order),
            .activityRemoved(ActivityDeclaration(name: "old", attributesType: "T", state: [:])),
        ]
        plan.actions = [
            action(.update, .send, .stateChanged, "phone-1"), action(.update, .send, .stateChanged, "phone-2"),
            action(.update, .held, .launchOutstanding, "phone-3"),
        ]
        return plan
    }

    static func action(_ kind: Action.Kind, _ status: Action.Status, _ reason: Reason, _ device: Text) -> Action {
        Action(
            kind: kind,
            status: status,
            reason: reason,
            name: "order-1001",
            device: device,
            before: ["state": ["status": "cooking"]],
            after: ["state": ["status": "ready"]],
            priority: 5
        )
    }

    @Test func aPersonSeesOnlyWhatChanges() {
        let lines = HumanPlanRenderer(verbosity: .normal, hasColor: false).lines(for: PlanEntry.entries(of: Self.plan))
        #expect(
            lines == [
                "user_42 (com.example.courier)",
                "  + widget Stats",
                #"      + /state: {"steps":1}"#,
                "  ~ activity order-1001",
                #"      ~ /state/status: "cooking" → "ready""#,
                "  - activity old",
                "  → update order-1001 on phone-1, phone-2: the declared state changed",
                "",
            ]
        )
    }

    @Test func ofManyDevicesThreeAreNamed() {
        var plan = OwnerPlan(owner: Self.owner)
        plan.actions = (1...5).map { Self.action(.update, .send, .stateChanged, Text("d\($0)")) }
        let lines = HumanPlanRenderer(verbosity: .normal, hasColor: false).lines(for: PlanEntry.entries(of: plan))
        #expect(lines[1] == "  → update order-1001 on d1, d2, d3 and 2 more: the declared state changed")
        let all = HumanPlanRenderer(verbosity: .verbose, hasColor: false).lines(for: PlanEntry.entries(of: plan))
        #expect(all[1].contains("d1, d2, d3, d4, d5: "))
    }

    @Test func verboseShowsWhatIsHeldToo() {
        let lines = HumanPlanRenderer(verbosity: .verbose, hasColor: false).lines(for: PlanEntry.entries(of: Self.plan))
        #expect(lines.contains { $0.hasPrefix("  → update order-1001 on phone-3: held; ") })
    }

    @Test func nothingToShowIsNothing() {
        let held = { () -> OwnerPlan in
            var plan = OwnerPlan(owner: Self.owner)
            plan.actions = [Self.action(.update, .held, .launchOutstanding, "phone-3")]
            return plan
        }()
        #expect(HumanPlanRenderer(verbosity: .normal, hasColor: false).lines(for: PlanEntry.entries(of: held)) == [])
    }

    @Test func coloursOnlyAdd() {
        let plain = HumanPlanRenderer(verbosity: .normal, hasColor: false).lines(for: PlanEntry.entries(of: Self.plan))
        let coloured = HumanPlanRenderer(verbosity: .normal, hasColor: true).lines(
            for: PlanEntry.entries(of: Self.plan)
        )
        #expect(coloured != plain)
        #expect(coloured.map { $0.replacing(/\u{1B}\[\d+m/, with: "") } == plain)
    }

    @Test func aProgramGetsOneEventPerCommitAndPush() throws {
        let events = try JSONPlanRenderer().lines(for: PlanEntry.entries(of: Self.plan)).map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(events.map { $0["action"] as? String } == ["commit", "commit", "commit", "update", "update", "update"])
        #expect(events.allSatisfy { $0["type"] as? String == "action" && $0["subscriber"] as? String == "user_42" })
        #expect(events.map { $0["status"] as? String } == [nil, nil, nil, "send", "send", "held"])
        let update = events[3]
        #expect(update["reason"] as? String == "state_changed")
        #expect(update["cost"] as? Int == 1)
        #expect(update["priority"] as? Int == 5)
        let patch = try #require(update["patch"] as? [[String: String]])
        #expect(patch == [["op": "replace", "path": "/state/status", "value": "ready", "was": "cooking"]])
    }

    struct Count {
        let change: @Sendable (inout Summary) -> Void
        let sentence: String
    }

    static let counts: [Count] = [
        Count(change: { _ in }, sentence: "No changes. Every target is in step with the files."),
        Count(
            change: { ($0.starts, $0.updates, $0.ends, $0.reloads, $0.held) = (2, 14, 1, 6, 3) },
            sentence: "Plan: 2 to start, 14 to update, 1 to end, 6 devices to reload (23 pushes); 3 held, 0 blocked."
        ),
        Count(change: { $0.reloads = 1 }, sentence: "Plan: 1 device to reload (1 push); 0 held, 0 blocked."),
        Count(change: { $0.commits = 2 }, sentence: "Plan: 2 to commit, nothing to send; 0 held, 0 blocked."),
        Count(change: { $0.held = 3 }, sentence: "Nothing to send; 3 held, 0 blocked."),
        Count(change: { $0.blocked = 3 }, sentence: "Nothing to send; 0 held, 3 blocked."),
        Count(
            change: { ($0.held, $0.waiting) = (3, 1) },
            sentence: "Nothing to send; 3 held, 1 waiting."
        ),
    ]

    @Test(arguments: counts)
    func theLastLineCounts(_ count: Count) {
        var summary = Summary()
        count.change(&summary)
        #expect(summary.sentence == count.sentence)
    }

    @Test(arguments: [0, 1_700_000_000])
    func momentsAreShownAsTheWallClockDoes(_ seconds: Int64) throws {
        let date = try execute(
            URL(filePath: "/bin/date"),
            ["-d", "@\(seconds)", "+%Y-%m-%d %H:%M"],
            in: Checkout.root
        )
        let moment = Moment(seconds: seconds)
        #expect(ClockTime.text(moment, now: Moment(seconds: 1_764_500_000)) == date.lines.first)
        #expect(ClockTime.text(moment, now: moment) == date.lines.first.map { String($0.suffix(5)) })
    }
}
