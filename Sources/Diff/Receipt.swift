public import JSON

/// What a write returns: the state is committed, whatever becomes of the push.
public struct Receipt: Hashable, Sendable {
    /// The transport of the write.
    public struct Operation: Hashable, Sendable {
        /// Its id.
        public var id: OperationID
        /// Where it is.
        public var status: DeliveryStatus

        /// The transport of a write.
        public init(id: OperationID, status: DeliveryStatus) {
            self.id = id
            self.status = status
        }
    }

    /// Whose target it is.
    public var owner: Owner
    /// The declaration's name.
    public var name: Text
    /// The device, of an activity.
    public var device: Text?
    /// What was written to.
    public var target: TargetID
    /// Counts the target's committed states.
    public var revision: Int64
    /// The `launchRequestId`, of a remote start.
    public var launch: LaunchID?
    /// Its transport; `nil` where there is no push, or it is deferred.
    public var operation: Operation?

    /// A receipt.
    public init(
        owner: Owner,
        name: Text,
        device: Text? = nil,
        target: TargetID,
        revision: Int64,
        launch: LaunchID? = nil,
        operation: Operation? = nil
    ) {
        self.owner = owner
        self.name = name
        self.device = device
        self.target = target
        self.revision = revision
        self.launch = launch
        self.operation = operation
    }
}
