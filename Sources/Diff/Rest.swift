public import Time

extension Recorded {
    /// Until when an owner whose plan is empty goes on having an empty one, as long as neither what is declared nor what
    /// is recorded changes: the diff depends on the time only through deliveries and instances that are not over.
    ///
    /// - Returns: The first moment at which that may end; `nil` where it may end at any time;
    ///   ``Moment/distantFuture`` where time alone never ends it.
    public func restsUntil() -> Moment? {
        var rest = Moment.distantFuture
        for device in devices where device.widgets?.pending != nil { return nil }
        for instance in instances {
            guard instance.pending.isEmpty else { return nil }
            switch instance.phase {
            case .closed, .failed, .cancelled: continue
            case .queued, .outstanding, .unconfirmed: return nil
            case .running:
                // One that is over sooner or later, at its 8 hours or, where its launch is not known, at 12.
                guard instance.startedAt > .never else { continue }
                rest = min(rest, instance.startedAt + Instance.lifetime)
            }
        }
        return rest
    }
}
