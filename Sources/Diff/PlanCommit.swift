internal import JSON
internal import Time

/// The commit of one owner's plan: the declared states first, then the pushes that carry them.
public struct PlanCommit: Sendable {
    private let plan: OwnerPlan
    private let desired: Desired?

    /// The commit of a plan.
    ///
    /// - Parameters:
    ///   - plan: The decisions of the diff.
    ///   - desired: The declarations that it decided on; `nil` where the files declare nothing.
    public init(of plan: OwnerPlan, _ desired: Desired?) {
        self.plan = plan
        self.desired = desired
    }

    /// Carries it out.
    ///
    /// - Parameters:
    ///   - transition: The record that the diff decided on.
    ///   - step: The step that this is part of.
    /// - Returns: A receipt for each state that was committed and each operation that was opened.
    /// - Throws: ``IllegalMove`` where the record holds what cannot be.
    public func write(
        to transition: inout Transition,
        in step: inout StepContext
    ) throws(IllegalMove) -> [Receipt] {
        var widgets: [Receipt] = []
        for change in plan.changes {
            if change.isOfWidget { transition.isUnpublished = true }
            if let receipt = transition.record.commit(change, in: &step) { widgets.append(receipt) }
        }
        for adjustment in plan.adjustments { try adjust(adjustment, step, in: &transition) }
        var pushes: [Receipt] = []
        var reload: Receipt.Operation?
        for action in plan.actions where action.write != .none {
            let booking = book(action, of: transition, in: &step)
            switch action.write {
            case .none: break
            case .reload(let id, let superseded):
                if let superseded { try supersede(superseded, step, in: &transition) }
                guard case .booked(let day) = booking else { continue }
                reload = BookedAction(action, day).reload(id, joining: reload, in: &transition, step: &step) ?? reload
            case .launch(let startTarget, let replaced):
                guard case .booked(let day) = booking,
                    let declaration = desired?.activities.first(where: { $0.name == action.name })
                else { continue }
                let launch = PlannedLaunch(declaration: declaration, on: startTarget, replacing: replaced)
                pushes.append(BookedAction(action, day).launch(launch, in: &transition, step: &step))
            case .update(let target, let superseded):
                if let superseded { try supersede(superseded, step, in: &transition) }
                if let receipt = push(action, booking, to: target, in: &transition, step: &step) {
                    pushes.append(receipt)
                }
            case .end(let target, let cause):
                try beginEnd(of: target, cause, step, in: &transition)
                if let receipt = push(action, booking, to: target, in: &transition, step: &step) {
                    pushes.append(receipt)
                }
            }
        }
        for index in widgets.indices { widgets[index].operation = reload }
        return widgets + pushes
    }

    /// Books a push: one that the plan has wait is refused, and one that costs something needs room.
    private func book(_ action: Action, of transition: Transition, in step: inout StepContext) -> QuotaBook.Booking {
        guard action.status == .send else { return .refused }
        guard action.cost > 0 else { return .booked(nil) }
        let waiting = action.write.succeeded.flatMap { transition.instance($0)?.pending(.update) }
        let held = waiting?.status == .queued ? waiting?.quotaDay : nil
        return step.quota?.reserve(takingOver: held) ?? .booked(nil)
    }

    /// Queues an update or an end, where there is room for it.
    ///
    /// - Returns: A receipt; `nil` where neither a state was committed nor a push queued.
    private func push(
        _ action: Action,
        _ booking: QuotaBook.Booking,
        to target: TargetID,
        in transition: inout Transition,
        step: inout StepContext
    ) -> Receipt? {
        guard let instance = transition.instance(target) else { return nil }
        if case .booked(let day) = booking {
            return BookedAction(action, day).push(to: instance, in: &transition, step: &step)
        }
        let isCommitted = plan.changes.contains { $0.activity == instance.name }
        return isCommitted ? Receipt(of: instance, transition.record.owner, operation: nil) : nil
    }

    // MARK: - What needs no push

    private func adjust(
        _ adjustment: Adjustment,
        _ step: StepContext,
        in transition: inout Transition
    ) throws(IllegalMove) {
        switch adjustment {
        case .cancelLaunch(let id):
            try transition.move(id, .cancel, run: step.run, at: step.now)
            try transition.move(pushesOf: id, .cancel, at: step.now)
            transition.log(
                "launch_cancelled",
                about: id.text,
                "its start was taken back before it was sent",
                run: step.run,
                at: step.now
            )
        case .miss(let id):
            try transition.move(id, .miss, run: step.run, at: step.now)
        case .expire(let id):
            try expire(id, step, in: &transition)
        case .cancelUpdate(let id, _):
            try transition.move(pushesOf: id, kind: .update, .cancel, at: step.now)
        case .withdrawEnd(let id, let life):
            transition.change(id) { ($0.ending, $0.life) = (nil, life) }
            try transition.move(pushesOf: id, kind: .end, .cancel, at: step.now)
        case .close(let id, let cause):
            // Until the clock is known to be right, each run decides anew.
            let wasOver = transition.instance(id).map(step.clock.wasOver) ?? false
            guard wasOver || step.clock.isCertain(step.now) else { break }
            try transition.move(id, .close(cause), run: step.run, at: step.now)
            try transition.move(pushesOf: id, .cancel, at: step.now)
            transition.log("closed", about: id.text, "closed: \(cause.rawValue)", run: step.run, at: step.now)
        case .adopt(let id, let attributes, let template):
            transition.change(id) { ($0.attributes, $0.template) = (attributes, template) }
        }
    }

    /// Takes a delivery whose time is over out of sending: what it may have shown counts as not sent, and a launch that
    /// was not sent is none.
    private func expire(_ id: DeliveryID, _ step: StepContext, in transition: inout Transition) throws(IllegalMove) {
        guard let delivery = transition.record.openDeliveries.first(where: { $0.id == id }) else { return }
        try transition.move(delivery, .expire, note: "its time was over", at: step.now)
        guard let target = delivery.target else { return }
        if delivery.kind == .start { try transition.move(target, .cancel, run: step.run, at: step.now) }
        if delivery.kind == .update, delivery.status == .unknown { transition.change(target) { $0.shown = nil } }
    }

    private func supersede(_ id: DeliveryID, _ step: StepContext, in transition: inout Transition) throws(IllegalMove) {
        guard let delivery = transition.record.openDeliveries.first(where: { $0.id == id }) else { return }
        try transition.move(delivery, .supersede, at: step.now)
    }

    /// An end cancels queued updates, and no update follows it.
    private func beginEnd(
        of id: TargetID,
        _ cause: Instance.Closure,
        _ step: StepContext,
        in transition: inout Transition
    ) throws(IllegalMove) {
        transition.change(id) { $0.ending = $0.ending ?? cause }
        try transition.move(pushesOf: id, kind: .update, .cancel, at: step.now)
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

    /// True where the published file changes with it.
    fileprivate var isOfWidget: Bool { activity == nil }
}
