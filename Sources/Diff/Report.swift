public import JSON
public import Time

/// One device report, checked and in normal form.
public struct Report: Hashable, Sendable {
    /// The content of a report, by its `type`.
    public enum Event: Hashable, Sendable {
        /// `widgets.registered`; no kinds mean that the last widget was removed.
        case widgetsRegistered(token: Text, environment: PushEnvironment, kinds: [Text], os: OSVersion?)
        /// `widgets.unregistered`
        case widgetsUnregistered
        /// `start.registered`
        case startRegistered(
            attributesType: Text,
            token: Text,
            environment: PushEnvironment,
            os: OSVersion?,
            frequentPushes: Bool?,
            templates: [Text]?
        )
        /// `start.unregistered`
        case startUnregistered(attributesType: Text)
        /// `activity.registered`; `launch` of a remote start, `name` of one that the app started.
        case activityRegistered(
            activityID: Text,
            attributesType: Text,
            token: Text,
            environment: PushEnvironment,
            os: OSVersion?,
            launch: LaunchID?,
            name: Text?
        )
        /// `activity.ended` or `activity.dismissed`
        case activityClosed(activityID: Text?, launch: LaunchID?, dismissed: Bool)
        /// `subscriber.identified`
        case identified(anonymous: Text)
        /// `subscriber.loggedOut`
        case loggedOut
    }

    /// The app's bundle id.
    public var app: Text
    /// The subscriber as reported.
    public var subscriber: Text
    /// The installation's id.
    public var device: Text
    /// The time at which the backend received it.
    public var at: Moment
    /// Its content.
    public var event: Event

    /// A report.
    public init(app: Text, subscriber: Text, device: Text, at: Moment, event: Event) {
        self.app = app
        self.subscriber = subscriber
        self.device = device
        self.at = at
        self.event = event
    }
}

/// Everything recorded that one report can touch: one device of one app, and what shares an id or a token with it.
public struct DeviceRecord: Hashable, Sendable {
    /// The owner of the device; `nil` after a logout, or where it was never reported.
    public var owner: Text?
    /// The highest `at` of a report of another owner before this one: what is older registers nothing.
    public var ownerSince: Moment
    /// The highest `at` of any report of it.
    public var lastReport: Moment
    /// Its widget registration, dead ones included.
    public var widgets: WidgetRegistration?
    /// Its start targets, dead ones included.
    public var startTargets: [StartTarget]
    /// The instances on it, and those that the report names by activityId or launchRequestId.
    public var instances: [DeviceInstance]
    /// Activities that were reported over before they were reported at all, by activityId or launchRequestId.
    public var closedEarly: Set<Text>

    /// A device that was never heard of.
    public init() {
        owner = nil
        ownerSince = .distantPast
        lastReport = .distantPast
        widgets = nil
        startTargets = []
        instances = []
        closedEarly = []
    }
}

/// An instance with the subscriber it belongs to for ever.
public struct DeviceInstance: Hashable, Sendable {
    /// The subscriber of its launch.
    public var subscriber: Text
    /// The instance.
    public var instance: Instance

    /// An instance of a subscriber.
    public init(subscriber: Text, instance: Instance) {
        self.subscriber = subscriber
        self.instance = instance
    }
}
