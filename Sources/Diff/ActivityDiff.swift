internal import JSON

/// The diff of one activity declaration: what is committed, and what happens on each device.
struct ActivityDiff {
    let owner: Owner
    let context: DiffContext
    /// What the files declare; `nil` where they do not (any more).
    let desired: ActivityDeclaration?
    let recorded: RecordedActivity?
    /// All instances of this name, open and closed.
    let instances: [Instance]
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
        for device in Set(instances.map(\.device) + devices.map(\.id)).sorted() {
            let registered = devices.first { $0.id == device }
            var pass = DevicePass(
                activity: self,
                device: device,
                startTarget: registered?.startTargets.first {
                    $0.attributesType == desired?.attributesType && $0.token != nil
                },
                instances: instances.filter { $0.device == device }
            )
            pass.decide()
            result.actions += pass.actions
            result.adjustments += pass.adjustments
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

    /// Whether this life was closed in a way that no later phone may start it.
    var isLifeClosed: Bool {
        instances.contains { instance in
            guard instance.life == life, case .closed(let cause) = instance.phase else { return false }
            return cause == .person || cause == .declaredEnd || cause == .expired
        }
    }
}
