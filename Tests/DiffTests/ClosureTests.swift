import Diff
import JSON
import Testing

/// The table "How a life ended decides what may follow" of the design, row by row.
struct ClosureTests {
    /// One row of the table, and what follows at each of four places.
    struct Row: Sendable, CustomTestStringConvertible {
        let cause: Instance.Closure
        /// On the device where it closed, once its start target is there.
        let here: Bool
        /// On a phone that comes later.
        let elsewhere: Bool

        var testDescription: String { cause.rawValue.string }
    }

    static let rows = [
        Row(cause: .person, here: false, elsewhere: false),
        Row(cause: .declaredEnd, here: false, elsewhere: false),
        Row(cause: .expired, here: false, elsewhere: false),
        Row(cause: .gone, here: false, elsewhere: true),
        Row(cause: .logout, here: true, elsewhere: true),
        Row(cause: .revoked, here: true, elsewhere: true),
    ]

    @Test func theTableNamesEveryCause() {
        let others: Set<Instance.Closure> = [.removal, .duplicate, .replaced]
        let all: Set<Instance.Closure> = [
            .person, .declaredEnd, .expired, .gone, .logout, .revoked, .removal, .duplicate, .replaced,
        ]
        #expect(others.union(Self.rows.map(\.cause)) == all)
    }

    @Test(arguments: rows) func decidesWhatFollowsOnThisDevice(_ row: Row) {
        Case(
            "on this device",
            [activity()],
            [committed(activity()), device("phone"), closed(row.cause)],
            row.here ? ["start order on phone: relaunch"] : []
        ).check()
    }

    @Test(arguments: rows) func decidesWhatFollowsElsewhere(_ row: Row) {
        Case(
            "elsewhere",
            [activity()],
            [committed(activity()), device("later"), closed(row.cause)],
            row.elsewhere ? ["start order on later: declared"] : []
        ).check()
    }

    @Test(arguments: rows) func aChangedStateBringsNothingBack(_ row: Row) {
        Case(
            "with another state",
            [activity("order", 2)],
            [committed(activity()), device("phone"), closed(row.cause)],
            ["commit order life 1"] + (row.here ? ["start order on phone: relaunch"] : [])
        ).check()
    }

    @Test(arguments: rows) func aNewGenerationStartsEverywhere(_ row: Row) {
        Case(
            "with a new generation",
            [activity(generation: "2")],
            [committed(activity()), device("later"), device("phone"), closed(row.cause)],
            ["commit order life 2", "start order on later: declared", "start order on phone: declared"]
        ).check()
    }

    @Test(arguments: rows) func whereItRunsItGoesOn(_ row: Row) {
        Case(
            "on a device where it runs",
            [activity("order", 2)],
            [committed(activity()), device("pad"), running("b", on: "pad"), closed(row.cause)],
            ["commit order life 1", "update order on pad: state_changed"]
        ).check()
    }

    static let returns: [Case] = [
        Case(
            "removal: declared again is a new life, here and elsewhere",
            [activity()],
            [removed(activity()), device("later"), device("phone"), closed(.removal)],
            ["commit order life 2", "start order on later: declared", "start order on phone: declared"]
        ),
        Case(
            "removal: a dismissal in the life before does not count in the new one",
            [activity()],
            [removed(activity()), device("later"), device("phone"), closed(.person)],
            ["commit order life 2", "start order on later: declared", "start order on phone: declared"]
        ),
        Case(
            "duplicate: nothing follows, and the other one goes on",
            [activity()],
            [committed(activity()), device("phone"), closed("a", .duplicate), running("b")],
            []
        ),
        Case(
            "replaced: nothing follows, and the new one goes on",
            [activity()],
            [committed(activity()), device("phone"), closed("a", .replaced), running("b")],
            []
        ),
        Case(
            "duplicate: elsewhere goes on",
            [activity()],
            [committed(activity()), device("later"), closed("a", .duplicate), running("b")],
            ["start order on later: declared"]
        ),
        Case(
            "replaced: elsewhere goes on",
            [activity()],
            [committed(activity()), device("later"), closed("a", .replaced), running("b")],
            ["start order on later: declared"]
        ),
        Case(
            "logout: nothing while the start target is not back",
            [activity()],
            [committed(activity()), device("phone", target(token: nil)), closed(.logout)],
            []
        ),
        Case(
            "logout, then dismissed elsewhere: it comes back here, because it is no first launch",
            [activity()],
            [committed(activity()), device("phone"), closed("a", .logout), closed("b", .person, on: "pad")],
            ["start order on phone: relaunch"]
        ),
        Case(
            "the last life on this device counts: relaunched after a logout, then dismissed",
            [activity()],
            [committed(activity()), device("phone"), closed("a", .logout), closed("b", .person)],
            []
        ),
        Case(
            "declared end: withdrawn later, nothing follows",
            [activity()],
            [committed(activity(end: over)), device("later"), device("phone"), closed(.declaredEnd)],
            ["commit order life 1"]
        ),
    ]

    @Test(arguments: returns) func decidesWhatFollowsARemovalAndOthers(_ row: Case) { row.check() }
}
