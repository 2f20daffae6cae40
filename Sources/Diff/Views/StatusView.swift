public import JSON
public import Time

/// The answer of `status`: the whole ledger, a subscriber, or anything by its id.
///
/// Sensitive values and push tokens are masked already.
public enum StatusView: Hashable, Sendable {
    /// The whole ledger.
    case overview(StatusOverview)
    /// A subscriber, in each app that anything is recorded of.
    case subscriber([OwnerStatus])
    /// A widget declaration.
    case widget(Owned<WidgetStatus>)
    /// An activity on a device, and its pushes.
    case instance(Owned<InstanceStatus>, [DeliveryView])
    /// A widget push token.
    case widgetRegistration(OnDevice<WidgetRegistrationStatus>)
    /// A push-to-start token.
    case startTarget(OnDevice<StartTargetStatus>)
    /// An operation, whose status follows from its pushes.
    case operation(Operation, status: DeliveryStatus?, [DeliveryView])
    /// One push.
    case delivery(DeliveryView)
    /// A run.
    case run(RunRecord)
}

/// A record that an id names, as the ledger holds it.
public enum NamedRecord: Hashable, Sendable {
    /// A widget declaration, among the records of its owner.
    case widget(RecordedWidget, Recorded)
    /// An activity on a device, and all its pushes.
    case instance(Owned<Instance>, [Delivery])
    /// A widget push token.
    case widgetRegistration(OnDevice<WidgetRegistration>)
    /// A push-to-start token, and the records of whoever the device belongs to.
    case startTarget(OnDevice<StartTarget>, Recorded)
    /// An operation and its pushes.
    case operation(Operation, [Delivery])
    /// One push.
    case delivery(Delivery)
    /// A run.
    case run(RunRecord)
}

/// The whole ledger in a few figures.
public struct StatusOverview: Hashable, Sendable {
    /// The name of the ledger and its copies.
    public var lineage: Text?
    /// The last step.
    public var step = Step.zero
    /// The Git commit whose state was committed last.
    public var appliedCommit: Text?
    /// Devices that belong to somebody.
    public var devices = 0
    /// Committed widgets.
    public var widgets = 0
    /// Committed activities that are still declared.
    public var activities = 0
    /// Instances that are, or may be, on a device, by their phase.
    public var instances: [Instance.Phase: Int] = [:]
    /// Pushes that may still be sent, by their status.
    public var deliveries: [DeliveryStatus: Int] = [:]
    /// Apps and environments that answered as wrongly configured.
    public var faults: [Fault] = []
    /// The time at which the ledger was found to be restored; `nil` once that is accepted.
    public var restoredSince: Moment?
    /// The run that took the lock last.
    public var lastRun: RunRecord?

    /// An empty ledger.
    public init() {}
}

/// One push as it stands, without the content that it carried.
public struct DeliveryView: Hashable, Sendable {
    /// The push.
    public let delivery: Delivery

    init(_ delivery: Delivery) {
        var shown = delivery
        shown.content = nil
        self.delivery = shown
    }
}
