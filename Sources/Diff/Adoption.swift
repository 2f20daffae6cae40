public import JSON

/// The records of one owner where the declared state counts as applied, by whatever means, and nothing is sent.
///
/// What the files no longer declare is not part of it: apply ends that.
public struct Adoption: Hashable, Sendable {
    /// A running instance that counts as showing what is declared.
    public struct Running: Hashable, Sendable {
        /// The instance.
        public var target: TargetID
        /// The life that it counts to.
        public var life: Int64
        /// The declaration that it counts as started and updated by.
        public var declaration: ActivityDeclaration
    }

    /// The changes that are committed and noted, without a push.
    public var plan: OwnerPlan
    /// The activities of which nothing is started in this life that does not run already.
    public var activities: [Text] = []
    /// The instances that run as declared.
    public var running: [Running] = []
    /// The running instances whose end is declared.
    public var ended: [TargetID] = []
    /// The devices whose widgets count as reloaded.
    public var reloaded: [Text] = []
    /// The number of pushes that are not sent because of it.
    public var unsent = 0

    /// True where there is nothing to record.
    public var isEmpty: Bool {
        plan.isEmpty && activities.isEmpty && running.isEmpty && ended.isEmpty && reloaded.isEmpty
    }

    /// Decides what is recorded in place of carrying a plan out.
    ///
    /// - Parameters:
    ///   - plan: The plan that apply would carry out.
    ///   - desired: The declarations of the files; `nil` where there are none.
    ///   - recorded: The records that the plan was made from.
    public init(of plan: OwnerPlan, desired: Desired?, recorded: Recorded) {
        self.plan = plan
        self.plan.actions = []
        self.plan.removals = []
        self.plan.changes.removeAll(where: \.isRemoval)
        unsent = plan.actions.count { $0.status == .send && ($0.kind != .end || $0.reason == .declaredEnd) }
        for activity in desired?.activities ?? [] {
            let isToStart = plan.actions.contains { $0.name == activity.name && $0.kind == .start }
            let change = plan.changes.first { $0.activityName == activity.name }
            if isToStart || change != nil { activities.append(activity.name) }
            let life = change?.life ?? recorded.activities.first { $0.declaration.name == activity.name }?.life ?? 1
            for instance in recorded.instances where instance.isAdoptable(by: activity) {
                if activity.end != nil {
                    ended.append(instance.id)
                } else if instance.shown != activity.content || instance.life != life
                    || instance.attributes != activity.attributes
                {
                    running.append(Running(target: instance.id, life: life, declaration: activity))
                }
            }
        }
        // A reload that was queued before is a push of its own.
        let owing = Set(plan.actions.lazy.filter { $0.kind == .reload }.map(\.device))
        reloaded = recorded.devices.filter { owing.contains($0.id) && $0.widgets?.pending == nil }.map(\.id)
    }
}

extension Adoption {
    /// Records declared state as applied, without a push.
    ///
    /// - Parameters:
    ///   - transition: The record that it was decided on.
    ///   - desired: The declarations of the files.
    ///   - step: The step that this is part of.
    /// - Throws: ``IllegalMove`` where the record holds what cannot be.
    public func write(
        to transition: inout Transition,
        desired: Desired?,
        in step: inout StepContext
    ) throws(IllegalMove) {
        _ = try PlanCommit(of: plan, desired).write(to: &transition, in: &step)
        for index in transition.record.activities.indices
        where activities.contains(transition.record.activities[index].declaration.name) {
            transition.record.activities[index].adoptedLife = transition.record.activities[index].life
        }
        for running in running {
            transition.change(running.target) { instance in
                instance.life = running.life
                instance.attributes = running.declaration.attributes
                instance.template = running.declaration.template
                instance.shown = running.declaration.content
            }
        }
        for target in ended {
            try transition.move(target, .close(.declaredEnd), run: step.run, at: step.now)
            try transition.move(pushesOf: target, .cancel, at: step.now)
        }
        for index in transition.record.devices.indices where reloaded.contains(transition.record.devices[index].id) {
            transition.record.devices[index].widgets?.reloadedStep = step.step
            transition.record.devices[index].widgets?.owesReload = false
        }
        let count = plan.changes.count
        let what = count == 1 ? "declaration counts" : "declarations count"
        transition.log(
            "adopted",
            about: nil,
            "\(count) \(what) as applied; nothing was sent",
            run: step.run,
            at: step.now
        )
    }
}

extension Change {
    /// True where the files no longer declare it.
    fileprivate var isRemoval: Bool {
        switch self {
        case .widgetRemoved, .activityRemoved: true
        case .widget, .activity: false
        }
    }

    fileprivate var activityName: Text? {
        if case .activity(let declaration, _, _) = self { declaration.name } else { nil }
    }

    fileprivate var life: Int64? {
        if case .activity(_, let life, _) = self { life } else { nil }
    }
}

extension Instance {
    /// True where it can be what a declaration means: it runs, under this name and of this type.
    fileprivate func isAdoptable(by declaration: ActivityDeclaration) -> Bool {
        name == declaration.name && attributesType == declaration.attributesType && phase == .running && ending == nil
    }
}
