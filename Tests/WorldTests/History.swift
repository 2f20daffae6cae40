@testable import APNs
import Diff
import Foreign
import Foundation
import JSON
import Ledger
import Reconcile
import Simulator
import Source
import Time

/// Plays a script in a house, and judges it on the way and at the end.
final class History {
    /// After so many runs with time in between, a project without troubles has to be quiet.
    static let patience = 24

    let script: Script
    let house: House
    var dice: Dice
    var declared = Declared()
    var sent = Sent()
    var closures = Closures()
    /// Who is signed in.
    var owners: [Place: String?] = [:]
    var systems: [String: String] = [:]
    /// One line an event.
    private(set) var story: [String] = []
    var files = 0
    var late: [(due: Moment, line: Value)] = []
    var lost: Set<Place> = []
    var latest: Moment
    var isRestored = false
    var backup: (path: String, paused: [Subject: Int], revoked: [Subject: Int])?
    var hasTroubles = true
    /// The day that pushes were booked to last, and how many.
    var booked = (day: UTCDay(0), count: 0)

    init(_ script: Script) throws {
        self.script = script
        house = try House(seed: script.seed, apps: script.apps)
        dice = Dice(seed: script.seed ^ 0xD1CE)
        latest = house.time.now
        house.judgeUnit = { [unowned self] in try self.judgeBookings() }
        house.beside = { [unowned self] deed in
            self.say("  beside it:")
            try self.play(deed, isBeside: true)
            self.deliver()
        }
    }

    var now: Moment { house.time.now }
    func say(_ words: String) { story.append("\(RFC3339.string(now)) \(words)") }

    /// Plays everything.
    ///
    /// - Throws: ``Wrong`` where something is wrong.
    func play() throws {
        sent.isLenient = script.troubles.restores || script.troubles.movesClock
        for phone in script.phones {
            try house.send(phone.command)
            systems[phone.device] = phone.os
            for app in phone.apps {
                owners[Place(device: phone.device, app: app.app)] = phone.subscriber ?? "anon_\(phone.device)"
            }
        }
        deliver()
        if let quota = script.troubles.quota { try house.configure(quota: quota) }
        for fault in script.troubles.faults {
            guard let effect = Script.faults.first(where: { $0.name == fault.name })?.effect else { continue }
            say("fault \(fault.name) with a chance of \(fault.chance)")
            try house.send(Value(json: Array(#"{"do":"fault",\#(effect),"chance":\#(fault.chance),"on":{}}"#.utf8)))
        }
        for step in script.steps {
            house.time.pass(.seconds(Int64(step.pass)))
            closures.noteExpired(sent, declared, at: now)
            say("\(step.id): \(step.deed)")
            try play(step.deed, isBeside: false)
            deliver()
            latest = max(latest, now)
        }
        try endTroubles()
        let plan = try comeToRest()
        if script.troubles.foretellsScreens { try judgeScreens(plan, isStrict: false) }
        if script.isHealed {
            try heal()
            try judgeScreens(comeToRest(), isStrict: true)
        }
        house.time.pass(.minutes(30))
        let seen = try run(.apply)
        try expect(seen.isEmpty, "a quiet project sends \(seen.map(words))")
    }

    // MARK: - Reports

    /// Lets reports arrive: late, twice or never where there are troubles.
    func deliver() {
        for line in house.service.takeReportLines(at: now) {
            guard let report = try? Value(json: line) else { continue }
            arrive(report)
        }
        let due = late.filter { $0.due <= now }
        late.removeAll { $0.due <= now }
        for item in due { write(item.line) }
    }

    func arrive(_ report: Value) {
        let chance = Double(dice.number(0...999)) / 1000
        var sum = 0.0
        for trouble in script.troubles.reports where hasTroubles {
            sum += trouble.chance
            guard chance < sum else { continue }
            if trouble.name == #""lost""# {
                if let device = report["device"]?.text?.string, let app = report["app"]?.text?.string {
                    lost.insert(Place(device: device, app: app))
                }
                return say("  a report is lost: \(report["type"]?.text?.string ?? "")")
            }
            late.append((now + .seconds(Int64(dice.pick([30, 1_000, 8_000]))), report))
            say("  a report is \(trouble.name): \(report["type"]?.text?.string ?? "")")
            if trouble.name == #""doubled""# { break }
            return
        }
        write(report)
    }

    func write(_ report: Value) {
        files += 1
        let name = String(repeating: "0", count: 6 - String(files).count) + String(files)
        try? House.write(report.canonicalBytes + [0x0A], "\(house.directory)/reports/r\(name).ndjson")
        sent.take(report, declared)
    }

    // MARK: - Deeds

    func play(_ deed: Deed, isBeside: Bool) throws {
        switch deed {
        case .run(.plan, _) where isBeside:
            try house.aside { try self.plan($0) { _ in } }
        case .run(let command, let mishap): try run(command, mishap)
        case .edit(let edit, let key, let widget, let value):
            guard declared.edit(edit, key, widget: widget, value: value, at: now) else { return }
            let owner = Declared.Owner(subscriber: key.subscriber, app: key.app)
            let path = "\(house.directory)/state/\(owner.subscriber)-\(owner.app).json"
            try House.write(declared.document(of: owner).canonicalBytes, path)
        case .phone(let verb, let place, let person, let value): try phone(verb, place, as: person, value)
        case .authority(let verb, let subscriber, let handle, let value, let keeps):
            guard house.store.exists() else { return }
            let known = try Subject.all(handle, of: subscriber, script.apps, in: house.store.snapshot())
            let subjects = known.filter { sent.canBeAsked(verb, of: $0) }
            guard !subjects.isEmpty else { return }
            try authorize(verb, subjects[value % subjects.count], keeps: keeps)
        case .quotaUse(let pushes):
            guard house.store.exists(), house.configuration.quota != nil else { return }
            try house.aside { _ = try QuotaUse($0).record(pushes) }
        case .wait: break
        case .clockBack(let seconds): house.time.jump(.zero - .seconds(Int64(seconds)))
        case .backUp:
            guard house.store.exists() else { return }
            backup = (try house.store.backUp(at: now), sent.paused, sent.revoked)
        case .restore:
            guard let backup else { return }
            _ = try house.store.replace(with: backup.path, at: now)
            sent.restoreAuthority(backup.paused, backup.revoked)
            let facts = try house.store.snapshot().facts()
            if case .mark(let mark) = house.store.mark() { isRestored = facts.step < mark.step }
            isRestored = isRestored || facts.restoredAt != nil
        case .acceptRestored:
            guard house.store.exists() else { return }
            try run(.apply, nil, acceptsRestored: true)
        case .forget(let key):
            guard house.store.exists() else { return }
            let (outcome, _) = house.run { pipeline in
                let edit = LedgerEdit(pipeline, try pipeline.mintRun())
                _ = try edit.forget(["\(key.subscriber)/activity/\(key.name)"])
            }
            if case .failed(let error) = outcome, !(error is StateError), !script.troubles.movesClock { throw error }
            sent.forget()
        case .spoolComesBack: try spoolComesBack()
        }
    }

    func spoolComesBack() throws {
        let done = "\(house.directory)/reports/done"
        for name in (try? FileManager.default.contentsOfDirectory(atPath: done).sorted()) ?? [] where dice.one(in: 4) {
            let back = "\(house.directory)/reports/\(name)"
            guard !FileManager.default.fileExists(atPath: back) else { continue }
            try FileManager.default.moveItem(atPath: "\(done)/\(name)", toPath: back)
        }
    }

    func phone(_ verb: String, _ place: Place, as person: String, _ value: Int) throws {
        var command: Object = ["do": .string(Text(verb)), "device": .string(Text(place.device))]
        guard let owner = owners[place] else { return }
        var places = [place]
        if !["update-os", "out-of-reach", "in-reach"].contains(verb) { command["app"] = .string(Text(place.app)) }
        switch verb {
        case "update-os":
            let system = Script.systems[value]
            guard system.compare(systems[place.device] ?? "", options: .numeric) == .orderedDescending else { return }
            systems[place.device] = system
            command["os"] = .string(Text(system))
        case "identify":
            guard (owner ?? "anon_").hasPrefix("anon_") else { return }
            command["as"] = .string(Text(person))
            signIn(place, person)
        case "sign-in":
            command["as"] = .string(Text(person))
            signIn(place, person)
        case "sign-out": owners[place] = .some(nil)
        case "dismiss", "end":
            closures.closeTiles(house.screens()[place], place, of: owner, declared)
            if verb == "end" { command["atOnce"] = .bool(value % 2 == 0) }
        case "widgets":
            let names: [Value] = Script.widgets.prefix(1 + value % 2).map { .string(Text($0)) }
            command[value < 3 ? "add" : "remove"] = .array(names)
        case "rotate silently":
            command["do"] = "rotate"
            command["silently"] = true
        case "start":
            guard let owner else { return }
            start(Key(subscriber: owner, app: place.app, name: ["order", "ride", "other"][value % 3]), value, &command)
        default: break
        }
        if ["reinstall", "rotate", "rotate silently", "out-of-reach"].contains(verb) {
            if verb == "out-of-reach" { places = owners.keys.filter { $0.device == place.device } }
            for place in places { closures.loseTiles(place, declared) }
        }
        try house.send(.object(command))
        if verb == "in-reach" { catchUp() }
    }

    /// What a phone reports when it is back bears times a little ahead, one after the other.
    func catchUp() { house.time.pass(.seconds(1)) }

    func start(_ key: Key, _ value: Int, _ command: inout Object) {
        let activity = declared.activities[key]
        command["name"] = .string(Text(key.name))
        command["attributesType"] = activity?["attributesType"] ?? .string(Text(Script.types[value / 3]))
        command["attributes"] =
            activity?["attributes"]
            ?? ["order": .string(Text("\(key.subscriber)/\(key.app)/\(key.name)")), "v": 0]
        command["state"] = ["n": 0]
    }

    func signIn(_ place: Place, _ person: String) {
        if let former = owners[place] ?? nil, former.hasPrefix("anon_") {
            closures.inherit(former, person, place.app, declared)
        }
        owners[place] = person
    }

    func authorize(_ verb: String, _ subject: Subject, keeps: Bool = false) throws {
        guard house.store.exists() else { return }
        let change: ScopeChange =
            switch verb {
            case "pause": .pause
            case "resume": .resume
            case "revoke": .revoke(keepsTiles: keeps)
            default: .reauthorize
            }
        do {
            try house.aside { _ = try AuthorityChange($0, change).run([subject.id]) }
        } catch is ScopeError {
            // Nothing was ever committed or reported of that subscriber.
            return
        } catch RunError.clockBehind where script.troubles.movesClock {
            return
        }
        sent.authorize(verb, subject, since: house.unit)
        say("  \(verb) \(subject.name)")
    }

    // MARK: - Runs

    /// The limits have tests of their own; here nothing may be refused by them.
    static let generous = SafetyOverrides(
        removed: 10_000,
        replaced: 10_000,
        pushes: 10_000,
        protected: Script.activities.map { Text($0) },
        empty: true
    )

    @discardableResult
    func run(_ command: Command, _ mishap: Mishap? = nil, acceptsRestored: Bool = false) throws -> [SeenRequest] {
        guard house.store.exists() || [.apply, .plan, .adopt].contains(command) else { return [] }
        if command == .plan { return try plan().seen }
        if command == .apply || command == .adopt { declared.noteAttempt() }
        let seenActivities = Set(declared.activities.keys)
        sent.beforeRun(declared)
        if command == .reload { sent.allowReload() }
        var options = RunOptions()
        options.overrides = Self.generous
        options.acceptsRestored = acceptsRestored
        options.makesLedger = !house.store.exists()
        let subscribers = script.people.map { Text($0) }
        let (outcome, seen) = house.run(mishap) { pipeline in
            let run = try pipeline.mintRun()
            switch command {
            case .apply:
                let files = try ProjectFiles(.disk, of: pipeline.configuration)
                _ = try ApplyRun(pipeline, run: run, files: files, options: options).run { _ in true }
            case .adopt:
                let files = try ProjectFiles(.disk, of: pipeline.configuration)
                _ = try AdoptRun(pipeline, run: run, files: files, options: options).run { _ in true }
            case .ingest: _ = try IngestRun(pipeline, run).run()
            default: _ = try ReloadRun(pipeline, run).run(subscribers, key: nil)
            }
            try pipeline.end(run: run, status: 0)
        }
        let wasKilled =
            switch outcome {
            case .killed, .full: true
            case .done, .failed: false
            }
        say("  \(command) \(outcome), \(house.lastEffects) effects: \(seen.map(words).joined(separator: ", "))")
        if isRestored, !acceptsRestored {
            try expect(!seen.contains { $0.receipt.event == "start" }, "a restored ledger starts activities")
        }
        if sent.hasIDsWithoutAuthority { sent.registered = try RegisteredIDs(house.store.snapshot()) }
        try sent.judge(seen, declared, wasKilled: wasKilled)
        if case .failed(let error) = outcome {
            if error is Wrong { throw error }
            guard case RunError.clockBehind = error, script.troubles.movesClock else {
                throw Wrong("\(command) failed: \(error)")
            }
            try expect(seen.isEmpty, "a run that was refused sent something")
            return seen
        }
        if wasKilled { return seen }
        if acceptsRestored { isRestored = false }
        if command == .apply {
            try LedgerRules.check(house.store.snapshot())
        }
        if command == .apply || command == .adopt {
            declared.noteRun(seenActivities)
            for (key, activity) in declared.activities where activity["end"] != nil { closures.close(key, declared) }
        }
        deliver()
        return seen
    }

    func plan() throws -> (entries: [PlanEntry], summary: Summary, seen: [SeenRequest]) {
        var entries: [PlanEntry] = []
        var summary = Summary()
        let (outcome, seen) = house.run(events: { if case .planned(let owner) = $0 { entries += owner.entries } }) {
            pipeline in
            try self.plan(pipeline) { summary = $0 }
        }
        try expect(seen.isEmpty, "a plan sent something")
        if case .failed(let error) = outcome { throw Wrong("plan failed: \(error)") }
        return (entries, summary, seen)
    }

    func plan(_ pipeline: Pipeline, _ take: (Summary) -> Void) throws {
        var options = RunOptions()
        options.overrides = Self.generous
        let files = try ProjectFiles(.disk, of: pipeline.configuration)
        do {
            take(try PlanRun(pipeline, files: files, options: options).run().summary)
        } catch RunError.clockBehind where script.troubles.movesClock {
            return
        }
    }

    func words(_ request: SeenRequest) -> String {
        let receipt = request.receipt
        let number = (try? Value(json: request.request.payload))?["aps"]?["content-state"]?["n"]?.integer
        let outcome = receipt.fault ?? receipt.outcome.answer.map { "\($0.status) \($0.reason ?? "")" } ?? ""
        return [receipt.event, receipt.device, number.map { "n=\($0)" }, outcome, receipt.effect].compactMap { $0 }
            .joined(separator: " ")
    }
}
