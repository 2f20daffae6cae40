import Diff
import JSON
import Time

extension LedgerChanges {
    /// What is written, a line for each row and each field that differs: `a phase: cancelled`, `dlv_start: cancelled`.
    var lines: [String] {
        var lines: [String] = []
        lines += widgets.map { line("widget", $0) { $0.declaration.name } }
        lines += activities.map { line("activity", $0) { $0.declaration.name } }
        lines += instances.flatMap(Self.lines)
        lines += registrations.flatMap(Self.lines)
        lines += startTargets.flatMap(Self.lines)
        lines += devices.map { "device \($0.after?.device ?? "") of \($0.after?.owner?.string ?? "nobody")" }
        lines += closedEarly.map { "over early: \($0.key)" }
        lines += aliases.map { "\($0.anonymous) is \($0.person)" }
        lines += scopes.map(Self.line)
        lines += operations.map { "operation \($0.kind.rawValue)" }
        lines += deliveries.compactMap(Self.line)
        lines += history.map(\.line)
        lines += unpublished.map { "unpublished \($0.subscriber)" }
        return lines
    }

    private func line<Row>(_ kind: String, _ change: RowChange<Owned<Row>>, name: (Row) -> Text) -> String {
        let words = [change.before, change.after].map { $0.map { "\(name($0.row)) of \($0.owner.subscriber)" } ?? "-" }
        return "\(kind) " + words.joined(separator: " -> ")
    }

    private static func lines(_ change: RowChange<Owned<Instance>>) -> [String] {
        guard let after = change.after else { return [] }
        let (row, before) = (after.row, change.before?.row)
        var lines: [String] = []
        if let owner = change.before?.owner, owner != after.owner {
            lines.append("\(row.id) of \(after.owner.subscriber)")
        }
        if row.name != before?.name { lines.append("\(row.id) name: '\(row.name)'") }
        if row.phase != before?.phase { lines.append("\(row.id) phase: \(row.phase)") }
        if row.ending != before?.ending { lines.append("\(row.id) ending: \(row.ending?.rawValue ?? "-")") }
        return lines
    }

    private static func lines(_ change: RowChange<OnDevice<WidgetRegistration>>) -> [String] {
        guard let after = change.after else { return [] }
        let (row, before) = (after.row, change.before?.row)
        var lines: [String] = []
        if after.subscriber != change.before?.subscriber {
            lines.append("\(row.id) of \(after.subscriber ?? "nobody")")
        }
        if row.token != before?.token { lines.append("\(row.id) token: \(row.token ?? "-")") }
        if row.owesReload != before?.owesReload ?? false { lines.append("\(row.id) owes a reload: \(row.owesReload)") }
        return lines
    }

    private static func lines(_ change: RowChange<OnDevice<StartTarget>>) -> [String] {
        guard let after = change.after else { return [] }
        var lines: [String] = []
        if after.subscriber != change.before?.subscriber {
            lines.append("\(after.row.id) of \(after.subscriber ?? "nobody")")
        }
        if after.row.token != change.before?.row.token {
            lines.append("\(after.row.id) token: \(after.row.token ?? "-")")
        }
        return lines
    }

    private static func line(_ change: RowChange<ScopeRow>) -> String {
        let words = [change.before, change.after].map { row in
            guard let row else { return "-" }
            let marks = [row.scope.isPaused ? " paused" : "", row.scope.isRevoked ? " revoked" : ""].joined()
            return "\(row.subject.words) \(row.scope.number)\(marks)"
        }
        return "scope " + words.joined(separator: " -> ")
    }

    private static func line(_ change: RowChange<Delivery>) -> String? {
        guard let after = change.after else { return nil }
        var words: [String] = []
        if after.state != change.before?.state { words.append("\(after.state)") }
        if after.environment != change.before?.environment { words.append(after.environment.rawValue.string) }
        if let before = change.before, before.owner != after.owner { words.append("of \(after.owner.subscriber)") }
        if let before = change.before, before.notBefore != after.notBefore { words.append("at once") }
        if after.quotaDay != change.before?.quotaDay { words.append("booked") }
        if let note = after.answer.note, note != change.before?.answer.note { words.append("(\(note))") }
        return "\(after.id): " + words.joined(separator: " ")
    }
}

extension ScopeSubject {
    /// `anna`, `anna/Stats`, `anna/order/phone`, `stt_Delivery`.
    fileprivate var words: String {
        switch self {
        case .subscriber(let subscriber): subscriber.string
        case .widget(let owner, let name): "\(owner.subscriber)/\(name)"
        case .activity(let owner, let name, let device): "\(owner.subscriber)/\(name)/\(device)"
        case .startTarget(let id): id.text.string
        case .widgets(let id): id.text.string
        }
    }
}

/// A delivery of an instance of `order` on `phone`, or of the widgets there.
func delivery(
    _ id: Text,
    _ kind: Action.Kind,
    _ state: DeliveryState = .queued,
    of target: Text? = nil,
    owner: Owner = anna,
    registration: Text? = nil,
    _ environment: PushEnvironment = .production
) -> Delivery {
    Delivery(
        id: DeliveryID(id),
        kind: kind,
        owner: owner,
        device: "phone",
        target: target.map { TargetID($0) },
        registration: registration,
        environment: environment,
        state: state,
        revision: 1,
        createdAt: now - minute
    )
}
