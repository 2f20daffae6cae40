internal import Diff
internal import JSON
internal import Time

/// The owners and devices that the ledger on top answers for, whole: they are taken up from the one below before they change.
///
/// What is taken up stands for itself: with an owner come the owner's devices and those that pushes go to, with a device comes
/// its owner, with a push its operation and the run of that. So no row of the ledger on top names one that is not there.
struct Uptake {
    /// The key of a device.
    struct Place: Hashable {
        var app: Text
        var device: Text
    }

    /// Parts of the tallies of the ledger below: rows that the one on top answers for.
    struct Counted {
        /// The booked pushes by day and status.
        var booked: [UTCDay: [DeliveryStatus: Int]] = [:]
        /// The moments until which activities count as open.
        var openUntil: [Moment] = []
    }

    private let base: any Snapshot
    private let top: any Session
    private(set) var owners = JournaledSet<Owner>()
    private var devices = JournaledSet<Place>()
    private(set) var counted = Counted()

    init(from base: any Snapshot, to top: any Session) {
        self.base = base
        self.top = top
    }

    /// True until something was taken up.
    var isEmpty: Bool { owners.elements.isEmpty && devices.elements.isEmpty }

    func has(_ owner: Owner) -> Bool { owners.contains(owner) }

    func hasDevice(_ device: Text, app: Text) -> Bool { devices.contains(Place(app: app, device: device)) }

    /// True where the ledger on top answers for a push: an open one goes with its owner, a settled one by itself.
    func has(_ delivery: Delivery) throws -> Bool {
        try delivery.state.isOpen ? has(delivery.owner) : isOnTop(delivery.id)
    }

    private func isOnTop(_ id: DeliveryID) throws -> Bool { try !top.deliveries(.id(id)).isEmpty }

    // MARK: - Units

    /// Begins a unit.
    mutating func begin() {
        owners.begin()
        devices.begin()
    }

    /// Forgets what was taken up since the unit began, when this was counted.
    mutating func undo(to counted: Counted) {
        owners.undo()
        devices.undo()
        self.counted = counted
    }

    // MARK: - Taking up

    /// Takes up everything that changes are about.
    mutating func take(for changes: LedgerChanges) throws {
        for change in changes.runs where change.before != nil { try takeRun(change.before?.id) }
        for operation in changes.operations {
            try takeRun(operation.run)
            try take(operation.owner)
        }
        for owner in changes.touched { try take(owner) }
        for row in changes.devices.flatMap({ [$0.before, $0.after] }).compactMap(\.self) {
            try takeDevice(row.device, app: row.app)
            if let owner = row.owner { try take(Owner(subscriber: owner, app: row.app)) }
        }
        for row in changes.registrations.compactMap(\.after) { try takeDevice(row.device, app: row.app) }
        for row in changes.startTargets.compactMap(\.after) { try takeDevice(row.device, app: row.app) }
        for change in changes.deliveries {
            guard let old = change.before ?? change.after else { continue }
            if change.before == nil {
                try takeNeighbours(of: old)
            } else if try !isOnTop(old.id) {
                // An open one came with its owner.
                try take([old])
            }
        }
    }

    /// Takes up an owner.
    private mutating func take(_ owner: Owner) throws {
        guard owners.insert(owner), let record = try base.recorded([owner]).first else { return }
        var rows = LedgerChanges()
        rows.widgets = record.widgets.map { RowChange(before: nil, after: Owned(owner, $0)) }
        rows.activities = record.activities.map { RowChange(before: nil, after: Owned(owner, $0)) }
        rows.instances = record.instances.map { RowChange(before: nil, after: Owned(owner, $0)) }
        for row in try base.devices(.owner(owner)) where devices.insert(Place(app: row.app, device: row.device)) {
            rows.devices.append(RowChange(before: nil, after: row))
        }
        for device in record.devices {
            _ = devices.insert(Place(app: owner.app, device: device.id))
            rows.add(device, of: owner.subscriber, app: owner.app)
        }
        counted.openUntil += record.instances.compactMap(\.openUntil)
        try top.write(rows)
        try take(base.deliveries(.openOfSubscriber(owner.subscriber)).filter { $0.owner == owner })
    }

    /// Takes up a device, with its owner where it has one.
    private mutating func takeDevice(_ id: Text, app: Text) throws {
        let place = Place(app: app, device: id)
        guard !devices.contains(place) else { return }
        let row = try base.devices(.device(app: app, id: id)).first
        let registration = try base.registrations(.device(app: app, id: id)).first
        let targets = try base.startTargets(.device(app: app, id: id))
        let subscriber = row?.owner ?? registration?.subscriber ?? targets.first?.subscriber
        if let subscriber { try take(Owner(subscriber: subscriber, app: app)) }
        guard devices.insert(place) else { return }
        var rows = LedgerChanges()
        rows.devices = row.map { [RowChange(before: nil, after: $0)] } ?? []
        rows.add(Device(id: id, widgets: registration?.row, startTargets: targets.map(\.row)), of: subscriber, app: app)
        try top.write(rows)
    }

    /// Takes up pushes.
    private mutating func take(_ deliveries: [Delivery]) throws {
        guard !deliveries.isEmpty else { return }
        for delivery in deliveries {
            try takeNeighbours(of: delivery)
            if let day = delivery.quotaDay { counted.booked[day, default: [:]][delivery.status, default: 0] += 1 }
        }
        var rows = LedgerChanges()
        rows.deliveries = deliveries.map { RowChange(before: nil, after: $0) }
        try top.write(rows)
    }

    /// Takes up what a push names: its device, its instance, its operation.
    private mutating func takeNeighbours(of delivery: Delivery) throws {
        try takeDevice(delivery.device, app: delivery.owner.app)
        try takeOperation(of: delivery)
        guard let target = delivery.target, try top.instances(.id(target)).isEmpty else { return }
        for owned in try base.instances(.id(target)) { try take(owned.owner) }
    }

    private func takeOperation(of delivery: Delivery) throws {
        guard try top.run(.operation(delivery.operation)) == nil,
            let run = try base.run(.operation(delivery.operation))
        else { return }
        try takeRun(run.id)
        var rows = LedgerChanges()
        rows.operations = [
            Operation(
                id: delivery.operation,
                kind: delivery.kind,
                owner: delivery.owner,
                run: run.id,
                step: delivery.step,
                createdAt: delivery.createdAt
            )
        ]
        try top.write(rows)
    }

    private func takeRun(_ id: RunID?) throws {
        guard let id, try top.run(.id(id)) == nil, let run = try base.run(.id(id)) else { return }
        var rows = LedgerChanges()
        rows.runs = [RowChange(before: nil, after: run)]
        try top.write(rows)
    }
}

extension LedgerChanges {
    /// Adds what a device registered, as new.
    fileprivate mutating func add(_ device: Device, of subscriber: Text?, app: Text) {
        if let row = device.widgets {
            let place = OnDevice(app: app, device: device.id, subscriber: subscriber, row: row)
            registrations.append(RowChange(before: nil, after: place))
        }
        for row in device.startTargets {
            let place = OnDevice(app: app, device: device.id, subscriber: subscriber, row: row)
            startTargets.append(RowChange(before: nil, after: place))
        }
    }
}
