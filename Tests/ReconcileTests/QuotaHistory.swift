@testable import Source
import Diff
import Foreign
import Foundation
import JSON
import TestDeclarations
import TestProjects
import TestSeeds
import Testing
import Time

@testable import Ledger
@testable import Reconcile

/// A project under a quota to which things happen at random, and a second set of books.
///
/// After each thing, what the deliveries in the ledger moved to is booked by the moves of ``QuotaDay``, which throws at what
/// no push may do, and the sums are held against those that the ledger counts.
final class QuotaHistory {
    private var project: LedgerProject
    private var twin: any Session
    /// True where the twin is from time to time an overlay over what happened so far.
    private let isOverlaid: Bool
    private var ledger: any Lease
    private let run: RunID
    private var random: SeededGenerator
    private var quota: Quota
    private var declared: [Text: Desired] = [:]
    private var books: [UTCDay: QuotaDay] = [:]
    private var known: [Text: Held] = [:]
    /// Deliveries that perhaps arrived once: they keep their day for ever.
    private var uncertain: [Text: UTCDay] = [:]
    /// What happened, for the message of a failure.
    private(set) var story: [String] = []

    /// What a delivery holds, of which day.
    private struct Held: Equatable {
        var hold: QuotaDay.Hold?
        var day: UTCDay?
    }

    init(seed: UInt64) throws {
        project = try LedgerProject(now: "2026-11-30T20:00:00Z")
        run = RunID("run_1")
        let memory = MemoryStore()
        try memory.make(lineage: project.ledger().facts().lineage, seal: "")
        twin = try memory.session()
        ledger = TwinLedger(try project.store.lease(), twin)
        isOverlaid = seed.isMultiple(of: 2)
        try project.begin(run, RunRecord.reloadCommand, in: ledger)
        random = SeededGenerator(seed: seed)
        quota = Quota(dailyPushes: 4)
        for (index, subscriber) in ["anna", "bert"].enumerated() {
            for device in ["phone", "pad"] {
                let token = "\(index)\(device == "pad" ? "a" : "b")"
                try report(
                    Text(subscriber),
                    Text("\(subscriber)-\(device)"),
                    .widgetsRegistered(token: Text("0\(token)0"), environment: .production, kinds: ["Stats"], os: nil)
                )
                try report(
                    Text(subscriber),
                    Text("\(subscriber)-\(device)"),
                    .startRegistered(
                        attributesType: "Delivery",
                        token: Text("1\(token)1"),
                        environment: .production,
                        os: nil,
                        frequentPushes: nil,
                        templates: nil
                    )
                )
            }
        }
    }

    private func report(_ subscriber: Text, _ device: Text, _ event: Report.Event) throws {
        let report = Report(
            app: "com.example.courier",
            subscriber: subscriber,
            device: device,
            at: project.now,
            event: event
        )
        var intake = Intake(ledger, at: project.now, try SystemEnvironment.machine.identifiers(at: project.now))
        try intake.take(report)
    }

    private func chance(_ part: Int) -> Bool { Int.random(in: 0..<part, using: &random) == 0 }

    // MARK: - What happens

    func step() throws {
        if isOverlaid, chance(10) { try lay() }
        switch Int.random(in: 0...11, using: &random) {
        case 0...2:
            edit()
            try apply()
        case 3: try reload()
        case 4...6: try send()
        case 7: try restart()
        case 8: try reportLaunches()
        case 9: try use(Int.random(in: 0...2, using: &random))
        case 10:
            quota.dailyPushes = Int.random(in: 0...8, using: &random)
            story.append("limit \(quota.dailyPushes)")
        default:
            advance(to: project.now + .hours(Int64.random(in: 1...10, using: &random)))
        }
        try check()
    }

    /// Goes on with what happened so far below, and what happens from now on on top.
    private func lay() throws {
        story.append("overlay")
        let directory = project.files.path("top-\(story.count)")
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let tops: any Store = chance(2) ? project.store : MemoryStore()
        twin = try Overlay(over: project.store.snapshot(), on: tops.top(in: directory))
        ledger = TwinLedger(try project.store.lease(), twin)
    }

    private func advance(to moment: Moment) {
        project.now = moment
        story.append("it is \(moment.milliseconds), day \(UTCDay(at: moment).number)")
    }

    private func edit() {
        for subscriber: Text in ["anna", "bert"] where chance(2) {
            let owner = Owner(subscriber: subscriber, app: "com.example.courier")
            let state = Value.integer(Int64.random(in: 0...3, using: &random))
            var order = ActivityDeclaration(
                name: "order",
                attributesType: "Delivery",
                state: ["n": state],
                alert: ["title": "a", "body": chance(4) ? "b" : "c"],
                generation: Text(String(Int.random(in: 0...1, using: &random)))
            )
            if chance(6) { order.end = ActivityDeclaration.End(state: ["n": 9]) }
            declared[subscriber] = Desired(
                owner: owner,
                widgets: [WidgetDeclaration(name: "Stats", state: state)],
                activities: chance(6) ? [] : [order]
            )
        }
    }

    private func apply() throws {
        story.append("apply")
        _ = try ledger.renewReservations(quota, at: project.now)
        try check()
        let store = DesiredStore()
        for desired in declared.values {
            let source = SourcePlace(file: "state/all.json")
            for widget in desired.widgets {
                _ = try store.add(Declaration(owner: desired.owner, content: .widget(widget), source: source))
            }
            for activity in desired.activities {
                _ = try store.add(Declaration(owner: desired.owner, content: .activity(activity), source: source))
            }
        }
        let day = UTCDay(at: project.now)
        let planner = try Planner(
            desired: store,
            recorded: ledger,
            selection: Selection([]),
            context: DiffContext(now: project.now, environments: ["com.example.courier": [.production]]),
            overrides: SafetyOverrides()
        ).allocated(left: ledger.quotaDay(day, quota).left, until: day.end)
        // Somebody else may send between the plan and the commit, and midnight may be in between.
        if chance(5) { try use(1) }
        if chance(8) { advance(to: day.end) }
        let now = project.now
        let book = QuotaBook(day: UTCDay(at: now), sums: try ledger.quotaDay(UTCDay(at: now), quota))
        let owners = try OwnerList()
        for owner in declared.values.map(\.owner).sorted() { try owners.add(owner) }
        let environment = LedgerProject.environment(at: now)
        let commit = Commit(ledger: ledger, run: run, environment: environment, book: book)
        _ = try commit.run(planner, owners) { _ in }
    }

    private func reload() throws {
        story.append("reload")
        _ = try ledger.renewReservations(quota, at: project.now)
        let day = UTCDay(at: project.now)
        var book: QuotaBook? = QuotaBook(day: day, sums: try ledger.quotaDay(day, quota))
        try ledger.step(run, in: LedgerProject.environment(at: project.now), book: &book) { step, changes in
            for record in try ledger.reloadTargets(of: ["anna", "bert"], apps: ["com.example.courier"]) {
                var transition = Transition(record)
                for registration in record.devices.compactMap(\.widgets) {
                    let reload = RequestedReload(registration, under: Scopes(), hasCredential: true)
                    _ = reload.queue(in: &transition, &step)
                }
                changes.add(transition)
            }
        }
    }

    private func send() throws {
        // A run makes reservations anew when it sees that the day has changed; sending does not rely on it.
        if !chance(4) { _ = try ledger.renewReservations(quota, at: project.now) }
        let pushes = try ledger.unit {
            let lane = LaneName(app: "com.example.courier", environment: .production)
            let limit = Int.random(in: 1...5, using: &random)
            let due = try ledger.due(lane, after: .start, at: project.now, limit: limit).map(\.delivery)
            let templates = TemplateBook([])
            return try ledger.dispatch(due, templates, within: quota, isRestored: false, at: project.now)
        }
        try check()
        for push in pushes where push.delivery.state == .dispatching(again: false) {
            let day = known[push.delivery.id.text]?.day
            #expect(day == nil || day == UTCDay(at: project.now), "\(story.joined(separator: "\n"))")
        }
        let dies = chance(5)
        story.append("send \(pushes.count)\(dies ? ", killed" : "")")
        for push in pushes where !dies || chance(2) {
            let later = project.now + .hours(Int64.random(in: 0...20, using: &random))
            let settlement: Settlement =
                switch Int.random(in: 0...5, using: &random) {
                case 0: .requeued(notBefore: later)
                case 1: .unknown(notBefore: later)
                case 2: .rejected
                default: .accepted
                }
            story.append("  \(push.delivery.kind) \(settlement)")
            try ledger.settle(push, settlement, run: run, at: project.now)
        }
        if dies { try restart() }
    }

    private func restart() throws {
        story.append("restart")
        ledger = TwinLedger(try project.store.lease(), twin)
        _ = try ledger.recover(run: run, at: project.now)
    }

    private func reportLaunches() throws {
        story.append("reports")
        for subscriber: Text in ["anna", "bert"] {
            for instance in try project.recorded(subscriber).instances where instance.phase == .outstanding && chance(2)
            {
                try report(
                    subscriber,
                    instance.device,
                    .activityRegistered(
                        activityID: Text("A-\(instance.id.text)"),
                        attributesType: "Delivery",
                        token: Text("cc\(instance.sequence % 10)\(instance.sequence % 7)"),
                        environment: .production,
                        os: nil,
                        launch: instance.launch,
                        name: nil
                    )
                )
            }
        }
    }

    private func use(_ pushes: Int) throws {
        story.append("use \(pushes)")
        try ledger.recordElsewhere(pushes, on: UTCDay(at: project.now))
        book(UTCDay(at: project.now)) { $0.elsewhere += pushes }
    }

    // MARK: - The second set of books

    private func book(_ day: UTCDay, _ change: (inout QuotaDay) throws -> Void) rethrows {
        let sums = books[day]
        var current = QuotaDay(
            limit: quota.dailyPushes,
            reserved: sums?.reserved ?? 0,
            uncertain: sums?.uncertain ?? 0,
            consumed: sums?.consumed ?? 0,
            elsewhere: sums?.elsewhere ?? 0
        )
        try change(&current)
        books[day] = current
    }

    private func check() throws {
        var released: [UTCDay: Int] = [:]
        var reserved: [UTCDay: Int] = [:]
        for (id, held) in try deliveries() {
            let before = known[id] ?? Held()
            guard held != before else { continue }
            try settle(before, held, &released, &reserved)
            known[id] = held
            if held.hold == .uncertain { uncertain[id] = held.day }
        }
        for (id, day) in uncertain {
            #expect(known[id]?.day == day && known[id]?.hold != nil, "\(id):\n\(story.joined(separator: "\n"))")
        }
        // What takes the place of a queued push takes over its capacity: only what is more than before needs room.
        for day in Set(released.keys).union(reserved.keys) {
            let (less, more) = (released[day] ?? 0, reserved[day] ?? 0)
            for _ in 0..<max(0, less - more) { try book(day) { try $0.release() } }
            for _ in 0..<max(0, more - less) { try book(day) { try $0.reserve() } }
        }
        for day in books.keys {
            book(day) { _ in }
            #expect(try ledger.quotaDay(day, quota) == books[day], "\(story.joined(separator: "\n"))")
        }
    }

    private func settle(
        _ before: Held,
        _ after: Held,
        _ released: inout [UTCDay: Int],
        _ reserved: inout [UTCDay: Int]
    ) throws {
        switch (before.hold, after.hold) {
        case (nil, .reserved?), (.reserved?, nil), (.reserved?, .reserved?):
            if before.hold != nil, let day = before.day { released[day, default: 0] += 1 }
            if after.hold != nil, let day = after.day { reserved[day, default: 0] += 1 }
        case (.reserved?, .uncertain?):
            #expect(before.day == after.day)
            try book(try #require(after.day)) { try $0.move(.reserved, to: .uncertain) }
        case (.uncertain?, .reserved?):
            #expect(before.day == after.day)
            try book(try #require(after.day)) { try $0.move(.uncertain, to: .reserved) }
        case (let hold?, .consumed?):
            #expect(before.day == after.day)
            try book(try #require(after.day)) { try $0.move(hold, to: .consumed) }
        default:
            Issue.record("\(before) became \(after):\n\(story.joined(separator: "\n"))")
        }
    }

    /// What each delivery holds; what costs something and was sent is booked to a day.
    private func deliveries() throws -> [Text: Held] {
        var deliveries: [Text: Held] = [:]
        for case .delivery(let delivery) in try project.records() {
            let day = delivery.quotaDay
            let hold = QuotaDay.Hold(delivery.status)
            #expect(hold == nil || (day != nil) == (delivery.cost == 1), "\(story.joined(separator: "\n"))")
            deliveries[delivery.id.text] = Held(hold: day == nil ? nil : hold, day: hold == nil ? nil : day)
        }
        return deliveries
    }
}

/// A push that holds nothing of what it is said to hold.
private struct NotHeld: Error {
    var hold: QuotaDay.Hold
}

extension QuotaDay {
    /// A push that holds one part of the day holds another one from now on; what is consumed stays so.
    fileprivate mutating func move(_ hold: Hold, to next: Hold) throws {
        var held: [Hold: Int] = [.reserved: reserved, .uncertain: uncertain, .consumed: consumed]
        guard hold != .consumed, held[hold, default: 0] > 0 else { throw NotHeld(hold: hold) }
        held[hold, default: 0] -= 1
        held[next, default: 0] += 1
        self = QuotaDay(
            limit: limit,
            reserved: held[.reserved, default: 0],
            uncertain: held[.uncertain, default: 0],
            consumed: held[.consumed, default: 0],
            elsewhere: elsewhere
        )
    }
}

extension Session {
    /// Records the outcome of an attempt as a run does.
    func settle(_ push: Push, _ settlement: Settlement, run: RunID, at now: Moment) throws {
        try unit {
            let attempt = Attempt(push, settlement, answer: DeliveryAnswer(), run: run, at: now)
            var transition = Transition(try record(of: attempt))
            try attempt.settle(in: &transition)
            var changes = LedgerChanges()
            changes.add(transition)
            try write(changes)
        }
    }
}
