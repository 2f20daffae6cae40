internal import JSON

/// The launch of an activity on the device, where it is allowed.
extension DevicePass {
    enum LaunchDecision {
        /// Nothing is to be launched here.
        case nothing
        case start(StartTargetID, because: Reason)
        /// It waits, or cannot be launched.
        case not(Action.Status, Reason)
    }

    mutating func launch(_ desired: ActivityDeclaration, _ decision: LaunchDecision, replacing former: Instance?) {
        func start(_ status: Action.Status, because reason: Reason, write: Action.Write) -> Action {
            Action(
                kind: .start,
                status: status,
                reason: reason,
                name: desired.name,
                device: device,
                after: desired.content.value,
                priority: 10,
                expiresAfter: desired.expiresAfter,
                write: write
            )
        }
        switch decision {
        case .nothing: break
        case .start(let target, because: let reason):
            actions.append(start(.send, because: reason, write: .launch(target, replacing: former?.id)))
        case .not(let status, let reason): actions.append(start(status, because: reason, write: .none))
        }
    }

    func launchDecision(_ desired: ActivityDeclaration, replacing former: Instance?, ending: Int) -> LaunchDecision {
        let isReplacement = former != nil
        guard desired.start == .remote else { return isReplacement ? .not(.blocked, .startedByApp) : .nothing }
        guard let target = startTarget(desired) else {
            return isReplacement ? .not(.blocked, .noStartTarget) : .nothing
        }
        let lives = instances.filter { $0.life == activity.life && $0.phase.wasShown }
        let newest = lives.max { $0.sequence < $1.sequence }
        if isLifeClosed(lives, desired) { return isReplacement ? .not(.blocked, .lifeClosed) : .nothing }
        if let staleAt = desired.staleAt, staleAt <= context.now { return .not(.held, .staleAtPassed) }
        if context.isRestored { return .not(.held, .restoredLedger) }
        if ending > 0 { return .not(.held, .earlierEnd) }
        if let blocking = blocking(desired.attributesType) {
            return .not(.held, blocking.origin == .ambiguous ? .ambiguous : .unknownLaunch)
        }
        let isUnconfirmed = newest?.neverReported ?? false
        if isUnconfirmed, desired.restart == .never { return .not(.held, .unconfirmed) }
        if activity.pendingTargets.contains(target.id) { return .not(.held, .startTargetPending) }
        let authority = context.scopes.authority(
            over: .subscriber(activity.owner.subscriber),
            .activity(activity.owner, name: desired.name, device: device),
            .startTarget(target.id)
        )
        if let (status, reason) = authority.obstacle(registeredAt: target.at) { return .not(status, reason) }
        if isRefused(target, desired) { return .not(.held, .rejected) }
        if let os = target.os, os < .remoteStarts { return .not(.blocked, .osTooOld) }
        if !context.hasKey(activity.owner.app, target.environment) { return .not(.blocked, .noCredential) }
        if let template = desired.template, let listed = target.templates, !listed.contains(template) {
            return .not(.blocked, .templateNotListed)
        }
        if isReplacement { return .start(target.id, because: .replacement) }
        if isUnconfirmed { return .start(target.id, because: .restart) }
        return .start(target.id, because: newest.map { $0.fate == .expired ? .renewal : .relaunch } ?? .declared)
    }

    /// True where this life is not started (again) on this device: it was closed here, or closed for all later phones.
    private func isLifeClosed(_ lives: [Instance], _ desired: ActivityDeclaration) -> Bool {
        if lives.allSatisfy(\.neverReported), activity.isLifeClosed { return true }
        return lives.contains { $0.fate?.forbidsRelaunch(renews: desired.renew) ?? false }
    }

    /// The activity of a type that the device shows and that belongs to nobody known: it blocks launches of that type.
    func blocking(_ attributesType: Text) -> Instance? {
        activity.unattributed.first { $0.device == device && $0.attributesType == attributesType }
    }

    /// The device's live start target of the declared type, if any.
    private func startTarget(_ desired: ActivityDeclaration) -> StartTarget? {
        registered?.startTargets.first { $0.attributesType == desired.attributesType && $0.token != nil }
    }

    /// True where APNs refused the newest launch for this very token, and what it would carry now is the same.
    private func isRefused(_ target: StartTarget, _ desired: ActivityDeclaration) -> Bool {
        guard let newest = instances.max(by: { $0.sequence < $1.sequence }), newest.phase == .failed,
            let rejection = newest.rejection, target.at <= rejection.tokenAt
        else { return false }
        return rejection.holdsToken || isCurrent(newest, desired) && newest.shown == desired.content
    }
}
