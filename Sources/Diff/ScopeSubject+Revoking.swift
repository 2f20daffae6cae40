internal import JSON
internal import Time

/// Revoking authority over something of an owner, and giving it anew.
extension ScopeSubject {
    /// Takes what is under way out of the scope, which is closed: what is queued is cancelled, what is outstanding is ended
    /// once it is reported, and what is visible is ended, unless it is kept.
    ///
    /// - Parameters:
    ///   - transition: The record of an owner who has something under it.
    ///   - keepsTiles: True where what is visible stays.
    ///   - now: The time.
    /// - Returns: The number of running instances that are to be ended.
    /// - Throws: ``IllegalMove`` where the record holds what cannot be.
    func revoke(in transition: inout Transition, keepsTiles: Bool, at now: Moment) throws(IllegalMove) -> Int {
        for delivery in transition.record.openDeliveries
        where covers(delivery, of: transition) && !transition.isUrgentEnd(delivery) {
            try transition.cancel(delivery, note: "its scope was revoked", at: now)
        }
        return end(in: &transition) { keepsTiles ? $0.isUnreported : $0.isOnDevice }
    }

    /// Ends what the closed scope had kept visible, because the next one may start it anew.
    ///
    /// - Returns: The number of running instances that are to be ended.
    func endKept(in transition: inout Transition) -> Int { end(in: &transition, where: \.isOnDevice) }

    /// Notes that instances are to end because the scope was revoked; one whose device left ends for that.
    private func end(in transition: inout Transition, where isToEnd: (Instance.Phase) -> Bool) -> Int {
        var running = 0
        for index in transition.record.instances.indices {
            let instance = transition.record.instances[index]
            guard isToEnd(instance.phase), instance.ending != .logout, covers(instance, of: transition.record.owner)
            else { continue }
            transition.record.instances[index].ending = .revoked
            if instance.phase == .running { running += 1 }
        }
        return running
    }

    private func covers(_ delivery: Delivery, of transition: Transition) -> Bool {
        let owner = transition.record.owner
        return switch self {
        case .subscriber(let subscriber): owner.subscriber == subscriber
        case .widget: false
        case .activity: delivery.target.flatMap(transition.instance).map { covers($0, of: owner) } ?? false
        case .startTarget(let id): delivery.registration.map(StartTargetID.init) == id
        case .widgets(let id): delivery.registration.map(WidgetsID.init) == id
        }
    }

    /// True of an instance that is under it.
    private func covers(_ instance: Instance, of owner: Owner) -> Bool {
        switch self {
        case .subscriber(let subscriber): owner.subscriber == subscriber
        case .activity(let whose, let name, let device):
            owner == whose && instance.name == name && instance.device == device
        case .startTarget(let id): instance.startTarget == id
        case .widget, .widgets: false
        }
    }
}

extension Transition {
    /// True of a delivery that ends what nothing may keep on a device.
    fileprivate func isUrgentEnd(_ delivery: Delivery) -> Bool {
        delivery.kind == .end && delivery.target.flatMap(instance)?.ending?.isUrgent ?? false
    }
}
