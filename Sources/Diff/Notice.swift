internal import JSON
internal import Time

/// The effect of a push of an activity on the person: the plan promises it, and the push keeps it.
struct Notice: Hashable {
    /// The push makes a sound.
    var rings: Bool
    /// The APNs priority: 5 or 10.
    var priority: Int
}

extension ActivityDeclaration {
    /// The effect of an update to this declaration.
    ///
    /// It rings where its alert is news on the device. Otherwise it goes at the declared priority, unless the person switched
    /// frequent pushes off.
    ///
    /// - Parameters:
    ///   - instance: The instance that is updated.
    ///   - device: The registrations of its device, where known.
    ///   - alertAt: The commit of the alert.
    ///   - now: The time at which the update goes out.
    ///   - isRestored: True where the ledger was restored from a backup: the alert may have rung already.
    /// - Returns: The effect.
    func notice(
        updating instance: Instance,
        on device: Device?,
        since alertAt: Moment,
        at now: Moment,
        isRestored: Bool
    ) -> Notice {
        let isNews = instance.shown.map { alert != nil && alert != $0.alert } ?? false
        if isNews, !isRestored, !isLate(since: alertAt, at: now) { return Notice(rings: true, priority: 10) }
        let target = device?.startTargets.first { $0.attributesType == instance.attributesType }
        return Notice(rings: false, priority: asksForFrequentPushes && target?.frequentPushes != false ? 10 : 5)
    }

    /// True where the priority of silent updates depends on whether the device allows frequent pushes.
    public var asksForFrequentPushes: Bool { priority == .high }

    /// The effect of a start of this declaration.
    ///
    /// It rings unless it takes the place of what runs, or its alert rang on the device before, in the same life.
    ///
    /// - Parameters:
    ///   - launch: The instance that is started.
    ///   - instances: The instances of the declaration.
    ///   - alertAt: The commit of the alert.
    ///   - now: The time at which the start goes out.
    /// - Returns: The effect.
    func notice(starting launch: Instance, among instances: [Instance], since alertAt: Moment, at now: Moment) -> Notice
    {
        let hasRung = instances.contains { earlier in
            earlier.id != launch.id && earlier.name == launch.name && earlier.device == launch.device
                && earlier.life == launch.life && earlier.startedAt > .never
                && earlier.shown.map { $0.alert == alert } ?? false
        }
        return Notice(rings: launch.replaces == nil && !hasRung && !isLate(since: alertAt, at: now), priority: 10)
    }

    /// True where an alert waited longer than its `expiresAfter`: it goes out silently then.
    private func isLate(since alertAt: Moment, at now: Moment) -> Bool {
        expiresAfter.map { now - alertAt > $0 } ?? false
    }
}

extension RecordedActivity {
    /// The commit of the alert of a declaration that takes the place of this record's at `now`.
    func alertAt(of declaration: ActivityDeclaration, at now: Moment) -> Moment {
        isRemoved || declaration.alert != self.declaration.alert ? now : alertAt
    }
}
