internal import JSON
internal import Time

extension Attempt {
    private var delivery: Delivery { push.delivery }

    /// Records the outcome.
    ///
    /// - Parameter transition: The instance or registration that the push went to, and its other open deliveries.
    /// - Returns: The delivery as it is now.
    /// - Throws: ``IllegalMove`` where the record holds what cannot be.
    @discardableResult
    public func settle(in transition: inout Transition) throws(IllegalMove) -> Delivery {
        switch settlement {
        case .accepted:
            let settled = try move(.accept, in: &transition)
            try accept(in: &transition)
            return settled
        case .invalidEndpoint(let deadAt):
            let settled = try move(.refuse, in: &transition)
            if push.isNewer(thanDeathAt: deadAt) {
                // It was reported again after APNs found it dead: hold it until the next report.
                try hold(.untilReported(tokenAt: push.tokenAt), in: &transition)
            } else {
                try removeToken(deadAt: deadAt ?? now, in: &transition)
            }
            return settled
        case .requeued(let notBefore):
            let settled = try move(.takeBack, notBefore, in: &transition)
            if answer.status != nil {
                delivery.note(.queued, "queued again: \(answer.words)", in: &transition, run: run, at: now)
            }
            try takeBack(in: &transition)
            return settled
        case .unknown(let notBefore):
            let settled = try move(.lose, notBefore, in: &transition)
            delivery.note(.unknown, "unknown: \(answer.words)", in: &transition, run: run, at: now)
            show(in: &transition)
            return settled
        case .rejected:
            let settled = try move(.refuse, in: &transition)
            try hold(Rejection(revision: delivery.revision, tokenAt: push.tokenAt), in: &transition)
            return settled
        }
    }

    /// The state in which it was sent; what was taken back until it was known what to believe of its token counts as sent.
    private func sentState() throws(IllegalMove) -> DeliveryState {
        if case .dispatching = delivery.state { return delivery.state }
        return try delivery.state.after(.dispatch, of: delivery.kind)
    }

    private func move(
        _ move: DeliveryMove,
        _ notBefore: Moment = .never,
        in transition: inout Transition
    ) throws(IllegalMove) -> Delivery {
        try transition.change(delivery) { (delivery) throws(IllegalMove) in
            delivery.state = try sentState().after(move, of: delivery.kind)
            delivery.notBefore = notBefore
            delivery.answer = answer
            delivery.answer.at = now
        }
    }

    private func accept(in transition: inout Transition) throws(IllegalMove) {
        switch push.content {
        case .reload:
            transition.record.changeRegistration(of: delivery) { registration in
                registration.reloadedStep = max(registration.reloadedStep, Step(delivery.revision))
                registration.owesReload = false
                registration.reloadedAt = now
                registration.rejection = nil
            }
        case .start: break
        case .update: show(in: &transition)
        case .end:
            guard let target = delivery.target else { return }
            try transition.close(target, orElse: .removal, run: run, at: now)
        }
    }

    /// Records what it carried as shown, accepted or not certain.
    private func show(in transition: inout Transition) {
        switch push.content {
        case .update(let content, _):
            guard let target = delivery.target else { return }
            transition.change(target) { instance in
                instance.shown = content
                instance.updatedAt = now
                instance.rejection = nil
            }
        case .reload: transition.record.changeRegistration(of: delivery) { $0.reloadedAt = now }
        case .start, .end: break
        }
    }

    /// Takes the launch back whose start was certainly not processed: it is none yet.
    private func takeBack(in transition: inout Transition) throws(IllegalMove) {
        guard case .start = push.content, let target = delivery.target else { return }
        try transition.move(target, .takeBack, run: run, at: now)
        transition.change(target) { ($0.startedAt, $0.startExpiresAt, $0.shown) = (.never, .never, nil) }
    }

    /// Keeps its object from being pushed to again with the same state and token.
    private func hold(_ rejection: Rejection, in transition: inout Transition) throws(IllegalMove) {
        guard let target = delivery.target else {
            return transition.record.changeRegistration(of: delivery) { $0.rejection = rejection }
        }
        // A state that may have arrived counted as shown; refused now, it counts as not sent.
        let sentAs = try sentState()
        let isNotShown = delivery.kind == .update && sentAs == .dispatching(again: true)
        transition.change(target) { instance in
            instance.rejection = rejection
            if isNotShown { instance.shown = nil }
        }
        if delivery.kind == .start { try transition.move(target, .refuse, run: run, at: now) }
    }

    /// Removes a dead token; what it was registered for goes with it, and a tombstone stays.
    private func removeToken(deadAt: Moment, in transition: inout Transition) throws(IllegalMove) {
        transition.deadTokens.append(DeadToken(token: push.token, at: deadAt))
        transition.record.remove(push.token)
        if let target = delivery.target {
            switch delivery.kind {
            case .reload: break
            case .start: try transition.move(target, .refuse, run: run, at: now)
            case .update, .end:
                try transition.close(target, orElse: .gone, run: run, at: now)
                try transition.move(pushesOf: target, .cancel, at: now)
                transition.change(target) { $0.token = nil }
            }
        }
        transition.log(
            "invalid_endpoint",
            about: delivery.registration ?? delivery.target?.text,
            "the token \(push.token.string.prefix(8))… of device \(delivery.device) is dead",
            run: run,
            at: now
        )
    }
}

extension Recorded {
    fileprivate mutating func changeRegistration(of delivery: Delivery, _ body: (inout WidgetRegistration) -> Void) {
        let id = delivery.registration.map(WidgetsID.init)
        for index in devices.indices {
            guard var registration = devices[index].widgets, registration.id == id else { continue }
            body(&registration)
            devices[index].widgets = registration
        }
    }

    /// Takes a token from every registration that has it.
    fileprivate mutating func remove(_ token: Text) {
        for index in devices.indices {
            if devices[index].widgets?.token == token { devices[index].widgets?.token = nil }
            for target in devices[index].startTargets.indices where devices[index].startTargets[target].token == token {
                devices[index].startTargets[target].token = nil
            }
        }
    }
}
