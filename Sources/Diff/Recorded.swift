public import Time

/// The records of one owner in the ledger, in the order of names and devices.
public struct Recorded: Hashable, Sendable {
    /// The owner of the records.
    public var owner: Owner
    /// The widgets that were committed and are still declared, by name.
    public var widgets: [RecordedWidget]
    /// The activities that were ever committed, by name.
    public var activities: [RecordedActivity]
    /// The devices that belong to the owner now, by id.
    public var devices: [Device]
    /// The instances of the owner's activities, whatever device they are on, by name.
    public var instances: [Instance]
    /// The deliveries that are not settled and whose registration or instance is not among these: the device has left.
    public var strays: [Delivery]

    /// The records of one owner.
    public init(
        owner: Owner,
        widgets: [RecordedWidget] = [],
        activities: [RecordedActivity] = [],
        devices: [Device] = [],
        instances: [Instance] = [],
        strays: [Delivery] = []
    ) {
        self.owner = owner
        self.widgets = widgets
        self.activities = activities
        self.devices = devices
        self.instances = instances
        self.strays = strays
    }
}

/// One widget as it was last committed.
public struct RecordedWidget: Hashable, Sendable {
    /// Its target id.
    public var id: TargetID
    /// The declaration as committed.
    public var declaration: WidgetDeclaration
    /// Counts its committed states.
    public var revision: Int64
    /// The step that last changed it.
    public var changedStep: Step
    /// The time of that step.
    public var changedAt: Moment

    /// A committed widget.
    public init(
        id: TargetID,
        declaration: WidgetDeclaration,
        revision: Int64,
        changedStep: Step,
        changedAt: Moment
    ) {
        self.id = id
        self.declaration = declaration
        self.revision = revision
        self.changedStep = changedStep
        self.changedAt = changedAt
    }
}

/// One activity as it was last committed.
public struct RecordedActivity: Hashable, Sendable {
    /// The declaration as committed.
    public var declaration: ActivityDeclaration
    /// The number of this life: +1 with each new generation and each return after a removal.
    public var life: Int64
    /// Counts its committed changes.
    public var revision: Int64
    /// True once the files no longer declare it.
    public var isRemoved: Bool
    /// The step that last changed it.
    public var changedStep: Step
    /// The life that was adopted as applied: what did not run then is not started in it; 0 where none was.
    public var adoptedLife: Int64
    /// The time at which the alert was committed that it declares.
    public var alertAt: Moment

    /// A committed activity.
    public init(
        declaration: ActivityDeclaration,
        life: Int64,
        revision: Int64,
        isRemoved: Bool = false,
        changedStep: Step = .zero,
        adoptedLife: Int64 = 0,
        alertAt: Moment = .never
    ) {
        self.declaration = declaration
        self.life = life
        self.revision = revision
        self.isRemoved = isRemoved
        self.changedStep = changedStep
        self.adoptedLife = adoptedLife
        self.alertAt = alertAt
    }
}

extension Recorded {
    /// Until when an owner whose plan is empty goes on having an empty one, as long as neither what is declared nor what
    /// is recorded changes: the diff depends on the time only through deliveries and instances that are not over.
    ///
    /// - Returns: The first moment at which that may end; `nil` where it may end at any time;
    ///   ``Moment/distantFuture`` where time alone never ends it.
    public func restsUntil() -> Moment? {
        var rest = Moment.distantFuture
        for device in devices where device.widgets?.pending != nil { return nil }
        for instance in instances {
            guard instance.pending.isEmpty else { return nil }
            switch instance.phase {
            case .closed, .failed, .cancelled: continue
            case .queued, .outstanding, .unconfirmed: return nil
            case .running:
                // One that is over sooner or later, at its 8 hours or, where its launch is not known, at 12.
                guard instance.startedAt > .never else { continue }
                rest = min(rest, instance.startedAt + Instance.lifetime)
            }
        }
        return rest
    }
}

extension Recorded {
    /// The deliveries of it that are not settled.
    public var openDeliveries: [Delivery] {
        instances.flatMap(\.pending) + devices.compactMap(\.widgets?.pending) + strays
    }

    /// Puts an open delivery where the diff looks for it: with its instance, or, a reload, with its registration.
    public mutating func attach(_ delivery: Delivery) {
        if let target = delivery.target, let index = instances.firstIndex(where: { $0.id == target }) {
            instances[index].pending.append(delivery)
        } else if let registration = delivery.registration.map(WidgetsID.init),
            let index = devices.firstIndex(where: { $0.widgets?.id == registration })
        {
            devices[index].widgets?.pending = delivery
        } else {
            strays.append(delivery)
        }
    }

    /// Puts another value in the place of a delivery, or takes it away.
    mutating func replace(_ delivery: Delivery, with next: Delivery?) {
        if let index = instances.firstIndex(where: { $0.id == delivery.target }),
            let place = instances[index].pending.firstIndex(where: { $0.id == delivery.id })
        {
            instances[index].pending.replaceSubrange(place...place, with: next.map { [$0] } ?? [])
        } else if let index = devices.firstIndex(where: { $0.widgets?.pending?.id == delivery.id }) {
            devices[index].widgets?.pending = next
        } else if let index = strays.firstIndex(where: { $0.id == delivery.id }) {
            strays.replaceSubrange(index...index, with: next.map { [$0] } ?? [])
        }
    }
}
