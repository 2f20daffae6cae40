internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// The facts of the transaction that a plan is committed in.
struct CommitContext {
    var step: Step
    var run: RunID
    var now: Moment
    /// Whether what is over by `now` is over for certain.
    var isTimeCertain = false
    /// The capacity that pushes reserve; `nil` without a quota.
    var reservations: Reservations?
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
    /// - Throws: ``LedgerError``.
    func commit(
        _ plan: OwnerPlan,
        desired: Desired?,
        recorded: Recorded,
        _ context: CommitContext
    ) throws -> [Receipt] {
        var receipts: [Receipt] = []
        var widgets: [Receipt] = []
        for change in plan.changes {
            if let receipt = try commit(change, plan.owner, recorded, context) { widgets.append(receipt) }
        }
        for adjustment in plan.adjustments { try adjust(adjustment, plan.owner, context) }
        var reload: Receipt.Operation?
        for action in plan.actions where action.write != .none {
            let booking = try book(action, context)
            switch action.write {
            case .none:
                break
            case .reload(let id, let superseded):
                if let superseded { try move(superseded, .supersede, context) }
                guard case .booked(let day) = booking else { continue }
                let operation = try reload ?? openOperation(.reload, plan.owner, context)
                reload = operation
                try commitReload(action, of: id, booked: day, operation.id, recorded, context)
            case .launch(let id, let replaced):
                guard case .booked(let day) = booking,
                    let declaration = desired?.activities.first(where: { $0.name == action.name })
                else { continue }
                receipts.append(
                    try commitLaunch(
                        declaration,
                        on: id,
                        replacing: replaced,
                        action,
                        booked: day,
                        recorded,
                        plan,
                        context
                    )
                )
            case .update(let target, let superseded):
                if let superseded { try move(superseded, .supersede, context) }
                if let receipt = try commitPush(action, booking, target, recorded, plan, context) {
                    receipts.append(receipt)
                }
            case .end(let target, let cause):
                try beginEnd(of: target, cause, context)
                if let receipt = try commitPush(action, booking, target, recorded, plan, context) {
                    receipts.append(receipt)
                }
            }
        }
        for index in widgets.indices { widgets[index].operation = reload }
        return widgets + receipts
    }

    /// Whether a push may be queued: what the plan has wait may not, and what costs something needs room for it.
    private func book(_ action: Action, _ context: CommitContext) throws -> Reservations.Booking {
        guard action.status == .send else { return .refused }
        guard let reservations = context.reservations, action.cost > 0 else { return .booked(nil) }
        return try reservations.reserve(succeeding: action.write.succeeded)
    }

    // MARK: - Declarations

    private func commit(
        _ change: Change,
        _ owner: Owner,
        _ recorded: Recorded,
        _ context: CommitContext
    ) throws -> Receipt? {
        let key = [SQLiteValue.text(owner.subscriber), .text(owner.app)]
        switch change {
        case .widget(let declaration, let before):
            return try commit(declaration, before, owner, recorded, context)
        case .widgetRemoved(let declaration):
            try database.run(
                "DELETE FROM widgets WHERE subscriber = ? AND app = ? AND name = ?",
                key[0],
                key[1],
                .text(declaration.name)
            )
            try markUnpublished(owner)
        case .activity(let declaration, let life, let before):
            try database.run(
                """
                INSERT INTO activities (subscriber, app, name, body, life, revision, changed_commit, alert_at)
                VALUES (?1, ?2, ?3, ?4, ?5, 1, ?6, ?7)
                ON CONFLICT (subscriber, app, name)
                DO UPDATE SET body = ?4, life = ?5, revision = revision + 1, changed_commit = ?6, removed = 0,
                    alert_at = CASE WHEN ?8 THEN alert_at ELSE ?7 END
                """,
                key[0],
                key[1],
                .text(declaration.name),
                SQLiteValue(json: declaration.body),
                .integer(life),
                .integer(context.step.number),
                .moment(context.now),
                SQLiteValue(before.map { $0.alert == declaration.alert } ?? false)
            )
            try countRevision(of: declaration.name, owner)
        case .activityRemoved(let declaration):
            try database.run(
                """
                UPDATE activities SET removed = 1, revision = revision + 1
                WHERE subscriber = ? AND app = ? AND name = ?
                """,
                key[0],
                key[1],
                .text(declaration.name)
            )
        }
        return nil
    }

    private func commit(
        _ declaration: WidgetDeclaration,
        _ before: WidgetDeclaration?,
        _ owner: Owner,
        _ recorded: Recorded,
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
            """,
            .text(owner.subscriber),
            .text(owner.app),
            .text(declaration.name),
            .text(target.text),
            SQLiteValue(json: declaration.body),
            .integer(revision),
            .integer((isVisible ? context.step : record?.changedStep ?? context.step).number),
            .moment(isVisible ? context.now : record?.changedAt ?? context.now)
        )
        try markUnpublished(owner)
        return Receipt(owner: owner, name: declaration.name, target: target, revision: revision)
    }

    /// Each open instance of a declaration takes part in its committed change.
    private func countRevision(of name: Text, _ owner: Owner) throws {
        try database.run(
            """
            UPDATE instances SET revision = revision + 1
            WHERE subscriber = ? AND app = ? AND name = ? AND phase IN ('queued', 'outstanding', 'unconfirmed', 'running')
            """,
            .text(owner.subscriber),
            .text(owner.app),
            .text(name)
        )
    }

    // MARK: - Adjustments

    private func adjust(_ adjustment: Adjustment, _ owner: Owner, _ context: CommitContext) throws {
        switch adjustment {
        case .cancelLaunch(let id):
            try move(id, .cancel, run: context.run, at: context.now)
            try move(deliveriesOf: id, .cancel, at: context.now)
            try log("launch_cancelled", owner, id.text, "its start was taken back before it was sent", context)
        case .miss(let id):
            try move(id, .miss, run: context.run, at: context.now)
        case .expire(let id):
            try expire(id, context)
        case .cancelUpdate(let id, _):
            try move(deliveriesOf: id, kind: .update, .cancel, at: context.now)
        case .withdrawEnd(let id, let life):
            try database.run(
                "UPDATE instances SET ending = NULL, life = ? WHERE id = ?",
                .integer(life),
                .text(id.text)
            )
            try move(deliveriesOf: id, kind: .end, .cancel, at: context.now)
        // Only the clock says so: decided anew by each run until that is known to be right.
        case .close(let id, _) where try !context.isTimeCertain && !wasOver(id):
            break
        case .close(let id, let cause):
            try move(id, .close(cause), run: context.run, at: context.now)
            try move(deliveriesOf: id, .cancel, at: context.now)
            try log("closed", owner, id.text, "closed: \(cause.rawValue)", context)
        case .adopt(let id, let attributes, let template):
            try database.run(
                "UPDATE instances SET attributes = ?, template = ? WHERE id = ?",
                SQLiteValue(json: attributes),
                SQLiteValue(template),
                .text(id.text)
            )
        }
    }

    private func move(_ id: DeliveryID, _ move: DeliveryMove, _ context: CommitContext) throws {
        try self.move(deliveries(where: "id = ? AND open = 1", .text(id.text)), move, at: context.now)
    }

    /// Takes a delivery whose time is over out of sending: what it may have shown counts as not sent, and a launch that
    /// was not sent is none.
    private func expire(_ id: DeliveryID, _ context: CommitContext) throws {
        for delivery in try deliveries(where: "id = ? AND open = 1", .text(id.text)) {
            try move([delivery], .expire, note: "its time was over", at: context.now)
            guard let target = delivery.target else { continue }
            if delivery.kind == .start { try move(target, .cancel, run: context.run, at: context.now) }
            if delivery.kind == .update, delivery.state == .unknown {
                try database.run("UPDATE instances SET shown = NULL WHERE id = ?", .text(target.text))
            }
        }
    }

    /// An end cancels queued updates, and no update follows it.
    private func beginEnd(of target: TargetID, _ cause: Instance.Closure, _ context: CommitContext) throws {
        try database.run(
            "UPDATE instances SET ending = coalesce(ending, ?) WHERE id = ?",
            .text(cause.rawValue),
            .text(target.text)
        )
        try move(deliveriesOf: target, kind: .update, .cancel, at: context.now)
    }
}
