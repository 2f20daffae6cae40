public import JSON
public import Time

/// A row as it was read and as it is to be: `nil` before where it is new, `nil` after where it goes.
public struct RowChange<Row: Hashable & Sendable>: Hashable, Sendable {
    /// The row as it was read.
    public var before: Row?
    /// The row as it is to be.
    public var after: Row?

    /// A change of a row.
    public init(before: Row?, after: Row?) {
        self.before = before
        self.after = after
    }
}

/// A row that belongs to an owner.
public struct Owned<Row: Hashable & Sendable>: Hashable, Sendable {
    /// The owner.
    public var owner: Owner
    /// The row.
    public var row: Row

    /// A row of an owner.
    public init(_ owner: Owner, _ row: Row) {
        self.owner = owner
        self.row = row
    }
}

extension RowChange {
    /// A change of an owner's row.
    init<Content>(of owner: Owner, before: Content?, after: Content?) where Row == Owned<Content> {
        self.init(before: before.map { Owned(owner, $0) }, after: after.map { Owned(owner, $0) })
    }
}

/// A row that belongs to a device, and through it to whoever the device belongs to.
public struct OnDevice<Row: Hashable & Sendable>: Hashable, Sendable {
    /// The app's bundle id.
    public var app: Text
    /// The installation's id.
    public var device: Text
    /// The owner of the device; `nil` where it is nobody's.
    public var subscriber: Text?
    /// The row.
    public var row: Row

    /// A row of a device.
    public init(app: Text, device: Text, subscriber: Text?, row: Row) {
        self.app = app
        self.device = device
        self.subscriber = subscriber
        self.row = row
    }

    /// The owner; `nil` where it is nobody's.
    public var owner: Owner? { subscriber.map { Owner(subscriber: $0, app: app) } }
}

/// One line of the log.
public struct Event: Hashable, Sendable {
    /// The time of it.
    public var at: Moment
    /// The run that did it; `nil` where a report or a person did.
    public var run: RunID?
    /// A stable snake_case code.
    public var kind: Text
    /// The owner that it concerns.
    public var owner: Owner?
    /// The id that it is about.
    public var subject: Text?
    /// The line in words.
    public var text: Text

    /// A line of the log.
    public init(at: Moment, run: RunID?, kind: Text, owner: Owner?, subject: Text?, text: Text) {
        self.at = at
        self.run = run
        self.kind = kind
        self.owner = owner
        self.subject = subject
        self.text = text
    }
}

/// The reconciliation of one launch.
public struct LaunchResolution: Hashable, Sendable {
    /// The launch.
    public var launch: LaunchID
    /// Its outcome.
    public var resolution: Resolution
    /// The instance.
    public var target: TargetID
    /// Its line of the log.
    public var event: Event

    /// A reconciled launch.
    public init(launch: LaunchID, resolution: Resolution, target: TargetID, event: Event) {
        self.launch = launch
        self.resolution = resolution
        self.target = target
        self.event = event
    }
}

/// One addition to the history; they are in the order of happening.
public enum HistoryEntry: Hashable, Sendable {
    /// A line of the log.
    case event(Event)
    /// A reconciled launch, with its line of the log; both are written only where the ledger does not have them yet.
    case resolution(LaunchResolution)
}

/// A token that APNs found dead: only a later report revives it.
public struct DeadToken: Hashable, Sendable {
    /// The token.
    public var token: Text
    /// The time of its death, as far as it is known.
    public var at: Moment

    /// A dead token.
    public init(token: Text, at: Moment) {
        self.token = token
        self.at = at
    }
}

/// The rows that a group of decisions changes, by table, of many owners at once.
///
/// A store writes all of it in one transaction, or nothing; what a row becomes was decided before.
public struct LedgerChanges: Hashable, Sendable {
    /// Committed widgets.
    public var widgets: [RowChange<Owned<RecordedWidget>>] = []
    /// Committed activities.
    public var activities: [RowChange<Owned<RecordedActivity>>] = []
    /// Widget push tokens.
    public var registrations: [RowChange<OnDevice<WidgetRegistration>>] = []
    /// Push-to-start tokens.
    public var startTargets: [RowChange<OnDevice<StartTarget>>] = []
    /// Activities on devices.
    public var instances: [RowChange<Owned<Instance>>] = []
    /// Devices and their owners.
    public var devices: [RowChange<DeviceRow>] = []
    /// Activities that were reported over before they were reported at all; each is new.
    public var closedEarly: [ClosedEarly] = []
    /// Anonymous ids that turned out to be persons; each is new.
    public var aliases: [Alias] = []
    /// Scopes that are not as they were at first.
    public var scopes: [RowChange<ScopeRow>] = []
    /// The pushes that the account sent in other ways.
    public var sentElsewhere: [RowChange<SentElsewhere>] = []
    /// Transports; each is new.
    public var operations: [Operation] = []
    /// Pushes.
    public var deliveries: [RowChange<Delivery>] = []
    /// Tokens that were found dead.
    public var deadTokens: [DeadToken] = []
    /// Faults that stop an app and environment, or are over.
    public var faults: [RowChange<Fault>] = []
    /// Additions to the history.
    public var history: [HistoryEntry] = []
    /// Owners whose published file is older than their committed widgets from now on.
    public var unpublished: [Owner] = []
    /// True where that holds for every owner of a committed widget.
    public var unpublishesAll = false
    /// Owners whose published file is as committed from now on.
    public var published: [Owner] = []
    /// Facts of the whole ledger.
    public var facts: RowChange<LedgerFacts>?
    /// Runs that begin or end.
    public var runs: [RowChange<RunRecord>] = []
    /// Template versions; those that were applied before keep their contract.
    public var templates: [RowChange<TemplateRecord>] = []
    /// Reloads with an idempotency key; each is new.
    public var reloadRequests: [ReloadRequestRecord] = []
    /// Report lines of the future; each is new.
    public var earlyReports: [EarlyReport] = []
    /// True where an index of the source files begins anew to count whose records change.
    public var forgetsTouched = false

    /// No changes yet.
    public init() {}
}

extension LedgerChanges {
    /// The owners whose plan may be another one now: those of changed records, before and after.
    public var touched: Set<Owner> {
        var owners: Set<Owner> = []
        func add<Row>(_ changes: [RowChange<Owned<Row>>]) {
            for change in changes {
                if let before = change.before { owners.insert(before.owner) }
                if let after = change.after { owners.insert(after.owner) }
            }
        }
        func add<Row>(_ changes: [RowChange<OnDevice<Row>>]) {
            for place in changes.flatMap({ [$0.before, $0.after] }) {
                if let owner = place?.owner { owners.insert(owner) }
            }
        }
        add(widgets)
        add(activities)
        add(instances)
        add(registrations)
        add(startTargets)
        for delivery in deliveries.flatMap({ [$0.before, $0.after] }) {
            if let delivery { owners.insert(delivery.owner) }
        }
        return owners
    }

    /// Adds what a transition changed in the record of its owner, and what it did beyond that.
    public mutating func add(_ transition: Transition) {
        let (before, after) = (transition.before, transition.record)
        let owner = after.owner
        Self.each(before.widgets, after.widgets, by: \.id) { old, new in
            widgets.append(RowChange(of: owner, before: old, after: new))
        }
        Self.each(before.activities, after.activities, by: \.declaration.name) { old, new in
            activities.append(RowChange(of: owner, before: old, after: new))
        }
        Self.each(before.instances, after.instances, by: \.id) { old, new in
            instances.append(RowChange(of: owner, before: old, after: new))
        }
        if before.devices != after.devices {
            registrations += Self.differences(before.registrations, after.registrations, by: \.row.id)
            startTargets += Self.differences(before.startTargets, after.startTargets, by: \.row.id)
        }
        operations += transition.operations
        deliveries += transition.deliveries
        deadTokens += transition.deadTokens
        scopes += transition.scopes
        history += transition.history
        if transition.isUnpublished { unpublished.append(owner) }
    }

    /// The changes from one list of rows to another.
    static func differences<Row, Key: Hashable>(
        _ old: [Row],
        _ new: [Row],
        by key: (Row) -> Key
    ) -> [RowChange<Row>] {
        var changes: [RowChange<Row>] = []
        each(old, new, by: key) { changes.append(RowChange(before: $0, after: $1)) }
        return changes
    }

    /// Calls `body` with the rows that are not the same in two lists, in the order of the second; those that are only in
    /// the first come last.
    private static func each<Row: Equatable, Key: Hashable>(
        _ old: [Row],
        _ new: [Row],
        by key: (Row) -> Key,
        body: (Row?, Row?) -> Void
    ) {
        // Most lists are of the same few rows in the same order.
        if old.count == new.count, old.indices.allSatisfy({ key(old[$0]) == key(new[$0]) }) {
            for index in old.indices where old[index] != new[index] { body(old[index], new[index]) }
            return
        }
        let former = Dictionary(old.map { (key($0), $0) }) { first, _ in first }
        for row in new where former[key(row)] != row { body(former[key(row)], row) }
        let kept = Set(new.map(key))
        for row in old where !kept.contains(key(row)) { body(row, nil) }
    }
}

extension Recorded {
    /// The widget push tokens, with their devices.
    fileprivate var registrations: [OnDevice<WidgetRegistration>] {
        devices.compactMap { device in
            device.widgets.map { OnDevice(app: owner.app, device: device.id, subscriber: owner.subscriber, row: $0) }
        }
    }

    /// The push-to-start tokens, with their devices.
    fileprivate var startTargets: [OnDevice<StartTarget>] {
        devices.flatMap { device in
            device.startTargets.map {
                OnDevice(app: owner.app, device: device.id, subscriber: owner.subscriber, row: $0)
            }
        }
    }
}

extension [RowChange<Delivery>] {
    /// Notes what a delivery is now; each delivery is in the list once.
    mutating func note(_ delivery: Delivery, is changed: Delivery) {
        if let index = firstIndex(where: { $0.after?.id == delivery.id }) {
            self[index].after = changed
        } else {
            append(RowChange(before: delivery, after: changed))
        }
    }
}

extension LaunchResolution {
    /// The reconciliation of an instance's launch, with its line of the log; `nil` where it has no launch of ours.
    init?(_ resolution: Resolution, of instance: Instance, owner: Owner, run: RunID?, at now: Moment) {
        guard let launch = instance.launch else { return nil }
        let event = Event(
            at: now,
            run: run,
            kind: resolution.code,
            owner: owner,
            subject: launch.text,
            text: Text("on device \(instance.device): \(resolution.words)")
        )
        self.init(launch: launch, resolution: resolution, target: instance.id, event: event)
    }
}
