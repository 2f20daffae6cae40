internal import Diff
internal import Foreign
internal import JSON

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
            .integer(context.number),
            .integer(context.now)
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
        var expiresAfter: Int64?
    }

    @discardableResult
    func queue(_ delivery: Delivery, _ context: CommitContext) throws -> DeliveryID {
        let id = try DeliveryID.mint()
        try database.run(
            """
            INSERT INTO deliveries (id, operation, kind, subscriber, app, device, target, registration, environment,
                status, open, rank, commit_number, revision, created_at, expires_after)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'queued', 1, ?, ?, ?, ?, ?)
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
            .integer(context.number),
            .integer(delivery.revision),
            .integer(context.now),
            SQLiteValue(delivery.expiresAfter)
        )
        return id
    }

    func commitLaunch(
        _ declaration: ActivityDeclaration,
        on id: StartTargetID,
        replacing replaced: TargetID?,
        _ action: Action,
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
                expiresAfter: action.expiresAfter
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

    func commitPush(
        _ action: Action,
        _ target: TargetID,
        _ owner: Owner,
        _ recorded: Recorded,
        _ context: CommitContext
    ) throws -> Receipt? {
        guard let instance = recorded.instances.first(where: { $0.id == target }) else { return nil }
        let revision =
            try database.first("SELECT revision FROM instances WHERE id = ?", .text(target.text)) { $0.integer(0) }
            ?? instance.revision
        let operation = try openOperation(action.kind, owner, context)
        try queue(
            Delivery(
                operation: operation.id,
                kind: action.kind,
                device: action.device,
                rank: action.rank,
                owner: owner,
                target: target,
                environment: instance.environment,
                revision: revision,
                expiresAfter: action.expiresAfter
            ),
            context
        )
        return Receipt(
            owner: owner,
            name: instance.name,
            device: instance.device,
            target: target,
            revision: revision,
            launch: instance.launch,
            operation: operation
        )
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

extension OwnerPlan {
    /// The life in which a declaration goes on.
    fileprivate func life(of name: Text, _ recorded: Recorded) -> Int64 {
        for case .activity(let declaration, let life, _) in changes where declaration.name == name { return life }
        return recorded.activities.first { $0.declaration.name == name }?.life ?? 1
    }
}

extension Action {
    /// The place of reloads in the order of sending: the last.
    static let reloadRank: Int64 = 3

    /// Its place in the order of sending: ends; starts and what alerts; silent updates; reloads.
    var rank: Int64 {
        switch kind {
        case .end: 0
        case .start: 1
        case .update: priority == 10 ? 1 : 2
        case .reload: Action.reloadRank
        }
    }
}
