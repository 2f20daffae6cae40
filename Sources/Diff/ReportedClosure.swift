internal import JSON
internal import Time

/// An activity that a device reports as over, named by its activityId or its launch.
struct ReportedClosure {
    let activityID: Text?
    let launch: LaunchID?

    private var key: Text? { activityID ?? launch?.text }

    private func names(_ instance: Instance) -> Bool {
        activityID != nil && instance.activityID == activityID || launch != nil && instance.launch == launch
    }

    /// Closes it for good, whatever the report's `at` and whatever comes after.
    func close(in device: inout DeviceTransition) throws(IllegalMove) {
        var isKnown = false
        for index in device.record.instances.indices {
            let instance = device.record.instances[index].instance
            guard names(instance) else { continue }
            isKnown = true
            if instance.lostItsToken, let key { device.record.closedEarly.insert(key) }
            if case .closed(let cause) = instance.phase, cause != .gone { continue }
            let age = instance.startedAt > .never ? device.report.at - instance.startedAt : .zero
            let cause: Instance.Closure = age >= Instance.nearlyExpired ? .expired : .person
            device.record.instances[index].instance.phase = instance.phase.closed(by: instance.ending ?? cause)
            if instance.registeredAt == .never {
                device.record.instances[index].instance.registeredAt = device.report.at
            }
            try device.settlePushes(at: index)
        }
        guard !isKnown, let key else { return }
        device.record.closedEarly.insert(key)
    }
}
