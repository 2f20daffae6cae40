internal import JSON
internal import Time

/// Queueing what carries a committed state.
extension Transition {
    /// Opens the transport of a write.
    mutating func open(_ kind: Action.Kind, in step: inout StepContext) -> Receipt.Operation {
        let operation = Operation(
            id: step.nextOperation(),
            kind: kind,
            owner: record.owner,
            run: step.run,
            step: step.step,
            createdAt: step.now
        )
        operations.append(operation)
        return Receipt.Operation(id: operation.id, status: .queued)
    }

    /// A push of an action that is queued now; where it goes is left out.
    private func delivery(
        _ action: Action,
        of operation: OperationID,
        on day: UTCDay?,
        in step: inout StepContext
    ) -> Delivery {
        Delivery(
            id: step.nextDelivery(),
            operation: operation,
            kind: action.kind,
            owner: record.owner,
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
    mutating func queueReload(
        _ action: Action,
        of id: WidgetsID,
        on day: UTCDay?,
        _ opened: Receipt.Operation?,
        in step: inout StepContext
    ) -> Receipt.Operation? {
        guard let registration = record.devices.lazy.compactMap(\.widgets).first(where: { $0.id == id }) else {
            return nil
        }
        let operation = opened ?? open(.reload, in: &step)
        var delivery = delivery(action, of: operation.id, on: day, in: &step)
        delivery.registration = id.text
        delivery.environment = registration.environment
        queue(delivery)
        return operation
    }

    /// Queues a reload that a person asked for, as part of the one operation of the call; one that waits already is sent at
    /// once in its place.
    ///
    /// - Parameters:
    ///   - registration: The registration that it goes to.
    ///   - step: The step that this is part of.
    /// - Returns: The push; `nil` where the day's quota has no room for it.
    public mutating func queueReload(of registration: WidgetRegistration, in step: inout StepContext) -> Delivery? {
        guard let device = record.devices.first(where: { $0.widgets?.id == registration.id }) else { return nil }
        if let waiting = registration.pending {
            var hurried = waiting
            hurried.notBefore = .never
            set(waiting, to: hurried)
            return hurried
        }
        guard case .booked(let day) = step.quota?.reserve() ?? .booked(nil) else { return nil }
        let delivery = Delivery(
            id: step.nextDelivery(),
            operation: operations.first?.id ?? open(.reload, in: &step).id,
            kind: .reload,
            owner: record.owner,
            device: device.id,
            registration: registration.id.text,
            environment: registration.environment,
            rank: Action.reloadRank,
            step: step.step,
            revision: step.step.number,
            quotaDay: day,
            createdAt: step.now
        )
        queue(delivery)
        return delivery
    }

    /// Records a launch and queues its start.
    ///
    /// - Parameters:
    ///   - declaration: What it starts.
    ///   - action: The planned start, which names the start target.
    ///   - replaced: The instance whose place it takes.
    ///   - day: The day whose capacity it holds.
    ///   - step: The step that this is part of.
    /// - Returns: Its receipt.
    mutating func launch(
        _ declaration: ActivityDeclaration,
        by action: Action,
        replacing replaced: TargetID?,
        on day: UTCDay?,
        in step: inout StepContext
    ) -> Receipt {
        let target = record.devices.lazy.flatMap(\.startTargets).first { $0.id == action.write.startTarget }
        step.sequence += 1
        let instance = Instance(
            id: step.ids.next(),
            launch: step.ids.next(),
            name: declaration.name,
            device: action.device,
            origin: .remote,
            attributesType: declaration.attributesType,
            attributes: declaration.attributes,
            template: declaration.template,
            life: record.activities.first { $0.declaration.name == declaration.name }?.life ?? 1,
            sequence: step.sequence,
            replaces: replaced,
            startTarget: action.write.startTarget,
            phase: .queued,
            environment: target?.environment ?? .production,
            os: target?.os
        )
        record.instances.append(instance)
        let operation = open(.start, in: &step)
        var delivery = delivery(action, of: operation.id, on: day, in: &step)
        delivery.target = instance.id
        delivery.registration = action.write.startTarget?.text
        delivery.environment = instance.environment
        delivery.revision = instance.revision
        queue(delivery)
        return Receipt(of: instance, record.owner, operation: operation)
    }

    /// Queues an update or an end, where there is room for it.
    ///
    /// - Returns: A receipt; `nil` where neither a state was committed nor a push queued.
    mutating func push(
        _ action: Action,
        as booking: QuotaBook.Booking,
        to target: TargetID,
        of plan: OwnerPlan,
        in step: inout StepContext
    ) -> Receipt? {
        guard let instance = instance(target) else { return nil }
        guard case .booked(let day) = booking else {
            return plan.changes.contains { $0.activity == instance.name }
                ? Receipt(of: instance, record.owner, operation: nil) : nil
        }
        let operation = open(action.kind, in: &step)
        var delivery = delivery(action, of: operation.id, on: day, in: &step)
        delivery.target = target
        delivery.environment = instance.environment
        delivery.revision = instance.revision
        queue(delivery)
        return Receipt(of: instance, record.owner, operation: operation)
    }
}

extension Receipt {
    /// The receipt of a write to an instance of an owner.
    fileprivate init(of instance: Instance, _ owner: Owner, operation: Operation?) {
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

extension Action.Write {
    /// The start target of a launch.
    fileprivate var startTarget: StartTargetID? {
        if case .launch(let id, _) = self { id } else { nil }
    }
}

extension Change {
    /// The name of the activity that it commits; `nil` for a widget.
    fileprivate var activity: Text? {
        switch self {
        case .activity(let declaration, _, _), .activityRemoved(let declaration): declaration.name
        case .widget, .widgetRemoved: nil
        }
    }
}
