import Diff
import JSON
import Testing
import Time

/// A running instance that the declaration no longer describes, and several where one belongs.
struct ReplacementTests {
    static let replacements: [Case] = [
        Case(
            "changed attributes start a new one, and the old stays until it is confirmed",
            [activity(attributes: ["id": 2])],
            [committed(activity()), device("phone"), running()],
            ["commit order life 1", "start order on phone: replacement replacing a"]
        ),
        Case(
            "a changed type is a replacement; the old one gets no update of another type",
            [activity("order", 2, type: "Flight")],
            [committed(activity()), device("phone", target("Flight")), running()],
            ["commit order life 1", "start order on phone: replacement replacing a"]
        ),
        Case(
            "a new generation is a replacement in a new life",
            [activity(generation: "2")],
            [committed(activity(generation: "1"), life: 4), device("phone"), running(life: 4)],
            ["commit order life 5", "start order on phone: replacement replacing a"]
        ),
        Case(
            "a generation that is taken out is another generation",
            [activity()],
            [committed(activity(generation: "1")), device("phone"), running()],
            ["commit order life 2", "start order on phone: replacement replacing a"]
        ),
        Case(
            "until then the old one gets updates",
            [activity("order", 2, generation: "2")],
            [committed(activity()), device("phone"), running()],
            [
                "commit order life 2", "update order on phone: state_changed",
                "start order on phone: replacement replacing a",
            ]
        ),
        Case(
            "… but not where the template changed too",
            [activity("order", 2, template: "delivery@2", generation: "2")],
            [committed(activity()), device("phone"), running()],
            ["commit order life 2", "start order on phone: replacement replacing a"]
        ),
        Case(
            "the old one gets updates while the launch is outstanding too",
            [activity("order", 2, generation: "2")],
            [
                committed(activity("order", 2, generation: "2"), life: 2), device("phone"), running(),
                instance("b", .outstanding, shows: activity("order", 2).content, life: 2, sequence: 2, replaces: "a"),
            ],
            ["update order on phone: state_changed"]
        ),
        Case(
            "once the new one is confirmed the old one ends",
            [activity(generation: "2")],
            [
                committed(activity(generation: "2"), life: 2), device("phone"), running(),
                instance("b", .running, life: 2, sequence: 2, replaces: "a"),
            ],
            ["end order on phone: replaced"]
        ),
        Case(
            "… also when the person dismissed the new one before the old one ended",
            [activity(attributes: ["id": 2])],
            [
                committed(activity(attributes: ["id": 2])), device("phone"), running(),
                instance("b", .closed(.person), attributes: ["id": 2], sequence: 2, replaces: "a"),
            ],
            ["end order on phone: replaced"]
        ),
        Case(
            "a replacement without a start target is blocked and the old one stays",
            [activity(generation: "2")],
            [committed(activity()), device("phone", target("Flight")), running()],
            ["commit order life 2", "blocked start order on phone: no_start_target"]
        ),
        Case(
            "a replacement of what only the app starts is blocked and the old one stays",
            [activity(attributes: ["id": 2], start: .app)],
            [committed(activity(start: .app)), device("phone"), running()],
            ["commit order life 1", "blocked start order on phone: started_by_app"]
        ),
        Case(
            "a replacement that the device cannot take is blocked and the old one stays",
            [activity(generation: "2")],
            [committed(activity()), device("phone", target(in: .sandbox)), running()],
            ["commit order life 2", "blocked start order on phone: no_credential"]
        ),
        Case(
            "a refused replacement is held and the old one stays",
            [activity(generation: "2")],
            [
                committed(activity(generation: "2"), life: 2), device("phone"), running(),
                instance(
                    "b",
                    .failed,
                    life: 2,
                    sequence: 2,
                    replaces: "a",
                    rejected: Rejection(revision: 1, tokenAt: now - .hours(2))
                ),
            ],
            ["held start order on phone: rejected"]
        ),
        Case(
            "attributes that change back before the replacement is sent keep the old one",
            [activity()],
            [
                committed(activity(attributes: ["id": 2])), device("phone"), running(),
                instance("b", .queued, attributes: ["id": 2], sequence: 2, replaces: "a", pending: pending(.start)),
            ],
            ["commit order life 1", "cancel launch b"]
        ),
        Case(
            "attributes that change back after the replacement was sent: it ends once it is reported",
            [activity()],
            [
                committed(activity(attributes: ["id": 2])), device("phone"), running(),
                instance("b", .outstanding, attributes: ["id": 2], sequence: 2, replaces: "a"),
            ],
            ["commit order life 1", "held end order on phone: launch_outstanding"]
        ),
        Case(
            "… and then it ends",
            [activity()],
            [
                committed(activity()), device("phone"), running(),
                instance("b", .running, attributes: ["id": 2], sequence: 2, replaces: "a"),
            ],
            ["end order on phone: replaced"]
        ),
        Case(
            "a dismissal of the old one takes a queued replacement in the same generation back",
            [activity(attributes: ["id": 2])],
            [
                committed(activity(attributes: ["id": 2])), device("phone"), closed("a", .person),
                instance("b", .queued, attributes: ["id": 2], sequence: 2, replaces: "a", pending: pending(.start)),
            ],
            ["cancel launch b"]
        ),
        Case(
            "a replacement in a generation that the person closed on this device is blocked",
            [activity(attributes: ["id": 2])],
            [committed(activity()), device("phone"), running("a"), closed("b", .person)],
            ["commit order life 1", "blocked start order on phone: life_closed"]
        ),
        Case(
            "… also where the person closed the new generation elsewhere before this device had it",
            [activity(generation: "2")],
            [
                committed(activity(generation: "2"), life: 2), device("phone"), running("a"),
                instance("b", .closed(.person), on: "pad", life: 2),
            ],
            ["blocked start order on phone: life_closed"]
        ),
        Case(
            "a replacement does not wait for the end of the replaced one's double",
            [activity(attributes: ["id": 2])],
            [
                committed(activity(attributes: ["id": 2])), device("phone"),
                running("a", ending: .duplicate, pending: pending(.end)), running("b"),
            ],
            ["again end order on phone: queued", "start order on phone: replacement replacing b"]
        ),
        Case(
            "attributes that the app chose itself count as the declared ones",
            [activity(attributes: ["id": 2], start: .app)],
            [
                committed(activity(attributes: ["id": 2], start: .app)), device("phone"),
                instance("a", .running, attributes: nil, origin: .app),
            ],
            ["adopt a"]
        ),
        Case(
            "an activity of another type by the app does not count as the declared one",
            [activity(start: .app)],
            [
                committed(activity(start: .app)), device("phone"),
                instance("a", .running, type: "Flight", attributes: nil, origin: .app),
            ],
            ["blocked start order on phone: started_by_app"]
        ),
    ]

    @Test(arguments: replacements) func replacesWhatTheDeclarationNoLongerDescribes(_ row: Case) { row.check() }

    static let duplicates: [Case] = [
        Case(
            "of two running, the one with the declared attributes stays",
            [activity()],
            [
                committed(activity()), device("phone"), running("a"),
                instance("b", .running, attributes: ["id": 2], sequence: 2),
            ],
            ["end order on phone: replaced"]
        ),
        Case(
            "… then the one of an explicit launch",
            [activity()],
            [
                committed(activity()), device("phone"), instance("a", .running, origin: .app, sequence: 9),
                instance("b", .running, shows: nil, sequence: 1),
            ],
            ["end order on phone: duplicate", "update order on phone: state_changed"]
        ),
        Case(
            "… then the one launched last",
            [activity()],
            [
                committed(activity()), device("phone"), instance("a", .running, sequence: 1),
                instance("b", .running, shows: nil, sequence: 2),
            ],
            ["end order on phone: duplicate", "update order on phone: state_changed"]
        ),
        Case(
            "… then the one reported first",
            [activity()],
            [
                committed(activity()), device("phone"), instance("a", .running, registered: now - minute),
                instance("b", .running, shows: nil, registered: now - hour),
            ],
            ["end order on phone: duplicate", "update order on phone: state_changed"]
        ),
        Case(
            "two devices have one each",
            [activity()],
            [
                committed(activity()), device("pad"), device("phone"), running("a", on: "pad"),
                running("b", on: "phone"),
            ],
            []
        ),
        Case(
            "of two that are both to be replaced one is left to be replaced",
            [activity(attributes: ["id": 2])],
            [
                committed(activity()), device("phone"), instance("a", .running, sequence: 1),
                instance("b", .running, sequence: 2),
            ],
            [
                "commit order life 1", "end order on phone: duplicate",
                "start order on phone: replacement replacing b",
            ]
        ),
        Case(
            "an earlier refusal of an update does not hold the end of a duplicate",
            [activity()],
            [
                committed(activity()), device("phone"),
                instance("a", .running, sequence: 1, rejected: Rejection(revision: 1, tokenAt: now - hour)),
                instance("b", .running, sequence: 2),
            ],
            ["end order on phone: duplicate"]
        ),
        Case(
            "the app starts one while a launch is outstanding: nothing until that is reported",
            [activity()],
            [
                committed(activity()), device("phone"), outstanding("a"),
                instance("b", .running, origin: .app, sequence: 0),
            ],
            []
        ),
        Case(
            "the app starts one while a start is queued: the start is taken back",
            [activity()],
            [committed(activity()), device("phone"), queued("a"), instance("b", .running, origin: .app, sequence: 0)],
            ["cancel launch a"]
        ),
    ]

    @Test(arguments: duplicates) func keepsOneOfSeveral(_ row: Case) { row.check() }
}
