import Diff
import JSON
import Testing
import Time

/// What device reports do to what is recorded of a device.
struct ReportTests {
    /// One claim: what was launched before, the reports as they come in, and what is recorded in the end.
    struct Case: Sendable, CustomTestStringConvertible {
        let claim: String
        let launched: [Instance]
        let reports: [Report]
        let expected: [String]

        init(_ claim: String, launched: Instance..., reports: [Report], _ expected: [String]) {
            self.claim = claim
            self.launched = launched
            self.reports = reports
            self.expected = expected
        }

        var testDescription: String { claim }

        func check() {
            var phone = Phone()
            for instance in launched { phone.hold(instance) }
            for report in reports { phone.take(report) }
            #expect(phone.lines == expected, "\(claim)")
            // A repeated line changes nothing.
            if let last = reports.last {
                phone.take(last)
                #expect(phone.lines == expected, "\(claim); the last line repeated")
            }
        }
    }

    static let registrations: [Case] = [
        Case(
            "a first report registers and tells the owner",
            reports: [report(1, hasWidgets("aa"))],
            ["owner anna", "widgets aa Stats"]
        ),
        Case(
            "kinds are kept in order",
            reports: [report(1, hasWidgets("aa", ["Zones", "Rings"]))],
            ["owner anna", "widgets aa Rings,Zones"]
        ),
        Case(
            "a newer registration takes the place of an older one whatever its token or environment",
            reports: [report(1, hasWidgets("aa", in: .sandbox)), report(2, hasWidgets("bb", ["Rings"]))],
            ["owner anna", "widgets bb Rings"]
        ),
        Case(
            "an older registration that comes late does not",
            reports: [report(2, hasWidgets("bb")), report(1, hasWidgets("aa"))],
            ["owner anna", "widgets bb Stats"]
        ),
        Case(
            "no widgets means unregistered",
            reports: [report(1, hasWidgets("aa")), report(2, hasWidgets("aa", []))],
            ["owner anna", "widgets - Stats"]
        ),
        Case(
            "unregistered widgets have no token",
            reports: [report(1, hasWidgets("aa")), report(2, .widgetsUnregistered)],
            ["owner anna", "widgets - Stats"]
        ),
        Case(
            "a registration that comes after a later unregistration registers nothing",
            reports: [report(2, .widgetsUnregistered), report(1, hasWidgets("aa"))],
            ["owner anna", "widgets - "]
        ),
        Case(
            "a registration revives what was unregistered",
            reports: [report(1, .widgetsUnregistered), report(2, hasWidgets("aa"))],
            ["owner anna", "widgets aa Stats"]
        ),
        Case(
            "start targets are one per attributes type",
            reports: [report(1, canStart("aa")), report(2, canStart("bb", "Flight")), report(3, canStart("cc"))],
            ["owner anna", "start Delivery cc", "start Flight bb"]
        ),
        Case(
            "an older start token that comes late changes nothing",
            reports: [report(2, canStart("bb")), report(1, canStart("aa"))],
            ["owner anna", "start Delivery bb"]
        ),
        Case(
            "an unregistered start target has no token, and other types go on",
            reports: [
                report(1, canStart("aa")), report(2, canStart("bb", "Flight")),
                report(3, .startUnregistered(attributesType: "Delivery")),
            ],
            ["owner anna", "start Delivery -", "start Flight bb"]
        ),
        Case(
            "a start token that comes after a later unregistration registers nothing",
            reports: [report(2, .startUnregistered(attributesType: "Delivery")), report(1, canStart("aa"))],
            ["owner anna", "start Delivery -"]
        ),
        Case(
            "reports of several kinds may come in any order",
            reports: [report(2, canStart("bb")), report(1, hasWidgets("aa"))],
            ["owner anna", "widgets aa Stats", "start Delivery bb"]
        ),
    ]

    @Test(arguments: registrations) func registersByTheHighestTime(_ row: Case) { row.check() }

    static let owners: [Case] = [
        Case(
            "a logout leaves the device to nobody and takes the registrations",
            reports: [report(1, hasWidgets("aa")), report(2, canStart("bb")), report(3, .loggedOut)],
            ["owner -", "widgets - Stats owes a reload", "start Delivery -"]
        ),
        Case(
            "what the device reported before its logout registers nothing",
            reports: [report(1, hasWidgets("aa")), report(3, .loggedOut), report(2, canStart("bb"))],
            ["owner -", "widgets - Stats owes a reload"]
        ),
        Case(
            "a late logout changes nothing about a later owner",
            reports: [report(3, hasWidgets("aa")), report(2, .loggedOut)],
            ["owner anna", "widgets aa Stats"]
        ),
        Case(
            "… but what was registered before it is gone",
            reports: [report(1, canStart("bb")), report(3, hasWidgets("aa")), report(2, .loggedOut)],
            ["owner anna", "widgets aa Stats", "start Delivery -"]
        ),
        Case(
            "another subscriber's report of any type takes the device over",
            reports: [report(1, hasWidgets("aa")), report(2, canStart("bb"), by: "ben")],
            ["owner ben", "widgets - Stats owes a reload", "start Delivery bb"]
        ),
        Case(
            "a new owner's widgets owe one reload",
            reports: [report(1, hasWidgets("aa")), report(2, hasWidgets("aa"), by: "ben")],
            ["owner ben", "widgets aa Stats owes a reload"]
        ),
        Case(
            "the first owner's owe none",
            reports: [report(1, canStart("bb")), report(2, hasWidgets("aa"))],
            ["owner anna", "widgets aa Stats", "start Delivery bb"]
        ),
        Case(
            "an older report of the former owner registers nothing",
            reports: [report(1, canStart("aa")), report(3, canStart("bb"), by: "ben"), report(2, hasWidgets("cc"))],
            ["owner ben", "start Delivery bb"]
        ),
        Case(
            "an older report of somebody never heard of registers nothing",
            reports: [report(3, canStart("bb"), by: "ben"), report(2, hasWidgets("cc"))],
            ["owner ben", "start Delivery bb"]
        ),
        Case(
            "an older report of the owner himself registers",
            reports: [
                report(1, canStart("aa")), report(4, canStart("bb"), by: "ben"),
                report(3, hasWidgets("cc"), by: "ben"),
            ],
            ["owner ben", "widgets cc Stats", "start Delivery bb"]
        ),
        Case(
            "the owner is back after a logout and has to register anew",
            reports: [report(1, hasWidgets("aa")), report(2, .loggedOut), report(3, canStart("bb"))],
            ["owner anna", "widgets - Stats owes a reload", "start Delivery bb"]
        ),
        Case(
            "a logout by somebody else's id leaves the device to nobody too",
            reports: [report(1, hasWidgets("aa")), report(2, .loggedOut, by: "ben")],
            ["owner -", "widgets - Stats owes a reload"]
        ),
    ]

    @Test(arguments: owners) func belongsToTheSubscriberOfTheNewestReport(_ row: Case) { row.check() }

    static let departures: [Case] = [
        Case(
            "logout ends what runs",
            launched: running(),
            reports: [report(1, canStart("aa")), report(2, .loggedOut)],
            ["owner -", "start Delivery -", "a of anna running ending logout"]
        ),
        Case(
            "… and what is queued or outstanding",
            launched: queued("a"),
            outstanding("b"),
            reports: [report(1, canStart("aa")), report(2, .loggedOut)],
            ["owner -", "start Delivery -", "a of anna queued ending logout", "b of anna outstanding ending logout"]
        ),
        Case(
            "another owner does the same",
            launched: running(),
            reports: [report(1, canStart("aa")), report(2, canStart("aa"), by: "ben")],
            ["owner ben", "start Delivery aa", "a of anna running ending logout"]
        ),
        Case(
            "what is over stays as it ended",
            launched: closed(.person),
            reports: [report(1, canStart("aa")), report(2, .loggedOut)],
            ["owner -", "start Delivery -", "a of anna closed person"]
        ),
        Case(
            "an end that was to be withdrawn cannot be any more",
            launched: running(ending: .removal, pending: pending(.end)),
            reports: [report(1, canStart("aa")), report(2, .loggedOut)],
            ["owner -", "start Delivery -", "a of anna running ending logout"]
        ),
        Case(
            "an end that was sent keeps its cause",
            launched: running(ending: .removal, pending: pending(.end, .unknown)),
            reports: [report(1, canStart("aa")), report(2, .loggedOut)],
            ["owner -", "start Delivery -", "a of anna running ending removal"]
        ),
        Case(
            "a person who is back before the end was sent keeps the tile",
            launched: running(),
            reports: [report(1, canStart("aa")), report(2, .loggedOut), report(3, canStart("bb"))],
            ["owner anna", "start Delivery bb", "a of anna running"]
        ),
        Case(
            "… not after it was sent",
            launched: running(ending: .logout, pending: pending(.end, .unknown)),
            reports: [report(2, .loggedOut), report(3, canStart("bb"))],
            ["owner anna", "start Delivery bb", "a of anna running ending logout"]
        ),
        Case(
            "somebody else's return brings nothing back",
            launched: running(),
            reports: [report(1, canStart("aa")), report(2, .loggedOut), report(3, canStart("bb"), by: "ben")],
            ["owner ben", "start Delivery bb", "a of anna running ending logout"]
        ),
        Case(
            "a launch that is reported under another subscriber is ended",
            launched: outstanding(),
            reports: [report(1, canStart("aa")), report(2, runs("x", launch: "lrq_a"), by: "ben")],
            ["owner ben", "start Delivery -", "a of anna running ending logout"]
        ),
        Case(
            "a launch that is reported after the logout is ended",
            launched: outstanding(),
            reports: [report(1, canStart("aa")), report(3, .loggedOut), report(2, runs("x", launch: "lrq_a"))],
            ["owner -", "start Delivery -", "a of anna running ending logout"]
        ),
        Case(
            "an activity of the app that is reported late by a former owner is ended",
            reports: [
                report(1, canStart("aa")), report(3, canStart("bb"), by: "ben"), report(2, runs("x", name: "order")),
            ],
            ["owner ben", "start Delivery bb", "new3 of anna running ending logout"]
        ),
    ]

    @Test(arguments: departures) func endsWhatShowsTheDataOfAPersonWhoLeft(_ row: Case) { row.check() }

    static let people: [Case] = [
        Case(
            "an anonymous id followed by a person is that device's identify",
            reports: [report(1, hasWidgets("aa"), by: "anon_1"), report(2, canStart("bb"))],
            ["owner anna", "widgets aa Stats owes a reload", "start Delivery bb"]
        ),
        Case(
            "… also when the anonymous report comes late",
            reports: [report(2, canStart("bb")), report(1, hasWidgets("aa"), by: "anon_1")],
            ["owner anna", "widgets aa Stats", "start Delivery bb"]
        ),
        Case(
            "identify moves the device with all it has",
            launched: running(),
            reports: [report(1, canStart("aa"), by: "anon_1"), report(2, .identified(anonymous: "anon_1"))],
            ["owner anna", "start Delivery aa", "a of anna running"]
        ),
        Case(
            "after it the alias is the person",
            reports: [
                report(1, canStart("aa"), by: "anon_1"), report(2, .identified(anonymous: "anon_1")),
                report(3, canStart("bb"), by: "anon_1"),
            ],
            ["owner anna", "start Delivery bb"]
        ),
        Case(
            "a second identify of an alias moves only that device",
            reports: [
                report(1, canStart("aa"), by: "anon_1"), report(2, .identified(anonymous: "anon_1")),
                report(3, .identified(anonymous: "anon_1"), by: "ben"),
            ],
            ["owner ben", "start Delivery -"]
        ),
        Case(
            "a person followed by an anonymous id is a change of owner",
            launched: running(),
            reports: [report(1, canStart("aa")), report(2, canStart("bb"), by: "anon_1")],
            ["owner anon_1", "start Delivery bb", "a of anna running ending logout"]
        ),
        Case(
            "one anonymous id followed by another is a change of owner",
            reports: [report(1, hasWidgets("aa"), by: "anon_1"), report(2, canStart("bb"), by: "anon_2")],
            ["owner anon_2", "widgets - Stats owes a reload", "start Delivery bb"]
        ),
        Case(
            "an anonymous id of before another person's time is not identified",
            reports: [
                report(2, canStart("aa"), by: "ben"), report(3, canStart("bb")),
                report(1, hasWidgets("cc"), by: "anon_1"),
            ],
            ["owner anna", "start Delivery bb"]
        ),
    ]

    @Test(arguments: people) func knowsWhoAnAnonymousIDIs(_ row: Case) { row.check() }

    @Test func idsOutliveTheirTokens() {
        var phone = Phone()
        for (at, token) in [(1, "aa"), (2, "bb")] as [(Moment, Text)] {
            phone.take(report(at, hasWidgets(token)))
            phone.take(report(at, canStart(token)))
        }
        #expect(phone.record.widgets?.id == WidgetsID("wgt_1"))
        #expect(phone.record.startTargets.map(\.id) == [StartTargetID("stt_2")])
    }

    @Test func progressAndRefusalsOutliveTheToken() {
        var phone = Phone()
        phone.take(report(1, hasWidgets("aa")))
        let first = phone.record.widgets
        phone.take(report(2, hasWidgets("bb")))
        #expect(phone.record.widgets?.reloadedStep == first?.reloadedStep)
        #expect(phone.record.widgets?.owesReload == false)
    }

    // MARK: - Tokens

    @Test(arguments: [(4, false), (5, false), (6, true)] as [(Moment, Bool)])
    func onlyALaterReportRevivesADeadToken(_ at: Moment, _ isAlive: Bool) {
        for event in [hasWidgets("aa"), canStart("aa")] {
            var phone = Phone()
            phone.deadTokens = ["aa": 5]
            phone.tokensElsewhere = ["aa": 1]
            phone.take(report(at, event))
            let token = phone.record.widgets?.token ?? phone.record.startTargets.first?.token
            #expect((token == "aa") == isAlive)
            #expect(phone.tokensElsewhere.isEmpty == isAlive)
        }
    }

    @Test(arguments: [(4, false), (6, true)] as [(Moment, Bool)])
    func aTokenLivesWhereItWasReportedLast(_ at: Moment, _ isHere: Bool) {
        for event in [hasWidgets("aa"), canStart("aa")] {
            var phone = Phone()
            phone.tokensElsewhere = ["aa": 5]
            phone.take(report(at, event))
            #expect(phone.tokensElsewhere.isEmpty == isHere)
        }
    }

    @Test func aDeadUpdateTokenReopensNothing() {
        var phone = Phone()
        phone.hold(closed(.gone))
        phone.deadTokens = ["dd": now]
        phone.take(report(now, runs("activity-a", launch: "lrq_a", token: "dd")))
        #expect(phone.record.instances.first?.instance.phase == .closed(.gone))
    }

    @Test func identifyMovesEverythingOfTheAnonymousID() {
        var phone = Phone()
        phone.take(report(1, canStart("aa"), by: "anon_1"))
        phone.take(report(2, .identified(anonymous: "anon_1")))
        #expect(phone.aliases == ["anon_1": "anna"])
        phone.take(report(3, .identified(anonymous: "anon_1"), by: "ben"))
        #expect(phone.aliases == ["anon_1": "anna"], "a second identify merges nobody")
    }
}
