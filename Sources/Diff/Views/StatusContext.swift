public import JSON
public import Time

/// The facts under which `status` shows records: the scopes, the masks and the time.
public struct StatusContext: Sendable {
    private let scopes: Scopes
    private let masks: Masks
    private let now: Moment

    /// Facts of a ledger.
    ///
    /// - Parameters:
    ///   - scopes: The scopes that were ever paused or revoked.
    ///   - masks: The masks of what is shown.
    ///   - now: The time, which says whether launches were missed.
    public init(scopes: Scopes, masks: Masks, now: Moment) {
        self.scopes = scopes
        self.masks = masks
        self.now = now
    }

    /// The status of everything of one owner, whose published file has a path, if anything is published.
    public func status(of recorded: Recorded, published path: Text? = nil) -> OwnerStatus {
        let owner = recorded.owner
        let missed = recorded.pendingStartTargets(at: now)
        return OwnerStatus(
            owner: owner,
            scope: scopes[.subscriber(owner.subscriber)],
            widgets: recorded.widgets.map { status(of: $0, among: recorded) },
            activities: recorded.activities.map(status),
            devices: recorded.devices.map { device in
                DeviceStatus(
                    id: device.id,
                    widgets: device.widgets.map { status(of: $0, owner.subscriber) },
                    startTargets: device.startTargets.map {
                        status(of: $0, owner.subscriber, missesLaunches: missed.contains($0.id))
                    }
                )
            },
            instances: recorded.instances.map { status(of: Owned(owner, $0)) },
            publishedPath: path
        )
    }

    /// The view of a record that was asked for by its id.
    public func view(of record: NamedRecord) -> StatusView {
        switch record {
        case .widget(let widget, let recorded):
            .widget(Owned(recorded.owner, status(of: widget, among: recorded)))
        case .instance(let instance, let deliveries):
            .instance(Owned(instance.owner, status(of: instance)), deliveries.map { DeliveryView($0) })
        case .widgetRegistration(let place):
            .widgetRegistration(place.with(status(of: place.row, place.subscriber ?? "")))
        case .startTarget(let place, let recorded):
            .startTarget(
                place.with(
                    status(
                        of: place.row,
                        place.subscriber ?? "",
                        missesLaunches: recorded.pendingStartTargets(at: now).contains(place.row.id)
                    )
                )
            )
        case .operation(let operation, let deliveries):
            .operation(
                operation,
                status: OperationStatus.following(deliveries.map(\.status)),
                deliveries.map { DeliveryView($0) }
            )
        case .delivery(let delivery): .delivery(DeliveryView(delivery))
        case .run(let run): .run(run)
        }
    }

    // MARK: - One thing

    private func status(of widget: RecordedWidget, among recorded: Recorded) -> WidgetStatus {
        let declaration = widget.declaration
        let listing = recorded.devices.compactMap(\.widgets).filter {
            $0.token != nil && $0.kinds.contains(declaration.name)
        }
        return WidgetStatus(
            id: widget.id,
            name: declaration.name,
            state: masks.state(declaration.state, of: PointerRules.Subject(declaration)),
            template: declaration.template,
            revision: widget.revision,
            changedStep: widget.changedStep,
            changedAt: widget.changedAt,
            status: status(of: .widget(recorded.owner, name: declaration.name), recorded.owner.subscriber) {
                TargetStatus.Standing(
                    under: $0,
                    registeredAt: listing.map(\.at).max() ?? .distantFuture,
                    hasToken: !listing.isEmpty
                )
            }
        )
    }

    private func status(of activity: RecordedActivity) -> ActivityStatus {
        let declaration = activity.declaration
        return ActivityStatus(
            name: declaration.name,
            attributesType: declaration.attributesType,
            template: declaration.template,
            state: masks.state(declaration.state, of: PointerRules.Subject(declaration)),
            revision: activity.revision,
            life: activity.life,
            isRemoved: activity.isRemoved
        )
    }

    private func status(of registration: WidgetRegistration, _ subscriber: Text) -> WidgetRegistrationStatus {
        var shown = registration
        (shown.token, shown.pending) = (masks.token(registration.token), nil)
        let hasToken = registration.token != nil
        return WidgetRegistrationStatus(
            registration: shown,
            canReload: hasToken && registration.os.map { $0 >= .widgetPushes } ?? true,
            status: status(of: .widgets(registration.id), subscriber) {
                TargetStatus.Standing(under: $0, registeredAt: registration.at, hasToken: hasToken)
            }
        )
    }

    private func status(of target: StartTarget, _ subscriber: Text, missesLaunches: Bool) -> StartTargetStatus {
        var shown = target
        shown.token = masks.token(target.token)
        let hasToken = target.token != nil
        return StartTargetStatus(
            target: shown,
            canStart: hasToken && target.os.map { $0 >= .remoteStarts } ?? true,
            status: status(of: .startTarget(target.id), subscriber) {
                TargetStatus.Standing(
                    under: $0,
                    registeredAt: target.at,
                    hasToken: hasToken,
                    missesLaunches: missesLaunches
                )
            }
        )
    }

    private func status(of owned: Owned<Instance>) -> InstanceStatus {
        let instance = owned.row
        var known = instance.withoutContent
        known.token = masks.token(instance.token)
        return InstanceStatus(
            instance: known,
            shown: instance.shown.map { masks.masked(PointerRules.Subject(instance), $0.value) },
            status: status(
                of: .activity(owned.owner, name: instance.name, device: instance.device),
                owned.owner.subscriber
            ) { TargetStatus.Standing(of: instance, under: $0) }
        )
    }

    /// The status of a subject, which needs authority over all of its subscriber too.
    private func status(
        of subject: ScopeSubject,
        _ subscriber: Text,
        standing: (Authority) -> TargetStatus.Standing
    ) -> TargetStatus {
        TargetStatus(
            standing(scopes.authority(over: .subscriber(subscriber), subject)),
            scope: scopes[subject].number
        )
    }
}

extension OnDevice {
    /// Another row of the same device.
    fileprivate func with<Other>(_ row: Other) -> OnDevice<Other> {
        OnDevice<Other>(app: app, device: device, subscriber: subscriber, row: row)
    }
}
