internal import Diff
internal import Foreign
public import JSON
internal import Time

/// A line of a plan that is none.
struct MalformedEntry: Error, Equatable {
    /// The member that is missing or has no valid value.
    var key: Text
}

extension PlanEntry {
    /// The line as an event: `{ "type": "action", … }`.
    public var value: Value {
        var event = Object()
        event["type"] = "action"
        event["subscriber"] = .string(owner.subscriber)
        event["app"] = .string(owner.app)
        event["kind"] = .string(kind.rawValue)
        event["name"] = name.map(Value.string)
        if !edits.isEmpty { event["patch"] = edits.value }
        event["before"] = before?.value
        event["after"] = after?.value
        switch deed {
        case .commit(let commit):
            event["action"] = "commit"
            event["change"] = .string(commit.rawValue)
        case .push(let push):
            event["action"] = .string(push.kind.rawValue)
            event["device"] = .string(push.device)
            event["target"] = push.target.map(Value.string)
            event["status"] = .string(push.status.word)
            if case .waiting(let until) = push.status {
                event["until"] = .string(Text(RFC3339.string(until)))
            }
            event["reason"] = .string(push.reason.rawValue)
            event["message"] = .string(Text(push.reason.words))
            event["cost"] = .integer(Int64(push.cost))
            event["priority"] = .integer(Int64(push.priority))
        }
        return .object(event)
    }

    /// Reads a line back.
    init(_ value: Value) throws(MalformedEntry) {
        func text(_ key: Text) throws(MalformedEntry) -> Text {
            guard let text = value[key]?.text else { throw MalformedEntry(key: key) }
            return text
        }
        guard let kind = Kind(rawValue: try text("kind")) else { throw MalformedEntry(key: "kind") }
        owner = Owner(subscriber: try text("subscriber"), app: try text("app"))
        self.kind = kind
        name = value["name"]?.text
        if try text("action") == "commit" {
            guard let commit = Commit(rawValue: try text("change")) else { throw MalformedEntry(key: "change") }
            deed = .commit(commit)
        } else {
            deed = .push(try Push(value))
        }
        do throws(PatchError) {
            edits = try value["patch"].map { value throws(PatchError) in try [Edit](value) } ?? []
        } catch {
            throw MalformedEntry(key: "patch")
        }
        before = value["before"].map(Footing.init)
        after = value["after"].map(Footing.init)
    }
}

extension PlanEntry.Push {
    fileprivate init(_ value: Value) throws(MalformedEntry) {
        guard let kind = value["action"]?.text.flatMap(Action.Kind.init) else { throw MalformedEntry(key: "action") }
        guard let device = value["device"]?.text else { throw MalformedEntry(key: "device") }
        guard let reason = value["reason"]?.text.flatMap(Reason.init) else { throw MalformedEntry(key: "reason") }
        guard let status = Action.Status(value) else { throw MalformedEntry(key: "status") }
        guard let cost = value["cost"]?.integer.flatMap(Int.init(exactly:)) else { throw MalformedEntry(key: "cost") }
        guard let priority = value["priority"]?.integer.flatMap(Int.init(exactly:)) else {
            throw MalformedEntry(key: "priority")
        }
        self.init(
            kind: kind,
            device: device,
            target: value["target"]?.text,
            status: status,
            reason: reason,
            cost: cost,
            priority: priority
        )
    }
}

extension Action.Status {
    /// Its name for programs.
    fileprivate var word: Text {
        switch self {
        case .send: "send"
        case .waiting: "waiting"
        case .held: "held"
        case .blocked: "blocked"
        }
    }

    fileprivate init?(_ event: Value) {
        switch event["status"]?.text {
        case "send": self = .send
        case "held": self = .held
        case "blocked": self = .blocked
        case "waiting":
            guard let until = event["until"]?.text.flatMap({ try? RFC3339.moment(of: $0.string) }) else {
                return nil
            }
            self = .waiting(until: until)
        default: return nil
        }
    }
}
