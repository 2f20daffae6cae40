import Source
import Diff
import Foundation
import JSON
import Reconcile
import TestDeclarations
import Testing
import Time

@testable import lockstep

/// The renderings of one plan, as people and programs get them; `RECORD_GOLDEN=1` writes them anew, and still fails.
@Suite struct RenderingGoldenTests {
    private static func order(_ status: String) -> ActivityDeclaration {
        ActivityDeclaration(
            name: "order-1001",
            attributesType: "DeliveryAttributes",
            attributes: ["orderId": "1001"],
            state: ["status": .string(Text(status)), "progress": 0.25]
        )
    }

    static let plans: [OwnerPlan] = {
        var first = OwnerPlan(owner: Owner(subscriber: "user_42", app: "com.example.courier"))
        first.changes = [
            .widget(WidgetDeclaration(name: "Stats", state: ["steps": 1]), before: nil),
            .activity(order("ready"), life: 1, before: order("cooking")),
            .activityRemoved(ActivityDeclaration(name: "old", attributesType: "T", state: [:])),
        ]
        first.actions = [
            PlanRenderingTests.action(.update, .send, .stateChanged, "phone-1"),
            PlanRenderingTests.action(.update, .send, .stateChanged, "phone-2"),
            PlanRenderingTests.action(.update, .held, .launchOutstanding, "phone-3"),
            PlanRenderingTests.action(
                .update,
                .waiting(until: Moment(seconds: 1_764_500_000)),
                .minInterval,
                "phone-4"
            ),
        ]
        // Names that would be Markdown, HTML or the end of a fence, if they were let.
        var second = OwnerPlan(owner: Owner(subscriber: "<b>@all</b>\n```\n| *x*", app: "com.example.courier"))
        second.changes = [.widget(WidgetDeclaration(name: "```", state: "```\n</details>"), before: nil)]
        return [first, second]
    }()

    private static func rendered(
        _ renderer: any PlanRenderer,
        _ plans: [OwnerPlan] = plans,
        _ violations: [SafetyViolation] = []
    ) -> [String] {
        var summary = Summary()
        for plan in plans { summary.count(plan) }
        // Shown by the wall clock, which is another one elsewhere.
        summary.waitingUntil = nil
        let lines = plans.flatMap { renderer.lines(for: PlanEntry.entries(of: $0)) }
        return lines + renderer.lines(for: summary, violations)
    }

    @Test(arguments: ["plan.txt", "plan.ndjson", "plan.md", "refused.md", "wrong.md"])
    func aPlanIsRenderedAsItWas(_ name: String) throws {
        let limits: [SafetyViolation] = [
            .removed(count: 9, of: 20, limit: 30, isPercent: true, allowed: nil), .protected(names: ["@all <b>`x`"]),
        ]
        let lines =
            switch name {
            case "plan.txt": Self.rendered(HumanPlanRenderer(verbosity: .normal, hasColor: false))
            case "plan.ndjson": Self.rendered(JSONPlanRenderer())
            case "plan.md": Self.rendered(MarkdownPlanRenderer(verbosity: .normal, commit: "4b825dc"))
            case "wrong.md": Markdown.lines(of: Self.problems, "1 problem in the files; nothing was done")
            default: Self.rendered(MarkdownPlanRenderer(verbosity: .normal), Self.plans, limits)
            }
        let golden = Checkout.root.appending(path: "Tests/Golden/\(name)")
        let expected = (try? String(contentsOf: golden, encoding: .utf8))?.components(separatedBy: "\n") ?? []
        #expect(lines + [""] == expected)
        guard ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" else { return }
        try (lines + [""]).joined(separator: "\n").write(to: golden, atomically: true, encoding: .utf8)
    }

    private static var problems: Problems {
        var problems = Problems()
        let place = Place(line: 3, column: 7)
        let excerpt = Excerpt(line: #"{"stat": 1}"#.utf8, column: 2)
        let message = "unknown key 'stat'; did you mean 'state'?"
        var wrong = Diagnostic(message, file: "state/eu.json", place: place)
        wrong.excerpt = excerpt
        problems.note(.file(wrong))
        problems.note(.file(Diagnostic("doubtful", file: "state/eu.json", place: place, severity: .warning)))
        return problems
    }
}
