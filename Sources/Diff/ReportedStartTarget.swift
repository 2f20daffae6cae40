internal import JSON
internal import Time

/// The start target of one attributes type as a report tells it; it has no token where it is unregistered.
struct ReportedStartTarget {
    let target: StartTarget

    /// Registers it under the id that it has, where the report is new and the token is of use.
    func register(in device: inout DeviceTransition) {
        guard device.isOwners, target.token == nil || device.isTokenLive else { return }
        var target = target
        let known = device.record.startTargets.firstIndex { $0.attributesType == target.attributesType }
        if let known {
            guard target.at >= device.record.startTargets[known].at else { return }
            target.id = device.record.startTargets[known].id
        }
        guard target.token == nil || !device.isRevoked(.startTarget(target.id)) else {
            return device.lines.noteIgnored()
        }
        if let known {
            device.record.startTargets[known] = target
        } else {
            device.record.startTargets.append(target)
        }
        if target.token != nil { device.takeToken() }
    }
}
