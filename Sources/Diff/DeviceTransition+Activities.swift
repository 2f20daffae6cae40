internal import JSON
internal import Time

/// Activities: reported, reported again, and reported over.
extension DeviceTransition {
    mutating func registerActivity(_ reported: Instance) throws(IllegalMove) {
        guard !isRevoked(reported) else { return lines.noteIgnored() }
        if let known = record.instances.firstIndex(where: { $0.instance.activityID == reported.activityID }) {
            return try registerAgain(at: known, reported)
        }
        if let launch = reported.launch, let index = launched(by: launch) { return try adopt(at: index, reported) }
        var reported = reported
        if reported.origin == .unattributed {
            let candidates = candidates(for: reported)
            if let only = candidates.first, candidates.count == 1 { return try infer(at: only, reported) }
            if candidates.count > 1 { reported.origin = .ambiguous }
        }
        add(reported, of: subscriber, ending: isForeign(subscriber) ? .logout : nil)
    }

    /// Whether the report is of a revoked scope and does not serve to end what it reports.
    private func isRevoked(_ reported: Instance) -> Bool {
        let named = record.instances.first {
            $0.instance.activityID == reported.activityID
                || reported.launch != nil && $0.instance.launch == reported.launch
        }
        let isVague = reported.origin == .unattributed
        let known = named ?? (isVague ? candidates(for: reported).first.map { record.instances[$0] } : nil)
        if let ending = known?.instance.ending, ending.isUrgent { return false }
        let owner = Owner(subscriber: known?.subscriber ?? subscriber, app: report.app)
        let name = known?.instance.name ?? reported.name
        let scope = ScopeSubject.activity(owner, name: name, device: reported.device)
        return context.scopes.authority(over: .subscriber(owner.subscriber), scope) == .revoked
    }

    private func launched(by launch: LaunchID) -> Int? {
        record.instances.firstIndex { $0.instance.launch == launch }
    }

    // MARK: - Attribution

    /// The launches that an activity without id and name can be of: sent to this device for its type, and not reported.
    private func candidates(for reported: Instance) -> [Int] {
        record.instances.indices.filter { index in
            let instance = record.instances[index].instance
            return instance.phase.isUnreported && instance.activityID == nil && instance.device == reported.device
                && instance.attributesType == reported.attributesType
                && instance.startedAt <= reported.tokenAt + Self.clockTolerance
        }
    }

    /// How far the backend's clock may be behind the one that dates launches: 5 minutes.
    private static let clockTolerance = Span.minutes(5)

    /// The only launch that it can be of adopts it, until a report says better.
    private mutating func infer(at index: Int, _ reported: Instance) throws(IllegalMove) {
        try adopt(at: index, reported)
        record.instances[index].instance.isInferred = true
    }

    /// An activity that is known reports again; it may say now to what it belongs.
    private mutating func registerAgain(at index: Int, _ reported: Instance) throws(IllegalMove) {
        let known = record.instances[index].instance
        let isVague = known.origin == .ambiguous || known.origin == .unattributed
        if let launch = reported.launch, launch == known.launch {
            record.instances[index].instance.isInferred = false
        } else if let launch = reported.launch, isVague || known.isInferred, let named = launched(by: launch) {
            try detach(at: index)
            return try adopt(at: named, reported)
        } else if reported.name != "", isVague {
            record.instances[index].instance.origin = .app
            record.instances[index].instance.name = reported.name
            record.instances[index].instance.life = reported.life
        } else if reported.launch == nil, known.origin == .ambiguous {
            let candidates = candidates(for: reported)
            if let only = candidates.first, candidates.count == 1 {
                try detach(at: index)
                return try infer(at: only, reported)
            }
        }
        renewToken(at: index, reported)
    }

    /// Takes an activity from what it was taken for: a launch is outstanding again, what was held is no more.
    private mutating func detach(at index: Int) throws(IllegalMove) {
        var instance = record.instances[index].instance
        instance.activityID = nil
        instance.token = nil
        if instance.launch != nil {
            instance.phase = .outstanding
            instance.registeredAt = .never
            instance.isInferred = false
        } else {
            instance.phase = .closed(.replaced)
        }
        record.instances[index].instance = instance
        if instance.launch == nil { try settlePushes(at: index) }
    }

    // MARK: - Tokens

    /// A token report of an instance that is known: the newest one counts, and it reopens one that was only `gone`.
    ///
    /// Under another subscriber, or once the device left its own, the token only serves to end it. So does that of one
    /// whose end found its token dead.
    private mutating func renewToken(at index: Int, _ reported: Instance) {
        var instance = record.instances[index].instance
        let owner = record.instances[index].subscriber
        let isForeign = record.owner != owner || subscriber != owner
        guard isForeign || report.at >= record.ownerSince else { return }
        guard reported.tokenAt > instance.tokenAt, reported.tokenAt > context.tokenDeadAt ?? .distantPast else {
            return
        }
        instance.phase = instance.lostItsToken && !isClosedEarly(reported) ? .running : instance.phase.reported
        guard instance.phase == .running else { return }
        instance.token = reported.token
        instance.tokenAt = reported.tokenAt
        instance.environment = reported.environment
        instance.os = reported.os ?? instance.os
        if isForeign, instance.ending == nil { instance.end(because: .logout, at: report.at) }
        record.instances[index].instance = instance
    }

    /// The device reports a launch of ours: the launch becomes the instance.
    private mutating func adopt(at index: Int, _ reported: Instance) throws(IllegalMove) {
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
            // A launch that was only inferred gives way to this one: the diff keeps the explicit one.
            return add(second, of: owner, ending: launched.isInferred ? nil : .duplicate)
        }
        var instance = launched
        instance.activityID = reported.activityID
        instance.token = reported.token
        instance.tokenAt = reported.tokenAt
        instance.environment = reported.environment
        instance.os = reported.os ?? instance.os
        instance.registeredAt = reported.registeredAt
        if instance.startedAt == .never { instance.startedAt = reported.startedAt }
        instance.phase = isClosedEarly(reported) ? launched.phase.closed(by: .person) : launched.phase.reported
        if instance.ending == nil, isForeign(owner) { instance.end(because: .logout, at: report.at) }
        record.instances[index].instance = instance
        if let start = instance.pending(.start) { try settle(start, isReported: true) }
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
    mutating func closeActivity(_ activityID: Text?, _ launch: LaunchID?) throws(IllegalMove) {
        var isKnown = false
        for index in record.instances.indices {
            let instance = record.instances[index].instance
            let isNamed =
                activityID != nil && instance.activityID == activityID || launch != nil && instance.launch == launch
            guard isNamed else { continue }
            isKnown = true
            if instance.lostItsToken, let key = activityID ?? launch?.text { record.closedEarly.insert(key) }
            if case .closed(let cause) = instance.phase, cause != .gone { continue }
            let age = instance.startedAt > .never ? report.at - instance.startedAt : .zero
            let cause: Instance.Closure = age >= Instance.nearlyExpired ? .expired : .person
            record.instances[index].instance.phase = instance.phase.closed(by: instance.ending ?? cause)
            if instance.registeredAt == .never { record.instances[index].instance.registeredAt = report.at }
            try settlePushes(at: index)
        }
        guard !isKnown, let key = activityID ?? launch?.text else { return }
        record.closedEarly.insert(key)
    }
}
