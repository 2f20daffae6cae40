internal import JSON
internal import Time

/// The commit of one owner: the declared states first, then the pushes that carry them.
extension Transition {
    /// Commits what a plan decided.
    ///
    /// - Parameters:
    ///   - plan: What the diff decided on this record.
    ///   - desired: What it decided on; `nil` where the files declare nothing.
    ///   - step: The step that this is part of.
    /// - Returns: A receipt for each state that was committed and each operation that was opened.
    /// - Throws: ``IllegalMove`` where the record holds what cannot be.
    public mutating func commit(
        _ plan: OwnerPlan,
        desired: Desired?,
        in step: inout StepContext
    ) throws(IllegalMove) -> [Receipt] {
        var widgets: [Receipt] = []
        for change in plan.changes {
            if let receipt = commit(change, in: &step) { widgets.append(receipt) }
        }
        for adjustment in plan.adjustments { try adjust(adjustment, step) }
        var pushes: [Receipt] = []
        var reload: Receipt.Operation?
        for action in plan.actions where action.write != .none {
            let booking = book(action, in: &step)
            switch action.write {
            case .none: break
            case .reload(let id, let superseded):
                if let superseded { try supersede(superseded, step) }
                guard case .booked(let day) = booking else { continue }
                reload = queueReload(action, of: id, on: day, reload, in: &step) ?? reload
            case .launch(_, let replaced):
                guard case .booked(let day) = booking,
                    let declaration = desired?.activities.first(where: { $0.name == action.name })
                else { continue }
                pushes.append(launch(declaration, by: action, replacing: replaced, on: day, in: &step))
            case .update(let target, let superseded):
                if let superseded { try supersede(superseded, step) }
                if let receipt = push(action, as: booking, to: target, of: plan, in: &step) { pushes.append(receipt) }
            case .end(let target, let cause):
                try beginEnd(of: target, cause, step)
                if let receipt = push(action, as: booking, to: target, of: plan, in: &step) { pushes.append(receipt) }
            }
        }
        for index in widgets.indices { widgets[index].operation = reload }
        return widgets + pushes
    }

    /// Books a push: one that the plan has wait is refused, and one that costs something needs room.
    private func book(_ action: Action, in step: inout StepContext) -> QuotaBook.Booking {
        guard action.status == .send else { return .refused }
        guard action.cost > 0 else { return .booked(nil) }
        let waiting = action.write.succeeded.flatMap { instance($0)?.pending(.update) }
        let held = waiting?.status == .queued ? waiting?.quotaDay : nil
        return step.quota?.reserve(takingOver: held) ?? .booked(nil)
    }

    // MARK: - Declarations

    /// Commits one declaration; of a widget, returns its receipt.
    private mutating func commit(_ change: Change, in step: inout StepContext) -> Receipt? {
        switch change {
        case .widget(let declaration, let before):
            return commit(declaration, before, in: &step)
        case .widgetRemoved(let declaration):
            record.widgets.removeAll { $0.declaration.name == declaration.name }
            isUnpublished = true
        case .activity(let declaration, let life, _):
            commit(declaration, life: life, in: step)
        case .activityRemoved(let declaration):
            guard let index = record.activities.firstIndex(where: { $0.declaration.name == declaration.name }) else {
                break
            }
            record.activities[index].isRemoved = true
            record.activities[index].revision += 1
        }
        return nil
    }

    private mutating func commit(
        _ declaration: WidgetDeclaration,
        _ before: WidgetDeclaration?,
        in step: inout StepContext
    ) -> Receipt {
        let index = record.widgets.firstIndex { $0.declaration.name == declaration.name }
        var widget =
            index.map { record.widgets[$0] }
            ?? RecordedWidget(
                id: step.ids.next(),
                declaration: declaration,
                revision: 0,
                changedStep: step.step,
                changedAt: step.now
            )
        widget.declaration = declaration
        widget.revision += 1
        if before.map({ $0.state != declaration.state || $0.reload != declaration.reload }) ?? true {
            widget.changedStep = step.step
            widget.changedAt = step.now
        }
        if let index { record.widgets[index] = widget } else { record.widgets.append(widget) }
        isUnpublished = true
        return Receipt(owner: record.owner, name: declaration.name, target: widget.id, revision: widget.revision)
    }

    private mutating func commit(
        _ declaration: ActivityDeclaration,
        life: Int64,
        in step: StepContext
    ) {
        let index = record.activities.firstIndex { $0.declaration.name == declaration.name }
        var activity =
            index.map { record.activities[$0] }
            ?? RecordedActivity(declaration: declaration, life: life, revision: 0, alertAt: step.now)
        activity.alertAt = activity.alertAt(of: declaration, at: step.now)
        activity.declaration = declaration
        activity.life = life
        activity.revision += 1
        activity.changedStep = step.step
        activity.isRemoved = false
        if let index { record.activities[index] = activity } else { record.activities.append(activity) }
        // Each open instance of a declaration takes part in its committed change.
        for index in record.instances.indices
        where record.instances[index].name == declaration.name && record.instances[index].phase.isOpen {
            record.instances[index].revision += 1
        }
    }

    // MARK: - What needs no push

    private mutating func adjust(_ adjustment: Adjustment, _ step: StepContext) throws(IllegalMove) {
        switch adjustment {
        case .cancelLaunch(let id):
            try move(id, .cancel, run: step.run, at: step.now)
            try move(pushesOf: id, .cancel, at: step.now)
            log(
                "launch_cancelled",
                about: id.text,
                "its start was taken back before it was sent",
                run: step.run,
                at: step.now
            )
        case .miss(let id):
            try move(id, .miss, run: step.run, at: step.now)
        case .expire(let id):
            try expire(id, step)
        case .cancelUpdate(let id, _):
            try move(pushesOf: id, kind: .update, .cancel, at: step.now)
        case .withdrawEnd(let id, let life):
            change(id) { ($0.ending, $0.life) = (nil, life) }
            try move(pushesOf: id, kind: .end, .cancel, at: step.now)
        case .close(let id, let cause):
            // Until the clock is known to be right, each run decides anew.
            guard step.clock.isCertain(step.now) || instance(id).map(step.clock.wasOver) ?? false else { break }
            try move(id, .close(cause), run: step.run, at: step.now)
            try move(pushesOf: id, .cancel, at: step.now)
            log("closed", about: id.text, "closed: \(cause.rawValue)", run: step.run, at: step.now)
        case .adopt(let id, let attributes, let template):
            change(id) { ($0.attributes, $0.template) = (attributes, template) }
        }
    }

    /// Takes a delivery whose time is over out of sending: what it may have shown counts as not sent, and a launch that
    /// was not sent is none.
    private mutating func expire(_ id: DeliveryID, _ step: StepContext) throws(IllegalMove) {
        guard let delivery = record.openDeliveries.first(where: { $0.id == id }) else { return }
        try move(delivery, .expire, note: "its time was over", at: step.now)
        guard let target = delivery.target else { return }
        if delivery.kind == .start { try move(target, .cancel, run: step.run, at: step.now) }
        if delivery.kind == .update, delivery.status == .unknown { change(target) { $0.shown = nil } }
    }

    private mutating func supersede(_ id: DeliveryID, _ step: StepContext) throws(IllegalMove) {
        guard let delivery = record.openDeliveries.first(where: { $0.id == id }) else { return }
        try move(delivery, .supersede, at: step.now)
    }

    /// An end cancels queued updates, and no update follows it.
    private mutating func beginEnd(
        of id: TargetID,
        _ cause: Instance.Closure,
        _ step: StepContext
    ) throws(IllegalMove) {
        change(id) { $0.ending = $0.ending ?? cause }
        try move(pushesOf: id, kind: .update, .cancel, at: step.now)
    }
}
