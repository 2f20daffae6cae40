import Diff
import JSON
import Testing
import Time

/// What `launches` says of a launch.
@Suite struct LaunchViewTests {
    /// An instance, how its start stands, how it was reconciled, its state, and the events of its life.
    struct Row: Sendable, CustomTestStringConvertible {
        let instance: Instance
        var start: Delivery?
        var attempts: [LaunchEvent] = []
        var resolutions: [LaunchEvent] = []
        let outcome: Text
        let history: [Text]

        var testDescription: String { "\(outcome) \(history)" }
    }

    static let run = RunID("run_1")
    static let lost = LaunchEvent(at: now, .attempted(.unknown), run: run)
    static let again = LaunchEvent(at: now, .attempted(.queued), run: run)

    static func resolved(_ resolution: Resolution) -> LaunchEvent { LaunchEvent(at: now, .resolved(resolution)) }

    /// A start that was last moved now.
    static func start(_ status: DeliveryStatus) -> Delivery {
        var delivery = pending(.start, status)
        delivery.answer.at = now
        return delivery
    }

    static let rows: [Row] = [
        Row(instance: queued(), outcome: "queued", history: []),
        Row(instance: queued(), start: pending(.start), outcome: "queued", history: ["queued"]),
        Row(
            instance: queued(),
            start: start(.queued),
            attempts: [again],
            outcome: "queued",
            history: ["queued", "start_queued"]
        ),
        Row(
            instance: outstanding(),
            start: start(.accepted),
            outcome: "outstanding",
            history: ["queued", "sent", "start_accepted"]
        ),
        Row(
            instance: outstanding(),
            start: start(.unknown),
            attempts: [lost],
            outcome: "outstanding",
            history: ["queued", "sent", "start_unknown"]
        ),
        Row(
            instance: instance("a", .failed, age: minute),
            start: start(.failed),
            resolutions: [resolved(.failed)],
            outcome: "failed",
            history: ["queued", "sent", "start_failed", "failed"]
        ),
        // The last resolution counts, whatever phase the instance is in.
        Row(
            instance: closed(.replaced),
            start: start(.accepted),
            attempts: [lost],
            resolutions: [resolved(.unconfirmed), resolved(.adopted), resolved(.replaced)],
            outcome: "replaced",
            history: ["queued", "sent", "start_unknown", "start_accepted", "unconfirmed", "adopted", "replaced"]
        ),
        // Of what was adopted without a start of ours, only its reconciliation is known.
        Row(
            instance: running(),
            attempts: [lost],
            resolutions: [resolved(.adopted)],
            outcome: "adopted",
            history: ["adopted"]
        ),
    ]

    @Test(arguments: rows)
    func aLaunchIsWhereItsInstanceIsUntilItIsReconciled(_ row: Row) throws {
        let launch = try #require(status(of: row))
        #expect(launch.outcome.word == row.outcome)
        #expect(launch.history.map(\.kind.word) == row.history)
        // Lines of the ledger name the run that wrote them, and nothing else does.
        for event in launch.history { #expect(event.kind.isNoted || event.run == nil) }
    }

    @Test func aLaunchIsToBeConfirmedOnceItsStartIsSent() throws {
        #expect(try #require(status(of: Row(instance: queued(), outcome: "", history: []))).confirmationDueAt == nil)
        let sent = outstanding()
        let due = try #require(status(of: Row(instance: sent, outcome: "", history: []))).confirmationDueAt
        #expect(due == sent.startExpiresAt + Expiry.confirmation)
        #expect(sent.isOverdue(at: try #require(due)))
    }

    /// An origin, and the reason that nobody knows the launch.
    static let origins: [(Instance.Origin, Text)] = [(.unknownLaunch, "unknown_launch"), (.ambiguous, "ambiguous")]

    @Test(arguments: origins)
    func whatNobodyKnowsBlocksLaunchesFor12Hours(_ origin: Instance.Origin, _ word: Text) throws {
        #expect(UnattributedActivity.origins.contains(origin))
        let found = instance("a", .running, origin: origin, age: hour)
        guard case .unattributed(let activity) = LaunchView(unattributed: Owned(anna, found)) else {
            Issue.record("a launch")
            return
        }
        #expect(activity.resolution == word)
        #expect(activity.blocksUntil == now + .hours(11))
        #expect(!found.isExpired(at: activity.blocksUntil - minute))
        #expect(found.isExpired(at: activity.blocksUntil))
    }

    @Test func nothingThatMayBeSensitiveIsShown() throws {
        var start = Self.start(.accepted)
        start.content = ["state": "s3cret"]
        let instance = running(shows: activity("order", "s3cret").content)
        let record = LaunchRecord(instance: Owned(anna, instance), start: start, attempts: [], resolutions: [])
        #expect(!"\(LaunchView(of: record))".contains("s3cret"))
        #expect(!"\(LaunchView(unattributed: Owned(anna, instance)))".contains("s3cret"))
    }

    private func status(of row: Row) -> LaunchStatus? {
        let record = LaunchRecord(
            instance: Owned(anna, row.instance),
            start: row.start,
            attempts: row.attempts,
            resolutions: row.resolutions
        )
        if case .launch(let launch) = LaunchView(of: record) { return launch }
        return nil
    }
}

/// What `log` says of a push.
@Suite struct LoggedPushTests {
    /// A status, an answer, and the line.
    static let rows: [(DeliveryStatus, DeliveryAnswer, Text)] = [
        (.queued, DeliveryAnswer(), "on device phone: queued"),
        (.accepted, DeliveryAnswer(status: 200), "on device phone: accepted (200)"),
        (.failed, DeliveryAnswer(status: 400, reason: "PayloadEmpty"), "on device phone: failed (400 PayloadEmpty)"),
        (.unknown, DeliveryAnswer(note: "the run died"), "on device phone: unknown: the run died"),
        (.failed, DeliveryAnswer(status: 410, note: "gone"), "on device phone: failed (410): gone"),
    ]

    @Test(arguments: rows)
    func itsLineTellsTheAnswer(_ status: DeliveryStatus, _ answer: DeliveryAnswer, _ text: Text) {
        var answer = answer
        answer.at = now
        let push = LoggedPush(
            kind: .update,
            status: status,
            owner: anna,
            device: "phone",
            subject: "tgt_1",
            run: RunID("run_1"),
            answer: answer
        )
        let line = LogLine(
            at: now,
            run: RunID("run_1"),
            kind: Text("update_\(status.rawValue)"),
            subscriber: "anna",
            app: "app",
            subject: "tgt_1",
            text: text
        )
        #expect(LogLine(of: push) == line)
    }
}
