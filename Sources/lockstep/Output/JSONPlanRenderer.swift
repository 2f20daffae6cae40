import Diff
import Foreign
import JSON

/// A plan as a program reads it: one event a line, `{ "type": "action" | "change_summary" | "diagnostic", … }`.
struct JSONPlanRenderer: PlanRenderer {
    func lines(for plan: OwnerPlan) -> [String] {
        plan.changes.map { Self.event($0, of: plan.owner).canonical }
            + plan.actions.map { Self.event($0, of: plan.owner).canonical }
    }

    func lines(for summary: Summary) -> [String] {
        [Value.object(Self.event(summary)).canonical]
    }

    private static func event(_ summary: Summary) -> Object {
        var event = Object()
        event["type"] = "change_summary"
        event["hasChanges"] = .bool(summary.hasChanges)
        event["pushes"] = .count(summary.pushes)
        event["starts"] = .count(summary.starts)
        event["updates"] = .count(summary.updates)
        event["ends"] = .count(summary.ends)
        event["reloads"] = .count(summary.reloads)
        event["commits"] = .count(summary.commits)
        event["held"] = .count(summary.held)
        event["blocked"] = .count(summary.blocked)
        event["waiting"] = .count(summary.waiting)
        event["deferred"] = .count(summary.deferred)
        event["waitingUntil"] = summary.waitingUntil.map(Value.moment)
        event["removals"] = .count(summary.removals)
        event["replacements"] = .count(summary.replacements)
        event["message"] = .string(Text(summary.sentence))
        return event
    }

    /// What apply commits: of a declaration, the difference as a JSON Patch.
    private static func event(_ change: Change, of owner: Owner) -> Value {
        var event = event("commit", of: owner)
        event["kind"] = .string(Text(change.kind.rawValue))
        event["name"] = .string(change.name)
        event["change"] = change.before == nil ? "added" : change.after == nil ? "removed" : "changed"
        event["patch"] = Patch(from: change.before ?? [:], to: change.after ?? [:]).value
        return .object(event)
    }

    /// A push: what it is, for whom, why, and what it costs.
    private static func event(_ action: Action, of owner: Owner) -> Value {
        var event = event(action.kind.rawValue, of: owner)
        event["kind"] = action.kind == .reload ? "widget" : "liveActivity"
        event["name"] = action.name.map(Value.string)
        event["device"] = .string(action.device)
        event["target"] = action.step.target.map { .string(Text($0)) }
        event["status"] = .string(action.status.word)
        event["reason"] = .string(action.reason.rawValue)
        event["message"] = .string(Text(action.reason.words))
        event["cost"] = .count(action.cost)
        event["priority"] = .count(action.priority)
        if let after = action.after { event["patch"] = Patch(from: action.before ?? [:], to: after).value }
        if case .waiting(let until) = action.status { event["until"] = .moment(until) }
        return .object(event)
    }

    private static func event(_ action: Text, of owner: Owner) -> Object {
        var event = Object()
        event["type"] = "action"
        event["action"] = .string(action)
        event["subscriber"] = .string(owner.subscriber)
        event["app"] = .string(owner.app)
        return event
    }
}

extension Value {
    /// A number of things.
    static func count(_ count: Int) -> Value { .integer(Int64(count)) }

    /// A moment in milliseconds since 1970, as programs read it.
    static func moment(_ milliseconds: Int64) -> Value { .string(Text(RFC3339.string(milliseconds: milliseconds))) }
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
}

extension Action.Step {
    /// The id of what is written to, where it has one already.
    fileprivate var target: String? {
        switch self {
        case .none: nil
        case .reload(let id, _): id.description
        case .launch(let id, _): id.description
        case .update(let id, _), .end(let id, _): id.description
        }
    }
}
