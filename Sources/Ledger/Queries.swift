public import Diff
public import JSON
internal import Time

/// Owners by what is to be done for them.
public enum OwnerQuery: Hashable, Sendable {
    /// Those whose published file is older than their committed widgets, after one, at most so many.
    case unpublished(after: Owner?, limit: Int)
    /// The one, where its published file is older than its committed widgets.
    case isUnpublished(Owner)
    /// All whose published file is older than their committed widgets.
    case allUnpublished
    /// Those of committed widgets.
    case withWidgets
    /// Those of whom something changed since the index of the source files was made.
    case touched
}

/// Committed widgets.
public enum WidgetQuery: Hashable, Sendable {
    /// By its target id.
    case id(TargetID)
    /// Those of an owner.
    case owner(Owner)
}

/// Committed activities.
public enum ActivityQuery: Hashable, Sendable {
    /// By its owner and name.
    case named(Owner, Text)
}

/// Devices.
public enum DeviceQuery: Hashable, Sendable {
    /// By its id.
    case device(app: Text, id: Text)
    /// Those of an owner.
    case owner(Owner)
}

/// Widget push tokens.
public enum RegistrationQuery: Hashable, Sendable {
    /// By its id.
    case id(WidgetsID)
    /// That of a device.
    case device(app: Text, id: Text)
    /// The holders of a token.
    case token(Text)
    /// Those of an owner that have a token.
    case live(Owner)
}

/// Push-to-start tokens.
public enum StartTargetQuery: Hashable, Sendable {
    /// By its id.
    case id(StartTargetID)
    /// Those of a device.
    case device(app: Text, id: Text)
    /// The holders of a token.
    case token(Text)
}

/// Activities on devices.
public enum InstanceQuery: Hashable, Sendable {
    /// By its id.
    case id(TargetID)
    /// Those of a launch.
    case launch(LaunchID)
    /// Those that ActivityKit names so.
    case activity(app: Text, id: Text)
    /// Those on a device that are queued, outstanding, unconfirmed or running.
    case open(app: Text, device: Text)
    /// Those of a subscriber, over all apps.
    case subscriber(Text)
    /// Those of a declaration on a device.
    case declaration(Owner, name: Text, device: Text)
    /// Those on the device of a start target that were started over it.
    case startedOver(StartTargetID, app: Text, device: Text)
}

/// Deliveries.
public enum DeliveryQuery: Hashable, Sendable {
    /// By its id.
    case id(DeliveryID)
    /// Those of a subscriber that are not settled, over all apps.
    case openOfSubscriber(Text)
    /// The reloads of an owner that are not settled.
    case openReloads(Owner)
    /// Those over a registration or start target of an owner that are not settled.
    case openOver(Text, Owner)
    /// Those over a registration or start target that are not settled, whoever has it.
    case openOverAny(Text)
    /// Those of an instance that are not settled.
    case openOfTarget(TargetID)
    /// Those of an instance that a report can settle: not settled, or a start that may have arrived.
    case reportable(TargetID)
    /// Those that a run was sending when it ended.
    case dispatching
}

/// A run.
public enum RunQuery: Hashable, Sendable {
    /// By its id.
    case id(RunID)
    /// The one that committed an operation.
    case operation(OperationID)
}

/// An app and environment: what has connections and configuration faults of its own.
public struct LaneName: Hashable, Comparable, Sendable {
    /// The app's bundle id.
    public var app: Text
    /// The environment.
    public var environment: PushEnvironment

    /// A lane.
    public init(app: Text, environment: PushEnvironment) {
        self.app = app
        self.environment = environment
    }

    /// By app, then by environment.
    public static func < (left: LaneName, right: LaneName) -> Bool {
        (left.app, left.environment.rawValue) < (right.app, right.environment.rawValue)
    }
}

/// An app and environment that has deliveries to send.
public struct DueLane: Hashable, Sendable {
    /// The app and environment.
    public var name: LaneName
    /// The number of its deliveries that may be sent.
    public var count: Int

    /// A lane with so many deliveries.
    public init(_ name: LaneName, count: Int) {
        self.name = name
        self.count = count
    }
}

/// A delivery that is due, with the name of its activity; `nil` for a reload.
public struct DueDelivery: Hashable, Sendable {
    /// The delivery.
    public var delivery: Delivery
    /// The name of its activity.
    public var name: Text?

    /// A delivery that is due.
    public init(delivery: Delivery, name: Text?) {
        self.delivery = delivery
        self.name = name
    }
}

/// A place in the order of sending: rank, then the step that queued it, then the id.
public struct SendingPlace: Hashable, Comparable, Sendable {
    /// The rank: what goes first.
    public var rank: Int64
    /// The step that it was committed in.
    public var step: Step
    /// The id of the delivery.
    public var id: DeliveryID

    /// The place before all others.
    public static let start = SendingPlace(rank: -1, step: .zero, id: DeliveryID(""))

    /// True where the first goes first.
    public static func < (first: SendingPlace, second: SendingPlace) -> Bool {
        (first.rank, first.step, first.id) < (second.rank, second.step, second.id)
    }
}

extension Delivery {
    /// Its place in the order of sending.
    public var place: SendingPlace { SendingPlace(rank: rank, step: step, id: id) }
}
