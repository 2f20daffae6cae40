import Diff
import JSON
import Time

/// Pushes, dispatched and settled as apply does it, and what becomes of them on the devices.
extension World {
    /// Sends what is queued or unknown and due, in the order of ends, starts, updates, reloads.
    mutating func send(_ outcome: (inout World) -> Outcome) {
        for kind in [Action.Kind.end, .start, .update, .reload] {
            for delivery in recorded.openDeliveries where delivery.kind == kind && delivery.notBefore <= time {
                let outcome = outcome(&self)
                guard delivery.state.isSendable(as: kind) else { continue }
                do { try send(delivery, outcome) } catch { faults.append("\(error)") }
            }
        }
    }

    private mutating func send(_ delivery: Delivery, _ outcome: Outcome) throws {
        var dispatch = Dispatch(step: step, now: time)
        var transition = Transition(judged)
        let push = try dispatch.send(delivery, of: &transition)
        keep(transition)
        guard let push else { return }
        let tile = delivery.target.map(\.text) ?? "widgets"
        history.append("\(delivery.kind) \(tile) on \(delivery.device) \(outcome)")
        let settlement = arrive(push, outcome)
        var answered = Transition(recorded)
        try Attempt(push, settlement, answer: DeliveryAnswer(), run: RunID("run"), at: time).settle(in: &answered)
        keep(answered)
        // Whether a start that was lost arrived later or never cannot be told; here it always does, in the end.
        if case .start(let start) = push.content, outcome.mayArrive, settlement != .invalidEndpoint(at: nil),
            let launch = recorded.instances.first(where: { $0.id == delivery.target })
        {
            show(launch, start.content)
        }
    }

    /// What the ledger holds of Anna, with what does not fit the template that it runs with.
    private var judged: Recorded {
        var recorded = recorded
        for (index, instance) in recorded.instances.enumerated() {
            guard let record = recorded.activities.first(where: { $0.declaration.name == instance.name }) else {
                continue
            }
            recorded.instances[index].isMismatched = !instance.takes(record.declaration)
        }
        return recorded
    }

    private mutating func keep(_ transition: Transition) {
        keep(transition.record)
        for dead in transition.deadTokens {
            for device in Self.devices { phones[device]?.deadTokens[dead.token] = dead.at }
        }
    }

    /// Brings a push to its device, and says what comes back.
    private mutating func arrive(_ push: Push, _ outcome: Outcome) -> Settlement {
        let device = push.delivery.device
        let arrives = outcome == .accepted || outcome == .unknownArrived
        switch push.content {
        case .reload:
            if arrives { fetch(device) }
        case .start:
            guard push.token == screens[device]?.startToken else { return .invalidEndpoint(at: nil) }
        case .update, .end:
            let instance = recorded.instances.first { $0.id == push.delivery.target }
            guard let tile = screens[device]?.tiles.firstIndex(where: { $0.activityID == instance?.activityID }) else {
                let isAnswered = outcome != .requeued && outcome != .unknownLost
                return isAnswered ? .invalidEndpoint(at: nil) : outcome.settlement(at: time)
            }
            guard arrives else { break }
            if case .update(let content, _) = push.content {
                screens[device]?.tiles[tile].content = content
            } else {
                screens[device]?.tiles.remove(at: tile)
            }
        }
        return outcome.settlement(at: time)
    }
}

extension World.Outcome {
    fileprivate var mayArrive: Bool { self != .requeued && self != .rejected }

    fileprivate func settlement(at now: Moment) -> Settlement {
        switch self {
        case .accepted: .accepted
        case .unknownArrived, .unknownLost: .unanswered(at: now)
        case .requeued: .requeued(notBefore: now + minute)
        case .rejected: .rejected
        }
    }
}
