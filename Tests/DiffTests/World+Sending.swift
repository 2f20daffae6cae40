import Diff
import JSON
import Time

/// Pushes, and what becomes of them in the ledger and on the devices.
extension World {
    /// Sends what is queued or unknown and due, in the order of ends, starts, updates, reloads.
    mutating func send(_ outcome: (inout World) -> Outcome) {
        for kind in [Action.Kind.end, .start, .update] {
            for instance in recorded.instances {
                guard let pending = instance.pending(kind), pending.notBefore <= time else { continue }
                send(pending, instance, outcome(&self))
            }
        }
        for device in recorded.devices {
            guard let pending = device.widgets?.pending, pending.notBefore <= time else { continue }
            send(pending, device, outcome(&self))
        }
    }

    private mutating func send(_ pending: Delivery, _ device: Device, _ outcome: Outcome) {
        history.append("reload \(device.id) \(outcome)")
        let newest = step
        let later = time + minute
        if outcome == .accepted || outcome == .unknownArrived { fetch(device.id) }
        changeWidgets(device.id) { registration in
            switch outcome {
            case .accepted:
                registration.pending = nil
                registration.reloadedStep = max(registration.reloadedStep, newest)
                registration.owesReload = false
                registration.rejection = nil
            case .unknownArrived, .unknownLost: registration.pending?.state = .unknown
            case .requeued: registration.pending?.notBefore = later
            case .rejected:
                registration.pending = nil
                registration.rejection = Rejection(revision: newest.number, tokenAt: registration.at)
            }
        }
    }

    private mutating func send(_ pending: Delivery, _ instance: Instance, _ outcome: Outcome) {
        let record = activities.first { $0.declaration.name == instance.name }
        let declaration = record.flatMap { $0.isRemoved ? nil : $0.declaration }
        let content = declaration?.content
        let isTaken = declaration.map(instance.takes) ?? true
        switch pending.kind {
        case .start where pending.status == .unknown:
            // A start is never sent again on a guess.
            break
        case .start:
            guard instance.phase == .queued, let content, declaration?.end == nil, isTaken else {
                return change(instance.id) { ($0.phase, $0.pending) = (.cancelled, []) }
            }
            start(instance, content, outcome)
        case .update:
            guard instance.phase == .running, instance.ending == nil, let content, declaration?.end == nil, isTaken,
                content != instance.shown || pending.status == .unknown
            else { return change(instance.id) { $0.pending.removeAll { $0.kind == .update } } }
            push(pending, instance, content, outcome)
        case .end:
            guard instance.phase == .running, let ending = instance.ending, ending != .declaredEnd || isTaken else {
                return change(instance.id) { $0.pending.removeAll { $0.kind == .end } }
            }
            push(pending, instance, nil, outcome)
        case .reload: break
        }
    }

    private mutating func start(_ instance: Instance, _ content: ActivityContent, _ outcome: Outcome) {
        history.append("start \(instance.id) on \(instance.device) \(outcome)")
        let target = phones[instance.device]?.record.startTargets.first { $0.attributesType == instance.attributesType }
        guard let token = target?.token, token == screens[instance.device]?.startToken else {
            phones[instance.device]?.deadTokens[target?.token ?? ""] = time
            for index in phones[instance.device]?.record.startTargets.indices ?? 0..<0 {
                phones[instance.device]?.record.startTargets[index].token = nil
            }
            return change(instance.id) { ($0.phase, $0.pending) = (.failed, []) }
        }
        let started = time
        change(instance.id) { instance in
            if outcome == .requeued {
                instance.pending = instance.pending.map { pending in
                    var later = pending
                    later.notBefore = started + minute
                    return later
                }
            } else {
                instance.phase = outcome == .rejected ? .failed : .outstanding
                instance.startedAt = started
                instance.startExpiresAt = started + hour
                instance.shown = content
                let isUncertain = outcome == .unknownArrived || outcome == .unknownLost
                if isUncertain { instance.pending[0].state = .unknown } else { instance.pending = [] }
                if outcome == .rejected {
                    instance.rejection = Rejection(revision: instance.revision, tokenAt: target?.at ?? 0)
                }
            }
        }
        // Whether a start that was lost arrived later or never cannot be told; here it always does, in the end.
        if outcome == .accepted || outcome == .unknownArrived || outcome == .unknownLost { show(instance, content) }
    }

    private mutating func push(
        _ pending: Delivery,
        _ instance: Instance,
        _ content: ActivityContent?,
        _ outcome: Outcome
    ) {
        history.append("\(pending.kind) \(instance.id) on \(instance.device) \(outcome)")
        let arrives = outcome == .accepted || outcome == .unknownArrived
        let tile = screens[instance.device]?.tiles.firstIndex { $0.activityID == instance.activityID }
        if outcome != .requeued, outcome != .unknownLost, tile == nil {
            return change(instance.id) { ($0.phase, $0.pending) = (.closed($0.ending ?? .gone), []) }
        }
        if arrives, let tile {
            if let content {
                screens[instance.device]?.tiles[tile].content = content
            } else {
                screens[instance.device]?.tiles.remove(at: tile)
            }
        }
        let later = time + minute
        change(instance.id) { instance in
            guard let index = instance.pending.firstIndex(where: { $0.id == pending.id }) else { return }
            switch outcome {
            case .accepted:
                instance.pending.remove(at: index)
                if let content {
                    instance.shown = content
                } else {
                    instance.phase = .closed(instance.ending ?? .removal)
                }
                instance.rejection = nil
            case .unknownArrived, .unknownLost:
                instance.pending[index].state = .unknown
                if let content { instance.shown = content }
            case .requeued: instance.pending[index].notBefore = later
            case .rejected:
                // What may have arrived counted as shown; refused now, it counts as not sent.
                if pending.status == .unknown, content != nil { instance.shown = nil }
                instance.pending.remove(at: index)
                instance.rejection = Rejection(revision: instance.revision, tokenAt: instance.tokenAt)
            }
        }
    }
}
