import Diff
import JSON
import Testing
import Time

/// Which devices are reloaded, once each, when the declared widgets change.
struct WidgetDiffTests {
    static let publishing: [Case] = [
        Case("nothing declared, nothing recorded: nothing to do", [], [], []),
        Case(
            "a new widget is committed and its device reloaded",
            [widget("Stats")],
            [device("phone", widgets: widgets(["Stats"]))],
            ["commit widget Stats", "reload phone: declared"]
        ),
        Case(
            "an equal widget needs nothing",
            [widget("Stats")],
            [committed(widget("Stats")), device("phone", widgets: widgets(["Stats"]))],
            []
        ),
        Case(
            "a number written in another way is the same state",
            [widget("Stats", .number(1.0))],
            [committed(widget("Stats", 1)), device("phone", widgets: widgets(["Stats"]))],
            []
        ),
        Case(
            "a changed state is committed and reloads",
            [widget("Stats", 2)],
            [committed(widget("Stats", 1)), device("phone", widgets: widgets(["Stats"]))],
            ["commit widget Stats", "reload phone: state_changed"]
        ),
        Case(
            "null and absent are different states",
            [widget("Stats", ["a": .null])],
            [committed(widget("Stats", [:])), device("phone", widgets: widgets(["Stats"]))],
            ["commit widget Stats", "reload phone: state_changed"]
        ),
        Case(
            "a changed reload value reloads though the state is the same",
            [widget("Stats", reload: "2")],
            [committed(widget("Stats", reload: "1")), device("phone", widgets: widgets(["Stats"]))],
            ["commit widget Stats", "reload phone: reload_changed"]
        ),
        Case(
            "a reload value that is taken out reloads too",
            [widget("Stats")],
            [committed(widget("Stats", reload: "1")), device("phone", widgets: widgets(["Stats"]))],
            ["commit widget Stats", "reload phone: reload_changed"]
        ),
        Case(
            "another template alone is committed without a push",
            [widget("Stats", template: "stats@2")],
            [committed(widget("Stats", template: "stats@1")), device("phone", widgets: widgets(["Stats"]))],
            ["commit widget Stats"]
        ),
        Case(
            "two widgets of a device change: one reload",
            [widget("Rings", 2), widget("Stats", 2)],
            [
                committed(widget("Rings")), committed(widget("Stats")),
                device("phone", widgets: widgets(["Rings", "Stats"])),
            ],
            ["commit widget Rings", "commit widget Stats", "reload phone: state_changed"]
        ),
        Case(
            "each registered device is reloaded",
            [widget("Stats", 2)],
            [
                committed(widget("Stats")), device("pad", widgets: widgets(["Stats"])),
                device("phone", widgets: widgets(["Stats"])),
            ],
            ["commit widget Stats", "reload pad: state_changed", "reload phone: state_changed"]
        ),
        Case(
            "a device without the changed widget is not reloaded",
            [widget("Rings"), widget("Stats", 2)],
            [
                committed(widget("Rings")), committed(widget("Stats")),
                device("pad", widgets: widgets(["Rings"])), device("phone", widgets: widgets(["Stats"])),
            ],
            ["commit widget Stats", "reload phone: state_changed"]
        ),
        Case(
            "without any registration the state is committed, with no push",
            [widget("Stats")],
            [device("phone")],
            ["commit widget Stats"]
        ),
        Case(
            "a registration without a token gets no push",
            [widget("Stats", 2)],
            [committed(widget("Stats")), device("phone", widgets: widgets(["Stats"], token: nil))],
            ["commit widget Stats"]
        ),
        Case(
            "removing a widget sends nothing",
            [widget("Stats")],
            [
                committed(widget("Rings")), committed(widget("Stats")), committed(widget("Zones")),
                device("phone", widgets: widgets(["Rings", "Stats", "Zones"])),
            ],
            ["remove widget Rings", "remove widget Zones"]
        ),
        Case(
            "widgets of an owner without documents are removed",
            [],
            [committed(widget("Stats")), device("phone", widgets: widgets(["Stats"]))],
            ["remove widget Stats"]
        ),
        Case(
            "names that differ in bytes are different widgets, however alike they look",
            [widget("Caf\u{E9}")],
            [committed(widget("Cafe\u{301}"))],
            ["remove widget Cafe\u{301}", "commit widget Caf\u{E9}"]
        ),
    ]

    @Test(arguments: publishing) func publishes(_ row: Case) { row.check() }

    static let progress: [Case] = [
        Case(
            "a device that missed a reload catches up",
            [widget("Stats")],
            [committed(widget("Stats"), step: 6), device("phone", widgets: widgets(["Stats"], reloaded: 5))],
            ["reload phone: catch_up"]
        ),
        Case(
            "a device that missed the reload of a widget it does not have is in step",
            [widget("Rings"), widget("Stats")],
            [
                committed(widget("Rings"), step: 5), committed(widget("Stats"), step: 6),
                device("phone", widgets: widgets(["Rings"], reloaded: 5)),
            ],
            []
        ),
        Case(
            "a device that registered after the newest publication is in step",
            [widget("Stats")],
            [
                committed(widget("Stats"), step: 6),
                device("phone", widgets: widgets(["Stats"], at: now - minute, reloaded: 0)),
            ],
            []
        ),
        Case(
            "a registration at the very moment of publication is reloaded",
            [widget("Stats")],
            [
                committed(widget("Stats"), step: 6),
                device("phone", widgets: widgets(["Stats"], at: now - hour, reloaded: 0)),
            ],
            ["reload phone: catch_up"]
        ),
        Case(
            "a device that registered just now is reloaded for a change of this run",
            [widget("Stats", 2)],
            [committed(widget("Stats")), device("phone", widgets: widgets(["Stats"], at: now))],
            ["commit widget Stats", "reload phone: state_changed"]
        ),
        Case(
            "a new owner's device owes one reload whatever changed",
            [widget("Stats")],
            [committed(widget("Stats")), device("phone", widgets: widgets(["Stats"], at: now, owes: true))],
            ["reload phone: owner_changed"]
        ),
        Case(
            "a new owner without widgets: the former owner's state has to go from the screen",
            [],
            [device("phone", widgets: widgets(["Stats"], at: now, owes: true))],
            ["reload phone: owner_changed"]
        ),
        Case(
            "a reload that is owed and one for a change are one reload",
            [widget("Stats", 2)],
            [committed(widget("Stats")), device("phone", widgets: widgets(["Stats"], owes: true))],
            ["commit widget Stats", "reload phone: state_changed"]
        ),
    ]

    @Test(arguments: progress) func remembersHowFarADeviceIs(_ row: Case) { row.check() }

    static let unsettled: [Case] = [
        Case(
            "a queued reload is sent, not made again",
            [widget("Stats")],
            [
                committed(widget("Stats"), step: 6),
                device("phone", widgets: widgets(["Stats"], pending: pending(.reload))),
            ],
            ["again reload phone: queued"]
        ),
        Case(
            "a queued reload carries a newer change too",
            [widget("Stats", 2)],
            [
                committed(widget("Stats"), step: 6),
                device("phone", widgets: widgets(["Stats"], pending: pending(.reload))),
            ],
            ["commit widget Stats", "again reload phone: state_changed"]
        ),
        Case(
            "a reload that is to wait waits",
            [widget("Stats")],
            [
                committed(widget("Stats"), step: 6),
                device("phone", widgets: widgets(["Stats"], pending: pending(.reload, until: now + .minutes(15)))),
            ],
            ["in 15 min reload phone: queued"]
        ),
        Case(
            "a reload that was never answered is sent again",
            [widget("Stats")],
            [
                committed(widget("Stats"), step: 6),
                device("phone", widgets: widgets(["Stats"], pending: pending(.reload, .unknown))),
            ],
            ["again reload phone: resend"]
        ),
        Case(
            "a newer state takes the place of a reload that was never answered",
            [widget("Stats", 2)],
            [
                committed(widget("Stats"), step: 6),
                device("phone", widgets: widgets(["Stats"], pending: pending(.reload, .unknown))),
            ],
            ["commit widget Stats", "reload phone: state_changed superseding dlv_reload"]
        ),
        Case(
            "a refused reload is held until state or token are newer",
            [widget("Stats")],
            [
                committed(widget("Stats"), step: 6),
                device(
                    "phone",
                    widgets: widgets(["Stats"], rejected: Rejection(revision: 6, tokenAt: now - .hours(2)))
                ),
            ],
            ["held reload phone: rejected"]
        ),
        Case(
            "a newer state lifts the refusal",
            [widget("Stats", 2)],
            [
                committed(widget("Stats"), step: 6),
                device(
                    "phone",
                    widgets: widgets(["Stats"], rejected: Rejection(revision: 6, tokenAt: now - .hours(2)))
                ),
            ],
            ["commit widget Stats", "reload phone: state_changed"]
        ),
        Case(
            "a state that was committed after the refusal lifts it in a later run",
            [widget("Stats")],
            [
                committed(widget("Stats"), step: 7),
                device(
                    "phone",
                    widgets: widgets(["Stats"], rejected: Rejection(revision: 6, tokenAt: now - .hours(2)))
                ),
            ],
            ["reload phone: catch_up"]
        ),
        Case(
            "a newer report of the token lifts the refusal",
            [widget("Stats")],
            [
                committed(widget("Stats"), step: 6),
                device(
                    "phone",
                    widgets: widgets(["Stats"], rejected: Rejection(revision: 6, tokenAt: now - .hours(3)))
                ),
            ],
            ["reload phone: catch_up"]
        ),
        Case(
            "a token that was dead before it was reported is held whatever the state",
            [widget("Stats", 2)],
            [
                committed(widget("Stats")),
                device("phone", widgets: widgets(["Stats"], rejected: .untilReported(tokenAt: now - .hours(2)))),
            ],
            ["commit widget Stats", "held reload phone: rejected"]
        ),
    ]

    @Test(arguments: unsettled) func goesOnWithWhatIsNotSettled(_ row: Case) { row.check() }

    static let blocked: [Case] = [
        Case(
            "below iOS 26 widgets take no pushes",
            [widget("Stats", 2)],
            [committed(widget("Stats")), device("phone", widgets: widgets(["Stats"], os: OSVersion(18, 6)))],
            ["commit widget Stats", "blocked reload phone: os_too_old"]
        ),
        Case(
            "where the system is unknown the token is proof",
            [widget("Stats", 2)],
            [committed(widget("Stats")), device("phone", widgets: widgets(["Stats"], os: nil))],
            ["commit widget Stats", "reload phone: state_changed"]
        ),
        Case(
            "an environment without a key blocks",
            [widget("Stats", 2)],
            [committed(widget("Stats")), device("phone", widgets: widgets(["Stats"], .sandbox))],
            ["commit widget Stats", "blocked reload phone: no_credential"]
        ),
        Case(
            "a queued reload whose key was taken out of the configuration is blocked",
            [widget("Stats")],
            [
                committed(widget("Stats"), step: 6),
                device("phone", widgets: widgets(["Stats"], .sandbox, pending: pending(.reload))),
            ],
            ["blocked reload phone: no_credential"]
        ),
        Case(
            "a device in step is not blocked by anything",
            [widget("Stats")],
            [committed(widget("Stats")), device("phone", widgets: widgets(["Stats"], .sandbox, os: OSVersion(18)))],
            []
        ),
    ]

    @Test(arguments: blocked) func showsWhatADeviceCannotTake(_ row: Case) { row.check() }

    @Test func aReloadShowsTheStatesThatChange() throws {
        let row = Case(
            "",
            [widget("Rings", 1), widget("Stats", 2)],
            [
                committed(widget("Rings", 1), step: 6), committed(widget("Stats", 1)),
                device("phone", widgets: widgets(["Rings", "Stats"])),
            ],
            []
        )
        let reload = try #require(row.plan.actions.first)
        #expect(reload.before == ["Stats": 1])
        #expect(reload.after == ["Stats": 2])
        #expect(reload.cost == 1)
    }
}
