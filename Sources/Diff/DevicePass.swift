internal import JSON

/// What one activity declaration asks of one device.
struct DevicePass {
    let activity: ActivityDiff
    let device: Text
    /// The device's live start target of the declared attributes type, if any.
    let startTarget: StartTarget?
    /// The instances of the declaration on this device.
    private(set) var instances: [Instance]
    private(set) var actions: [Action] = []
    private(set) var adjustments: [Adjustment] = []
    /// Instances of an earlier sign-in that are not off the device yet.
    private var departing = 0

    private var context: DiffContext { activity.context }

    init(activity: ActivityDiff, device: Text, startTarget: StartTarget?, instances: [Instance]) {
        self.activity = activity
        self.device = device
        self.startTarget = startTarget
        self.instances = instances
    }

    mutating func decide() {
        expire()
        endForeign()
        guard let desired = activity.desired else { return endUndeclared() }
        if desired.end != nil { endAll(.declaredEnd, desired) } else { keepRunning(desired) }
    }

    /// Closes what is older than iOS lets an activity live.
    private mutating func expire() {
        for index in instances.indices where instances[index].phase == .running {
            guard instances[index].isExpired(at: context.now) else { continue }
            let cause = instances[index].ending ?? .expired
            adjustments.append(.close(instances[index].id, cause))
            instances[index].phase = .closed(cause)
        }
    }

    /// Ends what shows a person's data on a device that left that person, whatever the files say.
    private mutating func endForeign() {
        let foreign = instances.filter { ($0.ending == .logout || $0.ending == .revoked) && $0.phase.isOpen }
        for instance in foreign { stop(instance, instance.ending ?? .logout) }
        departing = foreign.count { $0.phase != .queued }
        instances.removeAll { foreign.contains($0) }
    }

    /// Ends what was declared once; what only the app knows of is left alone.
    private mutating func endUndeclared() {
        guard let recorded = activity.recorded else { return }
        for instance in instances where instance.life <= recorded.life { stop(instance, .removal) }
    }

    private mutating func endAll(_ cause: Instance.Closure, _ desired: ActivityDeclaration) {
        for instance in instances { stop(instance, cause, desired) }
    }

    /// Takes one instance off the device, by the means that its phase allows.
    private mutating func stop(
        _ instance: Instance,
        _ cause: Instance.Closure,
        _ desired: ActivityDeclaration? = nil
    ) {
        switch instance.phase {
        case .queued: adjustments.append(.cancelLaunch(instance.id))
        case .outstanding: add(.end, .held, .launchOutstanding, instance)
        case .running: end(instance, instance.ending ?? cause, desired)
        case .closed, .failed, .cancelled: break
        }
    }

    private mutating func end(_ instance: Instance, _ cause: Instance.Closure, _ desired: ActivityDeclaration?) {
        let final = desired?.end?.state
        let cost = final != nil && final != instance.shown?.state ? 1 : 0
        if let pending = instance.pending(.end) {
            let status: Action.Status = pending.notBefore > context.now ? .waiting(until: pending.notBefore) : .send
            add(.end, status, pending.reason, instance, cost: cost)
        } else if isRejected(instance) {
            add(.end, .held, .rejected, instance, cost: cost)
        } else if !context.hasKey(activity.owner.app, instance.environment) {
            add(.end, .blocked, .noCredential, instance, cost: cost)
        } else {
            let after = final.map { ActivityContent(state: $0).value }
            add(.end, .send, cause.reason, instance, after: after, cost: cost, step: .end(instance.id, cause))
        }
    }

    // MARK: - Running

    private mutating func keepRunning(_ desired: ActivityDeclaration) {
        withdrawEnds(desired)
        let running = instances.filter { $0.phase == .running }
        let live = running.filter { $0.ending == nil }
        for instance in live where instance.attributes == nil {
            adjustments.append(.adopt(instance.id, attributes: desired.attributes, template: desired.template))
        }
        let current = live.filter { isCurrent($0, desired) }.sorted(by: keptFirst)
        let old = live.filter { !isCurrent($0, desired) }.sorted(by: keptFirst)
        for instance in running where instance.ending != nil { end(instance, instance.ending ?? .removal, desired) }
        guard let kept = current.first else {
            return startAnew(desired, old: old, ending: running.count - live.count + departing)
        }
        for instance in current.dropFirst() { end(instance, .duplicate, nil) }
        for instance in old { end(instance, .replaced, nil) }
        for instance in instances where instance.phase == .queued { adjustments.append(.cancelLaunch(instance.id)) }
        update(kept, desired)
    }

    /// Takes back ends whose reason is gone and whose push was not dispatched.
    private mutating func withdrawEnds(_ desired: ActivityDeclaration) {
        for index in instances.indices where instances[index].phase == .running {
            let instance = instances[index]
            guard instance.ending == .removal || instance.ending == .declaredEnd else { continue }
            if let pending = instance.pending(.end), pending.status != .queued { continue }
            let life = instance.ending == .removal ? activity.life : instance.life
            adjustments.append(.withdrawEnd(instance.id, life: life))
            instances[index].ending = nil
            instances[index].life = life
            instances[index].pending.removeAll { $0.kind == .end }
        }
    }

    private func isCurrent(_ instance: Instance, _ desired: ActivityDeclaration) -> Bool {
        instance.life == activity.life && instance.attributesType == desired.attributesType
            && (instance.attributes == nil || instance.attributes == desired.attributes)
    }

    /// Which of several running instances stays: an explicit launch, then the highest sequence, then the first reported.
    private func keptFirst(_ left: Instance, _ right: Instance) -> Bool {
        let (leftExplicit, rightExplicit) = (left.launch != nil, right.launch != nil)
        if leftExplicit != rightExplicit { return leftExplicit }
        if left.sequence != right.sequence { return left.sequence > right.sequence }
        if left.registeredAt != right.registeredAt { return left.registeredAt < right.registeredAt }
        return left.id < right.id
    }

    // MARK: - Starting

    private mutating func startAnew(_ desired: ActivityDeclaration, old: [Instance], ending: Int) {
        for extra in old.dropFirst() { end(extra, .duplicate, nil) }
        if let former = old.first, former.attributesType == desired.attributesType,
            former.template == desired.template
        {
            update(former, desired)
        }
        let outstanding = instances.filter { $0.phase == .outstanding }
        if let launch = outstanding.max(by: { $0.sequence < $1.sequence }) {
            let waits = launch.shown != desired.content || !isCurrent(launch, desired)
            if waits { add(.update, .held, .launchOutstanding, launch, after: desired.content.value) }
            return
        }
        if let queued = instances.first(where: { $0.phase == .queued }) {
            if isCurrent(queued, desired), startTarget != nil { return resume(queued, desired) }
            adjustments.append(.cancelLaunch(queued.id))
        }
        launch(desired, replacing: old.first, ending: ending)
    }

    private mutating func resume(_ queued: Instance, _ desired: ActivityDeclaration) {
        guard let pending = queued.pending(.start) else { return }
        let status: Action.Status = pending.notBefore > context.now ? .waiting(until: pending.notBefore) : .send
        add(.start, status, .queued, queued, after: desired.content.value, priority: 10)
    }

    private mutating func launch(_ desired: ActivityDeclaration, replacing old: Instance?, ending: Int) {
        switch launchDecision(desired, old: old, ending: ending) {
        case .nothing:
            break
        case .start(let target, let reason):
            actions.append(
                Action(
                    kind: .start,
                    status: .send,
                    reason: reason,
                    name: desired.name,
                    device: device,
                    after: desired.content.value,
                    priority: 10,
                    step: .launch(target, replacing: old?.id)
                )
            )
        case .not(let status, let reason):
            actions.append(
                Action(
                    kind: .start,
                    status: status,
                    reason: reason,
                    name: desired.name,
                    device: device,
                    after: desired.content.value,
                    priority: 10
                )
            )
        }
    }

    private enum LaunchDecision {
        case nothing
        case start(StartTargetID, Reason)
        case not(Action.Status, Reason)
    }

    private func launchDecision(
        _ desired: ActivityDeclaration,
        old: Instance?,
        ending: Int
    ) -> LaunchDecision {
        let isReplacement = old != nil
        guard desired.start == .remote else { return isReplacement ? .not(.blocked, .startedByApp) : .nothing }
        guard let target = startTarget else { return isReplacement ? .not(.blocked, .noStartTarget) : .nothing }
        let lives = instances.filter { $0.life == activity.life && $0.phase.wasShown }
        if lives.contains(where: \.phase.forbidsRelaunch) { return .nothing }
        if lives.isEmpty, activity.isLifeClosed { return .nothing }
        if let staleAt = desired.staleAt, staleAt * 1000 <= context.now { return .not(.held, .staleAtPassed) }
        if ending > 0 { return .not(.held, .earlierEnd) }
        let isBlocked = activity.unknown.contains {
            $0.device == device && $0.attributesType == desired.attributesType
        }
        if isBlocked { return .not(.held, .unknownLaunch) }
        if let failed = instances.last(where: { $0.phase == .failed }), let rejection = failed.rejection,
            target.at <= rejection.tokenAt,
            rejection.holdsToken || !activity.isChanged && failed.life == activity.life
        {
            return .not(.held, .rejected)
        }
        if let os = target.os, os < .remoteStarts { return .not(.blocked, .osTooOld) }
        if !context.hasKey(activity.owner.app, target.environment) { return .not(.blocked, .noCredential) }
        if let template = desired.template, let listed = target.templates, !listed.contains(template) {
            return .not(.blocked, .templateNotListed)
        }
        return .start(target.id, isReplacement ? .replacement : lives.isEmpty ? .declared : .relaunch)
    }

    // MARK: - Updating

    private mutating func update(_ instance: Instance, _ desired: ActivityDeclaration) {
        let content = desired.content
        let pending = instance.pending(.update)
        let rings = content.alert != nil && instance.shown != nil && content.alert != instance.shown?.alert
        let priority = rings || desired.priority == .high ? 10 : 5
        if instance.shown == content {
            guard let pending else { return }
            if pending.status == .queued { return adjustments.append(.cancelUpdate(instance.id, pending.id)) }
            return add(.update, due(pending), .resend, instance, after: content.value, priority: priority)
        }
        if let pending, pending.status == .queued, !activity.isChanged {
            return add(.update, due(pending), .queued, instance, after: content.value, priority: priority)
        }
        if isRejected(instance) {
            add(.update, .held, .rejected, instance, after: content.value, priority: priority)
        } else if let os = instance.os, os < .activityUpdates {
            add(.update, .blocked, .osTooOld, instance, after: content.value, priority: priority)
        } else if !context.hasKey(activity.owner.app, instance.environment) {
            add(.update, .blocked, .noCredential, instance, after: content.value, priority: priority)
        } else {
            add(
                .update,
                .send,
                .stateChanged,
                instance,
                after: content.value,
                priority: priority,
                step: .update(instance.id, superseding: pending?.id)
            )
        }
    }

    private func due(_ pending: Pending) -> Action.Status {
        pending.notBefore > context.now ? .waiting(until: pending.notBefore) : .send
    }

    private func isRejected(_ instance: Instance) -> Bool {
        guard let rejection = instance.rejection, instance.tokenAt <= rejection.tokenAt else { return false }
        return rejection.holdsToken || !activity.isChanged && instance.revision <= rejection.revision
    }

    private mutating func add(
        _ kind: Action.Kind,
        _ status: Action.Status,
        _ reason: Reason,
        _ instance: Instance,
        after: Value? = nil,
        cost: Int = 1,
        priority: Int = 10,
        step: Action.Step = .none
    ) {
        actions.append(
            Action(
                kind: kind,
                status: status,
                reason: reason,
                name: instance.name.string.isEmpty ? nil : instance.name,
                device: device,
                before: instance.shown?.value,
                after: after,
                cost: cost,
                priority: priority,
                step: step
            )
        )
    }
}

extension Instance.Phase {
    /// Whether there is, or may be, something on the device or on its way to it.
    public var isOpen: Bool {
        switch self {
        case .queued, .outstanding, .running: true
        case .closed, .failed, .cancelled: false
        }
    }

    /// Whether the person may have seen it.
    var wasShown: Bool {
        switch self {
        case .outstanding, .running: true
        case .closed(let cause): cause != .duplicate && cause != .replaced
        case .queued, .failed, .cancelled: false
        }
    }

    /// Whether it closed in a way after which this life does not come back on the same device.
    var forbidsRelaunch: Bool {
        guard case .closed(let cause) = self else { return false }
        return switch cause {
        case .person, .declaredEnd, .expired, .gone, .removal: true
        case .logout, .revoked, .duplicate, .replaced: false
        }
    }
}

extension Instance.Closure {
    /// The reason of the end push that it causes.
    var reason: Reason {
        switch self {
        case .declaredEnd: .declaredEnd
        case .removal: .removal
        case .logout, .revoked: .loggedOut
        case .duplicate: .duplicate
        case .replaced: .replaced
        case .person, .expired, .gone: .declaredEnd
        }
    }
}
