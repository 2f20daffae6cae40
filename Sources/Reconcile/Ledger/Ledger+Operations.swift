internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// Queueing what carries a committed state.
extension Ledger {
    func openOperation(
        _ kind: Action.Kind,
        _ owner: Owner,
        _ context: CommitContext
    ) throws -> Receipt.Operation {
        let id = try OperationID.mint()
        try database.run(
            """
            INSERT INTO operations (id, kind, subscriber, app, run, commit_number, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            .text(id.text),
            .text(kind.rawValue),
            .text(owner.subscriber),
            .text(owner.app),
            .text(context.run.text),
            .integer(context.step.number),
            .moment(context.now)
        )
        return Receipt.Operation(id: id, status: .queued)
    }

    struct Delivery {
        var operation: OperationID
        var kind: Action.Kind
        var device: Text
        var rank: Int64
        var owner: Owner
        var target: TargetID?
        var registration: Text?
        var environment: PushEnvironment
        var revision: Int64
        var expiresAfter: Span?
        var cost: Int
        /// The day whose capacity it holds, if any.
        var quotaDay: UTCDay?
    }

    @discardableResult
    func queue(_ delivery: Delivery, _ context: CommitContext) throws -> DeliveryID {
        let id = try DeliveryID.mint()
        try database.run(
            """
            INSERT INTO deliveries (id, operation, kind, subscriber, app, device, target, registration, environment,
                status, open, rank, commit_number, revision, expires_after, cost, quota_day, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'queued', 1, ?, ?, ?, ?, ?, ?, ?)
            """,
            .text(id.text),
            .text(delivery.operation.text),
            .text(delivery.kind.rawValue),
            .text(delivery.owner.subscriber),
            .text(delivery.owner.app),
            .text(delivery.device),
            SQLiteValue(delivery.target?.text),
            SQLiteValue(delivery.registration),
            .text(delivery.environment.rawValue),
            .integer(delivery.rank),
            .integer(context.step.number),
            .integer(delivery.revision),
            SQLiteValue(seconds: delivery.expiresAfter),
            .integer(Int64(delivery.cost)),
            SQLiteValue(delivery.quotaDay?.number),
            .moment(context.now)
        )
        return id
    }

    func commitReload(
        _ action: Action,
        of id: WidgetsID,
        booked day: UTCDay?,
        _ operation: OperationID,
        _ recorded: Recorded,
        _ context: CommitContext
    ) throws {
        guard let registration = recorded.devices.lazy.compactMap(\.widgets).first(where: { $0.id == id }) else {
            return
        }
        try queue(
            Delivery(
                operation: operation,
                kind: action.kind,
                device: action.device,
                rank: action.rank,
                owner: recorded.owner,
                registration: id.text,
                environment: registration.environment,
                revision: context.step.number,
                expiresAfter: action.expiresAfter,
                cost: action.cost,
                quotaDay: day
            ),
            context
        )
    }

    func commitLaunch(
        _ declaration: ActivityDeclaration,
        on id: StartTargetID,
        replacing replaced: TargetID?,
        _ action: Action,
        booked day: UTCDay?,
        _ recorded: Recorded,
        _ plan: OwnerPlan,
        _ context: CommitContext
    ) throws -> Receipt {
        let target = recorded.devices.lazy.flatMap(\.startTargets).first { $0.id == id }
        let instance = Instance(
            id: try .mint(),
            launch: try .mint(),
            name: declaration.name,
            device: action.device,
            origin: .remote,
            attributesType: declaration.attributesType,
            attributes: declaration.attributes,
            template: declaration.template,
            life: plan.life(of: declaration.name, recorded),
            sequence: try nextSequence(),
            replaces: replaced,
            phase: .queued,
            environment: target?.environment ?? .production,
            os: target?.os
        )
        try insert(instance, owner: plan.owner, startTarget: id)
        let operation = try openOperation(.start, plan.owner, context)
        try queue(
            Delivery(
                operation: operation.id,
                kind: action.kind,
                device: action.device,
                rank: action.rank,
                owner: plan.owner,
                target: instance.id,
                registration: id.text,
                environment: instance.environment,
                revision: 1,
                expiresAfter: action.expiresAfter,
                cost: action.cost,
                quotaDay: day
            ),
            context
        )
        return Receipt(
            owner: plan.owner,
            name: declaration.name,
            device: action.device,
            target: instance.id,
            revision: 1,
            launch: instance.launch,
            operation: operation
        )
    }

    /// Queues an update or an end, where there is room for it.
    ///
    /// - Returns: A receipt; `nil` where neither a state was committed nor a push queued.
    func commitPush(
        _ action: Action,
        _ booking: Reservations.Booking,
        _ target: TargetID,
        _ recorded: Recorded,
        _ plan: OwnerPlan,
        _ context: CommitContext
    ) throws -> Receipt? {
        guard let instance = recorded.instances.first(where: { $0.id == target }) else { return nil }
        let revision =
            try database.first("SELECT revision FROM instances WHERE id = ?", .text(target.text)) { $0.integer(0) }
            ?? instance.revision
        var receipt = Receipt(
            owner: plan.owner,
            name: instance.name,
            device: instance.device,
            target: target,
            revision: revision,
            launch: instance.launch
        )
        guard case .booked(let day) = booking else {
            return plan.changes.contains { $0.activity == instance.name } ? receipt : nil
        }
        let operation = try openOperation(action.kind, plan.owner, context)
        try queue(
            Delivery(
                operation: operation.id,
                kind: action.kind,
                device: action.device,
                rank: action.rank,
                owner: plan.owner,
                target: target,
                environment: instance.environment,
                revision: revision,
                expiresAfter: action.expiresAfter,
                cost: action.cost,
                quotaDay: day
            ),
            context
        )
        receipt.operation = operation
        return receipt
    }

    func log(
        _ kind: Text,
        _ owner: Owner,
        _ subject: Text,
        _ text: String,
        _ context: CommitContext
    ) throws {
        try note(
            LedgerEvent(
                at: context.now,
                run: context.run,
                kind: kind,
                owner: owner,
                subject: subject,
                text: Text(text)
            )
        )
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

extension OwnerPlan {
    /// The life in which a declaration goes on.
    fileprivate func life(of name: Text, _ recorded: Recorded) -> Int64 {
        for case .activity(let declaration, let life, _) in changes where declaration.name == name { return life }
        return recorded.activities.first { $0.declaration.name == name }?.life ?? 1
    }
}
