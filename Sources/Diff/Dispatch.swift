internal import JSON
public import Time

/// The facts of a batch of pushes that are sent now, beside the records of their owners.
public struct Dispatch: Hashable, Sendable {
    /// The last step: a reload brings its device up to it.
    public var step: Step
    /// The time.
    public let now: Moment
    /// The scopes that were paused or revoked.
    public let scopes: Scopes
    /// The ledger was restored from a backup.
    public let isRestored: Bool
    /// The capacity of the day; `nil` where there is no quota, or no push needs more than it holds.
    public var quota: QuotaBook?
    /// Reloads that a person asked for, of those that may find no room.
    public var requested: Set<DeliveryID> = []

    /// The facts of a batch.
    public init(step: Step, now: Moment, scopes: Scopes = Scopes(), isRestored: Bool = false, quota: QuotaBook? = nil) {
        self.step = step
        self.now = now
        self.scopes = scopes
        self.isRestored = isRestored
        self.quota = quota
    }

    /// Decides about a push that is due, and marks what is sent.
    ///
    /// One that is pointless or whose scope was revoked is cancelled. One that is paused stays queued: what resumes it sends
    /// the newest state. One that finds no room in the day's quota is taken back.
    ///
    /// - Parameters:
    ///   - delivery: A delivery that is queued or unknown.
    ///   - transition: The records that it depends on.
    /// - Returns: The push that goes out, if any.
    /// - Throws: ``IllegalMove`` where the record holds what cannot be.
    public mutating func send(
        _ delivery: Delivery,
        of transition: inout Transition
    ) throws(IllegalMove) -> Push? {
        switch transition.record.authority(over: delivery, scopes) {
        case .paused: return nil
        case .revoked: try transition.cancel(delivery, note: "its scope was revoked", at: now)
        case .open:
            let draft = PushDraft(delivery: delivery, record: transition.record, context: self)
            guard var push = draft.push() else {
                try transition.cancel(delivery, note: "nothing left to send", at: now)
                break
            }
            guard book(&push.delivery, cost: draft.cost) else {
                let isRequested = requested.contains(delivery.id)
                try delivery.takeBack(in: &transition, isRequested: isRequested, at: now)
                break
            }
            return try mark(push, over: delivery, in: &transition)
        }
        return nil
    }

    /// True where a push needs capacity of the day that it does not hold.
    public func needsRoom(_ delivery: Delivery, of record: Recorded) -> Bool {
        guard delivery.state == .queued, delivery.quotaDay != UTCDay(at: now) else { return false }
        return PushDraft(delivery: delivery, record: record, context: self).cost > 0
    }

    /// Books a push to the day on which it is first sent.
    ///
    /// It is booked already unless the day is another one, or what an end carries has changed since it was queued.
    ///
    /// - Returns: `false` where it costs something and there is no room.
    private mutating func book(_ delivery: inout Delivery, cost: Int) -> Bool {
        guard delivery.state == .queued else { return true }
        delivery.cost = cost
        if cost == 0 {
            quota?.release(delivery.quotaDay)
            delivery.quotaDay = nil
        } else if let booking = quota?.reserve(takingOver: delivery.quotaDay) {
            guard case .booked(let day) = booking else { return false }
            delivery.quotaDay = day
        }
        return true
    }

    private func mark(
        _ push: Push,
        over delivery: Delivery,
        in transition: inout Transition
    ) throws(IllegalMove) -> Push {
        var push = push
        push.delivery = try transition.change(delivery) { (marked) throws(IllegalMove) in
            marked = push.delivery
            marked.state = try delivery.state.after(.dispatch, of: delivery.kind)
            marked.attempts += 1
            marked.dispatchedAt = delivery.dispatchedAt ?? now
            marked.answer.note = nil
        }
        guard let target = delivery.target else { return push }
        transition.change(target) { $0.lastTimestamp = push.timestamp }
        guard case .start(let start) = push.content else { return push }
        try transition.move(target, .dispatch, run: nil, at: now)
        transition.change(target) { instance in
            instance.startedAt = now
            instance.startExpiresAt = push.expiration
            instance.shown = start.content
        }
        return push
    }
}
