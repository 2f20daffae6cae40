public import JSON

/// The answer to a write: the state is committed, whatever becomes of the push.
public struct Receipt: Hashable, Sendable {
    /// The transport of the write.
    public struct Operation: Hashable, Sendable {
        /// Its id.
        public var id: OperationID
        /// Its status.
        public var status: DeliveryStatus

        /// The transport of a write.
        public init(id: OperationID, status: DeliveryStatus) {
            self.id = id
            self.status = status
        }
    }

    /// The owner of the target.
    public var owner: Owner
    /// The declaration's name.
    public var name: Text
    /// The device, of an activity.
    public var device: Text?
    /// The target of the write.
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

extension Receipt {
    /// A receipt of a write to an instance.
    init(of instance: Instance, _ owner: Owner, operation: Operation?) {
        self.init(
            owner: owner,
            name: instance.name,
            device: instance.device,
            target: instance.id,
            revision: instance.revision,
            launch: instance.launch,
            operation: operation
        )
    }
}
