internal import Diff
internal import Ledger
internal import Source
internal import Time

/// The marks that a run leaves of what it sends.
extension Session {
    /// Makes the pushes of a batch of deliveries and marks them, durably, before a byte of them is sent.
    ///
    /// It is part of the unit in which the deliveries were read.
    ///
    /// - Parameters:
    ///   - deliveries: Deliveries that are due.
    ///   - templates: The template versions that instances run with.
    ///   - quota: The quota, if there is one.
    ///   - isRestored: True where no start may be sent.
    ///   - now: The time.
    /// - Returns: The pushes; what is pointless, paused, revoked or without room in the quota has none.
    /// - Throws: ``LedgerError``.
    func dispatch(
        _ deliveries: [Delivery],
        _ templates: TemplateBook,
        within quota: Quota?,
        isRestored: Bool,
        at now: Moment
    ) throws -> [Push] {
        guard !deliveries.isEmpty else { return [] }
        // A backup from before starts were sent must show that it is one.
        if deliveries.contains(where: { $0.kind == .start }) { try takeStep() }
        var dispatch = Dispatch(step: try facts().step, now: now, scopes: try scopes(), isRestored: isRestored)
        var pushes: [Push] = []
        for delivery in deliveries {
            var transition = Transition(try record(dispatching: delivery, dispatch.scopes, templates))
            if let quota, dispatch.needsRoom(delivery, of: transition.record) {
                let day = UTCDay(at: now)
                dispatch.quota = try dispatch.quota ?? QuotaBook(day: day, sums: quotaDay(day, quota))
                if try isRequested(delivery) { dispatch.requested.insert(delivery.id) }
            }
            if let push = try dispatch.send(delivery, of: &transition) { pushes.append(push) }
            // At once: the next one may be decided on the same records.
            try write(transition)
        }
        return pushes
    }

    /// Notes that what a run that died was sending may have arrived.
    ///
    /// - Returns: The number of those deliveries.
    func recover(run: RunID, at now: Moment) throws -> Int {
        try unit {
            let lost = try deliveries(.dispatching)
            for delivery in lost {
                var transition = Transition(try record(of: delivery))
                try delivery.recover(in: &transition, run: run, at: now)
                try write(transition)
            }
            return lost.count
        }
    }
}
