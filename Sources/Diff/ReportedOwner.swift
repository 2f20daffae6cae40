internal import JSON
internal import Time

/// The owner of a device as a report tells it.
struct ReportedOwner {
    /// The subscriber of the report; `nil` after a logout.
    let owner: Text?

    /// Gives the device to the subscriber of its newest report, or after a logout to nobody.
    func settle(in device: inout DeviceTransition) throws(IllegalMove) {
        if case .identified(let anonymous) = device.report.event, device.context.anonymousIs == anonymous {
            identify(anonymous, as: device.subscriber, in: &device)
        }
        guard owner != device.record.owner else { return }
        guard device.report.at >= device.record.lastReport else { return try settleEarlier(in: &device) }
        let former = device.record.owner
        if let former, let owner, former.isAnonymous, !owner.isAnonymous {
            return identify(former, as: owner, in: &device)
        }
        device.record.owner = owner
        device.record.ownerSince = device.record.lastReport
        if let former { leave(former, in: &device) }
        if let owner { try welcomeBack(owner, in: &device) }
        try takeRegistrations(before: .distantFuture, in: &device)
    }

    /// A late report of another owner: what the device registered before it went with that owner.
    private func settleEarlier(in device: inout DeviceTransition) throws(IllegalMove) {
        guard device.report.at >= device.record.ownerSince else { return }
        if let current = device.record.owner, let earlier = owner, earlier.isAnonymous, !current.isAnonymous {
            identify(earlier, as: current, in: &device)
            device.subscriber = current
            return
        }
        device.record.ownerSince = device.report.at
        try takeRegistrations(before: device.report.at, in: &device)
    }

    /// Makes an anonymous id a person.
    ///
    /// Its records become the person's, on this device as everywhere. The widgets have another published state to fetch.
    private func identify(_ anonymous: Text, as person: Text, in device: inout DeviceTransition) {
        let isOwner = device.record.owner == anonymous
        let alias = Alias(app: device.report.app, anonymous: anonymous, person: person)
        device.aliases.append(alias)
        device.before.identify(alias)
        device.record.identify(alias)
        if isOwner { device.record.widgets?.owesReload = true }
    }

    /// Tiles that show a person's data end when the device leaves that person.
    ///
    /// An end that was to come for another cause and was not sent becomes this one: if its cause is withdrawn, the tile
    /// has to go all the same.
    private func leave(_ former: Text, in device: inout DeviceTransition) {
        for index in device.record.instances.indices where device.record.instances[index].subscriber == former {
            var instance = device.record.instances[index].instance
            guard instance.device == device.report.device, instance.phase.isOpen else { continue }
            let isSent = instance.pending(.end).map { $0.status != .queued } ?? false
            switch instance.ending {
            case nil: break
            case .removal, .declaredEnd: guard !isSent else { continue }
            default: continue
            }
            instance.end(because: .logout, at: device.report.at)
            // The refused push was another one; only what holds the token itself holds the end.
            if instance.rejection?.holdsToken == false { instance.rejection = nil }
            device.record.instances[index].instance = instance
        }
    }

    /// A person who is back before the end was sent keeps the tile.
    private func welcomeBack(_ owner: Text, in device: inout DeviceTransition) throws(IllegalMove) {
        for index in device.record.instances.indices where device.record.instances[index].subscriber == owner {
            let instance = device.record.instances[index].instance
            guard instance.ending == .logout, instance.device == device.report.device, instance.phase.isOpen,
                instance.pending(.end).map({ $0.status == .queued }) ?? true
            else { continue }
            device.record.instances[index].instance.ending = nil
            if let end = instance.pending(.end) { try device.settle(end) }
        }
    }

    /// Takes the registrations of the former owner, because the next one has to report them anew.
    ///
    /// The widgets then owe one reload: they still show the former owner's state.
    private func takeRegistrations(before at: Moment, in device: inout DeviceTransition) throws(IllegalMove) {
        for index in device.record.startTargets.indices where device.record.startTargets[index].at < at {
            device.record.startTargets[index].token = nil
        }
        guard let widgets = device.record.widgets, widgets.at < at else { return }
        device.record.widgets?.token = nil
        device.record.widgets?.owesReload = true
        if let reload = widgets.pending { try device.settle(reload) }
    }
}
