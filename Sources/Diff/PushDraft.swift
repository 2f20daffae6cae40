internal import JSON
internal import Time

/// A push in the making.
struct PushDraft {
    let delivery: Delivery
    /// The records of its owner that it depends on.
    let record: Recorded
    let context: Dispatch

    private var now: Moment { context.now }

    /// The instance that it is for.
    private var instance: Instance? { delivery.target.flatMap { id in record.instances.first { $0.id == id } } }

    private func activity(of instance: Instance) -> RecordedActivity? {
        record.activities.first { $0.declaration.name == instance.name }
    }

    /// The push; `nil` where there is nothing left to send.
    func push() -> Push? {
        guard delivery.kind != .reload else { return reload() }
        guard let instance else { return nil }
        switch delivery.kind {
        case .start: return start(instance)
        case .update: return update(instance)
        case .end, .reload: return end(instance)
        }
    }

    /// The cost in the quota: an end without new state is free.
    var cost: Int {
        guard delivery.kind == .end, let instance else { return 1 }
        return declaredEnd(of: instance) == nil || lastState(of: instance) == instance.shown?.state ? 0 : 1
    }

    private func reload() -> Push? {
        let registrations = record.devices.lazy.compactMap(\.widgets)
        let id = delivery.registration.map(WidgetsID.init)
        guard let registration = registrations.first(where: { $0.id == id }),
            let token = registration.token
        else { return nil }
        return Push(
            delivery: carrying(nil, revision: context.step.number),
            token: token,
            tokenAt: registration.at,
            content: .reload,
            priority: 5,
            timestamp: now.wholeSecond,
            expiration: expiration(),
            template: nil
        )
    }

    private func start(_ instance: Instance) -> Push? {
        let targets = record.devices.lazy.flatMap(\.startTargets)
        let id = delivery.registration.map(StartTargetID.init)
        guard instance.phase == .queued, !instance.isMismatched, let launch = instance.launch,
            let activity = activity(of: instance), let declaration = activity.running,
            declaration.staleAt.map({ $0 > now }) ?? true,
            let target = targets.first(where: { $0.id == id }), let token = target.token
        else { return nil }
        let notice = declaration.notice(
            starting: instance,
            among: record.instances,
            since: activity.alertAt,
            at: now
        )
        let content = declaration.content
        return Push(
            delivery: carrying(content, revision: instance.revision),
            token: token,
            tokenAt: target.at,
            content: .start(
                Push.Start(
                    attributesType: instance.attributesType,
                    attributes: instance.attributes ?? .object(Object()),
                    launch: launch,
                    content: content,
                    rings: notice.rings,
                    asksForToken: target.os.map { $0 >= .inputPushToken } ?? true
                )
            ),
            priority: notice.priority,
            timestamp: now.wholeSecond,
            expiration: expiration(),
            template: instance.template
        )
    }

    private func update(_ instance: Instance) -> Push? {
        guard instance.phase == .running, !instance.isExpired(at: now), instance.ending == nil, !instance.isMismatched,
            let token = instance.token, let activity = activity(of: instance), let declaration = activity.running
        else { return nil }
        let content = declaration.content
        // An update that may have arrived is sent again as it was, silently, unless it is no longer the newest. A state
        // that is shown needs no push.
        guard (content == instance.shown) == (delivery.state == .unknown) else { return nil }
        let notice = declaration.notice(
            updating: instance,
            on: record.devices.first { $0.id == instance.device },
            since: activity.alertAt,
            at: now,
            isRestored: context.isRestored
        )
        return Push(
            delivery: carrying(content, revision: instance.revision),
            token: token,
            tokenAt: instance.tokenAt,
            content: .update(content, rings: notice.rings),
            priority: notice.priority,
            timestamp: next(after: instance.lastTimestamp),
            expiration: expiration(staleAt: content.staleAt.flatMap { $0 > now ? $0 : nil }, of: instance),
            template: instance.template
        )
    }

    private func end(_ instance: Instance) -> Push? {
        guard instance.phase == .running, !instance.isExpired(at: now), let cause = instance.ending,
            let token = instance.token
        else { return nil }
        let declared = declaredEnd(of: instance)
        guard declared == nil || !instance.isMismatched else { return nil }
        // Certainly past, whatever the device's clock.
        let gone = now.wholeSecond - .hours(1)
        let dismissAt: Moment? =
            switch (cause, declared?.dismissAt) {
            case (.declaredEnd, .at(let moment)): moment
            case (.declaredEnd, nil): nil
            default: gone
            }
        let state = lastState(of: instance)
        return Push(
            delivery: carrying(ActivityContent(state: state), revision: instance.revision),
            token: token,
            tokenAt: instance.tokenAt,
            content: .end(state: state, dismissAt: dismissAt),
            priority: 10,
            timestamp: next(after: instance.lastTimestamp),
            expiration: expiration(of: instance),
            template: instance.template
        )
    }

    /// The end that the files declare, where that is why the instance ends.
    private func declaredEnd(of instance: Instance) -> ActivityDeclaration.End? {
        instance.ending == .declaredEnd ? activity(of: instance)?.declaration.end : nil
    }

    /// The state with which an instance ends: as declared, else as it is shown.
    private func lastState(of instance: Instance) -> Value {
        let end = declaredEnd(of: instance)
        let shown = end == nil ? instance.shown?.state : nil
        return end?.state ?? shown ?? activity(of: instance)?.declaration.state ?? .object(Object())
    }

    private func carrying(_ content: ActivityContent?, revision: Int64) -> Delivery {
        var delivery = delivery
        delivery.content = content?.value
        delivery.revision = revision
        return delivery
    }

    private func next(after timestamp: Moment) -> Moment { max(now.wholeSecond, timestamp + .seconds(1)) }

    /// The moment at which APNs stops trying, counted from the first dispatch.
    private func expiration(staleAt: Moment? = nil, of instance: Instance? = nil) -> Moment {
        Expiry.time(
            of: delivery.kind,
            since: delivery.dispatchedAt ?? now,
            expiresAfter: delivery.expiresAfter,
            staleAt: staleAt,
            startedAt: instance?.startedAt ?? .never
        ).wholeSecond
    }
}

extension RecordedActivity {
    /// The declaration that is to be shown; `nil` where the files do not declare it any more, or declare its end.
    fileprivate var running: ActivityDeclaration? { isRemoved || declaration.end != nil ? nil : declaration }
}
