internal import JSON

/// The diff of one activity declaration: what is committed, and what happens on each device.
struct ActivityDiff {
    let owner: Owner
    let context: DiffContext
    /// What the files declare; `nil` where they do not (any more).
    let desired: ActivityDeclaration?
    let recorded: RecordedActivity?
    /// All instances of this name, open and closed.
    private(set) var instances: [Instance]
    let devices: [Device]
    /// Running instances whose launch this ledger does not know.
    let unknown: [Instance]
    /// The life that the declaration is in once this plan is applied.
    private(set) var life: Int64 = 0
    /// Whether this plan commits a change of it.
    private(set) var isChanged = false
    var result: OwnerPlan

    init(
        owner: Owner,
        context: DiffContext,
        desired: ActivityDeclaration?,
        recorded: RecordedActivity?,
        instances: [Instance],
        devices: [Device],
        unknown: [Instance]
    ) {
        self.owner = owner
        self.context = context
        self.desired = desired
        self.recorded = recorded
        self.instances = instances
        self.devices = devices
        self.unknown = unknown
        result = OwnerPlan(owner: owner)
    }

    mutating func compare() {
        commit()
        settle()
        for device in Set(instances.map(\.device) + devices.map(\.id)).sorted() {
            var pass = DevicePass(
                activity: self,
                device: device,
                registered: devices.first { $0.id == device },
                instances: instances.filter { $0.device == device }
            )
            pass.decide()
            result.actions += pass.actions
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
        for index in instances.indices where instances[index].phase.isOnDevice {
            if instances[index].phase == .running, instances[index].isExpired(at: context.now) {
                let cause = instances[index].ending ?? .expired
                result.adjustments.append(.close(instances[index].id, cause))
                instances[index].phase = .closed(cause)
            } else {
                goOn(index)
            }
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

    /// Whether this life was closed in a way that no later phone may start it.
    var isLifeClosed: Bool {
        instances.contains { $0.life == life && ($0.fate?.closesLife ?? false) }
    }
}
