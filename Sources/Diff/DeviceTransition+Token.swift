internal import JSON
internal import Time

/// The reported token: its authority, its age, and whoever had it before.
extension DeviceTransition {
    /// True where the subscriber's authority, or that over a registration, is revoked.
    func isRevoked(_ registration: ScopeSubject) -> Bool {
        context.scopes.authority(over: .subscriber(subscriber), registration) == .revoked
    }

    /// True where the token may be registered: not found dead, and not reported elsewhere, at this time or later.
    var isTokenLive: Bool {
        report.at > context.tokenDeadAt ?? .distantPast
            && report.at >= context.holders.elsewhere(than: report).latest ?? .distantPast
    }

    /// A token lives in one place: whoever else had the reported one loses it.
    mutating func takeToken() {
        var elsewhere = context.holders.elsewhere(than: report)
        for alias in aliases { elsewhere.identify(alias) }
        for holder in elsewhere.registrations {
            if holder.isOfDevice(of: report) {
                record.widgets?.token = nil
            } else {
                var robbed = holder
                robbed.row.token = nil
                registrations.append(RowChange(before: holder, after: robbed))
            }
        }
        for holder in elsewhere.startTargets {
            if holder.isOfDevice(of: report) {
                for index in record.startTargets.indices where record.startTargets[index].id == holder.row.id {
                    record.startTargets[index].token = nil
                }
            } else {
                var robbed = holder
                robbed.row.token = nil
                startTargets.append(RowChange(before: holder, after: robbed))
            }
        }
    }
}

extension OnDevice {
    /// True of a row of the device that a report is from.
    fileprivate func isOfDevice(of report: Report) -> Bool { app == report.app && device == report.device }
}
