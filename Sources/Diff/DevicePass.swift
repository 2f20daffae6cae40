internal import JSON
internal import Time

/// The demands of one activity declaration on one device.
struct DevicePass {
    let activity: ActivityDiff
    let device: Text
    /// The registrations of the device; `nil` where it does not belong to the owner (any more).
    let registered: Device?
    /// The instances of the declaration on this device.
    private(set) var instances: [Instance]
    private(set) var removals: [Removal] = []
    var actions: [Action] = []
    var adjustments: [Adjustment] = []
    /// Instances of an earlier sign-in that are not off the device yet.
    private var departing = 0

    var context: DiffContext { activity.context }

    init(activity: ActivityDiff, device: Text, registered: Device?, instances: [Instance]) {
        self.activity = activity
        self.device = device
        self.registered = registered
        self.instances = instances
    }

    mutating func decide() {
        endForeign()
        switch activity.authority(on: device) {
        case .open:
            compare()
        case .paused:
            let ends = actions.count
            compare()
            for index in actions.indices.dropFirst(ends) { actions[index].hold(.paused) }
        case .revoked:
            blockRevoked()
        }
    }

    private mutating func compare() {
        guard let desired = activity.desired else { return endUndeclared() }
        if desired.end != nil { endAll() } else { keepRunning(desired) }
    }

    /// Shows what a revoked scope keeps from the device; what is visible and was kept stays as it is.
    private mutating func blockRevoked() {
        guard let desired = activity.desired, desired.end == nil else { return }
        if let kept = instances.first(where: { $0.phase == .running }) {
            guard kept.shown != desired.content else { return }
            let update = Need(kind: .update, instance: kept, after: desired.content.value, priority: 5)
            add(update, .blocked, because: .revoked)
        } else if !instances.contains(where: \.phase.isOpen) {
            launch(desired, launchDecision(desired, replacing: nil, ending: departing), replacing: nil)
        }
    }

    // MARK: - Ending

    /// Ends what shows a person's data on a device that left that person, whatever the files say.
    private mutating func endForeign() {
        let foreign = instances.filter { $0.ending?.isUrgent == true && $0.phase.isOpen }
        for instance in foreign { stop(instance, instance.ending ?? .logout) }
        departing = foreign.count { $0.phase.isOnDevice }
        instances.removeAll { foreign.contains($0) }
    }

    /// Ends what was declared once; what only the app knows of is left alone.
    private mutating func endUndeclared() {
        guard let recorded = activity.recorded else { return }
        for instance in instances where instance.life <= recorded.life {
            if activity.isChanged, instance.phase.isOnDevice, instance.ending == nil {
                let isProtected = recorded.declaration.protect
                removals.append(Removal(target: instance.id, name: instance.name, isProtected: isProtected))
            }
            stop(instance, .removal)
        }
    }

    private mutating func endAll() {
        for instance in instances { stop(instance, .declaredEnd) }
    }

    /// Takes one instance off the device, by the means that its phase allows.
    private mutating func stop(_ instance: Instance, _ cause: Instance.Closure) {
        switch instance.phase {
        case .queued: adjustments.append(.cancelLaunch(instance.id))
        case .outstanding, .unconfirmed: waitToEnd(instance)
        case .running: end(instance, cause)
        case .closed, .failed, .cancelled: break
        }
    }

    private mutating func waitToEnd(_ launch: Instance) {
        add(Need(kind: .end, instance: launch, cost: 0), .held, because: .launchOutstanding)
    }

    private mutating func end(_ instance: Instance, _ cause: Instance.Closure) {
        let cause = instance.ending ?? cause
        let final = cause == .declaredEnd ? activity.desired.map { $0.end?.state ?? $0.state } : nil
        let after = final.map { ActivityContent(state: $0).value }
        let cost = final != nil && final != instance.shown?.state ? 1 : 0
        let need = Need(kind: .end, instance: instance, after: after, cost: cost)
        if cause == .declaredEnd, instance.isMismatched {
            add(need, .held, because: .templateMismatch)
        } else if !context.hasKey(activity.owner.app, instance.environment) {
            add(need, .blocked, because: .noCredential)
        } else if let pending = instance.pending(.end) {
            add(need, pending.status(at: context.now), because: pending.reason)
        } else if isEndRefused(instance) {
            add(need, .held, because: .rejected)
        } else {
            add(need, .send, because: cause.reason, write: .end(instance.id, cause))
        }
    }

    /// True where an end was made before and refused; the refusal of an update does not hold it.
    private func isEndRefused(_ instance: Instance) -> Bool {
        guard let rejection = instance.rejection, rejection.holdsToken || instance.ending != nil else { return false }
        return isRefused(instance)
    }

    // MARK: - Running

    private mutating func keepRunning(_ desired: ActivityDeclaration) {
        let running = instances.filter { $0.phase == .running }
        let live = running.filter { $0.ending == nil && !isOutrun($0) }
        for instance in running where instance.ending != nil { end(instance, .removal) }
        for instance in running where instance.ending == nil && isOutrun(instance) { end(instance, .duplicate) }
        let current = live.filter { isCurrent($0, desired) }.ordered(by: keptFirst)
        let old = live.filter { !isCurrent($0, desired) }.ordered(by: keptFirst)
        for instance in current where instance.attributes == nil {
            adjustments.append(.adopt(instance.id, attributes: desired.attributes, template: desired.template))
        }
        guard let kept = current.first else {
            return startAnew(desired, old: old, ending: running.filter { $0.ending != nil })
        }
        for instance in current.dropFirst() { end(instance, .duplicate) }
        for instance in old { end(instance, .replaced) }
        for instance in instances where instance.phase == .queued { adjustments.append(.cancelLaunch(instance.id)) }
        for instance in instances where instance.phase == .outstanding && !isCurrent(instance, desired) {
            waitToEnd(instance)
        }
        update(kept, desired)
    }

    func isCurrent(_ instance: Instance, _ desired: ActivityDeclaration) -> Bool {
        instance.life == activity.life && instance.attributesType == desired.attributesType
            && (instance.attributes == nil || instance.attributes == desired.attributes)
    }

    /// True where another launch was sent meanwhile, because this one was not reported in time.
    private func isOutrun(_ instance: Instance) -> Bool {
        instance.origin == .remote
            && instances.contains {
                $0.phase == .outstanding && $0.sequence > instance.sequence && $0.replaces != instance.id
            }
    }

    /// The order in which instances stay: an explicit launch, then the highest sequence, then the first reported.
    private func keptFirst(_ left: Instance, _ right: Instance) -> Bool {
        let (leftExplicit, rightExplicit) = (left.isExplicit, right.isExplicit)
        if leftExplicit != rightExplicit { return leftExplicit }
        if left.sequence != right.sequence { return left.sequence > right.sequence }
        if left.registeredAt != right.registeredAt { return left.registeredAt < right.registeredAt }
        return left.id < right.id
    }

    /// No instance runs as it is declared: one is launched, and an old one stays until the new one is confirmed.
    private mutating func startAnew(_ desired: ActivityDeclaration, old: [Instance], ending: [Instance]) {
        for extra in old.dropFirst() { end(extra, .duplicate) }
        var former = old.first
        var ending = ending
        if let confirmed = former, wasReplaced(confirmed) {
            end(confirmed, .replaced)
            ending.append(confirmed)
            former = nil
        }
        // A launch beside a tile that stays does not wait for the end of that tile's double.
        if former != nil { ending.removeAll { $0.ending == .duplicate } }
        if let former, former.attributesType == desired.attributesType, former.template == desired.template {
            update(former, desired)
        }
        let outstanding = instances.filter { $0.phase == .outstanding }
        if let launch = outstanding.max(by: { $0.sequence < $1.sequence }) {
            // One that was planned because this one seemed to be missed.
            for queued in instances where queued.phase == .queued { adjustments.append(.cancelLaunch(queued.id)) }
            if blocking(desired.attributesType)?.origin == .ambiguous {
                add(start(launch, desired), .held, because: .ambiguous)
            } else if launch.shown != desired.content || !isCurrent(launch, desired) {
                waitToUpdate(launch, desired)
            } else if launch.pending(.start)?.status == .unknown {
                add(start(launch, desired), .held, because: .startUncertain)
            }
            return
        }
        let decision = launchDecision(desired, replacing: former, ending: ending.count + departing)
        for queued in instances where queued.phase == .queued {
            if isCurrent(queued, desired), queued.template == desired.template, let pending = queued.pending(.start) {
                let start = start(queued, desired)
                switch decision {
                case .start: return add(start, pending.status(at: context.now), because: .queued)
                case .not(.held, .paused): return add(start, .held, because: .paused)
                case .not, .nothing: break
                }
            }
            adjustments.append(.cancelLaunch(queued.id))
        }
        launch(desired, decision, replacing: former)
    }

    /// True where the instance that took its place was confirmed, though it is over by now.
    private func wasReplaced(_ former: Instance) -> Bool {
        instances.contains {
            $0.replaces == former.id && $0.registeredAt > .never && $0.phase.wasShown && !$0.phase.isOpen
        }
    }

    /// A push to an instance that the device needs, whatever becomes of it.
    struct Need {
        var kind: Action.Kind
        var instance: Instance
        var after: Value?
        var cost = 1
        var priority = 10
    }

    private func start(_ launch: Instance, _ desired: ActivityDeclaration) -> Need {
        Need(kind: .start, instance: launch, after: desired.content.value)
    }

    mutating func add(
        _ need: Need,
        _ status: Action.Status,
        because reason: Reason,
        write: Action.Write = .none
    ) {
        let instance = need.instance
        actions.append(
            Action(
                kind: need.kind,
                status: status,
                reason: reason,
                name: instance.name.string.isEmpty ? nil : instance.name,
                device: device,
                before: instance.shown?.value,
                after: need.after,
                cost: need.cost,
                priority: need.priority,
                expiresAfter: activity.desired?.expiresAfter,
                write: write
            )
        )
    }
}

extension Instance {
    /// True where a report named its launch.
    fileprivate var isExplicit: Bool { launch != nil && !isInferred }
}
