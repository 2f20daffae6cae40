import Diff
import JSON
import Time

extension Transition {
    /// What it changed, a line for each row that is another one: the delivery, the instance, the registrations, the log.
    var lines: [String] {
        var lines = deliveries.map { line($0.before, $0.after) }
        for (old, new) in zip(before.instances, record.instances) where old != new { lines.append(line(old, new)) }
        for (old, new) in zip(before.devices, record.devices) where old != new {
            if let old = old.widgets, let new = new.widgets, old != new { lines.append(line(old, new)) }
            for (old, new) in zip(old.startTargets, new.startTargets) where old != new {
                lines.append("\(new.id) loses its token")
            }
        }
        // What only leaves the record with its delivery has no words of its own.
        lines.removeAll { !$0.contains(" ") }
        return lines + deadTokens.map { "dead \($0.token) at \($0.at.offset)" } + history.map(\.sending)
    }

    private func line(_ before: Delivery?, _ after: Delivery?) -> String {
        guard let before, let after else { return "a new delivery" }
        var words = ["\(after.kind.rawValue) \(before.state.words) → \(after.state.words)"]
        func add(_ changed: Bool, _ word: String) { if changed { words.append(word) } }
        add(before.attempts != after.attempts, "attempt \(after.attempts)")
        add(before.cost != after.cost, "cost \(after.cost)")
        add(before.quotaDay != after.quotaDay, "day \(after.quotaDay.map { "\($0.number)" } ?? "-")")
        add(before.revision != after.revision, "revision \(after.revision)")
        add(before.notBefore != after.notBefore, "not before \(after.notBefore.offset)")
        add(before.rank != after.rank, "rank \(after.rank)")
        if let note = after.answer.note, note != before.answer.note { words.append("(\(note))") }
        return words.joined(separator: " ")
    }

    private func line(_ before: Instance, _ after: Instance) -> String {
        var words = ["\(after.id)"]
        func add(_ changed: Bool, _ word: String) { if changed { words.append(word) } }
        add(before.phase != after.phase, after.phase.name)
        add(before.startedAt != after.startedAt, "started \(after.startedAt.offset)")
        add(before.startExpiresAt != after.startExpiresAt, "expires \(after.startExpiresAt.offset)")
        add(before.shown != after.shown, "shows \(after.shown?.state.canonical ?? "nothing")")
        add(before.updatedAt != after.updatedAt, "updated \(after.updatedAt.offset)")
        add(before.rejection != after.rejection, after.rejection.map { "held at \($0.words)" } ?? "lifted")
        add(before.token != after.token, "loses its token")
        add(before.lastTimestamp != after.lastTimestamp, "timestamp \(after.lastTimestamp.offset)")
        return words.joined(separator: " ")
    }

    private func line(_ before: WidgetRegistration, _ after: WidgetRegistration) -> String {
        var words = ["widgets"]
        func add(_ changed: Bool, _ word: String) { if changed { words.append(word) } }
        add(before.reloadedStep != after.reloadedStep, "reloaded to \(after.reloadedStep.number)")
        add(before.reloadedAt != after.reloadedAt, "reloaded \(after.reloadedAt.offset)")
        add(before.owesReload != after.owesReload, after.owesReload ? "owe a reload" : "owe nothing")
        add(before.rejection != after.rejection, after.rejection.map { "held at \($0.words)" } ?? "lifted")
        add(before.token != after.token, "lose their token")
        return words.joined(separator: " ")
    }
}

extension Push {
    /// The push in words: `update 2 p5`, `start 1 p10 rings`, `end 9 p10 gone at -60 min`, and until when APNs tries.
    var line: String {
        var words: [String] = []
        switch content {
        case .reload: words = ["reload"]
        case .start(let start): words = ["start \(start.content.state.canonical)", start.rings ? "rings" : "silent"]
        case .update(let content, let rings): words = ["update \(content.state.canonical)", rings ? "rings" : "silent"]
        case .end(let state, let dismissAt):
            words = ["end \(state.canonical)", dismissAt.map { "gone at \($0.offset)" } ?? "gone when iOS thinks fit"]
        }
        return (words + ["p\(priority)", "until \(expiration.offset)"]).joined(separator: " ")
    }
}

extension Moment {
    /// `now`, `+60 min`, `-5 s`, `never`.
    fileprivate var offset: String {
        let span = self - DiffTests.now
        if self == .never { return "never" }
        if span == .zero { return "now" }
        let isMinutes = span.milliseconds.isMultiple(of: minute.milliseconds)
        let count = isMinutes ? span.milliseconds / minute.milliseconds : span.seconds
        return "\(count > 0 ? "+" : "")\(count) \(isMinutes ? "min" : "s")"
    }
}

extension Rejection {
    fileprivate var words: String { revision == .max ? "its token" : "\(revision)" }
}

extension Instance.Phase {
    fileprivate var name: String {
        if case .closed(let cause) = self { "closed: \(cause.rawValue)" } else { "\(self)" }
    }
}

extension DeliveryState {
    fileprivate var words: String {
        if case .dispatching(let again) = self { again ? "dispatching again" : "dispatching" } else { "\(self)" }
    }
}

extension HistoryEntry {
    /// `log update_unknown lrq_a: on device phone: …`, `resolved lrq_a failed`.
    fileprivate var sending: String {
        switch self {
        case .event(let event): "log \(event.kind) \(event.subject ?? "-"): \(event.text)"
        case .resolution(let resolution): "resolved \(resolution.launch) \(resolution.resolution.rawValue)"
        }
    }
}
