public import JSON
public import Time

/// Everything of one owner as `status` shows it.
public struct OwnerStatus: Hashable, Sendable {
    /// The owner.
    public let owner: Owner
    /// The authority over all of it.
    public let scope: Scope
    /// The committed widgets, by name.
    public let widgets: [WidgetStatus]
    /// The activities that were ever committed, by name.
    public let activities: [ActivityStatus]
    /// The devices that belong to the owner now, by id.
    public let devices: [DeviceStatus]
    /// The instances of the owner's activities.
    public let instances: [InstanceStatus]
    /// The path of the published file; `nil` where nothing is published.
    public let publishedPath: Text?
}

/// A committed widget and its status on the devices that list it.
public struct WidgetStatus: Hashable, Sendable {
    /// Its target id.
    public let id: TargetID
    /// The WidgetKit kind.
    public let name: Text
    /// The committed state.
    public let state: Value
    /// The template version that it is declared with.
    public let template: Text?
    /// Counts its committed states.
    public let revision: Int64
    /// The step that last changed it.
    public let changedStep: Step
    /// The time of that step.
    public let changedAt: Moment
    /// Its status.
    public let status: TargetStatus
}

/// An activity as it was last committed.
public struct ActivityStatus: Hashable, Sendable {
    /// Its name.
    public let name: Text
    /// The Swift name of its `ActivityAttributes` type.
    public let attributesType: Text
    /// The template version that it is declared with.
    public let template: Text?
    /// The committed state.
    public let state: Value
    /// Counts its committed changes.
    public let revision: Int64
    /// Counts its lives.
    public let life: Int64
    /// True once the files no longer declare it.
    public let isRemoved: Bool
}

/// A device and the status of its registrations.
public struct DeviceStatus: Hashable, Sendable {
    /// The installation's id.
    public let id: Text
    /// Its widget push token, while any widget is installed.
    public let widgets: WidgetRegistrationStatus?
    /// Its push-to-start tokens, by attributes type.
    public let startTargets: [StartTargetStatus]
}

/// A widget push token and its status.
public struct WidgetRegistrationStatus: Hashable, Sendable {
    /// The registration without its push; of its token as much as is shown.
    public let registration: WidgetRegistration
    /// True where a reload can reach it.
    public let canReload: Bool
    /// Its status.
    public let status: TargetStatus
}

/// A push-to-start token and its status.
public struct StartTargetStatus: Hashable, Sendable {
    /// The start target; of its token as much as is shown.
    public let target: StartTarget
    /// True where a remote start can reach it.
    public let canStart: Bool
    /// Its status.
    public let status: TargetStatus
}

/// An instance and its status.
public struct InstanceStatus: Hashable, Sendable {
    /// The instance without attributes, content and pushes; of its token as much as is shown.
    public let instance: Instance
    /// The content that was last accepted, or is uncertain, as ``ActivityContent/value``.
    public let shown: Value?
    /// Its status.
    public let status: TargetStatus
}
