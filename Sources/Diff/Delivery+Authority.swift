internal import JSON
internal import Time

extension Recorded {
    /// The authority over a delivery of this record, as it is now.
    ///
    /// An end that a logout or a revocation causes goes out whatever else holds. A reload was queued for whatever changed;
    /// where all of that is held meanwhile, the reload is.
    func authority(over delivery: Delivery, _ scopes: Scopes) -> Authority {
        guard !scopes.isEmpty else { return .open(since: .never) }
        let subscriber = ScopeSubject.subscriber(delivery.owner.subscriber)
        let registration = delivery.registration ?? ""
        let instance = delivery.target.flatMap { id in instances.first { $0.id == id } }
        let activity = ScopeSubject.activity(delivery.owner, name: instance?.name ?? "", device: delivery.device)
        switch delivery.kind {
        case .end where instance?.ending?.isUrgent == true:
            return .open(since: .never)
        case .update, .end:
            return scopes.authority(over: subscriber, activity)
        case .start:
            return scopes.authority(over: subscriber, activity, .startTarget(StartTargetID(registration)))
        case .reload:
            let authority = scopes.authority(over: subscriber, .widgets(WidgetsID(registration)))
            guard case .open = authority else { return authority }
            return hold(onReloadOf: WidgetsID(registration), scopes) ?? authority
        }
    }

    /// The hold on everything that a device would be reloaded for; `nil` where something of it may be shown.
    private func hold(onReloadOf id: WidgetsID, _ scopes: Scopes) -> Authority? {
        guard let registration = devices.lazy.compactMap(\.widgets).first(where: { $0.id == id }),
            !registration.owesReload
        else { return nil }
        var hold: Authority?
        for widget in widgets
        where registration.misses(widget.declaration.name, changedIn: widget.changedStep, at: widget.changedAt) {
            let authority = scopes.authority(over: .widget(owner, name: widget.declaration.name))
            if case .open = authority { return nil }
            if hold != .paused { hold = authority }
        }
        return hold
    }
}

extension WidgetRegistration {
    /// True where the device shows a widget and may not have seen its change.
    func misses(_ name: Text, changedIn step: Step, at: Moment) -> Bool {
        kinds.contains(name) && step > reloadedStep && at >= self.at
    }
}
