public import JSON

extension DeviceRecord {
    /// What is recorded after one report, as a pure function of what was recorded before.
    ///
    /// Reports may come late, twice and out of order: per key the highest `at` wins, what is over stays over, and a
    /// report older than the device's last change of owner registers nothing.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - context: What is recorded elsewhere and decides with it.
    /// - Returns: The device's new record, and what happens beyond it.
    public func applied(_ report: Report, _ context: ReportContext) -> (record: DeviceRecord, effects: [ReportEffect]) {
        var pass = ReportPass(record: self, report: report, context: context)
        pass.apply()
        return (pass.record, pass.effects)
    }
}

private struct ReportPass {
    var record: DeviceRecord
    let report: Report
    let context: ReportContext
    var effects: [ReportEffect] = []

    /// A report from before the last change of owner says nothing about what is registered now.
    private var isBeforeOwner: Bool { report.at < record.ownerSince }

    init(record: DeviceRecord, report: Report, context: ReportContext) {
        self.record = record
        self.report = report
        self.context = context
    }

    mutating func apply() {
        settleOwner()
        record.lastReport = max(record.lastReport, report.at)
        switch report.event {
        case .widgetsRegistered(let token, let environment, let kinds, let os):
            registerWidgets(token, environment, kinds, os)
        case .widgetsUnregistered:
            unregisterWidgets()
        case .startRegistered(let type, let token, let environment, let os, let frequentPushes, let templates):
            registerStart(
                StartTarget(
                    id: context.fresh.startTarget,
                    attributesType: type,
                    token: token,
                    environment: environment,
                    os: os,
                    at: report.at,
                    frequentPushes: frequentPushes,
                    templates: templates
                )
            )
        case .startUnregistered(let type):
            unregisterStart(type)
        case .activityRegistered(let activityID, let type, let token, let environment, let os, let launch, let name):
            registerActivity(
                Instance(
                    id: context.fresh.target,
                    launch: launch,
                    name: name ?? "",
                    device: report.device,
                    origin: launch != nil ? .unknownLaunch : name != nil ? .app : .unattributed,
                    attributesType: type,
                    life: context.life,
                    phase: .running,
                    activityID: activityID,
                    token: token,
                    tokenAt: report.at,
                    environment: environment,
                    os: os,
                    startedAt: report.at,
                    registeredAt: report.at,
                    revision: 0
                )
            )
        case .activityClosed(let activityID, let launch, _):
            closeActivity(activityID, launch)
        case .identified, .loggedOut:
            break
        }
    }

    // MARK: - Owner

    /// The device belongs to the subscriber of its newest report, after a logout to nobody.
    private mutating func settleOwner() {
        if case .identified(let anonymous) = report.event, context.anonymousIs == anonymous {
            identify(anonymous, as: context.subscriber)
        }
        guard report.at >= record.lastReport else { return }
        let owner: Text? = report.event == .loggedOut ? nil : context.subscriber
        let former = record.owner
        guard owner != former else { return }
        if let former, let owner, former.isAnonymous, !owner.isAnonymous { return identify(former, as: owner) }
        record.owner = owner
        record.ownerSince = report.at
        if let former { leave(former) }
        if let owner { welcomeBack(owner) }
        takeRegistrations()
    }

    /// An anonymous id turns out to be a person: what is recorded of it becomes the person's, on this device as
    /// everywhere, and the widgets have another published state to fetch.
    private mutating func identify(_ anonymous: Text, as person: Text) {
        effects.append(.merge(anonymous: anonymous, into: person))
        for index in record.instances.indices where record.instances[index].subscriber == anonymous {
            record.instances[index].subscriber = person
        }
        guard record.owner == anonymous else { return }
        record.owner = person
        record.widgets?.owesReload = true
    }

    /// What shows a person's data ends when the device leaves that person.
    private mutating func leave(_ former: Text) {
        for index in record.instances.indices where record.instances[index].subscriber == former {
            guard record.instances[index].instance.device == report.device,
                record.instances[index].instance.phase.isOpen
            else { continue }
            if record.instances[index].instance.ending == nil { record.instances[index].instance.ending = .logout }
        }
    }

    /// A person who is back before the end was sent keeps the tile.
    private mutating func welcomeBack(_ owner: Text) {
        for index in record.instances.indices where record.instances[index].subscriber == owner {
            let instance = record.instances[index].instance
            guard instance.ending == .logout, instance.device == report.device, instance.phase.isOpen,
                instance.pending(.end).map({ $0.status == .queued }) ?? true
            else { continue }
            record.instances[index].instance.ending = nil
            record.instances[index].instance.pending.removeAll { $0.kind == .end }
        }
    }

    /// The registrations of the former owner do not pass to the next one, who has to report them anew; the widgets then
    /// owe one reload, because they still show the former owner's state.
    private mutating func takeRegistrations() {
        for index in record.startTargets.indices { record.startTargets[index].token = nil }
        record.widgets?.token = nil
        record.widgets?.pending = nil
        record.widgets?.owesReload = true
    }

    // MARK: - Registrations

    /// Whether a token may be registered: not found dead, and not reported elsewhere, at this time or later.
    private var isTokenLive: Bool {
        report.at > context.tokenDeadAt ?? .min && report.at >= context.tokenElsewhereAt ?? .min
    }

    private mutating func registerWidgets(
        _ token: Text,
        _ environment: PushEnvironment,
        _ kinds: [Text],
        _ os: OSVersion?
    ) {
        guard !isBeforeOwner, report.at >= record.widgets?.at ?? .min else { return }
        guard !kinds.isEmpty else { return unregisterWidgets() }
        guard isTokenLive else { return }
        var registration =
            record.widgets
            ?? WidgetRegistration(
                id: context.fresh.widgets,
                token: nil,
                environment: environment,
                kinds: [],
                os: nil,
                at: report.at
            )
        registration.token = token
        registration.environment = environment
        registration.kinds = kinds.sorted()
        registration.os = os
        registration.at = report.at
        record.widgets = registration
        effects.append(.takeToken(token))
    }

    private mutating func unregisterWidgets() {
        guard !isBeforeOwner, let registration = record.widgets, report.at >= registration.at else { return }
        record.widgets?.token = nil
        record.widgets?.at = report.at
        record.widgets?.pending = nil
    }

    private mutating func registerStart(_ target: StartTarget) {
        guard !isBeforeOwner, isTokenLive else { return }
        if let index = record.startTargets.firstIndex(where: { $0.attributesType == target.attributesType }) {
            guard target.at >= record.startTargets[index].at else { return }
            let id = record.startTargets[index].id
            record.startTargets[index] = target
            record.startTargets[index].id = id
        } else {
            record.startTargets.append(target)
        }
        if let token = target.token { effects.append(.takeToken(token)) }
    }

    private mutating func unregisterStart(_ type: Text) {
        guard !isBeforeOwner, let index = record.startTargets.firstIndex(where: { $0.attributesType == type }),
            report.at >= record.startTargets[index].at
        else { return }
        record.startTargets[index].token = nil
        record.startTargets[index].at = report.at
    }

    // MARK: - Activities

    private mutating func registerActivity(_ reported: Instance) {
        if let index = record.instances.firstIndex(where: { $0.instance.activityID == reported.activityID }) {
            return renewToken(at: index, reported)
        }
        if let launch = reported.launch,
            let index = record.instances.firstIndex(where: { $0.instance.launch == launch })
        {
            return adopt(at: index, reported)
        }
        add(reported, subscriber: context.subscriber, ending: isForeign(context.subscriber) ? .logout : nil)
    }

    /// A token report of an instance that is known: the newest one counts, and it reopens one that was only `gone`.
    private mutating func renewToken(at index: Int, _ reported: Instance) {
        var instance = record.instances[index].instance
        guard reported.tokenAt > instance.tokenAt, reported.tokenAt > context.tokenDeadAt ?? .min else { return }
        if instance.phase == .closed(.gone) { instance.phase = .running }
        guard instance.phase == .running else { return }
        instance.token = reported.token
        instance.tokenAt = reported.tokenAt
        instance.environment = reported.environment
        instance.os = reported.os ?? instance.os
        record.instances[index].instance = instance
    }

    /// The device reports a launch of ours: the launch becomes the instance.
    private mutating func adopt(at index: Int, _ reported: Instance) {
        let subscriber = record.instances[index].subscriber
        let launched = record.instances[index].instance
        guard launched.activityID == nil, launched.device == reported.device else {
            // The same launch showed a second tile, or on another device: one more instance, which the diff ends.
            var second = reported
            second.origin = .remote
            second.name = launched.name
            second.attributes = launched.attributes
            second.life = launched.life
            second.sequence = launched.sequence
            return add(second, subscriber: subscriber, ending: .duplicate)
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
        if instance.ending == nil, isForeign(subscriber) { instance.ending = .logout }
        record.instances[index].instance = instance
    }

    private mutating func add(_ reported: Instance, subscriber: Text, ending: Instance.Closure?) {
        var instance = reported
        instance.ending = ending
        if isClosedEarly(reported) { instance.phase = .closed(.person) }
        record.instances.append(DeviceInstance(subscriber: subscriber, instance: instance))
    }

    /// Whether an instance of `subscriber` has no place on this device, as it is owned now and as it is reported.
    private func isForeign(_ subscriber: Text) -> Bool {
        isBeforeOwner || record.owner != subscriber || context.subscriber != subscriber
    }

    private func isClosedEarly(_ reported: Instance) -> Bool {
        [reported.activityID, reported.launch?.text].contains { $0.map(record.closedEarly.contains) ?? false }
    }

    /// What was reported over is final, whatever its `at` and whatever comes after.
    private mutating func closeActivity(_ activityID: Text?, _ launch: LaunchID?) {
        var isKnown = false
        for index in record.instances.indices {
            let instance = record.instances[index].instance
            let isNamed =
                activityID != nil && instance.activityID == activityID || launch != nil && instance.launch == launch
            guard isNamed else { continue }
            isKnown = true
            guard instance.phase.isOpen || instance.phase == .closed(.gone) else { continue }
            let age = instance.startedAt > 0 ? report.at - instance.startedAt : 0
            let cause: Instance.Closure = age >= Instance.nearlyExpired ? .expired : .person
            record.instances[index].instance.phase = .closed(instance.ending ?? cause)
            record.instances[index].instance.pending = []
        }
        guard !isKnown, let key = activityID ?? launch?.text else { return }
        record.closedEarly.insert(key)
    }
}

extension Text {
    /// Whether this is the id of somebody who was not identified: `anon_…`.
    public var isAnonymous: Bool { string.hasPrefix("anon_") }
}
