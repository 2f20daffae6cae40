internal import JSON

/// Activities: reported, reported again, and reported over.
extension ReportPass {
    mutating func registerActivity(_ reported: Instance) {
        if let index = record.instances.firstIndex(where: { $0.instance.activityID == reported.activityID }) {
            return renewToken(at: index, reported)
        }
        if let launch = reported.launch,
            let index = record.instances.firstIndex(where: { $0.instance.launch == launch })
        {
            return adopt(at: index, reported)
        }
        add(reported, of: subscriber, ending: isForeign(subscriber) ? .logout : nil)
    }

    /// A token report of an instance that is known: the newest one counts, and it reopens one that was only `gone`.
    ///
    /// Under another subscriber, or once the device left its own, the token only serves to end it.
    private mutating func renewToken(at index: Int, _ reported: Instance) {
        var instance = record.instances[index].instance
        let owner = record.instances[index].subscriber
        let isForeign = record.owner != owner || subscriber != owner
        guard isForeign || report.at >= record.ownerSince else { return }
        guard reported.tokenAt > instance.tokenAt, reported.tokenAt > context.tokenDeadAt ?? .min else { return }
        if instance.phase == .closed(.gone) { instance.phase = .running }
        guard instance.phase == .running else { return }
        instance.token = reported.token
        instance.tokenAt = reported.tokenAt
        instance.environment = reported.environment
        instance.os = reported.os ?? instance.os
        if isForeign, instance.ending == nil { instance.ending = .logout }
        record.instances[index].instance = instance
    }

    /// The device reports a launch of ours: the launch becomes the instance.
    private mutating func adopt(at index: Int, _ reported: Instance) {
        let owner = record.instances[index].subscriber
        let launched = record.instances[index].instance
        guard launched.activityID == nil, launched.device == reported.device else {
            // The same launch showed a second tile, or on another device: one more instance, which the diff ends.
            var second = reported
            second.origin = .remote
            second.name = launched.name
            second.attributes = launched.attributes
            second.life = launched.life
            second.sequence = launched.sequence
            return add(second, of: owner, ending: .duplicate)
        }
        var instance = launched
        instance.activityID = reported.activityID
        instance.token = reported.token
        instance.tokenAt = reported.tokenAt
        instance.environment = reported.environment
        instance.os = reported.os ?? instance.os
        instance.registeredAt = reported.registeredAt
        if instance.startedAt == 0 { instance.startedAt = reported.startedAt }
        instance.pending.removeAll { $0.kind == .start }
        if case .closed = launched.phase {
            // It was reported over before it was reported; it stays so.
        } else {
            instance.phase = isClosedEarly(reported) ? .closed(.person) : .running
        }
        if instance.ending == nil, isForeign(owner) { instance.ending = .logout }
        record.instances[index].instance = instance
    }

    private mutating func add(_ reported: Instance, of owner: Text, ending: Instance.Closure?) {
        var instance = reported
        instance.ending = ending
        if isClosedEarly(reported) { instance.phase = .closed(.person) }
        record.instances.append(DeviceInstance(subscriber: owner, instance: instance))
    }

    /// Whether an instance of `owner` has no place on this device, as it is owned now and as it is reported.
    private func isForeign(_ owner: Text) -> Bool {
        owner != subscriber || !isOwners
    }

    private func isClosedEarly(_ reported: Instance) -> Bool {
        [reported.activityID, reported.launch?.text].contains { $0.map(record.closedEarly.contains) ?? false }
    }

    /// What was reported over is final, whatever its `at` and whatever comes after.
    mutating func closeActivity(_ activityID: Text?, _ launch: LaunchID?) {
        var isKnown = false
        for index in record.instances.indices {
            let instance = record.instances[index].instance
            let isNamed =
                activityID != nil && instance.activityID == activityID || launch != nil && instance.launch == launch
            guard isNamed else { continue }
            isKnown = true
            if case .closed(let cause) = instance.phase, cause != .gone { continue }
            let age = instance.startedAt > 0 ? report.at - instance.startedAt : 0
            let cause: Instance.Closure = age >= Instance.nearlyExpired ? .expired : .person
            record.instances[index].instance.phase = .closed(instance.ending ?? cause)
            record.instances[index].instance.pending = []
        }
        guard !isKnown, let key = activityID ?? launch?.text else { return }
        record.closedEarly.insert(key)
    }
}
