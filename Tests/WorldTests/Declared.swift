import JSON
import Time

/// The state files, and what every number in them stood for.
///
/// Every edit of an activity puts a number of its own into the declared state, so that a push and a tile tell which
/// edit they show; `attributes` name the declaration.
struct Declared {
    struct Owner: Hashable {
        var subscriber: String
        var app: String
    }

    /// An activity as an edit left it.
    struct Entered {
        var key: Key
        var life: Int
        var activity: Object
    }

    private(set) var widgets: [Owner: [String: Object]] = [:]
    private(set) var activities: [Key: Object] = [:]
    /// By state number.
    private(set) var edits: [Int64: Entered] = [:]
    /// How often the files came to show a number.
    private(set) var entered: [Int64: Int] = [:]
    /// Counts what lets a declaration start anew: another generation, or a return after a run without it.
    private(set) var lives: [Key: Int] = [:]
    private var number: Int64 = 0
    /// What a run saw go.
    private(set) var gone: Set<Key> = []
    /// What any run may have committed.
    private(set) var committed: Set<Key> = []
    private var history: [Key: [Int64]] = [:]

    /// A run may have committed what the files declare.
    mutating func noteAttempt() { committed.formUnion(activities.keys) }
    /// A run saw the files: what they do not declare any more is gone, and comes back as a new life.
    mutating func noteRun(_ seen: Set<Key>) { gone.formUnion(committed.subtracting(seen)) }

    private mutating func nextNumber() -> Int64 {
        number += 1
        return number
    }

    /// The document of an owner.
    func document(of owner: Owner) -> Value {
        var members = Object()
        for (name, widget) in widgets[owner] ?? [:] { members[Text(name)] = .object(widget) }
        var tiles = Object()
        for (key, activity) in activities where key.subscriber == owner.subscriber && key.app == owner.app {
            tiles[Text(key.name)] = .object(activity)
        }
        return [
            "subscriber": .string(Text(owner.subscriber)), "app": .string(Text(owner.app)),
            "widgets": .object(members), "liveActivities": .object(tiles),
        ]
    }

    /// Makes an edit; false where nothing changed.
    mutating func edit(_ edit: Edit, _ key: Key, widget: String, value: Int, at now: Moment) -> Bool {
        let owner = Owner(subscriber: key.subscriber, app: key.app)
        let before = document(of: owner)
        switch edit {
        case .widget, .reload, .noWidget, .rest: editWidget(edit, owner, widget, value)
        default: editActivity(edit, key, value, at: now)
        }
        return document(of: owner) != before
    }

    private static let intervals: [Value?] = [nil, "2m", "30m", "2h"]

    private mutating func editWidget(_ edit: Edit, _ owner: Owner, _ name: String, _ value: Int) {
        guard edit != .noWidget else {
            widgets[owner]?[name] = nil
            return
        }
        var widget = widgets[owner]?[name] ?? ["state": ["n": .integer(nextNumber())]]
        if edit == .reload { widget["reload"] = .string(Text("r\(nextNumber())")) }
        if edit == .rest { widget["minInterval"] = Self.intervals[value] }
        if edit != .reload { widget["state"] = ["n": .integer(nextNumber())] }
        widgets[owner, default: [:]][name] = widget
    }

    private mutating func editActivity(_ edit: Edit, _ key: Key, _ value: Int, at now: Moment) {
        if edit == .gone { return activities[key] = nil }
        let known = activities[key]
        if known == nil, [.goOn, .end, .revert].contains(edit) { return }
        var activity = known ?? new(key, value)
        switch edit {
        case .end:
            var end = Object()
            if value > 0 { end["state"] = ["n": .integer(number + 1)] }
            if value == 2 { end["dismissAt"] = "now" }
            activity["end"] = .object(end)
        case .goOn:
            if activity["end"] == nil { return }
            activity["end"] = nil
        case .alert: activity["alert"] = alert(key, number + 1)
        case .attributes: activity["attributes"] = attributes(key, number + 1)
        case .type: activity["attributesType"] = .string(Text(Script.types[value == 1 ? 1 : 0]))
        case .generation:
            activity["generation"] = .string(Text("g\(number + 1)"))
            activity["end"] = nil
            lives[key, default: 0] += known == nil ? 0 : 1
        case .stale:
            let ahead: Span? = [nil, .seconds(-60), .minutes(30), .hours(10)][value]
            activity["staleAt"] = ahead.map { .string(Text(RFC3339.string((now + $0).wholeSecond))) }
        case .relevance: activity["relevanceScore"] = .integer(Int64(50 + value))
        case .priority: activity["priority"] = value > 0 ? "high" : "normal"
        case .restart: activity["restart"] = value > 0 ? "if-unconfirmed" : "never"
        case .renew: activity["renew"] = .bool(value > 0)
        case .interval: activity["minInterval"] = Self.intervals[value]
        case .expiry: activity["expiresAfter"] = [nil, "20s", "10m", "6h"][value]
        case .revert:
            if let numbers = history[key], numbers.count > 1 {
                activity["state"] = ["n": .integer(numbers[numbers.count - 2])]
                return enter(key, activity)
            }
        default: break
        }
        activity["state"] = ["n": .integer(nextNumber())]
        enter(key, activity)
    }

    private func attributes(_ key: Key, _ version: Int64) -> Value {
        ["order": .string(Text("\(key.subscriber)/\(key.app)/\(key.name)")), "v": .integer(version)]
    }

    private func alert(_ key: Key, _ number: Int64) -> Value {
        ["title": .string(Text(key.name)), "body": .string(Text("a\(number)")), "sound": "default"]
    }

    private mutating func new(_ key: Key, _ value: Int) -> Object {
        if gone.contains(key) || lives[key] == nil { lives[key, default: 0] += 1 }
        gone.remove(key)
        let number = nextNumber()
        return [
            "attributesType": .string(Text(Script.types[value < 2 ? 0 : 1])), "attributes": attributes(key, number),
            "state": ["n": .integer(number)], "alert": alert(key, number),
        ]
    }

    private mutating func enter(_ key: Key, _ activity: Object) {
        guard let number = activity["state"]?["n"]?.integer else { return }
        history[key, default: []].append(number)
        entered[number, default: 0] += 1
        edits[number] = Entered(key: key, life: lives[key] ?? 0, activity: activity)
        activities[key] = activity
    }
}

extension Key {
    /// The declaration that a tile or a start names by its attributes.
    init?(attributes: Value?) {
        let parts = attributes?["order"]?.text?.string.split(separator: "/").map(String.init) ?? []
        guard parts.count == 3 else { return nil }
        self.init(subscriber: parts[0], app: parts[1], name: parts[2])
    }
}
