public import Diff
public import JSON

/// The treatment of one line of a saved plan by apply, after what the files, the ledger and the devices say now.
enum Verdict: Hashable {
    /// It is as it was when the plan was made: carried out.
    case apply
    /// The change that it asks for is committed and needs no push any more.
    case applied
    /// A device, or somebody at work, moved it: passed over, for this reason.
    case skipped(String)
    /// Its basis moved: the plan is not carried out.
    case stale(PlanConflict.Cause)
    /// It never asked for anything.
    case none
}

/// A line that keeps a saved plan from being applied.
public struct PlanConflict: Hashable, Sendable, CustomStringConvertible {
    /// The thing that moved.
    public enum Cause: String, Hashable, Sendable {
        /// The files declare something else now.
        case files = "moved_by_files"
        /// Another apply committed something since.
        case apply = "moved_by_apply"
    }

    /// The owner of the line.
    public var owner: Owner
    /// Of what kind the declaration is.
    public var kind: PlanEntry.Kind
    /// The declaration's name.
    public var name: Text
    /// The thing that moved.
    public var cause: Cause

    /// The thing that moved, and since when.
    public var description: String {
        let place = "\(owner.subscriber) (\(owner.app)): \(kind.words) '\(name)'"
        switch cause {
        case .files: return "\(place) is declared otherwise now than when the plan was made"
        case .apply: return "\(place) was committed by another apply since the plan was made"
        }
    }
}

/// A line that was passed over, because what it is about moved since the plan was made.
public struct SkippedLine: Hashable, Sendable, CustomStringConvertible {
    /// The line.
    public var entry: PlanEntry
    /// The reason.
    public var reason: String

    /// The line that was passed over, and the reason.
    public var description: String {
        let push = entry.push.map { "\($0.kind.rawValue) " } ?? ""
        let what = push + (entry.name.map { "\($0) " } ?? "")
        return "\(entry.owner.subscriber): \(what)on \(entry.push?.device ?? "no device") is passed over: \(reason)"
    }
}

extension PlanEntry.Kind {
    /// Its name for people.
    public var words: String { self == .widget ? "widget" : "activity" }
}

extension Ground {
    /// Judges the lines of one owner, all at once.
    ///
    /// - Parameters:
    ///   - entries: The lines of the saved plan.
    ///   - fresh: The decisions of the diff now about what they name.
    /// - Returns: A verdict for each.
    func verdicts(on entries: [PlanEntry], _ fresh: OwnerPlan) -> [Verdict] {
        // A reload has no content of its own: it carries what the owner's widgets were committed to.
        let widgets = entries.filter { $0.push == nil && $0.kind == .widget }.map(basis)
        return entries.map { entry in
            let basis = basis(of: entry)
            guard let push = entry.push else { return basis.verdict }
            guard push.isToBeSent else { return .none }
            if case .moved = basis { return basis.verdict }
            let isOfWidgets = push.kind == .reload
            let isChange = isOfWidgets ? !widgets.isEmpty : entry.before?.content != entry.after?.content
            let isCommitted = isOfWidgets ? widgets.allSatisfy { $0 == .committed } : basis == .committed
            return verdict(
                on: entry,
                push,
                fresh: fresh,
                basis: isChange ? (isCommitted ? .committed : .untouched) : nil
            )
        }
    }

    /// The state of a line's declaration now, against what the plan was made on and what it leads to.
    private enum Basis: Equatable {
        case untouched
        case committed
        case moved(PlanConflict.Cause)

        var verdict: Verdict {
            switch self {
            case .untouched: .apply
            case .committed: .applied
            case .moved(let cause): .stale(cause)
            }
        }
    }

    private func basis(of entry: PlanEntry) -> Basis {
        guard let name = entry.name, let before = entry.before, let after = entry.after else { return .committed }
        guard declared(entry.kind, name) == after.content else { return .moved(.files) }
        let now = committed(entry.kind, name)
        if now.content == after.content { return .committed }
        return now.content == before.content && now.revision == before.revision ? .untouched : .moved(.apply)
    }

    /// Judges a push; `basis` is that of the change that it carries, `nil` where it carries none.
    private func verdict(
        on entry: PlanEntry,
        _ push: PlanEntry.Push,
        fresh: OwnerPlan,
        basis: Basis?
    ) -> Verdict {
        let action = fresh.actions.first { push.isFor($0, entry.name) }
        let closure = closure(push, entry.name)
        guard closure == entry.before?.closure || closure == entry.after?.closure else {
            if basis == .committed { return .applied }
            return .skipped(
                closure == Self.left ? "the device left" : "it is over on the device (\(closure ?? "anew"))"
            )
        }
        switch action?.status {
        case .send: return .apply
        case .waiting: return basis == .committed ? .applied : .apply
        case .held where basis == .committed, .blocked where basis == .committed: return .applied
        case .held: return .skipped("held now: \(action?.reason.words ?? "")")
        case .blocked: return .skipped("blocked now: \(action?.reason.words ?? "")")
        case nil: return basis == .untouched ? .skipped("the device needs it no more") : .applied
        }
    }
}

extension PlanEntry.Push {
    /// True where the plan says that it is sent, now or when its time comes.
    var isToBeSent: Bool {
        switch status {
        case .send, .waiting: true
        case .held, .blocked: false
        }
    }

    /// True where an action of the diff is the same push.
    func isFor(_ action: Action, _ name: Text?) -> Bool {
        kind == action.kind && name == action.name && device == action.device
    }
}
