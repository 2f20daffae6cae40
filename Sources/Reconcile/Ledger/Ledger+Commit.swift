public import Diff
internal import Foreign
internal import JSON

/// The facts of the transaction that a plan is committed in.
struct CommitContext {
    var number: Int64
    var run: RunID
    var now: Int64
}

/// Writing what one owner's plan decided: state first, then the operations that carry it.
extension Ledger {
    /// Commits one owner's plan.
    ///
    /// - Parameters:
    ///   - plan: What the diff decided.
    ///   - desired: What it decided on; `nil` where the files declare nothing.
    ///   - recorded: What it decided on.
    ///   - context: The commit that this is part of.
    /// - Returns: A receipt for each state that was committed and each operation that was made.
    func commit(
        _ plan: OwnerPlan, desired: Desired?, recorded: Recorded, _ context: CommitContext
    ) throws -> [Receipt] {
        var receipts: [Receipt] = []
        var widgets: [Receipt] = []
        for change in plan.changes {
            if let receipt = try commit(change, plan.owner, recorded, context) { widgets.append(receipt) }
        }
        for adjustment in plan.adjustments { try adjust(adjustment, plan.owner, context) }
        var reload: Receipt.Operation?
        for action in plan.actions {
            switch action.step {
            case .none:
                break
            case .reload(let id):
                if reload == nil { reload = try openOperation(.reload, plan.owner, context) }
                guard let device = recorded.devices.first(where: { $0.widgets?.id == id }),
                    let registration = device.widgets, let operation = reload
                else { continue }
                try queue(
                    Delivery(
                        operation: operation.id, action: action, owner: plan.owner, target: nil,
                        registration: id.text, environment: registration.environment, revision: context.number), context)
            case .launch(let id, let replaced):
                guard let declaration = desired?.activities.first(where: { $0.name == action.name }) else { continue }
                receipts.append(
                    try commitLaunch(declaration, on: id, replacing: replaced, action, recorded, plan, context))
            case .update(let target, let superseded):
                if let superseded { try supersede(superseded, context) }
                if let receipt = try commitPush(action, target, plan.owner, recorded, context) {
                    receipts.append(receipt)
                }
            case .end(let target, let cause):
                try beginEnd(of: target, cause, context)
                if let receipt = try commitPush(action, target, plan.owner, recorded, context) {
                    receipts.append(receipt)
                }
            }
        }
        for index in widgets.indices { widgets[index].operation = reload }
        return widgets + receipts
    }

    // MARK: - Declarations

    private func commit(
        _ change: Change, _ owner: Owner, _ recorded: Recorded, _ context: CommitContext
    ) throws -> Receipt? {
        let key = [SQLiteValue.text(owner.subscriber), .text(owner.app)]
        switch change {
        case .widget(let declaration, let before):
            return try commit(declaration, before, owner, recorded, context)
        case .widgetRemoved(let declaration):
            try database.run(
                "DELETE FROM widgets WHERE subscriber = ? AND app = ? AND name = ?", key[0], key[1],
                .text(declaration.name))
            try markUnpublished(owner)
        case .activity(let declaration, let life, _):
            try database.run(
                """
                INSERT INTO activities (subscriber, app, name, body, life, revision) VALUES (?1, ?2, ?3, ?4, ?5, 1)
                ON CONFLICT (subscriber, app, name)
                DO UPDATE SET body = ?4, life = ?5, revision = revision + 1, removed = 0
                """, key[0], key[1], .text(declaration.name), SQLiteValue(json: declaration.body), .integer(life))
            try countRevision(of: declaration.name, owner)
        case .activityRemoved(let declaration):
            try database.run(
                """
                UPDATE activities SET removed = 1, revision = revision + 1
                WHERE subscriber = ? AND app = ? AND name = ?
                """, key[0], key[1], .text(declaration.name))
        }
        return nil
    }

    private func commit(
        _ declaration: WidgetDeclaration, _ before: WidgetDeclaration?, _ owner: Owner, _ recorded: Recorded,
        _ context: CommitContext
    ) throws -> Receipt {
        let record = recorded.widgets.first { $0.declaration.name == declaration.name }
        let target = try record?.id ?? .mint()
        let revision = (record?.revision ?? 0) + 1
        let isVisible = before.map { $0.state != declaration.state || $0.reload != declaration.reload } ?? true
        try database.run(
            """
            INSERT INTO widgets (subscriber, app, name, target, body, revision, changed_commit, changed_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (subscriber, app, name) DO UPDATE SET body = excluded.body, revision = excluded.revision,
                changed_commit = excluded.changed_commit, changed_at = excluded.changed_at
            """, .text(owner.subscriber), .text(owner.app), .text(declaration.name), .text(target.text),
            SQLiteValue(json: declaration.body), .integer(revision),
            .integer(isVisible ? context.number : record?.changedCommit ?? context.number),
            .integer(isVisible ? context.now : record?.changedAt ?? context.now))
        try markUnpublished(owner)
        return Receipt(owner: owner, name: declaration.name, target: target, revision: revision)
    }

    /// Each open instance of a declaration takes part in its committed change.
    private func countRevision(of name: Text, _ owner: Owner) throws {
        try database.run(
            """
            UPDATE instances SET revision = revision + 1
            WHERE subscriber = ? AND app = ? AND name = ? AND phase IN ('queued', 'outstanding', 'running')
            """, .text(owner.subscriber), .text(owner.app), .text(name))
    }

    // MARK: - Adjustments

    private func adjust(_ adjustment: Adjustment, _ owner: Owner, _ context: CommitContext) throws {
        switch adjustment {
        case .cancelLaunch(let id):
            try database.run("UPDATE instances SET phase = 'cancelled' WHERE id = ?", .text(id.text))
            try cancel(of: id, context)
            try log("launch_cancelled", owner, id.text, "its start was taken back before it was sent", context)
        case .cancelUpdate(let id, _):
            try cancel(of: id, kind: "update", context)
        case .withdrawEnd(let id, let life):
            try database.run(
                "UPDATE instances SET ending = NULL, life = ? WHERE id = ?", .integer(life), .text(id.text))
            try cancel(of: id, kind: "end", context)
        case .close(let id, let cause):
            try close(id, cause)
            try cancel(of: id, context)
            try log("closed", owner, id.text, "closed: \(cause.rawValue)", context)
        case .adopt(let id, let attributes, let template):
            try database.run(
                "UPDATE instances SET attributes = ?, template = ? WHERE id = ?", SQLiteValue(json: attributes),
                SQLiteValue(template), .text(id.text))
        }
    }

    func close(_ id: TargetID, _ cause: Instance.Closure) throws {
        try database.run(
            "UPDATE instances SET phase = 'closed', closure = ? WHERE id = ?", .text(cause.rawValue), .text(id.text))
    }

    /// Takes back what is queued for an instance; what is unknown stays unknown and is not sent again.
    private func cancel(of target: TargetID, kind: Text? = nil, _ context: CommitContext) throws {
        try database.run(
            """
            UPDATE deliveries SET status = CASE status WHEN 'queued' THEN 'cancelled' ELSE status END, open = 0,
                answered_at = coalesce(answered_at, ?1)
            WHERE target = ?2 AND open = 1 AND (?3 IS NULL OR kind = ?3)
            """, .integer(context.now), .text(target.text), SQLiteValue(kind))
    }

    private func supersede(_ id: DeliveryID, _ context: CommitContext) throws {
        try database.run(
            """
            UPDATE deliveries SET status = CASE status WHEN 'queued' THEN 'superseded' ELSE status END, open = 0,
                answered_at = coalesce(answered_at, ?)
            WHERE id = ?
            """, .integer(context.now), .text(id.text))
    }

    /// An end cancels queued updates, and no update follows it.
    private func beginEnd(of target: TargetID, _ cause: Instance.Closure, _ context: CommitContext) throws {
        try database.run(
            "UPDATE instances SET ending = coalesce(ending, ?) WHERE id = ?", .text(cause.rawValue), .text(target.text))
        try cancel(of: target, kind: "update", context)
    }

    // MARK: - Operations

    private func openOperation(
        _ kind: Action.Kind, _ owner: Owner, _ context: CommitContext
    ) throws -> Receipt.Operation {
        let id = try OperationID.mint()
        try database.run(
            """
            INSERT INTO operations (id, kind, subscriber, app, run, commit_number, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """, .text(id.text), .text(kind.rawValue), .text(owner.subscriber), .text(owner.app),
            .text(context.run.text), .integer(context.number), .integer(context.now))
        return Receipt.Operation(id: id, status: "queued")
    }

    private struct Delivery {
        var operation: OperationID
        var action: Action
        var owner: Owner
        var target: TargetID?
        var registration: Text?
        var environment: PushEnvironment
        var revision: Int64
    }

    private func queue(_ delivery: Delivery, _ context: CommitContext) throws {
        try database.run(
            """
            INSERT INTO deliveries (id, operation, kind, subscriber, app, device, target, registration, environment,
                status, open, rank, commit_number, revision, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'queued', 1, ?, ?, ?, ?)
            """, .text(try DeliveryID.mint().text), .text(delivery.operation.text),
            .text(delivery.action.kind.rawValue), .text(delivery.owner.subscriber), .text(delivery.owner.app),
            .text(delivery.action.device), SQLiteValue(delivery.target?.text), SQLiteValue(delivery.registration),
            .text(delivery.environment.rawValue), .integer(delivery.action.rank), .integer(context.number),
            .integer(delivery.revision), .integer(context.now))
    }

    private func commitLaunch(
        _ declaration: ActivityDeclaration, on id: StartTargetID, replacing replaced: TargetID?, _ action: Action,
        _ recorded: Recorded, _ plan: OwnerPlan, _ context: CommitContext
    ) throws -> Receipt {
        let target = recorded.devices.lazy.flatMap(\.startTargets).first { $0.id == id }
        let instance = Instance(
            id: try .mint(), launch: try .mint(), name: declaration.name, device: action.device, origin: .remote,
            attributesType: declaration.attributesType, attributes: declaration.attributes,
            template: declaration.template, life: plan.life(of: declaration.name, recorded),
            sequence: try nextSequence(), replaces: replaced, phase: .queued,
            environment: target?.environment ?? .production, os: target?.os)
        try insert(instance, owner: plan.owner, startTarget: id)
        let operation = try openOperation(.start, plan.owner, context)
        try queue(
            Delivery(
                operation: operation.id, action: action, owner: plan.owner, target: instance.id, registration: id.text,
                environment: instance.environment, revision: 1), context)
        return Receipt(
            owner: plan.owner, name: declaration.name, device: action.device, target: instance.id, revision: 1,
            launch: instance.launch, operation: operation)
    }

    private func commitPush(
        _ action: Action, _ target: TargetID, _ owner: Owner, _ recorded: Recorded, _ context: CommitContext
    ) throws -> Receipt? {
        guard let instance = recorded.instances.first(where: { $0.id == target }) else { return nil }
        let revision =
            try database.first("SELECT revision FROM instances WHERE id = ?", .text(target.text)) { $0.integer(0) }
            ?? instance.revision
        let operation = try openOperation(action.kind, owner, context)
        try queue(
            Delivery(
                operation: operation.id, action: action, owner: owner, target: target,
                environment: instance.environment, revision: revision), context)
        return Receipt(
            owner: owner, name: instance.name, device: instance.device, target: target, revision: revision,
            launch: instance.launch, operation: operation)
    }

    private func log(
        _ kind: Text, _ owner: Owner, _ subject: Text, _ text: String, _ context: CommitContext
    ) throws {
        try note(
            LedgerEvent(
                at: context.now, run: context.run, kind: kind, owner: owner, subject: subject, text: Text(text)))
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
    /// Its place in the order of sending: ends; starts and what alerts; silent updates; reloads.
    fileprivate var rank: Int64 {
        switch kind {
        case .end: 0
        case .start: 1
        case .update: priority == 10 ? 1 : 2
        case .reload: 3
        }
    }
}

/// What a write returns: the state is committed, whatever becomes of the push.
public struct Receipt: Hashable, Sendable {
    /// The transport of the write.
    public struct Operation: Hashable, Sendable {
        /// Its id.
        public var id: OperationID
        /// Where it is.
        public var status: Text
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
}
