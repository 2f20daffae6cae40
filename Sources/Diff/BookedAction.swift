internal import JSON
internal import Time

/// An action of a plan that has its place in the day's quota, and queues its push now.
struct BookedAction {
    private let action: Action
    /// The day whose capacity the push holds; `nil` where it needs none.
    private let day: UTCDay?

    init(_ action: Action, _ day: UTCDay?) {
        self.action = action
        self.day = day
    }

    /// A push of the action; where it goes is left out.
    private func delivery(of operation: OperationID, _ owner: Owner, in step: inout StepContext) -> Delivery {
        Delivery(
            id: step.nextDelivery(),
            operation: operation,
            kind: action.kind,
            owner: owner,
            device: action.device,
            rank: action.rank,
            step: step.step,
            revision: step.step.number,
            cost: action.cost,
            quotaDay: day,
            createdAt: step.now,
            expiresAfter: action.expiresAfter
        )
    }

    /// Queues a reload as part of the owner's one reload operation, which is opened where there is none yet.
    ///
    /// - Returns: The operation; `nil` where the device has no such registration.
    func reload(
        _ id: WidgetsID,
        joining opened: Receipt.Operation?,
        in transition: inout Transition,
        step: inout StepContext
    ) -> Receipt.Operation? {
        let registrations = transition.record.devices.lazy.compactMap(\.widgets)
        guard let registration = registrations.first(where: { $0.id == id }) else { return nil }
        let operation = opened ?? transition.open(.reload, in: &step)
        var delivery = delivery(of: operation.id, transition.record.owner, in: &step)
        delivery.registration = id.text
        delivery.environment = registration.environment
        transition.queue(delivery)
        return operation
    }

    /// Records a launch and queues its start.
    ///
    /// - Returns: Its receipt.
    func launch(
        _ launch: PlannedLaunch,
        in transition: inout Transition,
        step: inout StepContext
    ) -> Receipt {
        let instance = launch.instance(on: action.device, of: transition.record, in: &step)
        transition.record.instances.append(instance)
        let operation = transition.open(.start, in: &step)
        var delivery = delivery(of: operation.id, transition.record.owner, in: &step)
        delivery.target = instance.id
        delivery.registration = launch.startTarget.text
        delivery.environment = instance.environment
        delivery.revision = instance.revision
        transition.queue(delivery)
        return Receipt(of: instance, transition.record.owner, operation: operation)
    }

    /// Queues an update or an end of an instance.
    ///
    /// - Returns: Its receipt.
    func push(to instance: Instance, in transition: inout Transition, step: inout StepContext) -> Receipt {
        let operation = transition.open(action.kind, in: &step)
        var delivery = delivery(of: operation.id, transition.record.owner, in: &step)
        delivery.target = instance.id
        delivery.environment = instance.environment
        delivery.revision = instance.revision
        transition.queue(delivery)
        return Receipt(of: instance, transition.record.owner, operation: operation)
    }
}

/// A launch that a plan decided on.
struct PlannedLaunch {
    /// The declaration that it starts.
    let declaration: ActivityDeclaration
    /// The start target that it goes to.
    let startTarget: StartTargetID
    /// The instance whose place it takes.
    let replaced: TargetID?

    init(declaration: ActivityDeclaration, on startTarget: StartTargetID, replacing replaced: TargetID?) {
        self.declaration = declaration
        self.startTarget = startTarget
        self.replaced = replaced
    }

    /// The instance that it is to become, queued.
    fileprivate func instance(on device: Text, of record: Recorded, in step: inout StepContext) -> Instance {
        let target = record.devices.lazy.flatMap(\.startTargets).first { $0.id == startTarget }
        step.sequence += 1
        return Instance(
            id: step.ids.next(),
            launch: step.ids.next(),
            name: declaration.name,
            device: device,
            origin: .remote,
            attributesType: declaration.attributesType,
            attributes: declaration.attributes,
            template: declaration.template,
            life: record.activities.first { $0.declaration.name == declaration.name }?.life ?? 1,
            sequence: step.sequence,
            replaces: replaced,
            startTarget: startTarget,
            phase: .queued,
            environment: target?.environment ?? .production,
            os: target?.os
        )
    }
}
