public import JSON
internal import Time

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

/// One report on its way into the record of its device.
struct ReportPass {
    var record: DeviceRecord
    let report: Report
    let context: ReportContext
    /// Whom the report is of, aliases resolved.
    private(set) var subscriber: Text
    var effects: [ReportEffect] = []

    /// Whether it says what is registered now: it is the owner's, and from after the last change of owner.
    var isOwners: Bool { record.owner == subscriber && report.at >= record.ownerSince }

    init(record: DeviceRecord, report: Report, context: ReportContext) {
        self.record = record
        self.report = report
        self.context = context
        subscriber = context.subscriber
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
            registerStart(noStartTarget(type))
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
            identify(anonymous, as: subscriber)
        }
        let owner: Text? = report.event == .loggedOut ? nil : subscriber
        guard owner != record.owner else { return }
        guard report.at >= record.lastReport else { return settleEarlierOwner(owner) }
        let former = record.owner
        if let former, let owner, former.isAnonymous, !owner.isAnonymous { return identify(former, as: owner) }
        record.owner = owner
        record.ownerSince = record.lastReport
        if let former { leave(former) }
        if let owner { welcomeBack(owner) }
        takeRegistrations(before: .distantFuture)
    }

    /// A late report of another owner: what the device registered before it went with that owner.
    private mutating func settleEarlierOwner(_ earlier: Text?) {
        guard report.at >= record.ownerSince else { return }
        if let owner = record.owner, let earlier, earlier.isAnonymous, !owner.isAnonymous {
            identify(earlier, as: owner)
            subscriber = owner
            return
        }
        record.ownerSince = report.at
        takeRegistrations(before: report.at)
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
    ///
    /// An end that was to come for another cause and was not sent becomes this one: if its cause is withdrawn, the tile
    /// has to go all the same.
    private mutating func leave(_ former: Text) {
        for index in record.instances.indices where record.instances[index].subscriber == former {
            var instance = record.instances[index].instance
            guard instance.device == report.device, instance.phase.isOpen else { continue }
            let isSent = instance.pending(.end).map { $0.status != .queued } ?? false
            switch instance.ending {
            case nil: break
            case .removal, .declaredEnd: guard !isSent else { continue }
            default: continue
            }
            instance.ending = .logout
            // What was refused is another push; only what holds the token itself holds the end.
            if instance.rejection?.holdsToken == false { instance.rejection = nil }
            record.instances[index].instance = instance
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
    private mutating func takeRegistrations(before at: Moment) {
        for index in record.startTargets.indices where record.startTargets[index].at < at {
            record.startTargets[index].token = nil
        }
        guard let widgets = record.widgets, widgets.at < at else { return }
        record.widgets?.token = nil
        record.widgets?.pending = nil
        record.widgets?.owesReload = true
    }

    // MARK: - Registrations

    /// Whether the subscriber's authority, or that over a registration, is revoked.
    private func isRevoked(_ registration: ScopeSubject) -> Bool {
        context.scopes.authority(over: .subscriber(subscriber), registration) == .revoked
    }

    /// Whether a token may be registered: not found dead, and not reported elsewhere, at this time or later.
    private var isTokenLive: Bool {
        report.at > context.tokenDeadAt ?? .distantPast && report.at >= context.tokenElsewhereAt ?? .distantPast
    }

    private mutating func registerWidgets(
        _ token: Text,
        _ environment: PushEnvironment,
        _ kinds: [Text],
        _ os: OSVersion?
    ) {
        guard isOwners, report.at >= record.widgets?.at ?? .distantPast else { return }
        guard !kinds.isEmpty else { return unregisterWidgets() }
        guard isTokenLive else { return }
        var registration = record.widgets ?? noWidgets
        guard !isRevoked(.widgets(registration.id)) else { return effects.append(.ignored) }
        registration.token = token
        registration.environment = environment
        registration.kinds = kinds.sorted()
        registration.os = os
        registration.at = report.at
        record.widgets = registration
        effects.append(.takeToken(token))
    }

    /// What is unregistered is noted even where nothing was registered: a report that comes late does not undo it.
    private mutating func unregisterWidgets() {
        guard isOwners, report.at >= record.widgets?.at ?? .distantPast else { return }
        var registration = record.widgets ?? noWidgets
        registration.token = nil
        registration.at = report.at
        registration.pending = nil
        record.widgets = registration
    }

    private var noWidgets: WidgetRegistration {
        WidgetRegistration(
            id: context.fresh.widgets,
            token: nil,
            environment: .production,
            kinds: [],
            os: nil,
            at: report.at
        )
    }

    private func noStartTarget(_ type: Text) -> StartTarget {
        StartTarget(
            id: context.fresh.startTarget,
            attributesType: type,
            token: nil,
            environment: .production,
            os: nil,
            at: report.at
        )
    }

    private mutating func registerStart(_ target: StartTarget) {
        guard isOwners, target.token == nil || isTokenLive else { return }
        if let index = record.startTargets.firstIndex(where: { $0.attributesType == target.attributesType }) {
            guard target.at >= record.startTargets[index].at else { return }
            let id = record.startTargets[index].id
            guard target.token == nil || !isRevoked(.startTarget(id)) else { return effects.append(.ignored) }
            record.startTargets[index] = target
            record.startTargets[index].id = id
        } else {
            guard target.token == nil || !isRevoked(.startTarget(target.id)) else { return effects.append(.ignored) }
            record.startTargets.append(target)
        }
        if let token = target.token { effects.append(.takeToken(token)) }
    }
}

extension Text {
    /// Whether this is the id of somebody who was not identified: `anon_…`.
    public var isAnonymous: Bool { string.hasPrefix("anon_") }
}
