internal import Diff
internal import JSON
internal import Time

/// Everything that a ledger holds, as values.
struct MemoryRows {
    /// The key of a declaration.
    struct Name: Hashable {
        var owner: Owner
        var name: Text
    }

    /// The key of a device.
    struct Place: Hashable {
        var app: Text
        var device: Text
    }

    var facts: LedgerFacts
    var seal: [UInt8]
    var widgets: [Name: Owned<RecordedWidget>] = [:]
    var activities: [Name: Owned<RecordedActivity>] = [:]
    var devices: [Place: DeviceRow] = [:]
    var registrations: [Place: OnDevice<WidgetRegistration>] = [:]
    var startTargets: [StartTargetID: OnDevice<StartTarget>] = [:]
    var instances: [TargetID: Owned<Instance>] = [:]
    var operations: [OperationID: Diff.Operation] = [:]
    var deliveries: [DeliveryID: Delivery] = [:]
    var closedEarly: Set<ClosedEarly> = []
    var aliases: [Place: Alias] = [:]
    var scopes: [ScopeSubject: Scope] = [:]
    var sentElsewhere: [UTCDay: SentElsewhere] = [:]
    var deadTokens: [Text: DeadToken] = [:]
    var faults: [LaneName: Fault] = [:]
    var runs: [RunID: RunRecord] = [:]
    var templates: [Text: TemplateRecord] = [:]
    var reloadRequests: [Text: ReloadRequestRecord] = [:]
    var earlyReports: [Text: EarlyReport] = [:]
    var unpublished: Set<Owner> = []
    var touched: Set<Owner> = []
    var resolutions: [LaunchResolution] = []
    var events: [Event] = []

    /// Nothing but a name and a key.
    init(lineage: Text, seal: [UInt8]) {
        facts = LedgerFacts(lineage: lineage)
        self.seal = seal
    }
}

// MARK: - Writing

extension MemoryRows {
    /// Writes a group of changes.
    mutating func write(_ changes: LedgerChanges) {
        let keepsTouched = facts.index != nil
        writeOwners(changes)
        writeDevices(changes)
        writeSending(changes)
        writeWhole(changes)
        if changes.forgetsTouched { touched = [] }
        guard keepsTouched else { return }
        if changes.scopes.isEmpty { touched.formUnion(changes.touched) } else { facts.index = nil }
    }

    private mutating func writeOwners(_ changes: LedgerChanges) {
        for change in changes.widgets {
            if let old = change.before { widgets[Name(owner: old.owner, name: old.row.declaration.name)] = nil }
            if let new = change.after { widgets[Name(owner: new.owner, name: new.row.declaration.name)] = new }
        }
        for change in changes.activities {
            if let old = change.before { activities[Name(owner: old.owner, name: old.row.declaration.name)] = nil }
            if let new = change.after { activities[Name(owner: new.owner, name: new.row.declaration.name)] = new }
        }
        for var new in changes.instances.compactMap(\.after) {
            // Facts of other rows that a record brings along.
            new.row.pending = []
            new.row.isMismatched = false
            new.row.lastTimestamp = new.row.lastTimestamp.wholeSecond
            instances[new.row.id] = new
        }
        if changes.unpublishesAll { unpublished.formUnion(widgets.keys.map(\.owner)) }
        unpublished.formUnion(changes.unpublished)
        unpublished.subtract(changes.published)
    }

    private mutating func writeDevices(_ changes: LedgerChanges) {
        for new in changes.devices.compactMap(\.after) { devices[Place(app: new.app, device: new.device)] = new }
        for var new in changes.registrations.compactMap(\.after) {
            new.row.pending = nil
            registrations[Place(app: new.app, device: new.device)] = new
        }
        for new in changes.startTargets.compactMap(\.after) { startTargets[new.row.id] = new }
        closedEarly.formUnion(changes.closedEarly)
        for alias in changes.aliases { aliases[Place(app: alias.app, device: alias.anonymous)] = alias }
        for early in changes.earlyReports where earlyReports[early.digest] == nil { earlyReports[early.digest] = early }
        for dead in changes.deadTokens {
            let at = max(dead.at, deadTokens[dead.token]?.at ?? dead.at)
            deadTokens[dead.token] = DeadToken(token: dead.token, at: at)
        }
    }

    private mutating func writeSending(_ changes: LedgerChanges) {
        for operation in changes.operations { operations[operation.id] = operation }
        for var new in changes.deliveries.compactMap(\.after) {
            // No store remembers whether what is being sent was sent before.
            new.state = DeliveryState(new.status, isOpen: new.state.isOpen)
            deliveries[new.id] = new
        }
        for change in changes.faults {
            guard let fault = change.after ?? change.before else { continue }
            faults[LaneName(app: fault.app, environment: fault.environment)] = change.after
        }
        for new in changes.sentElsewhere.compactMap(\.after) { sentElsewhere[new.day] = new }
        for change in changes.scopes {
            if let old = change.before { scopes[old.subject] = nil }
            if let new = change.after { scopes[new.subject] = new.scope }
        }
    }

    private mutating func writeWhole(_ changes: LedgerChanges) {
        for new in changes.runs.compactMap(\.after) { runs[new.id] = new }
        for new in changes.templates.compactMap(\.after) { templates[new.name] = new }
        for request in changes.reloadRequests { reloadRequests[request.key] = request }
        if let facts = changes.facts?.after { self.facts = facts }
        for entry in changes.history {
            switch entry {
            case .event(let event): events.append(event)
            case .resolution(let new):
                let isKnown = resolutions.contains {
                    $0.launch == new.launch && $0.target == new.target && $0.resolution == new.resolution
                }
                guard !isKnown else { continue }
                resolutions.append(new)
                events.append(new.event)
            }
        }
    }
}

// MARK: - Owners

extension MemoryRows {
    /// The owners that anything is recorded of, in their order.
    func owners(in range: OwnerRange) -> [Owner] {
        var owners = Set(widgets.keys.map(\.owner) + activities.keys.map(\.owner))
        owners.formUnion(registrations.values.compactMap(\.owner))
        owners.formUnion(startTargets.values.compactMap(\.owner))
        owners.formUnion(instances.values.map(\.owner))
        owners.formUnion(deliveries.values.filter(\.state.isOpen).map(\.owner))
        return owners.filter(range.contains).sorted()
    }

    /// The records of an owner, who may have none.
    func recorded(_ owner: Owner) -> Recorded {
        var record = Recorded(
            owner: owner,
            widgets: widgets.values.filter { $0.owner == owner }.map(\.row).sorted {
                $0.declaration.name < $1.declaration.name
            },
            activities: activities.values.filter { $0.owner == owner }.map(\.row).sorted {
                $0.declaration.name < $1.declaration.name
            },
            instances: instances.values.filter { $0.owner == owner }.map(\.row).sorted {
                ($0.name, $0.sequence, $0.id.text) < ($1.name, $1.sequence, $1.id.text)
            }
        )
        var devices: [Text: Device] = [:]
        for registration in registrations.values where registration.owner == owner {
            devices[registration.device, default: Device(id: registration.device)].widgets = registration.row
        }
        for target in startTargets.values where target.owner == owner {
            devices[target.device, default: Device(id: target.device)].startTargets.append(target.row)
        }
        for id in devices.keys { devices[id]?.startTargets.sort { $0.attributesType < $1.attributesType } }
        record.devices = devices.values.sorted { $0.id < $1.id }
        let open = deliveries.values.filter { $0.owner == owner && $0.state.isOpen }
        for delivery in open.sorted(by: { $0.id.text < $1.id.text }) { record.attach(delivery) }
        return record
    }
}
