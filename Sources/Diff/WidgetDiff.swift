internal import JSON

/// The diff of one owner's widgets: what is committed, and which devices are reloaded once.
struct WidgetDiff {
    let owner: Owner
    let context: DiffContext
    var changes: [Change] = []
    var actions: [Action] = []

    /// A widget whose newest state a device may not have seen.
    private struct Published {
        var name: Text
        /// `nil` where this very plan changes it.
        var commit: Int64?
        var at: Int64
        var before: Value?
        var after: Value
        var reason: Reason
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
                published.append(
                    Published(name: declaration.name, at: context.now, after: declaration.state, reason: .declared)
                )
            case (nil, let record?):
                right.removeFirst()
                changes.append(.widgetRemoved(record.declaration))
            case (nil, nil):
                break
            }
        }
        for device in recorded.devices {
            if let registration = device.widgets { reload(device, registration, published) }
        }
    }

    private mutating func compare(_ declaration: WidgetDeclaration, _ record: RecordedWidget) -> Published {
        let before = record.declaration
        guard declaration != before else {
            return Published(
                name: before.name,
                commit: record.changedCommit,
                at: record.changedAt,
                after: before.state,
                reason: .catchUp
            )
        }
        changes.append(.widget(declaration, before: before))
        let needsReload = declaration.state != before.state || declaration.reload != before.reload
        return Published(
            name: declaration.name,
            commit: needsReload ? nil : record.changedCommit,
            at: needsReload ? context.now : record.changedAt,
            before: before.state,
            after: declaration.state,
            reason: declaration.state == before.state ? .reloadChanged : .stateChanged
        )
    }

    /// One reload of one device, however many of its widgets changed.
    private mutating func reload(
        _ device: Device,
        _ registration: WidgetRegistration,
        _ published: [Published]
    ) {
        guard registration.token != nil else { return }
        let unseen = published.filter { widget in
            guard registration.kinds.contains(widget.name) else { return false }
            guard let commit = widget.commit else { return true }
            return commit > registration.reloadedCommit && widget.at >= registration.at
        }
        let changed = unseen.filter { $0.commit == nil }
        guard !unseen.isEmpty || registration.owesReload || registration.pending != nil else { return }
        if let os = registration.os, os < .widgetPushes {
            actions.append(action(device, .blocked, .osTooOld, unseen))
        } else if !context.hasKey(owner.app, registration.environment) {
            actions.append(action(device, .blocked, .noCredential, unseen))
        } else if let pending = registration.pending, changed.isEmpty || pending.status == .queued {
            // A queued reload carries what changes in this plan too: the device fetches the newest state.
            let reason = changed.first?.reason ?? pending.reason
            actions.append(action(device, pending.status(at: context.now), reason, unseen))
        } else if isRefused(registration, unseen) {
            actions.append(action(device, .held, .rejected, unseen))
        } else {
            let reason = changed.first?.reason ?? (registration.owesReload ? .ownerChanged : .catchUp)
            let step = Action.Step.reload(registration.id, superseding: registration.pending?.id)
            actions.append(action(device, .send, reason, unseen, step))
        }
    }

    /// Whether APNs refused a reload for this very token, and no widget of the device is newer.
    private func isRefused(_ registration: WidgetRegistration, _ unseen: [Published]) -> Bool {
        guard let rejection = registration.rejection, registration.at <= rejection.tokenAt else { return false }
        return rejection.holdsToken || unseen.allSatisfy { $0.commit.map { $0 <= rejection.revision } ?? false }
    }

    private func action(
        _ device: Device,
        _ status: Action.Status,
        _ reason: Reason,
        _ widgets: [Published],
        _ step: Action.Step = .none
    ) -> Action {
        var before = Object()
        var after = Object()
        for widget in widgets where widget.commit == nil {
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
            priority: 5,
            step: step
        )
    }
}
