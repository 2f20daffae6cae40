internal import JSON

/// The diff of one activity declaration: what is committed, and what happens on each device.
struct ActivityDiff {
    let context: DiffContext
    /// The declaration of the files; `nil` where there is none (any more).
    let desired: ActivityDeclaration?
    let recorded: RecordedActivity?
    /// All instances of this name, open and closed.
    private(set) var instances: [Instance]
    let devices: [Device]
    /// Running instances of which it is not known to what launch they belong.
    var unattributed: [Instance] = []
    /// Start targets on which three launches in a row were not confirmed.
    var pendingTargets: Set<StartTargetID> = []
    /// The life that the declaration is in once this plan is applied.
    private(set) var life: Int64 = 0
    /// True where this plan commits a change of it.
    private(set) var isChanged = false
    /// The decisions, for their owner.
    var result: OwnerPlan

    var owner: Owner { result.owner }

    /// The declaration's name; empty for what has none.
    var name: Text { desired?.name ?? recorded?.declaration.name ?? "" }

    mutating func compare() {
        commit()
        settle()
        for device in (instances.map(\.device) + devices.map(\.id)).distinct {
            var pass = DevicePass(
                activity: self,
                device: device,
                registered: devices.first { $0.id == device },
                instances: instances.filter { $0.device == device }
            )
            pass.decide()
            result.actions += pass.actions.map { action in
                var action = action
                action.step = isChanged ? nil : recorded?.changedStep
                return action
            }
            result.adjustments += pass.adjustments
            result.removals += pass.removals
        }
    }

    /// Settles what is committed, and in which life the declaration goes on.
    private mutating func commit() {
        life = recorded?.life ?? 0
        switch (desired, recorded) {
        case (nil, nil):
            break
        case (nil, let record?):
            if !record.isRemoved { result.changes.append(.activityRemoved(record.declaration)) }
            isChanged = !record.isRemoved
        case (let declaration?, nil):
            life = 1
            isChanged = true
            result.changes.append(.activity(declaration, life: life, before: nil))
        case (let declaration?, let record?):
            if record.isRemoved || declaration.generation != record.declaration.generation { life += 1 }
            guard record.isRemoved || declaration != record.declaration else { return }
            isChanged = true
            let before = record.isRemoved ? nil : record.declaration
            result.changes.append(.activity(declaration, life: life, before: before))
        }
    }

    // MARK: - What needs no push

    /// Settles what needs no push, before any device is looked at: one device's end decides about the others.
    private mutating func settle() {
        for index in instances.indices {
            if instances[index].phase.isOpen { expireDeliveries(of: index) }
            guard instances[index].phase.isOnDevice else { continue }
            if instances[index].isExpired(at: context.now) {
                let cause = instances[index].ending ?? .expired
                result.adjustments.append(.close(instances[index].id, cause))
                instances[index].phase = .closed(cause)
            } else {
                if instances[index].phase == .unconfirmed, !instances[index].isMissed(at: context.now) {
                    // It was noted by a clock that was ahead: it is not due yet.
                    instances[index].phase = .outstanding
                } else if instances[index].isOverdue(at: context.now) {
                    result.adjustments.append(.miss(instances[index].id))
                    instances[index].phase = .unconfirmed
                }
                goOn(index)
            }
        }
    }

    /// Takes what waited too long out of sending, so that it is planned anew; a start that may have arrived has timers
    /// of its own.
    private mutating func expireDeliveries(of index: Int) {
        let instance = instances[index]
        let authority = authority(on: instance.device)
        for pending in instance.pending where pending.kind != .start || pending.status == .queued {
            // Its time counts from its first dispatch while it is paused.
            if authority == .paused, pending.status == .queued { continue }
            let staleAt = (desired ?? recorded?.declaration)?.staleAt
            guard pending.isExpired(at: context.now, staleAt: staleAt, startedAt: instance.startedAt) else { continue }
            result.adjustments.append(.expire(pending.id))
            instances[index].pending.removeAll { $0.id == pending.id }
            if pending.kind == .start { instances[index].phase = .cancelled }
            // An update that may have arrived counts as not sent.
            if pending.kind == .update, pending.status == .unknown { instances[index].shown = nil }
        }
    }

    /// Lets an instance go on whose removal or declared end is withdrawn, unless its end push was dispatched.
    private mutating func goOn(_ index: Int) {
        guard let desired, desired.end == nil, let recorded else { return }
        let instance = instances[index]
        let isBack = recorded.isRemoved && instance.life == recorded.life
        switch instance.ending {
        case .removal, .declaredEnd: break
        case nil where isBack: break
        default: return
        }
        if let pending = instance.pending(.end), pending.status != .queued { return }
        let goesOn = isBack && desired.generation == recorded.declaration.generation
        let next = goesOn ? life : instance.life
        guard instance.ending != nil || next != instance.life else { return }
        result.adjustments.append(.withdrawEnd(instance.id, life: next))
        instances[index].ending = nil
        instances[index].life = next
        instances[index].pending.removeAll { $0.kind == .end }
    }

    /// The authority to send for the declaration on a device.
    func authority(on device: Text) -> Authority {
        context.scopes.authority(
            over: .subscriber(owner.subscriber),
            .activity(owner, name: name, device: device)
        )
    }

    /// True where this life was closed in a way that no later phone may start it, or adopted as it was.
    var isLifeClosed: Bool {
        recorded?.adoptedLife == life
            || instances.contains { $0.life == life && ($0.fate?.closesLife(renews: desired?.renew ?? false) ?? false) }
    }
}
