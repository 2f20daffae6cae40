internal import JSON
internal import Time

/// An activity that a device reports: new, known, or reported again.
struct ReportedActivity {
    /// The activity as it is where nothing else is known of it.
    private let reported: Instance

    init(_ reported: Instance) {
        self.reported = reported
    }

    /// Registers it: as what is known, as a launch of ours, or as one more.
    func register(in device: inout DeviceTransition) throws(IllegalMove) {
        guard !isRevoked(device) else { return device.lines.noteIgnored() }
        if let known = device.record.instances.firstIndex(where: { $0.instance.activityID == reported.activityID }) {
            return try registerAgain(at: known, in: &device)
        }
        if let launch = reported.launch, let index = device.record.index(of: launch) {
            return try adopt(at: index, in: &device)
        }
        var new = reported
        if reported.origin == .unattributed {
            let candidates = candidates(in: device)
            if let only = candidates.first, candidates.count == 1 { return try infer(at: only, in: &device) }
            if candidates.count > 1 { new.origin = .ambiguous }
        }
        new.ending = isForeign(device.subscriber, to: device) ? .logout : nil
        add(new, of: device.subscriber, in: &device)
    }

    /// True where the report is of a revoked scope and does not serve to end what it reports.
    private func isRevoked(_ device: DeviceTransition) -> Bool {
        let named = device.record.instances.first {
            $0.instance.activityID == reported.activityID
                || reported.launch != nil && $0.instance.launch == reported.launch
        }
        let isVague = reported.origin == .unattributed
        let known = named ?? (isVague ? candidates(in: device).first.map { device.record.instances[$0] } : nil)
        if let ending = known?.instance.ending, ending.isUrgent { return false }
        let owner = Owner(subscriber: known?.subscriber ?? device.subscriber, app: device.report.app)
        let name = known?.instance.name ?? reported.name
        let scope = ScopeSubject.activity(owner, name: name, device: reported.device)
        return device.context.scopes.authority(over: .subscriber(owner.subscriber), scope) == .revoked
    }

    // MARK: - Attribution

    /// The launches that an activity without id and name can be of: sent to this device for its type, and not reported.
    private func candidates(in device: DeviceTransition) -> [Int] {
        device.record.instances.indices.filter { index in
            let instance = device.record.instances[index].instance
            return instance.phase.isUnreported && instance.activityID == nil && instance.device == reported.device
                && instance.attributesType == reported.attributesType
                && instance.startedAt <= reported.tokenAt + Self.clockTolerance
        }
    }

    /// The most that the backend's clock is behind the one that dates launches: 5 minutes.
    private static let clockTolerance = Span.minutes(5)

    /// The only launch that it can be of adopts it, until a report says better.
    private func infer(at index: Int, in device: inout DeviceTransition) throws(IllegalMove) {
        try adopt(at: index, in: &device)
        device.record.instances[index].instance.isInferred = true
    }

    /// An activity that is known reports again; it may say now to what it belongs.
    private func registerAgain(at index: Int, in device: inout DeviceTransition) throws(IllegalMove) {
        let known = device.record.instances[index].instance
        let isVague = known.origin == .ambiguous || known.origin == .unattributed
        if let launch = reported.launch, launch == known.launch {
            device.record.instances[index].instance.isInferred = false
        } else if let launch = reported.launch, isVague || known.isInferred, let named = device.record.index(of: launch)
        {
            try detach(at: index, in: &device)
            return try adopt(at: named, in: &device)
        } else if reported.name != "", isVague {
            device.record.instances[index].instance.origin = .app
            device.record.instances[index].instance.name = reported.name
            device.record.instances[index].instance.life = reported.life
        } else if reported.launch == nil, known.origin == .ambiguous {
            let candidates = candidates(in: device)
            if let only = candidates.first, candidates.count == 1 {
                try detach(at: index, in: &device)
                return try infer(at: only, in: &device)
            }
        }
        renewToken(at: index, in: &device)
    }

    /// Takes an activity from what it was taken for: a launch is outstanding again, what was held is no more.
    private func detach(at index: Int, in device: inout DeviceTransition) throws(IllegalMove) {
        var instance = device.record.instances[index].instance
        instance.activityID = nil
        instance.token = nil
        if instance.launch != nil {
            instance.phase = .outstanding
            instance.registeredAt = .never
            instance.isInferred = false
        } else {
            instance.phase = .closed(.replaced)
        }
        device.record.instances[index].instance = instance
        if instance.launch == nil { try device.settlePushes(at: index) }
    }

    // MARK: - Tokens

    /// A token report of an instance that is known: the newest one counts, and it reopens one that was only `gone`.
    ///
    /// Under another subscriber, or once the device left its own, the token only serves to end it. So does that of one
    /// whose end found its token dead.
    private func renewToken(at index: Int, in device: inout DeviceTransition) {
        var instance = device.record.instances[index].instance
        let owner = device.record.instances[index].subscriber
        let isForeign = device.record.owner != owner || device.subscriber != owner
        guard isForeign || device.report.at >= device.record.ownerSince else { return }
        guard reported.tokenAt > instance.tokenAt, reported.tokenAt > device.context.tokenDeadAt ?? .distantPast else {
            return
        }
        instance.phase = instance.lostItsToken && !isClosedEarly(device) ? .running : instance.phase.reported
        guard instance.phase == .running else { return }
        instance.token = reported.token
        instance.tokenAt = reported.tokenAt
        instance.environment = reported.environment
        instance.os = reported.os ?? instance.os
        if isForeign, instance.ending == nil { instance.end(because: .logout, at: device.report.at) }
        device.record.instances[index].instance = instance
    }

    /// The device reports a launch of ours: the launch becomes the instance.
    private func adopt(at index: Int, in device: inout DeviceTransition) throws(IllegalMove) {
        let owner = device.record.instances[index].subscriber
        let launched = device.record.instances[index].instance
        guard launched.activityID == nil, launched.device == reported.device else {
            // The same launch showed a second tile, or on another device: one more instance, which the diff ends.
            var second = reported
            second.origin = .remote
            second.name = launched.name
            second.attributes = launched.attributes
            second.life = launched.life
            second.sequence = launched.sequence
            // A launch that was only inferred gives way to this one: the diff keeps the explicit one.
            second.ending = launched.isInferred ? nil : .duplicate
            return add(second, of: owner, in: &device)
        }
        var instance = launched
        instance.activityID = reported.activityID
        instance.token = reported.token
        instance.tokenAt = reported.tokenAt
        instance.environment = reported.environment
        instance.os = reported.os ?? instance.os
        instance.registeredAt = reported.registeredAt
        if instance.startedAt == .never { instance.startedAt = reported.startedAt }
        instance.phase = isClosedEarly(device) ? launched.phase.closed(by: .person) : launched.phase.reported
        if instance.ending == nil, isForeign(owner, to: device) {
            instance.end(because: .logout, at: device.report.at)
        }
        device.record.instances[index].instance = instance
        if let start = instance.pending(.start) { try device.settle(start, isReported: true) }
    }

    private func add(_ new: Instance, of owner: Text, in device: inout DeviceTransition) {
        var instance = new
        if isClosedEarly(device) { instance.phase = .closed(.person) }
        device.record.instances.append(DeviceInstance(subscriber: owner, instance: instance))
    }

    /// True where an instance of `owner` has no place on the device, as it is owned now and as it is reported.
    private func isForeign(_ owner: Text, to device: DeviceTransition) -> Bool {
        owner != device.subscriber || !device.isOwners
    }

    private func isClosedEarly(_ device: DeviceTransition) -> Bool {
        [reported.activityID, reported.launch?.text].contains { $0.map(device.record.closedEarly.contains) ?? false }
    }
}

extension DeviceRecord {
    /// The place of the instance that a launch became.
    fileprivate func index(of launch: LaunchID) -> Int? { instances.firstIndex { $0.instance.launch == launch } }
}
