import Diff
import JSON
import Ledger
import Time

/// The kinds of things that authority can be had over, as people name them.
enum Handle {
    case subscriber
    /// An activity on a phone, or a widget (`tgt_…`).
    case target
    /// The starts of one attributes type on a phone (`stt_…`).
    case startTarget
    /// The widgets of a phone (`wgt_…`).
    case widgets
}

/// What authority can be had over, in the words that pushes are judged by.
struct Subject: Hashable {
    /// A name: a subscriber, an activity on a phone, or an id that a phone has in the ledger.
    var name: String
    /// What a command calls it: any of several may mean the same.
    var id: Text

    static func == (left: Subject, right: Subject) -> Bool { left.name == right.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }

    static func subscriber(_ name: String) -> Subject { Subject(name: name, id: Text(name)) }
    static func activity(_ key: Key, _ place: Place) -> String { "activity \(key) of \(key.app) on \(place)" }

    /// The subjects of a kind that the ledger knows of a subscriber.
    static func all(_ handle: Handle, of subscriber: String, _ apps: [String], in ledger: any Snapshot) throws
        -> [Subject]
    {
        guard handle != .subscriber else { return [.subscriber(subscriber)] }
        let owners = apps.map { Owner(subscriber: Text(subscriber), app: Text($0)) }
        return try ledger.recorded(owners).flatMap { record -> [Subject] in
            let app = record.owner.app.string
            switch handle {
            case .subscriber: return []
            case .target:
                let instances = record.instances.filter { !$0.name.string.isEmpty }.map { instance in
                    let key = Key(subscriber: subscriber, app: app, name: instance.name.string)
                    let place = Place(device: instance.device.string, app: app)
                    return Subject(name: Subject.activity(key, place), id: instance.id.text)
                }
                let widgets = record.widgets.map { Subject(name: $0.id.text.string, id: $0.id.text) }
                return instances + widgets
            case .startTarget:
                return record.devices.flatMap {
                    $0.startTargets.map { Subject(name: $0.id.text.string, id: $0.id.text) }
                }
            case .widgets:
                return record.devices.compactMap { $0.widgets.map { Subject(name: $0.id.text.string, id: $0.id.text) } }
            }
        }
    }
}

/// The ids that phones have in the ledger.
struct RegisteredIDs {
    struct Start: Hashable {
        var place: Place
        var type: String
    }

    private(set) var starts: [Start: String] = [:]
    private(set) var widgets: [Place: String] = [:]

    /// Those of a ledger.
    init(_ ledger: any Snapshot) throws {
        for record in try ledger.recorded(in: .all, after: nil, limit: .max) {
            for device in record.devices {
                let place = Place(device: device.id.string, app: record.owner.app.string)
                if let registration = device.widgets { widgets[place] = registration.id.text.string }
                for target in device.startTargets {
                    starts[Start(place: place, type: target.attributesType.string)] = target.id.text.string
                }
            }
        }
    }

    /// None are asked for.
    init() {}
}
