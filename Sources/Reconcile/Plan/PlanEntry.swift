public import Diff
public import JSON

/// One line of a plan: a declaration that apply commits, or a push, as every rendering and the saved plan have it.
///
/// It holds what people and programs are shown and no token; what it shows of a declaration is masked already.
public struct PlanEntry: Hashable, Sendable {
    /// The kind of declaration that it is about.
    public enum Kind: Text, Hashable, Sendable {
        /// A widget.
        case widget
        /// A Live Activity.
        case liveActivity
    }

    /// The deed of an apply.
    public enum Deed: Hashable, Sendable {
        /// It commits a declaration.
        case commit(Commit)
        /// It pushes to a device, or would.
        case push(Push)
    }

    /// The difference between a committed declaration and the one before.
    public enum Commit: Text, Hashable, Sendable {
        /// There was none.
        case added
        /// It differs.
        case changed
        /// There is none any more.
        case removed
    }

    /// One push.
    public struct Push: Hashable, Sendable {
        /// The kind of push.
        public var kind: Action.Kind
        /// The device that receives it.
        public var device: Text
        /// The id of what is written to, where it has one already.
        public var target: Text?
        /// The fate of it when apply runs now.
        public var status: Action.Status
        /// The reason.
        public var reason: Reason
        /// The cost in quota.
        public var cost: Int
        /// The APNs priority.
        public var priority: Int
    }

    /// The owner.
    public var owner: Owner
    /// The kind of declaration that it is about.
    public var kind: Kind
    /// The declaration's name; `nil` for a reload, which is of all widgets of a device.
    public var name: Text?
    /// The deed of an apply.
    public var deed: Deed
    /// The changes, step by step.
    public var edits: [Edit]
    /// The footing when the plan was made; only in a saved plan.
    public var before: Footing?
    /// The footing once it is applied; only in a saved plan.
    public var after: Footing?
}

extension PlanEntry {
    /// The push, where it is one.
    public var push: Push? { if case .push(let push) = deed { push } else { nil } }

    /// The lines of one owner's plan.
    ///
    /// - Parameters:
    ///   - plan: The decisions of the diff.
    ///   - desired: The declarations of the files.
    ///   - recorded: The records of the ledger.
    ///   - masks: The masks.
    ///   - showsTargets: True where ids of targets are shown: not where they are those of an overlay.
    /// - Returns: Commits, then pushes, each in the order of the plan.
    public static func entries(
        of plan: OwnerPlan,
        _ desired: Desired? = nil,
        _ recorded: Recorded? = nil,
        masks: Masks = Masks(),
        showsTargets: Bool = true
    ) -> [PlanEntry] {
        let contents = MaskedContents(desired: desired, recorded: recorded, masks: masks)
        let commits = plan.changes.map { change in
            let sides = contents.sides(of: change)
            return PlanEntry(
                owner: plan.owner,
                kind: change.kind,
                name: change.name,
                deed: .commit(change.before == nil ? .added : change.after == nil ? .removed : .changed),
                edits: Edit.edits(from: sides.old, to: sides.new)
            )
        }
        let pushes = plan.actions.map { action in
            let sides = contents.sides(of: action)
            return PlanEntry(
                owner: plan.owner,
                kind: action.kind == .reload ? .widget : .liveActivity,
                name: action.name,
                deed: .push(Push(action, showsTarget: showsTargets)),
                edits: sides.new.map { Edit.edits(from: sides.old, to: $0) } ?? []
            )
        }
        return commits + pushes
    }
}

/// One owner's plan as it was decided; its lines are made for those who show them.
public struct PlannedOwner: Sendable {
    /// The decisions of the diff.
    let plan: OwnerPlan
    /// The declarations of the files.
    let desired: Desired?
    /// The records of the ledger.
    let recorded: Recorded
    /// The masks of what is shown.
    let masks: Masks
    /// True where ids of targets are shown: not where they are those of an overlay.
    var showsTargets = true

    /// The lines: commits, then pushes, each in the order of the plan.
    public var entries: [PlanEntry] {
        PlanEntry.entries(of: plan, desired, recorded, masks: masks, showsTargets: showsTargets)
    }
}

extension PlanEntry.Push {
    fileprivate init(_ action: Action, showsTarget: Bool) {
        self.init(
            kind: action.kind,
            device: action.device,
            target: showsTarget ? action.write.target : nil,
            status: action.status,
            reason: action.reason,
            cost: action.cost,
            priority: action.priority
        )
    }
}

extension Action.Write {
    /// The id of what is written to, where it has one already.
    fileprivate var target: Text? {
        switch self {
        case .none: nil
        case .reload(let id, _): id.text
        case .launch(let id, _): id.text
        case .update(let id, _), .end(let id, _): id.text
        }
    }
}
