import Diff
import JSON
import Testing
import Time

/// To which launch an activity belongs whose report does not say so.
struct InferenceTests {
    /// A phone with launches of Lockstep's that were sent and not reported, and Anna's start target.
    private func phone(_ launches: Text...) -> Phone {
        var phone = Phone()
        phone.take(report(1, canStart("aa")))
        for (index, id) in launches.enumerated() {
            var launch = instance(id, .outstanding, of: id, sequence: Int64(index))
            launch.startedAt = 5
            phone.hold(launch)
        }
        return phone
    }

    @Test func theOnlyCandidateIsAdopted() {
        var phone = phone("a")
        phone.take(report(10, runs("x")))
        #expect(phone.lines == ["owner anna", "start Delivery aa", "a of anna running"])
        #expect(phone.record.instances.first?.instance.isInferred == true)
    }

    @Test func aMissedLaunchIsACandidateToo() {
        var phone = phone()
        phone.hold(instance("a", .unconfirmed, age: now - 5))
        phone.take(report(10, runs("x")))
        #expect(phone.lines.last == "a of anna running")
    }

    @Test func whatRanBeforeTheLaunchWasSentIsNotIt() {
        var phone = phone()
        var launch = instance("a", .outstanding)
        launch.startedAt = 0 + hour
        phone.hold(launch)
        phone.take(report(10, runs("x")))
        #expect(phone.lines.suffix(2) == ["a of anna outstanding", "new2 of anna running"])
    }

    @Test func withoutACandidateItIsLeftAlone() {
        var phone = phone()
        phone.take(report(10, runs("x")))
        #expect(phone.record.instances.map(\.instance.origin) == [.unattributed])
    }

    @Test func severalCandidatesAreAmbiguous() {
        var phone = phone("a", "b")
        phone.take(report(10, runs("x")))
        #expect(phone.lines.suffix(3) == ["a of anna outstanding", "b of anna outstanding", "new2 of anna running"])
        #expect(phone.record.instances.last?.instance.origin == .ambiguous)
    }

    @Test func aLaterReportWithTheIdSettlesIt() {
        var phone = phone("a", "b")
        phone.take(report(10, runs("x")))
        phone.take(report(11, runs("x", launch: "lrq_b")))
        #expect(
            phone.lines.suffix(3) == ["a of anna outstanding", "b of anna running", "new2 of anna closed replaced"]
        )
        #expect(phone.record.instances[1].instance.activityID == "x")
    }

    @Test func onceOnlyOneIsLeftTheNextReportSettlesIt() {
        var phone = phone("a", "b")
        phone.take(report(10, runs("x")))
        phone.take(report(11, runs("y", launch: "lrq_a", token: "dd")))
        phone.take(report(12, runs("x", token: "ee")))
        #expect(phone.lines.suffix(3) == ["a of anna running", "b of anna running", "new2 of anna closed replaced"])
    }

    @Test func anIdThatComesLaterCorrectsWhatWasInferred() {
        var phone = phone("a")
        phone.take(report(10, runs("x")))
        var other = instance("b", .outstanding, of: "b")
        other.startedAt = 5
        phone.hold(other)
        phone.take(report(11, runs("x", launch: "lrq_b")))
        #expect(phone.lines.suffix(2) == ["a of anna outstanding", "b of anna running"])
        #expect(phone.record.instances.map(\.instance.isInferred) == [false, false])
    }

    @Test func theSameIdMakesTheInferenceExplicit() {
        var phone = phone("a")
        phone.take(report(10, runs("x")))
        phone.take(report(11, runs("x", launch: "lrq_a")))
        #expect(phone.record.instances.map(\.instance.isInferred) == [false])
        #expect(phone.lines.last == "a of anna running")
    }

    static let plans: [Case] = [
        Case(
            "an explicit launch is kept before an inferred one, however late it was launched",
            [activity()],
            [
                committed(activity()), device("phone"), running("explicit"),
                {
                    var inferred = instance("inferred", .running, sequence: 2)
                    inferred.isInferred = true
                    return inferred
                }(),
            ],
            ["end order on phone: duplicate"]
        ),
        Case(
            "while it is ambiguous, the launches that it can be of are held and shown",
            [activity(), activity("other")],
            [
                committed(activity()), committed(activity("other")), device("phone"), outstanding("a"),
                instance("b", .outstanding, of: "other", age: minute),
                instance("stray", .running, of: "", origin: .ambiguous, age: minute),
            ],
            ["held start order on phone: ambiguous", "held start other on phone: ambiguous"]
        ),
        Case(
            "and none of that type is started there, whatever its policy",
            [activity(restart: .ifUnconfirmed)],
            [
                committed(activity(restart: .ifUnconfirmed)), device("pad"), device("phone"),
                instance("a", .unconfirmed, age: .hours(2)),
                instance("stray", .running, of: "", origin: .ambiguous, age: minute),
            ],
            ["start order on pad: declared", "held start order on phone: ambiguous"]
        ),
        Case(
            "until it cannot be there any more",
            [activity(restart: .ifUnconfirmed)],
            [
                committed(activity(restart: .ifUnconfirmed)), device("phone"),
                instance("a", .closed(.expired), age: .hours(14), registered: 0),
                instance("stray", .running, of: "", origin: .ambiguous, age: .hours(12)),
            ],
            ["start order on phone: restart", "close stray: expired"]
        ),
    ]

    @Test(arguments: plans) func plan(_ row: Case) { row.check() }
}
