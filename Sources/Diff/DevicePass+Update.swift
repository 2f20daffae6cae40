internal import JSON
internal import Time

/// Updating one running instance.
extension DevicePass {
    mutating func update(_ instance: Instance, _ desired: ActivityDeclaration) {
        let content = desired.content
        let notice = notice(of: instance, desired)
        let update = Need(kind: .update, instance: instance, after: content.value, priority: notice.priority)
        let pending = instance.pending(.update)
        guard instance.shown != content || pending != nil else { return }
        if instance.shown == content, let pending, pending.status == .queued {
            adjustments.append(.cancelUpdate(instance.id, pending.id))
        } else if instance.isMismatched {
            if let pending { adjustments.append(.cancelUpdate(instance.id, pending.id)) }
            add(update, .held, because: .templateMismatch)
        } else if let os = instance.os, os < .activityUpdates {
            add(update, .blocked, because: .osTooOld)
        } else if !context.hasKey(activity.owner.app, instance.environment) {
            add(update, .blocked, because: .noCredential)
        } else if let pending, instance.shown == content || pending.status == .queued && !activity.isChanged {
            let status = pending.status(at: context.now)
            add(update, status, because: pending.reason)
        } else if isRefused(instance) {
            add(update, .held, because: .rejected)
        } else if !notice.rings, let due = intervalEnd(instance, desired), due > context.now {
            if let pending, pending.status == .unknown {
                // An update that may have arrived is not the newest state any more: it is not sent again.
                adjustments.append(.cancelUpdate(instance.id, pending.id))
            }
            add(update, .waiting(until: due), because: .minInterval)
        } else {
            let write = Action.Write.update(instance.id, superseding: pending?.id)
            add(update, .send, because: .stateChanged, write: write)
        }
    }

    /// The end of the interval since the last update, for which a silent one waits.
    private func intervalEnd(_ instance: Instance, _ desired: ActivityDeclaration) -> Moment? {
        guard let interval = desired.minInterval, instance.updatedAt > .never else { return nil }
        return instance.updatedAt + interval
    }

    /// Shows that newer state waits for the device to report its launch.
    mutating func waitToUpdate(_ launch: Instance, _ desired: ActivityDeclaration) {
        let priority = notice(of: launch, desired).priority
        let update = Need(kind: .update, instance: launch, after: desired.content.value, priority: priority)
        add(update, .held, because: .launchOutstanding)
    }

    /// The effect of an update of an instance on the person, were it sent now.
    private func notice(of instance: Instance, _ desired: ActivityDeclaration) -> Notice {
        desired.notice(
            updating: instance,
            on: registered,
            since: activity.recorded?.alertAt(of: desired, at: context.now) ?? context.now,
            at: context.now,
            isRestored: context.isRestored
        )
    }

    /// True where APNs refused what the instance is to show, and neither its state nor its token is newer.
    func isRefused(_ instance: Instance) -> Bool {
        guard let rejection = instance.rejection, instance.tokenAt <= rejection.tokenAt else { return false }
        return rejection.holdsToken || !activity.isChanged && instance.revision <= rejection.revision
    }
}

extension Delivery {
    /// The status of a delivery of an earlier run at `now`.
    func status(at now: Moment) -> Action.Status {
        notBefore > now ? .waiting(until: notBefore) : .send
    }

    /// The reason that a delivery of an earlier run is still to be sent.
    var reason: Reason { status == .queued ? .queued : .resend }
}
