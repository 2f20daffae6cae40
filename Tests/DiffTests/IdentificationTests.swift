import Diff
import JSON
import Testing
import Time

/// What becomes of everything that is recorded of an anonymous id that turns out to be a person.
struct IdentificationTests {
    private static let anonymous = Owner(subscriber: "anon_1", app: "app")
    private static let alias = Alias(app: "app", anonymous: "anon_1", person: "anna")

    private func lines(
        _ anonymous: [any Record],
        _ person: [any Record] = [],
        scopes: [ScopeSubject: Scope] = [:],
        strays: [Delivery] = []
    ) -> [String] {
        var record = recorded(anonymous, of: Self.anonymous)
        record.strays = strays
        let identification = Identification(
            alias: Self.alias,
            anonymous: record,
            devices: record.devices.map {
                DeviceRow(app: "app", device: $0.id, owner: "anon_1", ownerSince: 0, lastReport: now)
            },
            person: recorded(person),
            scopes: Scopes(scopes)
        )
        return identification.changes(at: now).lines
    }

    private let identified = "identified: anon_1 is anna: everything of it moved"

    @Test func devicesWithAllTheyHaveBecomeThePersons() {
        let reload = delivery("dlv_1", .reload, owner: Self.anonymous, registration: "wgt_1")
        let update = delivery("dlv_2", .update, of: "a", owner: Self.anonymous)
        let phone = device("phone", widgets: widgets(["Stats"], pending: reload), target())
        #expect(
            lines([phone, running(pending: update), closed("b", .person)]) == [
                "a of anna", "b of anna", "wgt_1 of anna", "stt_Delivery of anna", "device phone of anna",
                "anon_1 is anna", "dlv_2: of anna", "dlv_1: of anna", identified,
            ]
        )
    }

    @Test func whereBothHaveANameThePersonsStays() {
        let moved = lines(
            [committed(widget("Map")), committed(widget("Stats")), committed(activity()), committed(activity("two"))],
            [committed(widget("Stats", 2)), committed(activity("order", 2))]
        )
        #expect(
            moved == [
                "widget Map of anon_1 -> Map of anna", "widget Stats of anon_1 -> -",
                "activity order of anon_1 -> -", "activity two of anon_1 -> two of anna", "anon_1 is anna", identified,
                "unpublished anon_1", "unpublished anna",
            ]
        )
    }

    @Test func onlyWidgetsArePublished() {
        #expect(!lines([committed(activity())]).contains("unpublished anna"))
    }

    @Test func whatWasPausedStaysPausedUnlessThePersonHasAScopeOfItsOwn() {
        let paused = Scope(isPaused: true)
        let widget = ScopeSubject.widget(Self.anonymous, name: "Stats")
        #expect(
            lines([], scopes: [widget: paused]).first { $0.hasPrefix("scope") }
                == "scope anon_1/Stats 1 paused -> anna/Stats 1 paused"
        )
        #expect(
            lines([], scopes: [.subscriber("anon_1"): paused]).first { $0.hasPrefix("scope") }
                == "scope anon_1 1 paused -> anna 1 paused"
        )
        let both: [ScopeSubject: Scope] = [.subscriber("anon_1"): paused, .subscriber("anna"): Scope(number: 2)]
        #expect(!lines([], scopes: both).contains { $0.hasPrefix("scope") })
        let elsewhere = ScopeSubject.widget(Owner(subscriber: "anon_1", app: "other"), name: "Stats")
        #expect(!lines([], scopes: [elsewhere: paused]).contains { $0.hasPrefix("scope") })
    }

    @Test func aPushWhoseDeviceLeftIsThePersonsToo() {
        let reload = delivery("dlv_1", .reload, owner: Self.anonymous, registration: "wgt_9")
        #expect(lines([], strays: [reload]) == ["anon_1 is anna", "dlv_1: of anna", identified])
    }
}
