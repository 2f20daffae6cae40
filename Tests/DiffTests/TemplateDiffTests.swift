import Diff
import JSON
import Testing

/// Templates: what runs keeps the version that it was started with, and what that does not take holds it, and it alone.
struct TemplateDiffTests {
    private static let running = instance("a", .running, template: "delivery@1")

    /// The instance, where its version does not take what is declared.
    private static func mismatched(_ instance: Instance) -> Instance {
        var instance = instance
        instance.isMismatched = true
        return instance
    }

    static let cases: [Case] = [
        Case(
            "a state that both versions take is sent to what runs with the older one",
            [activity("order", 2, template: "delivery@2")],
            [committed(activity(template: "delivery@1")), running],
            ["commit order life 1", "update order on phone: state_changed"]
        ),
        Case(
            "a state that only the declared version takes is held",
            [activity("order", 2, template: "delivery@2")],
            [committed(activity(template: "delivery@1")), mismatched(running)],
            ["commit order life 1", "held update order on phone: template_mismatch"]
        ),
        Case(
            "… and stays so without being committed again",
            [activity("order", 2, template: "delivery@2")],
            [committed(activity("order", 2, template: "delivery@2")), mismatched(running)],
            ["held update order on phone: template_mismatch"]
        ),
        Case(
            "… while its other instances go on",
            [activity("order", 2, template: "delivery@2")],
            [
                committed(activity(template: "delivery@1")), mismatched(running), device("pad"),
                instance("b", .running, on: "pad", template: "delivery@2"),
            ],
            [
                "commit order life 1", "update order on pad: state_changed",
                "held update order on phone: template_mismatch",
            ]
        ),
        Case(
            "an update that waits is taken back, because its payload would be the new state",
            [activity("order", 2, template: "delivery@2")],
            [
                committed(activity("order", 3, template: "delivery@1")),
                mismatched(instance("a", .running, template: "delivery@1", pending: pending(.update))),
            ],
            ["commit order life 1", "held update order on phone: template_mismatch", "cancel update of a"]
        ),
        Case(
            "what is shown already needs nothing",
            [activity(template: "delivery@2")],
            [committed(activity(template: "delivery@2")), mismatched(running)],
            []
        ),
        Case(
            "a declared end is held likewise",
            [activity(template: "delivery@2", end: over(9))],
            [committed(activity(template: "delivery@1")), mismatched(running)],
            ["commit order life 1", "held end order on phone: template_mismatch charged"]
        ),
        Case(
            "removal ends it with the state that it shows",
            [],
            [committed(activity(template: "delivery@2")), mismatched(running)],
            ["remove order", "end order on phone: removal"]
        ),
        Case(
            "a new generation starts the declared version in its place",
            [activity("order", 2, template: "delivery@2", generation: "2")],
            [committed(activity(template: "delivery@1")), device("phone"), mismatched(running)],
            ["commit order life 2", "start order on phone: replacement replacing a"]
        ),
        Case(
            "a logout ends it whatever is declared",
            [activity("order", 2, template: "delivery@2")],
            [
                committed(activity("order", 2, template: "delivery@2")),
                mismatched(instance("a", .running, template: "delivery@1", ending: .logout)),
            ],
            ["end order on phone: logged_out"]
        ),
        Case(
            "a start that waits is made anew for another version",
            [activity("order", 2, template: "delivery@2")],
            [
                committed(activity("order", 2, template: "delivery@2")), device("phone"),
                instance("a", .queued, template: "delivery@1", pending: pending(.start)),
            ],
            ["start order on phone: declared", "cancel launch a"]
        ),
        Case(
            "… and is cancelled where the app does not list that version",
            [activity("order", 2, template: "delivery@2")],
            [
                committed(activity("order", 2, template: "delivery@2")),
                device("phone", target(templates: ["delivery@1"])),
                instance("a", .queued, template: "delivery@1", pending: pending(.start)),
            ],
            ["blocked start order on phone: template_not_listed", "cancel launch a"]
        ),
    ]

    @Test(arguments: cases) func whatRunsKeepsItsVersion(_ row: Case) { row.check() }
}
