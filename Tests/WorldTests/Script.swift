import Foundation
import JSON
import TestSeeds

/// One installed app on one phone.
struct Place: Hashable, CustomStringConvertible {
    var device: String
    var app: String
    var description: String { "\(device)/\(app.split(separator: ".").last ?? "")" }
}

/// A declaration, as pushes and tiles name it.
struct Key: Hashable, CustomStringConvertible {
    var subscriber: String
    var app: String
    var name: String
    var description: String { "\(subscriber)/\(name)" }
}

/// What goes wrong in a history, and how often.
struct Troubles {
    var faults: [(name: String, chance: Double)] = []
    var reports: [(name: String, chance: Double)] = []
    /// How many runs in a hundred are killed, have something happen beside them, or find the disk full.
    var kills = 0
    var besides = 0
    var fullDisks = 0
    var isDistant = false
    var movesClock = false
    var restores = false
    var hasAuthority = false
    /// People adopt, and make the ledger forget.
    var isByHand = false
    var quota: Int?

    /// The screens can be foretold before everything is reported anew: nobody said that they show what they do not,
    /// and reports bear the times at which they were made.
    var foretellsScreens: Bool { !restores && !movesClock && !isByHand }
}

/// One thing that happens; each stands on its own, so that any can be left out.
indirect enum Deed {
    case run(Command, Mishap?)
    case edit(Edit, Key, widget: String, value: Int)
    /// A command to a phone, with what it is about.
    case phone(String, Place, as: String, value: Int)
    case authority(String, of: String, Handle, value: Int, keeps: Bool)
    case quotaUse(Int)
    case wait
    case clockBack(Int)
    case backUp, restore, acceptRestored
    case forget(Key)
    /// After a power cut, files that were taken out of the spool are in it again.
    case spoolComesBack
}

enum Command: String { case apply, ingest, plan, reload, adopt }

enum Mishap {
    /// The run ends at this effect, as a process that is killed, or with the power of the whole machine.
    case kill(at: Int, cutsPower: Bool)
    /// From this effect on the disk has no room.
    case full(at: Int)
    /// Something else happens whole at this effect.
    case beside(at: Int, Deed)
}

enum Edit: String, CaseIterable {
    case widget, reload, noWidget, state, alert, attributes, type, generation, end, goOn, gone, stale, relevance
    case revert, priority, restart, renew, interval, rest, expiry

    /// How often it is drawn.
    var weight: Int {
        switch self {
        case .state: 30
        case .widget: 14
        case .alert, .attributes, .generation, .stale: 6
        case .renew, .end, .revert: 4
        default: 3
        }
    }
}

/// What happens at one time.
struct Step {
    var id: Int
    /// Seconds that go by before.
    var pass: Int
    var deed: Deed
}

/// One phone as it is when a history begins.
struct PhoneSetup {
    var device: String
    var os: String
    var subscriber: String?
    var apps: [(app: String, widgets: [String], types: [String], reportsEnds: Bool)]
}

/// What happens in one history: made of nothing but a seed.
struct Script {
    static let apps = ["com.example.courier", "com.example.games"]
    static let people = ["anna", "ben", "céline"]
    static let widgets = ["Stats", "Map"]
    static let activities = ["order", "ride"]
    static let types = ["DeliveryAttributes", "RideAttributes"]
    static let systems = ["26.0", "26.0", "26.0", "18.4", "17.5", "17.0", "16.2"]
    /// Faults of Apple's side; each happens to one request in so many.
    static let faults: [(name: String, effect: String)] = [
        ("429", #""answer":{"status":429,"reason":"TooManyRequests"}"#),
        ("500", #""answer":{"status":500,"reason":"InternalServerError"}"#),
        ("500 processed", #""answer":{"status":500,"reason":"InternalServerError","processed":true}"#),
        ("503", #""answer":{"status":503,"reason":"ServiceUnavailable"}"#),
        ("refused payload", #""answer":{"status":400,"reason":"BadMessageId"}"#),
        ("delay", #""delay":20"#),
        ("cut before", #""cut":"before""#),
        ("cut after", #""cut":"after""#),
        ("silence before", #""silence":"before""#),
        ("silence after", #""silence":"after""#),
        ("refused stream", #""reset":"REFUSED_STREAM""#),
        ("reset", #""reset":"CANCEL""#),
        ("goaway", #""goaway":{"reason":"Shutdown"}"#),
        ("goaway processed", #""goaway":{"reason":"Shutdown","processed":true}"#),
        ("topic", #""answer":{"status":400,"reason":"TopicDisallowed"}"#),
        ("bad key", #""answer":{"status":403,"reason":"InvalidProviderToken"}"#),
        ("connection cut", #""connect":"cut""#),
        ("connection goaway", #""connect":{"goaway":"Shutdown"}"#),
    ]

    var seed: UInt64
    var troubles: Troubles
    var phones: [PhoneSetup]
    var people: [String]
    var apps: [String]
    var steps: [Step]

    /// The first thousand are short, so that everybody can play them at any time.
    private var isShort: Bool { seed <= 1_000 }
    /// At the end every app reports all that it knows; of the short ones, in every fourth.
    var isHealed: Bool { !isShort || seed.isMultiple(of: 4) }

    init(seed: UInt64) {
        var dice = Dice(seed: seed)
        self.seed = seed
        troubles = dice.one(in: 3) ? Troubles() : Troubles(&dice)
        people = Array(Self.people.prefix(dice.number(1...3)))
        apps = Array(Self.apps.prefix(dice.pick([1, 1, 2])))
        phones = []
        for number in 1...dice.number(1...4) { phones.append(PhoneSetup(number, people, apps, &dice)) }
        steps = []
        for id in 0..<dice.number(isShort ? 2...12 : 10...40) { steps.append(step(id, &dice)) }
        steps.append(Step(id: steps.count, pass: 5, deed: .run(.apply, nil)))
    }

    private func step(_ id: Int, _ dice: inout Dice) -> Step {
        let pass = dice.pick([1, 2, 7, 61, 400])
        let deed = deed(&dice)
        if case .wait = deed {
            return Step(id: id, pass: dice.pick([900, 3_600, 4 * 3_600, 9 * 3_600, 26 * 3_600]), deed: deed)
        }
        return Step(id: id, pass: pass, deed: deed)
    }

    private func deed(_ dice: inout Dice) -> Deed {
        if troubles.restores, dice.one(in: 7) { return dice.pick([.backUp, .backUp, .restore, .acceptRestored]) }
        switch dice.number(1...100) {
        case ...30:
            let adopts = troubles.isByHand ? 2 : 0
            let command = dice.weighted([(Command.apply, 14), (.ingest, 2), (.plan, 1), (.reload, 1), (.adopt, adopts)])
            return .run(command, mishap(&dice))
        case ...64: return edit(&dice)
        case ...86: return beside(&dice)
        case ...92: return .wait
        default: return odd(&dice)
        }
    }

    private func edit(_ dice: inout Dice) -> Deed {
        let edit = dice.weighted(Edit.allCases.map { ($0, $0.weight) })
        let key = Key(subscriber: dice.pick(people), app: dice.pick(apps), name: dice.pick(Self.activities))
        return .edit(edit, key, widget: dice.pick(Self.widgets), value: dice.number(0...3))
    }

    /// What can happen beside a run as well.
    private func beside(_ dice: inout Dice) -> Deed {
        if troubles.hasAuthority, dice.one(in: 2) {
            let verb = dice.pick(["pause", "resume", "revoke", "reauthorize"])
            let handle = dice.weighted([(Handle.subscriber, 3), (.target, 4), (.startTarget, 2), (.widgets, 3)])
            let (person, value) = (dice.pick(people), dice.number(0...5))
            return .authority(verb, of: person, handle, value: value, keeps: dice.one(in: 3))
        }
        if troubles.quota != nil, dice.one(in: 6) { return .quotaUse(dice.number(1...3)) }
        let verb = dice.weighted([
            ("dismiss", 5), ("end", 2), ("sign-out", 3), ("sign-in", 6), ("rotate", 4), ("reinstall", 2),
            ("update-os", 2), ("widgets", 4), ("identify", 1),
        ])
        let place = Place(device: dice.pick(phones).device, app: dice.pick(apps))
        return .phone(verb, place, as: dice.pick(people), value: dice.number(0...5))
    }

    private func odd(_ dice: inout Dice) -> Deed {
        let place = Place(device: dice.pick(phones).device, app: dice.pick(apps))
        var odd: [Deed] = [.phone("start", place, as: dice.pick(people), value: dice.number(0...5))]
        if troubles.isDistant {
            for verb in ["out-of-reach", "in-reach", "in-reach", "rotate silently"] {
                odd.append(.phone(verb, place, as: "", value: 0))
            }
        }
        if troubles.movesClock { odd.append(.clockBack(dice.pick([30, 240, 3_000, 7_000]))) }
        if troubles.kills > 0 { odd.append(.spoolComesBack) }
        if troubles.isByHand {
            odd.append(.forget(Key(subscriber: dice.pick(people), app: place.app, name: dice.pick(Self.activities))))
        }
        return dice.pick(odd)
    }

    private func mishap(_ dice: inout Dice) -> Mishap? {
        let at = 1 + dice.number(0...6) * dice.number(0...6)
        if dice.number(1...100) <= troubles.kills { return .kill(at: at, cutsPower: dice.one(in: 3)) }
        if dice.number(1...100) <= troubles.fullDisks { return .full(at: at) }
        if dice.number(1...100) <= troubles.besides {
            let other = troubles.quota.map { Deed.quotaUse(dice.number(1...$0)) }
            let deeds = [
                (beside(&dice), 6), (edit(&dice), 2), (.run(.plan, nil), 1), (other ?? .wait, other == nil ? 0 : 4),
            ]
            return .beside(at: at, dice.weighted(deeds))
        }
        return nil
    }
}

extension Troubles {
    fileprivate init(_ dice: inout Dice) {
        let rate = dice.pick([3, 10, 30])
        for _ in 0..<dice.number(0...4) {
            faults.append((dice.pick(Script.faults).name, Double(dice.number(1...rate)) / 100))
        }
        if dice.one(in: 2) {
            for name in [#""lost""#, #""doubled""#, #"{"late":90000}"#] where dice.one(in: 2) {
                reports.append((name, Double(dice.number(1...20)) / 100))
            }
        }
        if dice.one(in: 2) { kills = dice.pick([10, 30, 60]) }
        if dice.one(in: 2) { besides = dice.pick([20, 50]) }
        if dice.one(in: 4) { fullDisks = dice.pick([10, 30]) }
        isDistant = dice.one(in: 2)
        movesClock = dice.one(in: 7)
        restores = dice.one(in: 6)
        hasAuthority = dice.one(in: 3)
        isByHand = dice.one(in: 8)
        quota = dice.one(in: 4) ? dice.pick([3, 8, 20]) : nil
        // Whether a commit counts what is sent elsewhere shows only where that comes beside a run.
        if quota != nil { besides = max(besides, 40) }
    }
}

extension PhoneSetup {
    fileprivate init(_ number: Int, _ people: [String], _ installed: [String], _ dice: inout Dice) {
        device = "d\(number)"
        os = dice.pick(Script.systems)
        subscriber = dice.one(in: 6) ? nil : dice.pick(people)
        apps = []
        for app in installed {
            let widgets = Array(Script.widgets.shuffled(using: &dice.generator).prefix(dice.number(0...2)))
            let types = Array(Script.types.shuffled(using: &dice.generator).prefix(dice.number(1...2)))
            apps.append((app, widgets, types, dice.one(in: 3)))
        }
    }

    /// The command that adds it.
    var command: Value {
        let apps: [Value] = apps.map { app in
            [
                "app": .string(Text(app.app)), "widgets": .array(app.widgets.map { .string(Text($0)) }),
                "attributesTypes": .array(app.types.map { .string(Text($0)) }), "reportsEnds": .bool(app.reportsEnds),
            ]
        }
        var command: Object = [
            "do": "add", "device": .string(Text(device)), "os": .string(Text(os)), "apps": .array(apps),
        ]
        if let subscriber { command["subscriber"] = .string(Text(subscriber)) }
        return .object(command)
    }
}

/// Chance from a seed.
struct Dice {
    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    mutating func one(in count: Int) -> Bool { number(1...count) == 1 }
    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(0...elements.count - 1)] }
    mutating func weighted<Element>(_ elements: [(Element, Int)]) -> Element {
        var rest = number(1...elements.reduce(0) { $0 + $1.1 })
        for (element, weight) in elements {
            rest -= weight
            if rest <= 0 { return element }
        }
        return elements[0].0
    }
}
