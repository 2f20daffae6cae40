import Diff
import JSON
import Reconcile
import Simulator
import Time

/// Lives of declarations that people and time have closed, as far as anybody could know.
///
/// Rather one too many, because they excuse what a screen does not show.
struct Closures {
    struct Life: Hashable {
        var key: Key
        var life: Int
    }

    struct Lost: Hashable {
        var life: Life
        var place: Place
    }

    /// Closed by people, or by a declared end.
    var lives: Set<Life> = []
    /// Older than 8 hours, which a declaration that renews does not mind.
    var expired: Set<Life> = []
    /// Maybe gone from one phone.
    var places: Set<Lost> = []

    /// Closes the life that a declaration is in, and the one that its tiles may still be in.
    mutating func close(_ key: Key, _ declared: Declared) {
        let life = declared.lives[key] ?? 0
        lives.formUnion([Life(key: key, life: life), Life(key: key, life: life - 1)])
        // What the app started before anything was declared belongs to the first life.
        if life == 0 { lives.insert(Life(key: key, life: 1)) }
    }

    /// Closes the lives of all tiles of an app on a phone.
    mutating func closeTiles(_ screen: Value?, _ place: Place, of owner: String?, _ declared: Declared) {
        for tile in screen?["tiles"]?.array ?? [] {
            if let key = Shown.key(of: tile, place, owner) { close(key, declared) }
        }
    }

    /// The tiles there may turn out to be gone.
    mutating func loseTiles(_ place: Place, _ declared: Declared) {
        for (key, life) in declared.lives { places.insert(Lost(life: Life(key: key, life: life), place: place)) }
    }

    /// An anonymous user was that person all along.
    mutating func inherit(_ anonymous: String, _ person: String, _ app: String, _ declared: Declared) {
        for closed in lives where closed.key.subscriber == anonymous && closed.key.app == app {
            let key = Key(subscriber: person, app: app, name: closed.key.name)
            lives.formUnion([Life(key: key, life: closed.life), Life(key: key, life: declared.lives[key] ?? 1)])
        }
    }

    /// Eight hours close a life.
    mutating func noteExpired(_ sent: Sent, _ declared: Declared, at now: Moment) {
        for start in sent.starts.values where Moment(seconds: start.timestamp) + .hours(8) <= now {
            expired.insert(Life(key: start.key, life: start.life))
        }
        for activity in sent.activities.values {
            guard Moment(seconds: activity.start?.timestamp ?? 0) + .hours(8) <= now else { continue }
            let life = activity.isEarly ? declared.lives[activity.key] ?? 1 : max(activity.life, 1)
            expired.insert(Life(key: activity.key, life: life))
        }
    }
}

/// Holds the screens against the files, once everything is quiet.
struct Shown {
    /// Reasons for which a plan may leave a screen as it is, for good.
    static let lasting: Set<Text> = [
        "unconfirmed", "start_target_pending", "rejected", "os_too_old", "no_start_target", "life_closed",
        "stale_at_passed", "started_by_app", "reauthorized",
    ]
    /// Reasons that end by themselves: a launch that is not reported is unconfirmed in the end.
    static let passing: Set<Text> = ["launch_outstanding", "start_uncertain"]

    struct Subject: Hashable {
        var place: Place
        var subscriber: String
        var name: String?
    }

    let declared: Declared
    let sent: Sent
    let closures: Closures
    let lost: Set<Place>
    let isStrict: Bool
    let now: Moment
    private let excuses: [Subject: PlanEntry.Push]

    init(
        _ declared: Declared,
        _ sent: Sent,
        _ closures: Closures,
        plan: [PlanEntry],
        lost: Set<Place>,
        isStrict: Bool,
        at now: Moment
    ) {
        (self.declared, self.sent, self.closures, self.lost) = (declared, sent, closures, lost)
        (self.isStrict, self.now) = (isStrict, now)
        var excuses: [Subject: PlanEntry.Push] = [:]
        for entry in plan {
            guard let push = entry.push else { continue }
            let place = Place(device: push.device.string, app: entry.owner.app.string)
            excuses[Subject(place: place, subscriber: entry.owner.subscriber.string, name: entry.name?.string)] = push
        }
        self.excuses = excuses
    }

    func check(_ screens: [Place: Value]) throws {
        for (subject, push) in excuses {
            let words = "\(subject.subscriber)/\(subject.name ?? "") on \(subject.place): \(push.kind) \(push.reason)"
            try expect(push.status == .held || push.status == .blocked, "still planned: \(words)")
            // A 410 that is older than the token's report proves nothing: the end waits for another one, or 8 hours.
            let waits = push.reason.rawValue == "earlier_end" && sent.unended.contains(subject.place)
            try expect(
                Self.lasting.contains(push.reason.rawValue) || waits,
                "held for a reason that should have passed: \(words)"
            )
            if push.reason == .rejected {
                try expect(sent.refused.contains(subject.place.device), "nobody refused: \(words)")
            }
        }
        for (place, screen) in screens.sorted(by: { "\($0.key)" < "\($1.key)" }) { try check(place, screen) }
    }

    /// The declaration that a tile belongs to.
    static func key(of tile: Value, _ place: Place, _ owner: String?) -> Key? {
        if tile["launchRequestId"] != nil { return Key(attributes: tile["attributes"]) }
        guard let owner, let name = tile["name"]?.text?.string else { return nil }
        return Key(subscriber: owner, app: place.app, name: name)
    }

    private func check(_ place: Place, _ screen: Value) throws {
        guard let owner = screen["subscriber"]?.text?.string else { return }
        // The ledger cannot know what reports never told it of the owner of this phone. Tiles from before a revocation
        // have no authority, and are left as they are.
        guard sent.owner[place] == owner, isStrict || !sent.wasRevoked else { return }
        var tiles: [Key: [Value]] = [:]
        for tile in screen["tiles"]?.array ?? [] where tile["ended"] != true {
            if let key = Self.key(of: tile, place, owner) { tiles[key, default: []].append(tile) }
        }
        for (key, tiles) in tiles { try check(tiles, of: key, place, owner) }
        for (key, activity) in declared.activities where key.subscriber == owner && key.app == place.app {
            if tiles[key] == nil { try checkAbsence(of: key, activity, place) }
        }
        try checkWidgets(screen, place, owner)
    }

    private func check(_ tiles: [Value], of key: Key, _ place: Place, _ owner: String) throws {
        let told = tiles.filter(isTold)
        guard let tile = told.first, declared.committed.contains(key) else { return }
        guard excuses[Subject(place: place, subscriber: key.subscriber, name: key.name)] == nil else { return }
        let shown = told.map { "\(($0["attributes"] ?? .null).canonical) \(($0["state"] ?? .null).canonical)" }
        let words = "\(place) of \(owner) shows \(shown) of \(key)"
        try expect(key.subscriber == owner, "\(words), which is somebody else's")
        guard let activity = declared.activities[key] else { throw Wrong("\(words), which is not declared") }
        try expect(activity["end"] == nil, "\(words), which is declared over")
        try expect(told.count == 1, "\(words): two tiles")
        if tile["launchRequestId"] != nil {
            var attributes = tile["attributes"]?.object ?? Object()
            attributes["launchRequestId"] = nil
            let wanted = activity["attributes"] ?? .null
            try expect(.object(attributes) == wanted, "\(words), declared \(wanted.canonical)")
        }
        let wanted = activity["state"] ?? .null
        try expect(tile["state"] == wanted, "\(words), declared \(wanted.canonical)")
        try expect(tile["relevanceScore"] == activity["relevanceScore"], "\(words): another relevance")
        try expect(tile["stale"] == .bool(isPast(activity["staleAt"])), "\(words): stale or not")
    }

    /// The ledger can know what this tile shows: it was reported, and Apple did not lose its last push.
    private func isTold(_ tile: Value) -> Bool {
        guard let activity = (tile["activityId"]?.text?.string).flatMap({ sent.activities[$0] }) else { return false }
        guard !activity.isAlone || declared.activities[activity.key] != nil else { return false }
        guard activity.endedEffect == nil || activity.endedEffect == "ended" else { return false }
        return ["started", "updated", "ended", "reported again"].contains(activity.lastEffect)
    }

    private func isPast(_ time: Value?) -> Bool {
        guard let text = time?.text?.string, let moment = try? RFC3339.moment(of: text) else { return false }
        return moment <= now
    }

    private func checkAbsence(of key: Key, _ activity: Object, _ place: Place) throws {
        guard activity["end"] == nil, !isPast(activity["staleAt"]) else { return }
        guard excuses[Subject(place: place, subscriber: key.subscriber, name: key.name)] == nil else { return }
        let type = activity["attributesType"]?.text?.string ?? ""
        guard sent.startTypes[place]?.contains(type) ?? false else { return }
        let life = Closures.Life(key: key, life: declared.lives[key] ?? 0)
        if closures.expired.contains(life), activity["renew"] != true { return }
        if closures.lives.contains(life) || closures.places.contains(.init(life: life, place: place)) { return }
        if let start = sent.starts[.init(key: key, place: place)], start.life == life.life,
            let effect = start.effect, effect != "started"
        {
            return
        }
        throw Wrong("\(place) does not show \(key), and the plan does not say why")
    }

    private func checkWidgets(_ screen: Value, _ place: Place, _ owner: String) throws {
        guard excuses[Subject(place: place, subscriber: owner, name: nil)] == nil else { return }
        guard isStrict || !lost.contains(place) else { return }
        if !isStrict, let last = sent.lastReload[place], last != "reloaded" { return }
        for shown in screen["widgets"]?.object?.members ?? [] {
            let owned = declared.widgets[.init(subscriber: owner, app: place.app)]
            guard let widget = owned?[shown.key.string], sent.widgets[place]?.contains(shown.key.string) ?? false else {
                continue
            }
            try expect(
                shown.value["state"] == widget["state"],
                "\(place) of \(owner) shows \(shown.value.canonical), not \(Value.object(widget).canonical)"
            )
        }
    }
}
