internal import JSON
internal import Time

extension LedgerChanges {
    /// Adds what a report changed in the record of its device, and what it did beyond that.
    public mutating func add(_ transition: DeviceTransition) {
        let (before, after, report) = (transition.before, transition.record, transition.report)
        devices += Self.differences(before.rows(of: report), after.rows(of: report), by: \.device)
        registrations += Self.differences(
            before.registrations(of: report),
            after.registrations(of: report),
            by: \.row.id
        )
        registrations += transition.registrations
        startTargets += Self.differences(before.startTargets(of: report), after.startTargets(of: report), by: \.row.id)
        startTargets += transition.startTargets
        instances += Self.differences(before.instances(of: report), after.instances(of: report), by: \.row.id)
        for key in after.closedEarly.subtracting(before.closedEarly) {
            closedEarly.append(ClosedEarly(app: report.app, device: report.device, key: key))
        }
        deliveries += transition.deliveries
        history += transition.history
    }
}

/// The rows of a device's record.
extension DeviceRecord {
    /// The row of the device; none before its first report.
    fileprivate func rows(of report: Report) -> [DeviceRow] {
        guard lastReport > .distantPast else { return [] }
        return [
            DeviceRow(
                app: report.app,
                device: report.device,
                owner: owner,
                ownerSince: ownerSince,
                lastReport: lastReport
            )
        ]
    }

    fileprivate func registrations(of report: Report) -> [OnDevice<WidgetRegistration>] {
        widgets.map { [OnDevice(app: report.app, device: report.device, subscriber: owner, row: $0)] } ?? []
    }

    fileprivate func startTargets(of report: Report) -> [OnDevice<StartTarget>] {
        startTargets.map { OnDevice(app: report.app, device: report.device, subscriber: owner, row: $0) }
    }

    fileprivate func instances(of report: Report) -> [Owned<Instance>] {
        instances.map { Owned(Owner(subscriber: $0.subscriber, app: report.app), $0.instance) }
    }
}
