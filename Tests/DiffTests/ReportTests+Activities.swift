import Diff
import JSON
import Testing
import Time

/// What device reports do to activities.
extension ReportTests {
    static let activities: [Case] = [
        Case(
            "a report with our id adopts the launch",
            launched: outstanding(),
            reports: [report(now, runs("x", launch: "lrq_a"))],
            ["owner anna", "a of anna running"]
        ),
        Case(
            "the launch of a start that counted as not processed is adopted too",
            launched: queued(),
            reports: [report(now, runs("x", launch: "lrq_a"))],
            ["owner anna", "a of anna running"]
        ),
        Case(
            "the same launch with a second activity is a duplicate",
            launched: outstanding(),
            reports: [
                report(now, runs("x", launch: "lrq_a")), report(now + .milliseconds(1), runs("y", launch: "lrq_a")),
            ],
            ["owner anna", "a of anna running", "new2 of anna running ending duplicate"]
        ),
        Case(
            "an activity with a name is one of the app",
            reports: [report(now, runs("x", name: "order"))],
            ["owner anna", "new1 of anna running"]
        ),
        Case(
            "ended on the device is closed by the person",
            launched: running(),
            reports: [report(now, isOver("activity-a"))],
            ["owner anna", "a of anna closed person"]
        ),
        Case(
            "dismissed too",
            launched: running(),
            reports: [report(now, isOver("activity-a", dismissed: true))],
            ["owner anna", "a of anna closed person"]
        ),
        Case(
            "at an age of 7 h 55 min it expired",
            launched: running(age: Span.hours(8) - .minutes(5)),
            reports: [report(now, isOver("activity-a"))],
            ["owner anna", "a of anna closed expired"]
        ),
        Case(
            "a millisecond younger the person did it",
            launched: running(age: Span.hours(8) - .minutes(5) - .milliseconds(1)),
            reports: [report(now, isOver("activity-a"))],
            ["owner anna", "a of anna closed person"]
        ),
        Case(
            "by our id an outstanding launch is over as well",
            launched: outstanding(),
            reports: [report(now, isOver(launch: "lrq_a", dismissed: true))],
            ["owner anna", "a of anna closed person"]
        ),
        Case(
            "what was reported over stays over when its registration comes late",
            launched: outstanding(),
            reports: [
                report(now, isOver(launch: "lrq_a")), report(now - .milliseconds(1), runs("x", launch: "lrq_a")),
            ],
            ["owner anna", "a of anna closed person"]
        ),
        Case(
            "… also by an activityId that nobody knew",
            launched: outstanding(),
            reports: [report(now, isOver("x")), report(now - .milliseconds(1), runs("x", launch: "lrq_a"))],
            ["owner anna", "a of anna closed person"]
        ),
        Case(
            "… also of an activity of the app",
            reports: [report(now, isOver("x")), report(now + .milliseconds(1), runs("x", name: "order"))],
            ["owner anna", "new2 of anna closed person"]
        ),
        Case(
            "an end with an earlier time is final all the same",
            launched: running(),
            reports: [report(now, canStart("aa")), report(now - .hours(2), isOver("activity-a"))],
            ["owner anna", "start Delivery aa", "a of anna closed person"]
        ),
        Case(
            "a token of an activity that is over revives nothing",
            launched: closed(.person),
            reports: [report(now, runs("activity-a", launch: "lrq_a", token: "dd"))],
            ["owner anna", "a of anna closed person"]
        ),
        Case(
            "a newer token report reopens what was only gone",
            launched: closed(.gone),
            reports: [report(now, runs("activity-a", launch: "lrq_a", token: "dd"))],
            ["owner anna", "a of anna running"]
        ),
        Case(
            "an older one does not",
            launched: closed(.gone),
            reports: [report(now - .hours(2), runs("activity-a", launch: "lrq_a", token: "dd"))],
            ["owner anna", "a of anna closed gone"]
        ),
        Case(
            "a gone tile that is reported under another subscriber is ended",
            launched: closed(.gone),
            reports: [report(now, runs("activity-a", launch: "lrq_a", token: "dd"), by: "ben")],
            ["owner ben", "a of anna running ending logout"]
        ),
        Case(
            "a dismissal of what was only gone counts",
            launched: closed(.gone),
            reports: [report(now, isOver("activity-a", dismissed: true))],
            ["owner anna", "a of anna closed person"]
        ),
        Case(
            "a tile whose end found its token dead is ended by its next one",
            launched: unreached(.logout),
            reports: [report(now, runs("activity-a", launch: "lrq_a", token: "dd"))],
            ["owner anna", "a of anna running ending logout"]
        ),
        Case(
            "… unless it was reported over meanwhile",
            launched: unreached(.logout),
            reports: [
                report(now - .milliseconds(1), isOver("activity-a")),
                report(now, runs("activity-a", launch: "lrq_a", token: "dd")),
            ],
            ["owner anna", "a of anna closed logout"]
        ),
        Case(
            "… which is final for one that was only gone, too",
            launched: unreached(.gone),
            reports: [
                report(now - .milliseconds(1), isOver("activity-a")),
                report(now, runs("activity-a", launch: "lrq_a", token: "dd")),
            ],
            ["owner anna", "a of anna closed person"]
        ),
        Case(
            "the first cause counts",
            launched: closed(.removal),
            reports: [report(now, isOver("activity-a", dismissed: true))],
            ["owner anna", "a of anna closed removal"]
        ),
        Case(
            "… also where its end was decided and not sent",
            launched: running(ending: .replaced),
            reports: [report(now, isOver("activity-a", dismissed: true))],
            ["owner anna", "a of anna closed replaced"]
        ),
        Case(
            "a report of the ended activity after the new one's leaves the new one alone",
            launched: closed("a", .replaced),
            running("b"),
            reports: [
                report(now, runs("activity-a", launch: "lrq_a", token: "dd")), report(now, isOver("activity-a")),
            ],
            ["owner anna", "a of anna closed replaced", "b of anna running"]
        ),
    ]

    @Test(arguments: activities) func knowsActivitiesByTheirIDs(_ row: Case) { row.check() }

    @Test func anUnknownLaunchIsHeldAsOne() throws {
        var phone = Phone()
        phone.take(report(now, runs("x", launch: "lrq_lost")))
        phone.take(report(now, runs("y")))
        #expect(phone.record.instances.map(\.instance.origin) == [.unknownLaunch, .unattributed])
        #expect(phone.record.instances.allSatisfy { $0.instance.name == "" })
    }

    @Test func adoptionTakesTokenSystemAndTimes() throws {
        var phone = Phone()
        phone.hold(instance("a", .outstanding, os: nil, age: minute, pending: pending(.start, .unknown)))
        phone.take(report(now, runs("x", launch: "lrq_a", token: "dd")))
        let adopted = try #require(phone.record.instances.first?.instance)
        #expect(adopted.activityID == "x")
        #expect(adopted.token == "dd")
        #expect(adopted.tokenAt == now)
        #expect(adopted.registeredAt == now)
        #expect(adopted.startedAt == now - minute)
        #expect(adopted.os == OSVersion(18))
        #expect(adopted.pending.isEmpty)
    }

    @Test func aRotatedTokenIsTheNewestOneReported() {
        var phone = Phone()
        phone.hold(running())
        phone.take(report(now, runs("activity-a", launch: "lrq_a", token: "d2")))
        phone.take(report(now - .milliseconds(1), runs("activity-a", launch: "lrq_a", token: "d1")))
        #expect(phone.record.instances.first?.instance.token == "d2")
    }

    @Test func logoutForgetsTheRefusalOfAnUpdateButNotADeadToken() {
        for rejection in [Rejection(revision: 1, tokenAt: now), .untilReported(tokenAt: now)] {
            var phone = Phone()
            phone.hold(running(rejected: rejection))
            phone.take(report(now, canStart("aa")))
            phone.take(report(now + .milliseconds(1), .loggedOut))
            let isKept = phone.record.instances.first?.instance.rejection != nil
            #expect(isKept == (rejection == .untilReported(tokenAt: now)))
        }
    }

    /// The first cause counts: what was over after its 8 hours does not end for what came later.
    @Test(arguments: [(Span.hours(8) - .milliseconds(1), Instance.Closure.logout), (.hours(8), .expired)])
    func onlyWhatIsThereEndsBecauseTheDeviceLeaves(_ age: Span, _ cause: Instance.Closure) {
        for leaves in [report(now, .loggedOut), report(now, hasWidgets("aa"), by: "ben")] {
            var phone = Phone()
            phone.hold(running(age: age))
            phone.take(report(now - age, canStart("bb")))
            phone.take(leaves)
            #expect(phone.lines.last == "a of anna running ending \(cause.rawValue)")
        }
    }

    /// It counts when it was reported, not when that was taken in.
    @Test func aSignOutOfLongAgoCameBeforeTheEightHours() {
        var phone = Phone()
        phone.hold(running(age: .hours(9)))
        phone.take(report(now - .hours(9), canStart("bb")))
        phone.take(report(now - .hours(2), .loggedOut))
        #expect(phone.lines.last == "a of anna running ending logout")
    }
}
