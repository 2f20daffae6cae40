internal import JSON
internal import Time

/// Revoking authority over something of an owner, and giving it anew.
extension Transition {
    /// Takes what is under way out of a scope that is closed: what is queued is cancelled, what is outstanding is ended
    /// once it is reported, and what is visible is ended, unless it is kept.
    ///
    /// - Parameters:
    ///   - subject: The subject of the scope.
    ///   - keepsTiles: Whether what is visible stays.
    ///   - now: The time.
    /// - Returns: How many running instances are to be ended.
    /// - Throws: ``IllegalMove`` where the record holds what cannot be.
    mutating func revoke(_ subject: ScopeSubject, keepsTiles: Bool, at now: Moment) throws(IllegalMove) -> Int {
        for delivery in record.openDeliveries where covers(subject, delivery) && !isUrgentEnd(delivery) {
            try cancel(delivery, note: "its scope was revoked", run: nil, at: now)
        }
        return end(subject) { keepsTiles ? $0.isUnreported : $0.isOnDevice }
    }

    /// Ends what a closed scope had kept visible, because the next one may start it anew.
    ///
    /// - Returns: How many running instances are to be ended.
    mutating func endKept(of subject: ScopeSubject) -> Int { end(subject, where: \.isOnDevice) }

    /// Notes that instances are to end because their scope was revoked; one whose device left ends for that.
    private mutating func end(_ subject: ScopeSubject, where isToEnd: (Instance.Phase) -> Bool) -> Int {
        var running = 0
        for index in record.instances.indices {
            let instance = record.instances[index]
            guard isToEnd(instance.phase), instance.ending != .logout, subject.covers(instance, of: record.owner) else {
                continue
            }
            record.instances[index].ending = .revoked
            if instance.phase == .running { running += 1 }
        }
        return running
    }

    private func covers(_ subject: ScopeSubject, _ delivery: Delivery) -> Bool {
        switch subject {
        case .subscriber(let subscriber): record.owner.subscriber == subscriber
        case .widget: false
        case .activity:
            delivery.target.flatMap(instance).map { subject.covers($0, of: record.owner) } ?? false
        case .startTarget(let id): delivery.registration == id.text
        case .widgets(let id): delivery.registration == id.text
        }
    }

    /// True of a delivery that ends what nothing may keep on a device.
    private func isUrgentEnd(_ delivery: Delivery) -> Bool {
        delivery.kind == .end && delivery.target.flatMap(instance)?.ending?.isUrgent ?? false
    }
}

extension Transition {
    /// Cancels a delivery that was not sent, and the launch of a start that certainly was not.
    mutating func cancel(_ delivery: Delivery, note: Text, run: RunID?, at now: Moment) throws(IllegalMove) {
        try move(delivery, .cancel, note: note, at: now)
        guard delivery.kind == .start, delivery.state == .queued, let target = delivery.target else { return }
        try move(target, .cancel, run: run, at: now)
    }
}

extension ScopeSubject {
    /// True of an instance that is under it.
    fileprivate func covers(_ instance: Instance, of owner: Owner) -> Bool {
        switch self {
        case .subscriber(let subscriber): owner.subscriber == subscriber
        case .activity(let whose, let name, let device):
            owner == whose && instance.name == name && instance.device == device
        case .startTarget(let id): instance.startTarget == id
        case .widget, .widgets: false
        }
    }
}
