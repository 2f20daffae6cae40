public import JSON

/// The decisions of the diff for one owner: commits, pushes, and notes of the ledger without a push.
public struct OwnerPlan: Hashable, Sendable {
    /// The owner of the plan.
    public var owner: Owner
    /// The declarations that apply would commit, by kind and name.
    public var changes: [Change] = []
    /// The pushes, by kind of declaration, name and device.
    public var actions: [Action] = []
    /// The notes of the ledger without a push.
    public var adjustments: [Adjustment] = []

    /// The running and outstanding instances that end because this plan removes their declaration.
    ///
    /// An end that an earlier run decided on and that could not be sent until now is not counted again.
    public var removals: [Removal] = []

    /// An empty plan.
    public init(owner: Owner) {
        self.owner = owner
    }

    /// True where there is nothing to commit, send, note or show.
    public var isEmpty: Bool { changes.isEmpty && actions.isEmpty && adjustments.isEmpty }
}

/// An instance that ends because its declaration is removed.
public struct Removal: Hashable, Sendable {
    /// The instance.
    public var target: TargetID
    /// The name of its declaration.
    public var name: Text
    /// True where the removed declaration says that only an override that names it may end it.
    public var isProtected: Bool
}

/// One declaration that apply would commit.
public enum Change: Hashable, Sendable {
    /// A widget that is new (`nil` before) or differs.
    case widget(WidgetDeclaration, before: WidgetDeclaration?)
    /// A widget that the files no longer declare.
    case widgetRemoved(WidgetDeclaration)
    /// An activity that is new (`nil` before) or differs, and which life of it this is.
    case activity(ActivityDeclaration, life: Int64, before: ActivityDeclaration?)
    /// An activity that the files no longer declare.
    case activityRemoved(ActivityDeclaration)
}

/// A note of the ledger about an instance, without a push; alone it is no change.
public enum Adjustment: Hashable, Sendable {
    /// Its start was not sent and is taken back.
    case cancelLaunch(TargetID)
    /// The device did not report its launch in time.
    case miss(TargetID)
    /// A delivery waited, or was not answered, until its time was over.
    case expire(DeliveryID)
    /// Its queued update is not needed any more.
    case cancelUpdate(TargetID, DeliveryID)
    /// Its end was not sent and is taken back; it goes on in the given life.
    case withdrawEnd(TargetID, life: Int64)
    /// It is over without a push.
    case close(TargetID, Instance.Closure)
    /// The app started it; it counts as started with the declared attributes.
    case adopt(TargetID, attributes: Value, template: Text?)
}
