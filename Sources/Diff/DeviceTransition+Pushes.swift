internal import JSON
internal import Time

/// Pushes during a report and after it.
extension DeviceTransition {
    /// Puts another value in the place of a delivery; one that is settled leaves the record.
    mutating func set(_ delivery: Delivery, to changed: Delivery) {
        deliveries.note(delivery, is: changed)
        record.replace(delivery, with: changed.state.isOpen ? changed : nil)
    }

    /// Settles what was queued or sent for an instance that is over, or is of another launch after all.
    mutating func settlePushes(at index: Int) throws(IllegalMove) {
        let instance = record.instances[index].instance
        for delivery in instance.pending {
            try settle(delivery, isReported: delivery.kind == .start && instance.activityID != nil)
        }
    }

    /// Settles a push that the report decides.
    ///
    /// The start of a launch that was reported was accepted; what was not sent is cancelled, and what is unknown stays so. What
    /// is being sent settles by its own answer.
    ///
    /// - Parameters:
    ///   - delivery: The push.
    ///   - isReported: True of the start of a launch that the device reported.
    /// - Throws: ``IllegalMove``.
    mutating func settle(_ delivery: Delivery, isReported: Bool = false) throws(IllegalMove) {
        guard isReported || delivery.status != .dispatching && delivery.state.isOpen else { return }
        var settled = delivery
        try settled.move(isReported ? .adopt : .cancel, at: context.now)
        set(delivery, to: settled)
    }
}

extension DeviceRecord {
    /// The queued pushes that go elsewhere now, because their token is valid in another environment than before.
    func deliveries(movedSince before: DeviceRecord) -> [(before: Delivery, after: Delivery)] {
        var moves: [(before: Delivery, after: Delivery)] = []
        func move(_ delivery: Delivery, from former: PushEnvironment, to environment: PushEnvironment) {
            guard former != environment, delivery.state.isOpen, delivery.environment != environment else { return }
            var moved = delivery
            moved.environment = environment
            moves.append((delivery, moved))
        }
        if let widgets, let former = before.widgets, let reload = widgets.pending {
            move(reload, from: former.environment, to: widgets.environment)
        }
        for target in startTargets {
            guard let former = before.startTargets.first(where: { $0.id == target.id }) else { continue }
            for entry in instances where entry.subscriber == before.owner {
                for start in entry.instance.pending where start.registration.map(StartTargetID.init) == target.id {
                    move(start, from: former.environment, to: target.environment)
                }
            }
        }
        for entry in instances {
            guard let former = before.instance(entry.instance.id)?.instance else { continue }
            for delivery in entry.instance.pending where delivery.kind != .start {
                move(delivery, from: former.environment, to: entry.instance.environment)
            }
        }
        return moves
    }

    /// Puts another value in the place of a delivery, or takes it away.
    mutating func replace(_ delivery: Delivery, with next: Delivery?) {
        if widgets?.pending?.id == delivery.id { widgets?.pending = next }
        for index in instances.indices {
            guard let place = instances[index].instance.pending.firstIndex(where: { $0.id == delivery.id }) else {
                continue
            }
            instances[index].instance.pending.replaceSubrange(place...place, with: next.map { [$0] } ?? [])
        }
    }

    /// An instance by its id.
    func instance(_ id: TargetID) -> DeviceInstance? { instances.first { $0.instance.id == id } }

    /// Has what is recorded of an anonymous id be the person's.
    mutating func identify(_ alias: Alias) {
        for index in instances.indices where instances[index].subscriber == alias.anonymous {
            instances[index].subscriber = alias.person
            instances[index].instance.pending = instances[index].instance.pending.map { $0.identified(alias) }
        }
        guard owner == alias.anonymous else { return }
        owner = alias.person
        if let reload = widgets?.pending { widgets?.pending = reload.identified(alias) }
    }
}

extension Delivery {
    /// The delivery once an anonymous id is a person; one that is settled stays as it was addressed.
    func identified(_ alias: Alias) -> Delivery {
        guard state.isOpen, owner.subscriber == alias.anonymous, owner.app == alias.app else { return self }
        var delivery = self
        delivery.owner.subscriber = alias.person
        return delivery
    }
}
