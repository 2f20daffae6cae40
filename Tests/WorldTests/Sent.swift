@testable import APNs
import Foreign
import Foundation
import JSON
import Simulator
import Time

/// Holds what Apple saw against what may be sent.
struct Sent {
    /// One tile as the requests to it tell of it.
    final class Activity {
        var key: Key
        let device: String
        let life: Int
        let start: Start?
        var timestamp: Int64
        var updates: [Int64: Int] = [:]
        var touched = 0
        var ends = 0
        var mayHaveEnded = false
        /// The effect of the last push that Apple accepted; `nil` where that was none.
        var lastEffect: String? = "started"
        var endedEffect: String?
        /// The app started it before any run can have committed the declaration: it belongs to the first life.
        var isEarly = false
        /// The app started it after the declaration was removed: nobody touches it.
        var isAlone = false

        init(_ key: Key, on device: String, life: Int, start: Start?) {
            (self.key, self.device, self.life, self.start) = (key, device, life, start)
            timestamp = start?.timestamp ?? 0
        }
    }

    /// One start as it was sent.
    struct Start {
        var launch: String
        var key: Key
        var life: Int
        var activity: Object
        var attributes: Object
        var type: String
        var owners: Int
        var timestamp: Int64
        var effect: String?
        /// The time that Apple keeps it for a phone out of reach.
        var kept: Span { activity["expiresAfter"]?.text.flatMap { DurationText.span($0.string) } ?? .hours(1) }
    }

    /// A start of a declaration on one app of one phone.
    struct Started: Hashable {
        var key: Key
        var place: Place
    }

    var isLenient = false
    private(set) var activities: [String: Activity] = [:]
    private(set) var starts: [Started: Start] = [:]
    private var launches: [String: Start] = [:]
    private var tokens: [String: String] = [:]
    private var reloads: [Place: Int] = [:]
    private var reloadAllowance: [Place: Int] = [:]
    private(set) var lastReload: [Place: String?] = [:]
    private var ownerChanges: [Place: Int] = [:]
    /// Since which unit of the ledger somebody or something is paused or revoked.
    private(set) var paused: [Subject: Int] = [:]
    private(set) var revoked: [Subject: Int] = [:]
    /// The ids that phones have in the ledger, where one of those is without authority.
    var registered = RegisteredIDs()
    private(set) var wasRevoked = false
    private(set) var refused: Set<String> = []
    private(set) var unended: Set<Place> = []
    private(set) var owner: [Place: String?] = [:]
    private var ownerAt: [Place: Moment] = [:]
    /// Whom a run may take an app for: who it was since the run began.
    private var owners: [Place: Set<String>] = [:]
    private(set) var startTypes: [Place: Set<String>] = [:]
    private(set) var widgets: [Place: Set<String>] = [:]
    private var shownWidgets: [Place: Value] = [:]
    /// Accepted pushes that cost something, by day.
    private(set) var accepted: [Int64: Int] = [:]

    // MARK: - Reports

    /// Takes a report that is in the spool.
    mutating func take(_ report: Value, _ declared: Declared) {
        guard let device = report["device"]?.text?.string, let app = report["app"]?.text?.string,
            let kind = report["type"]?.text?.string, let subscriber = report["subscriber"]?.text?.string,
            let at = report["at"]?.text.flatMap({ try? RFC3339.moment(of: $0.string) })
        else { return }
        let place = Place(device: device, app: app)
        if kind == "activity.registered" { register(report, subscriber, place, declared) }
        if at >= ownerAt[place] ?? .distantPast {
            let owner = kind == "subscriber.loggedOut" ? nil : subscriber
            belong(place, to: owner)
            self.owner[place] = owner
            ownerAt[place] = at
            if let owner { owners[place, default: []].insert(owner) }
        }
        guard owner[place] == subscriber else { return }
        if kind == "start.registered", let type = report["attributesType"]?.text?.string {
            startTypes[place, default: []].insert(type)
        }
        if kind.hasPrefix("widgets.") {
            widgets[place] = Set((report["widgets"]?.array ?? []).compactMap { $0.text?.string })
        }
    }

    private mutating func belong(_ place: Place, to person: String?) {
        let former = owner[place] ?? nil
        guard former != person else { return }
        ownerChanges[place, default: 0] += 1
        reloadAllowance[place, default: 0] += 1
        if let person, let former, former.hasPrefix("anon_") {
            for activity in activities.values where activity.key.subscriber == former && activity.key.app == place.app {
                activity.key.subscriber = person
            }
        } else {
            startTypes[place] = []
            widgets[place] = []
        }
    }

    private mutating func register(_ report: Value, _ subscriber: String, _ place: Place, _ declared: Declared) {
        guard let id = report["activityId"]?.text?.string, let token = report["token"]?.text?.string else { return }
        tokens[token] = id
        if let activity = activities[id] {
            // Its token was dead, and it has another one: it lives after all.
            if activity.lastEffect == nil { activity.lastEffect = "reported again" }
            return
        }
        let launch = (report["launchRequestId"]?.text?.string).flatMap { launches[$0] }
        let named = Key(subscriber: subscriber, app: place.app, name: report["name"]?.text?.string ?? "?")
        let key = launch?.key ?? named
        let life = launch?.life ?? declared.lives[key] ?? 0
        let activity = Activity(key, on: place.device, life: life, start: launch)
        activity.isAlone = launch == nil && declared.gone.contains(key)
        activity.isEarly = launch == nil && !declared.committed.contains(key)
        activities[id] = activity
    }

    /// A command changed what may be sent, from the next unit of the ledger on.
    mutating func authorize(_ verb: String, _ subject: Subject, since unit: Int) {
        switch verb {
        case "pause": paused[subject] = paused[subject] ?? unit
        case "resume": paused[subject] = nil
        case "revoke":
            revoked[subject] = revoked[subject] ?? unit
            wasRevoked = true
        default: revoked[subject] = nil
        }
        for place in owner.keys {
            // What was started before stays without authority, and is started again.
            if ["revoke", "reauthorize"].contains(verb) { ownerChanges[place, default: 0] += 1 }
            reloadAllowance[place, default: 0] += 1
        }
    }

    /// A command has something to do there.
    func canBeAsked(_ verb: String, of subject: Subject) -> Bool {
        switch verb {
        case "resume": paused[subject] != nil
        case "reauthorize": revoked[subject] != nil
        default: true
        }
    }

    /// Something that a phone registered is without authority.
    var hasIDsWithoutAuthority: Bool {
        (Array(paused.keys) + revoked.keys).contains { $0.name.hasPrefix("stt_") || $0.name.hasPrefix("wgt_") }
    }

    /// Authority is again what it was when a backup was made.
    mutating func restoreAuthority(_ paused: [Subject: Int], _ revoked: [Subject: Int]) {
        (self.paused, self.revoked) = (paused, revoked)
        for place in owner.keys { ownerChanges[place, default: 0] += 1 }
    }

    /// The ledger knows nothing of some declarations any more, and starts them anew.
    mutating func forget() { for place in owner.keys { ownerChanges[place, default: 0] += 1 } }

    /// Somebody asked for reloads by hand.
    mutating func allowReload() { for place in owner.keys { reloadAllowance[place, default: 0] += 1 } }

    /// True while a start that may have arrived is neither reported nor late enough to be called unconfirmed.
    func awaitsReports(at now: Moment) -> Bool {
        starts.values.contains { start in
            let isReported = activities.values.contains { $0.start?.launch == start.launch }
            return !isReported && now < Moment(seconds: start.timestamp) + start.kept + .minutes(6)
        }
    }

    // MARK: - Requests

    /// A run begins.
    mutating func beforeRun(_ declared: Declared) {
        for (place, person) in owner {
            owners[place] = person.map { [$0] } ?? []
            guard let person else { continue }
            let document = declared.document(of: .init(subscriber: person, app: place.app))["widgets"] ?? .null
            guard shownWidgets[place] != document else { continue }
            shownWidgets[place] = document
            reloadAllowance[place, default: 0] += 1
        }
    }

    /// Judges the requests of one run; what a run that died had sent counts as touched.
    mutating func judge(_ seen: [SeenRequest], _ declared: Declared, wasKilled: Bool) throws {
        for request in seen {
            let receipt = request.receipt
            let status = receipt.outcome.answer?.status
            let reason = receipt.outcome.answer?.reason ?? ""
            try expect(
                !["TooManyProviderTokenUpdates", "PayloadTooLarge", "BadTopic"].contains(reason),
                "Apple says \(reason)"
            )
            guard let device = receipt.device, let payload = try? Value(json: request.request.payload),
                let app = request.request.topic.components(separatedBy: ".push-type.").first
            else { throw Wrong("a request that Apple cannot place: \(receipt)") }
            if let status, status >= 400 { refused.insert(device) }
            let push = Push(request, payload["aps"] ?? .null, Place(device: device, app: app), wasKilled)
            if status == 200, receipt.event != "end" { accepted[request.at.seconds / 86_400, default: 0] += 1 }
            switch push.aps["event"]?.text?.string ?? "reload" {
            case "reload": try judgeReload(push)
            case "start": try judgeStart(push, declared)
            case let event: try judgeActivity(push, event, declared)
            }
        }
    }

    private struct Push {
        var seen: SeenRequest
        var aps: Value
        var place: Place
        var isTouched: Bool
        var status: Int? { seen.receipt.outcome.answer?.status }
        var timestamp: Int64 { aps["timestamp"]?.integer ?? 0 }
        var number: Int64 { aps["content-state"]?["n"]?.integer ?? -1 }

        init(_ seen: SeenRequest, _ aps: Value, _ place: Place, _ wasKilled: Bool) {
            (self.seen, self.aps, self.place) = (seen, aps, place)
            isTouched = wasKilled || seen.receipt.outcome.answer?.status != 200
        }

        var mayHaveArrived: Bool {
            if let status { return status == 200 || status == 500 && seen.receipt.event == "start" }
            switch seen.receipt.outcome {
            case .goAway: return false
            case .reset(let code): return code != HTTP2Code.refusedStream
            default: return true
            }
        }
    }

    private mutating func judgeReload(_ push: Push) throws {
        let place = push.place
        try expectAuthority([owner[place] ?? nil, registered.widgets[place]], push, "reload")
        reloads[place, default: 0] += 1
        if push.isTouched { reloadAllowance[place, default: 0] += 1 }
        if push.status == 200 { lastReload[place] = .some(push.seen.receipt.effect) }
        if push.status == 410 { widgets[place] = [] }
        let (count, allowed) = (reloads[place, default: 0], reloadAllowance[place, default: 0])
        try expect(isLenient || count <= allowed, "\(place) was reloaded \(count) times for \(allowed) reasons")
    }

    private mutating func judgeStart(_ push: Push, _ declared: Declared) throws {
        var attributes = push.aps["attributes"]?.object ?? Object()
        let launch = attributes["launchRequestId"]?.text?.string ?? ""
        attributes["launchRequestId"] = nil
        guard let key = Key(attributes: .object(attributes)), let edit = declared.edits[push.number] else {
            throw Wrong("a start of nothing: \(push.aps.canonical)")
        }
        let place = push.place
        try expect(push.seen.request.fields.collapseID == Text(launch), "\(launch) travels under another collapse id")
        try expectOwner(key, place, "start")
        let type = push.aps["attributes-type"]?.text?.string ?? ""
        let target = registered.starts[.init(place: place, type: type)]
        try expectAuthority([key.subscriber, Subject.activity(key, place), target], push, "start")
        let start = Start(
            launch: launch,
            key: key,
            life: edit.life,
            activity: edit.activity,
            attributes: attributes,
            type: type,
            owners: ownerChanges[place, default: 0],
            timestamp: push.timestamp,
            effect: push.seen.receipt.effect
        )
        let started = Started(key: key, place: place)
        if let before = starts[started], !isLenient {
            try expect(before.launch != launch, "\(launch) was sent again although it may have arrived")
            let isSame =
                before.life == start.life && before.attributes == start.attributes
                && before.type == start.type && before.owners == start.owners
            try expect(
                !isSame || mayRepeat(before, start),
                "\(key) was started again on \(place) as \(launch); \(before.launch) may have arrived"
            )
        }
        if push.mayHaveArrived { starts[started] = start }
        if push.status == 410 { startTypes[place]?.remove(start.type) }
        launches[launch] = start
    }

    /// A policy allows a second start of the same life: unconfirmed in time, or 8 hours old.
    private func mayRepeat(_ before: Start, _ start: Start) -> Bool {
        let age = Span.seconds(start.timestamp - before.timestamp)
        let restarts = start.activity["restart"] == "if-unconfirmed" && age >= before.kept + .minutes(5)
        return restarts || start.activity["renew"] == true && age >= .hours(8)
    }

    private mutating func judgeActivity(_ push: Push, _ event: String, _ declared: Declared) throws {
        let token = String(push.seen.request.path.dropFirst("/3/device/".count))
        guard let activity = tokens[token].flatMap({ activities[$0] }) else {
            throw Wrong("\(event) goes to a token that nobody reported: \(token.prefix(8))")
        }
        let words = "\(activity.key) on \(push.place)"
        if push.isTouched { activity.touched += 1 }
        try expect(push.timestamp > activity.timestamp, "the timestamp of \(words) does not grow")
        activity.timestamp = push.timestamp
        if push.status == 200 || push.status == 410 { activity.lastEffect = push.seen.receipt.effect }
        if event == "update" { return try judgeUpdate(push, activity, words, declared) }
        activity.ends += 1
        try expect(
            isLenient || activity.ends <= 1 + activity.touched,
            "\(words) was ended \(activity.ends) times"
        )
        activity.mayHaveEnded = activity.mayHaveEnded || push.mayHaveArrived
        if push.status == 200 { activity.endedEffect = push.seen.receipt.effect }
        if push.status == 410 { unended.insert(push.place) }
    }

    private func judgeUpdate(_ push: Push, _ activity: Activity, _ words: String, _ declared: Declared) throws {
        try expect(isLenient || !activity.mayHaveEnded, "\(words) is updated after its end")
        try expectOwner(activity.key, push.place, "update")
        try expectAuthority([activity.key.subscriber, Subject.activity(activity.key, push.place)], push, "update")
        activity.updates[push.number, default: 0] += 1
        let (count, most) = (activity.updates[push.number, default: 0], declared.entered[push.number, default: 0])
        try expect(
            isLenient || count <= most + activity.touched,
            "\(words) was told its state \(push.number) \(count) times"
        )
    }

    private func expectAuthority(_ names: [String?], _ push: Push, _ what: String) throws {
        for (subject, since) in Array(paused) + Array(revoked) where names.contains(subject.name) {
            let words = "a \(what) goes out to \(push.place) without authority over \(subject.name)"
            try expect(push.seen.unit <= since, words)
        }
    }

    private func expectOwner(_ key: Key, _ place: Place, _ what: String) throws {
        guard !isLenient else { return }
        try expect(
            owners[place]?.contains(key.subscriber) ?? false,
            "a \(what) of \(key) goes to \(place), which is \((owner[place] ?? nil) ?? "nobody")'s"
        )
    }
}
