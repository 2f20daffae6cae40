import Diff
import JSON
import Testing
import Time

/// One claim about the plan of one owner.
struct Case: Sendable, CustomTestStringConvertible {
    let claim: String
    let desired: Desired?
    let recorded: Recorded
    let expected: [String]

    /// What the files declare, what the ledger holds, and the lines of the plan.
    init(_ claim: String, _ declared: [any Declared], _ records: [any Record], _ expected: [String]) {
        self.claim = claim
        self.desired = DiffTests.desired(declared)
        self.recorded = DiffTests.recorded(records)
        self.expected = expected
    }

    var testDescription: String { claim }

    /// The plan at ``now``, with a key for production only.
    var plan: OwnerPlan {
        OwnerPlan(
            desired: desired,
            recorded: recorded,
            context: DiffContext(now: now, environments: ["app": [.production]])
        )
    }

    func check(_ location: SourceLocation = #_sourceLocation) {
        #expect(plan.lines == expected, "\(claim)", sourceLocation: location)
    }
}

extension OwnerPlan {
    /// The plan in words, a line for each change, action and adjustment.
    var lines: [String] { changes.map(\.line) + actions.map(\.line) + adjustments.map(\.line) }
}

extension Change {
    /// `commit widget Stats`, `commit order life 1`, `remove order`.
    var line: String {
        switch self {
        case .widget(let declaration, _): "commit widget \(declaration.name)"
        case .widgetRemoved(let declaration): "remove widget \(declaration.name)"
        case .activity(let declaration, let life, _): "commit \(declaration.name) life \(life)"
        case .activityRemoved(let declaration): "remove \(declaration.name)"
        }
    }
}

extension Action {
    /// `start order on phone: declared`, `held update order on phone: rejected`, `reload phone: state_changed`.
    ///
    /// `again` marks a push that an earlier run committed. What is usual is left out: updates and reloads are silent,
    /// everything else goes at priority 10; an end is free, everything else costs one push.
    var line: String {
        let what = [kind.rawValue.string, name?.string, kind == .reload ? nil : "on", device.string]
            .compactMap(\.self).joined(separator: " ")
        return [prefix, what + ":", reason.rawValue.string, detail].filter { !$0.isEmpty }.joined(separator: " ")
    }

    private var prefix: String {
        switch status {
        case .send: write == .none ? "again" : ""
        case .waiting(let until): "in \((until - now).milliseconds / minute.milliseconds) min"
        case .held: "held"
        case .blocked: "blocked"
        }
    }

    private var detail: String {
        var details: [String] = []
        if priority != (kind == .update || kind == .reload ? 5 : 10) { details.append("p\(priority)") }
        if cost != (kind == .end ? 0 : 1) { details.append(cost == 0 ? "free" : "charged") }
        switch write {
        case .launch(_, .some(let replaced)): details.append("replacing \(replaced)")
        case .update(_, .some(let delivery)), .reload(_, .some(let delivery)): details.append("superseding \(delivery)")
        default: break
        }
        return details.joined(separator: " ")
    }
}

extension Adjustment {
    /// `cancel launch a`, `miss a`, `expire dlv_start`, `withdraw end of a life 2`, `close a: expired`.
    var line: String {
        switch self {
        case .cancelLaunch(let id): "cancel launch \(id)"
        case .miss(let id): "miss \(id)"
        case .expire(let id): "expire \(id)"
        case .cancelUpdate(let id, _): "cancel update of \(id)"
        case .withdrawEnd(let id, let life): "withdraw end of \(id) life \(life)"
        case .close(let id, let cause): "close \(id): \(cause.rawValue)"
        case .adopt(let id, _, _): "adopt \(id)"
        }
    }
}
