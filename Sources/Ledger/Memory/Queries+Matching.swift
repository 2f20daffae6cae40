internal import Diff
internal import JSON
internal import Time

// The rows that queries take, in Swift: for stores that have no SQL.

extension WidgetQuery {
    func takes(_ widget: Owned<RecordedWidget>) -> Bool {
        switch self {
        case .id(let id): widget.row.id == id
        case .owner(let owner): widget.owner == owner
        }
    }
}

extension DeviceQuery {
    func takes(_ device: DeviceRow) -> Bool {
        switch self {
        case .device(let app, let id): device.app == app && device.device == id
        case .owner(let owner): device.app == owner.app && device.owner == owner.subscriber
        }
    }
}

extension RegistrationQuery {
    func takes(_ registration: OnDevice<WidgetRegistration>) -> Bool {
        switch self {
        case .id(let id): registration.row.id == id
        case .device(let app, let id): registration.app == app && registration.device == id
        case .token(let token): registration.row.token == token
        case .live(let owner): registration.owner == owner && registration.row.token != nil
        }
    }
}

extension StartTargetQuery {
    func takes(_ target: OnDevice<StartTarget>) -> Bool {
        switch self {
        case .id(let id): target.row.id == id
        case .device(let app, let id): target.app == app && target.device == id
        case .token(let token): target.row.token == token
        }
    }
}

extension InstanceQuery {
    func takes(_ owned: Owned<Instance>) -> Bool {
        let (owner, instance) = (owned.owner, owned.row)
        return switch self {
        case .id(let id): instance.id == id
        case .launch(let id): instance.launch == id
        case .activity(let app, let id): owner.app == app && instance.activityID == id
        case .open(let app, let device): owner.app == app && instance.device == device && instance.phase.isOpen
        case .subscriber(let subscriber): owner.subscriber == subscriber
        case .declaration(let of, let name, let device):
            owner == of && instance.name == name && instance.device == device
        case .startedOver(let id, let app, let device):
            owner.app == app && instance.device == device && instance.startTarget == id
        }
    }
}

extension DeliveryQuery {
    func takes(_ delivery: Delivery) -> Bool {
        let isOpen = delivery.state.isOpen
        return switch self {
        case .id(let id): delivery.id == id
        case .openOfSubscriber(let subscriber): isOpen && delivery.owner.subscriber == subscriber
        case .openReloads(let owner): isOpen && delivery.owner == owner && delivery.kind == .reload
        case .openOver(let registration, let owner):
            isOpen && delivery.owner == owner && delivery.registration == registration
        case .openOverAny(let registration): isOpen && delivery.registration == registration
        case .openOfTarget(let id): isOpen && delivery.target == id
        case .reportable(let id):
            delivery.target == id && (isOpen || delivery.kind == .start && delivery.status == .unknown)
        case .dispatching: delivery.status == .dispatching
        }
    }
}

extension Instance {
    /// The moment from which it is too old to be on a device; `nil` where it is on none.
    var openUntil: Moment? {
        guard phase.isOnDevice else { return nil }
        return phase == .running ? startedAt + Instance.lifetime : .distantFuture
    }

    /// True where it is, or may be, on a device at a moment.
    func isOpen(at now: Moment) -> Bool { openUntil.map { now < $0 } ?? false }
}
