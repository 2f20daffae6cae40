public import Diff
public import JSON
public import Time

/// One record of the ledger in the words of the vocabulary, whatever rows a store keeps it in.
///
/// Sensitive values and push tokens are masked already where they are to be.
public enum LedgerRecord: Hashable, Sendable {
    /// The facts of the whole ledger.
    case ledger(LedgerFacts)
    /// A run that took the lock.
    case run(RunRecord)
    /// A template version as it was first applied.
    case template(TemplateRecord)
    /// An anonymous id of an app, and the person that it was identified as.
    case alias(app: Text, anonymous: Text, subscriber: Text)
    /// A device and whose it is; `ownerSince` is the last report of the owner before.
    case device(DevicePlace, ownerSince: Moment?, lastReportAt: Moment)
    /// A widget push token.
    case widgetRegistration(DevicePlace, WidgetRegistration)
    /// A push-to-start token.
    case startTarget(DevicePlace, StartTarget)
    /// A widget declaration as last committed.
    case widget(WidgetRecord)
    /// An activity declaration as last committed.
    case activity(ActivityRecord)
    /// An activity on a device.
    case instance(InstanceRecord)
    /// A launch that was reconciled.
    case resolution(ResolutionRecord)
    /// An activity that was reported over before it was reported at all, by its `activityId` or `launchRequestId`.
    case closedEarly(app: Text, device: Text, id: Text)
    /// A push token that APNs found dead.
    case deadToken(Text, at: Moment)
    /// A report line whose time lay ahead, by its digest, and the moment it counts as of.
    case earlyReport(digest: Text, at: Moment)
    /// The transport of one write.
    case operation(Operation)
    /// One push to one token.
    case delivery(Delivery)
    /// Pushes of a day that the account sent by other means.
    case sentElsewhere(UTCDay, pushes: Int64)
    /// A generation of authority that was paused or revoked once.
    case scope(ScopeSubject, Scope)
    /// An app and environment that answered as wrongly configured.
    case fault(Fault)
    /// A `reload` with an idempotency key.
    case reloadRequest(ReloadRequestRecord)
    /// A line of the log.
    case event(number: Int64, LogLine)
    /// An owner whose published file is older than the committed widgets.
    case unpublished(Owner)
    /// An owner of whom something changed since the index of the source files was made.
    case touched(Owner)
}

/// A device and whose it is.
public struct DevicePlace: Hashable, Sendable {
    /// The app's bundle id.
    public var app: Text
    /// The installation's id.
    public var device: Text
    /// The owner; `nil` after a logout.
    public var subscriber: Text?
}

/// A widget declaration as last committed.
public struct WidgetRecord: Hashable, Sendable {
    /// The owner.
    public var owner: Owner
    /// Its target id.
    public var id: TargetID
    /// The WidgetKit kind.
    public var name: Text
    /// The declaration as a state file has it.
    public var declaration: Value
    /// Counts its committed states.
    public var revision: Int64
    /// The step that last changed what a device shows.
    public var changedStep: Step
    /// The moment of it.
    public var changedAt: Moment
}

/// An activity declaration as last committed.
public struct ActivityRecord: Hashable, Sendable {
    /// The owner.
    public var owner: Owner
    /// Its name.
    public var name: Text
    /// The declaration as a state file has it.
    public var declaration: Value
    /// The number of its life.
    public var life: Int64
    /// Counts its committed changes.
    public var revision: Int64
    /// The step that last changed it.
    public var changedStep: Step
    /// True once the files no longer declare it.
    public var isRemoved: Bool
    /// The life that was adopted as applied; `nil` where none was.
    public var adoptedLife: Int64?
    /// The moment the alert was committed that it declares.
    public var alertAt: Moment?
}

/// An activity on a device.
public struct InstanceRecord: Hashable, Sendable {
    /// The subscriber of its launch, for ever, and the app.
    public var owner: Owner
    /// The instance, but for what it shows.
    public var instance: Instance
    /// The content last accepted, or uncertain, as a state file would have it.
    public var shown: Value?
    /// The start target of its launch.
    public var startTarget: StartTargetID?
    /// The `timestamp` of its last push; the next one is higher.
    public var lastTimestamp: Moment?
}

/// A launch that was reconciled; a launch can have several of these.
public struct ResolutionRecord: Hashable, Sendable {
    /// The order of happening.
    public var number: Int64
    /// The launch.
    public var launch: LaunchID
    /// Its outcome.
    public var resolution: Text
    /// The instance.
    public var target: TargetID
    /// The moment of it.
    public var at: Moment
    /// The run; `nil` where a report resolved it.
    public var run: RunID?
}
