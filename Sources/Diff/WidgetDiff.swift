internal import JSON
internal import Time

/// The diff of one owner's widgets: what is committed, and which devices are reloaded once.
struct WidgetDiff {
    let owner: Owner
    let context: DiffContext
    var changes: [Change] = []
    var actions: [Action] = []
    var adjustments: [Adjustment] = []

    /// A widget whose newest state a device may not have seen.
    private struct Published {
        var name: Text
        /// `nil` where this very plan changes it.
        var step: Step?
        var at: Moment
        var before: Value?
        var after: Value
        var reason: Reason
        var minInterval: Span?
        var expiresAfter: Span?
    }

    init(owner: Owner, context: DiffContext) {
        self.owner = owner
        self.context = context
    }

    mutating func compare(_ declared: [WidgetDeclaration], _ recorded: Recorded) {
        var published: [Published] = []
        var left = declared[...]
        var right = recorded.widgets[...]
        while !left.isEmpty || !right.isEmpty {
            switch (left.first, right.first) {
            case (let declaration?, let record?) where declaration.name == record.declaration.name:
                published.append(compare(left.removeFirst(), right.removeFirst()))
            case (let declaration?, let record?) where record.declaration.name < declaration.name:
                changes.append(.widgetRemoved(right.removeFirst().declaration))
            case (let declaration?, _):
                left.removeFirst()
                changes.append(.widget(declaration, before: nil))
                published.append(publication(declaration, step: nil, at: context.now, reason: .declared))
            case (nil, let record?):
                right.removeFirst()
                changes.append(.widgetRemoved(record.declaration))
            case (nil, nil):
                break
            }
        }
        for device in recorded.devices {
            if let registration = device.widgets { reload(device, of: registration, published: published) }
        }
    }

    private mutating func compare(_ declaration: WidgetDeclaration, _ record: RecordedWidget) -> Published {
        let before = record.declaration
        if declaration != before { changes.append(.widget(declaration, before: before)) }
        guard declaration.state != before.state || declaration.reload != before.reload else {
            return publication(declaration, step: record.changedStep, at: record.changedAt, reason: .catchUp)
        }
        let reason: Reason = declaration.state == before.state ? .reloadChanged : .stateChanged
        return publication(declaration, step: nil, at: context.now, before: before.state, reason: reason)
    }

    private func publication(
        _ declaration: WidgetDeclaration,
        step: Step?,
        at: Moment,
        before: Value? = nil,
        reason: Reason
    ) -> Published {
        Published(
            name: declaration.name,
            step: step,
            at: at,
            before: before,
            after: declaration.state,
            reason: reason,
            minInterval: declaration.minInterval,
            expiresAfter: declaration.expiresAfter
        )
    }

    /// One reload of one device, however many of its widgets changed.
    private mutating func reload(
        _ device: Device,
        of registration: WidgetRegistration,
        published: [Published]
    ) {
        var registration = registration
        let authority = context.scopes.authority(over: .subscriber(owner.subscriber), .widgets(registration.id))
        if let pending = registration.pending, pending.isExpired(at: context.now),
            authority != .paused || pending.status != .queued
        {
            adjustments.append(.expire(pending.id))
            registration.pending = nil
        }
        guard registration.token != nil else { return }
        let unseen = published.filter { widget in
            guard let step = widget.step else { return registration.kinds.contains(widget.name) }
            return registration.misses(widget.name, changedIn: step, at: widget.at)
        }
        let changed = unseen.filter { $0.step == nil }
        guard !unseen.isEmpty || registration.owesReload || registration.pending != nil else { return }
        if let (status, reason) = obstacle(to: registration, under: authority, unseen: unseen) {
            actions.append(action(on: device, status, because: reason, showing: unseen))
        } else if let os = registration.os, os < .widgetPushes {
            actions.append(action(on: device, .blocked, because: .osTooOld, showing: unseen))
        } else if !context.hasKey(owner.app, registration.environment) {
            actions.append(action(on: device, .blocked, because: .noCredential, showing: unseen))
        } else if let pending = registration.pending, changed.isEmpty || pending.status == .queued {
            // A queued reload carries what changes in this plan too: the device fetches the newest state.
            let reason = changed.first?.reason ?? pending.reason
            actions.append(action(on: device, pending.status(at: context.now), because: reason, showing: unseen))
        } else if isRefused(registration, unseen) {
            actions.append(action(on: device, .held, because: .rejected, showing: unseen))
        } else if let due = intervalEnd(registration, unseen), due > context.now {
            // An update that may have arrived is not the newest state any more: it is not sent again.
            if let pending = registration.pending { adjustments.append(.expire(pending.id)) }
            actions.append(action(on: device, .waiting(until: due), because: .minInterval, showing: unseen))
        } else {
            let reason = changed.first?.reason ?? (registration.owesReload ? .ownerChanged : .catchUp)
            let write = Action.Write.reload(registration.id, superseding: registration.pending?.id)
            actions.append(action(on: device, .send, because: reason, showing: unseen, write: write))
        }
    }

    /// The hold of pausing and revoking on the device: on all of its widgets, or on each that it would be reloaded for.
    private func obstacle(
        to registration: WidgetRegistration,
        under authority: Authority,
        unseen: [Published]
    ) -> (Action.Status, Reason)? {
        if let own = authority.obstacle(registeredAt: registration.at) { return own }
        guard !registration.owesReload else { return nil }
        // One widget that the device may be told of takes the others along.
        var held: (Action.Status, Reason)?
        for widget in unseen {
            let authority = context.scopes.authority(over: .widget(owner, name: widget.name))
            guard let obstacle = authority.obstacle(registeredAt: registration.at) else { return nil }
            held = obstacle
        }
        return held
    }

    /// Until when the reload waits: one widget whose interval is over, or that has none, takes the others along.
    private func intervalEnd(_ registration: WidgetRegistration, _ unseen: [Published]) -> Moment? {
        guard !registration.owesReload, registration.reloadedAt > .never else { return nil }
        return unseen.map { registration.reloadedAt + ($0.minInterval ?? .zero) }.min()
    }

    /// The time for which APNs keeps trying: as long as any of the widgets asks for.
    private func expiresAfter(_ widgets: [Published]) -> Span? {
        guard !widgets.isEmpty, widgets.allSatisfy({ $0.expiresAfter != nil }) else { return nil }
        return widgets.compactMap(\.expiresAfter).max()
    }

    /// True where APNs refused a reload for this very token, and no widget of the device is newer.
    private func isRefused(_ registration: WidgetRegistration, _ unseen: [Published]) -> Bool {
        guard let rejection = registration.rejection, registration.at <= rejection.tokenAt else { return false }
        return rejection.holdsToken || unseen.allSatisfy { $0.step.map { $0.number <= rejection.revision } ?? false }
    }

    /// The oldest step among the widgets that a device has not seen; what it owes without one is older than all.
    private static func oldestStep(of widgets: [Published]) -> Step? {
        widgets.isEmpty ? Step.zero : widgets.compactMap(\.step).min()
    }

    private func action(
        on device: Device,
        _ status: Action.Status,
        because reason: Reason,
        showing widgets: [Published],
        write: Action.Write = .none
    ) -> Action {
        var before = Object()
        var after = Object()
        for widget in widgets where widget.step == nil {
            before[widget.name] = widget.before
            after[widget.name] = widget.after
        }
        return Action(
            kind: .reload,
            status: status,
            reason: reason,
            device: device.id,
            before: .object(before),
            after: .object(after),
            step: Self.oldestStep(of: widgets),
            priority: 5,
            expiresAfter: expiresAfter(widgets),
            write: write
        )
    }
}
