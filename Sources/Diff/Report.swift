public import JSON
public import Time

/// One device report, checked and in normal form.
public struct Report: Hashable, Sendable {
    /// What a report says, by its `type`.
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
    /// When the backend received it.
    public var at: Moment
    /// What it says.
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
    /// Whose device it is; `nil` after a logout, or where it was never reported.
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

/// What is recorded elsewhere and a report's outcome depends on.
public struct ReportContext: Hashable, Sendable {
    /// The reported subscriber with aliases resolved.
    public var subscriber: Text
    /// Of `subscriber.identified`: whom the anonymous id stood for until now; itself where it stands for nobody.
    public var anonymousIs: Text?
    /// When the reported token was found dead; `nil` where it was not.
    public var tokenDeadAt: Moment?
    /// The highest `at` with which another device, app or type reported the same token.
    public var tokenElsewhereAt: Moment?
    /// The life of the declaration that the report names: the running one, or the next one where it was removed.
    public var life: Int64
    /// What was paused or revoked.
    public var scopes: Scopes
    /// The ids for what the report may create.
    public var fresh: FreshIDs

    /// What is recorded elsewhere.
    public init(
        subscriber: Text,
        anonymousIs: Text? = nil,
        tokenDeadAt: Moment? = nil,
        tokenElsewhereAt: Moment? = nil,
        life: Int64 = 1,
        scopes: Scopes = Scopes(),
        fresh: FreshIDs
    ) {
        self.subscriber = subscriber
        self.anonymousIs = anonymousIs
        self.tokenDeadAt = tokenDeadAt
        self.tokenElsewhereAt = tokenElsewhereAt
        self.life = life
        self.scopes = scopes
        self.fresh = fresh
    }
}

/// Ids minted beforehand for what one report may create.
public struct FreshIDs: Hashable, Sendable {
    /// For a widget registration.
    public var widgets: WidgetsID
    /// For a start target.
    public var startTarget: StartTargetID
    /// For an instance.
    public var target: TargetID

    /// One id of each kind.
    public init(widgets: WidgetsID, startTarget: StartTargetID, target: TargetID) {
        self.widgets = widgets
        self.startTarget = startTarget
        self.target = target
    }
}

/// What a report does beyond its own device.
public enum ReportEffect: Hashable, Sendable {
    /// Everything recorded of an anonymous id moves to the person, of whom it stays an alias.
    case merge(anonymous: Text, into: Text)
    /// The token lives here now: other registrations with it lose it.
    case takeToken(Text)
    /// Its scope is revoked: it registered nothing.
    case ignored
}
