public import JSON
internal import Time

extension DeviceRecord {
    /// Decides one report, as a pure function of the record before it.
    ///
    /// Reports may come late, twice and out of order: per key the highest `at` wins, what is over stays over, and a
    /// report older than the device's last change of owner registers nothing.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - context: What is recorded elsewhere and decides with it.
    /// - Returns: The device's new record, and what happens beyond it.
    /// - Throws: ``IllegalMove`` where the record holds what cannot be.
    public func applied(_ report: Report, _ context: ReportContext) throws(IllegalMove) -> DeviceTransition {
        var transition = DeviceTransition(record: self, report: report, context: context)
        try transition.apply()
        return transition
    }
}

/// The record of one device on its way through a report: the record after it, and what happens beyond the record.
///
/// A store writes what differs between ``before`` and ``record``, and what is listed beside, see ``LedgerChanges``; it
/// decides nothing.
public struct DeviceTransition: Hashable, Sendable {
    /// The report.
    public let report: Report
    let context: ReportContext
    /// The record as it was read, once what was recorded of ``aliases`` is the persons'.
    public private(set) var before: DeviceRecord
    /// The record as it is to be.
    public internal(set) var record: DeviceRecord
    /// Anonymous ids that turn out to be persons: everything of them becomes the persons' before the rest is written, see
    /// ``Identification``.
    public private(set) var aliases: [Alias] = []
    /// Widget push tokens that other devices lose.
    public internal(set) var registrations: [RowChange<OnDevice<WidgetRegistration>>] = []
    /// Push-to-start tokens that other devices lose.
    public internal(set) var startTargets: [RowChange<OnDevice<StartTarget>>] = []
    /// The pushes that were settled or go elsewhere, each once.
    public private(set) var deliveries: [RowChange<Delivery>] = []
    /// The lines that it adds to the history.
    var lines: ReportLines
    /// Additions to the history.
    public var history: [HistoryEntry] { lines.entries }
    /// Whom the report is of, aliases resolved.
    private(set) var subscriber: Text

    /// Whether it says what is registered now: it is the owner's, and from after the last change of owner.
    var isOwners: Bool { record.owner == subscriber && report.at >= record.ownerSince }

    init(record: DeviceRecord, report: Report, context: ReportContext) {
        self.report = report
        self.context = context
        before = record
        self.record = record
        subscriber = context.subscriber
        lines = ReportLines(of: report, at: context.now)
    }

    mutating func apply() throws(IllegalMove) {
        try settleOwner()
        record.lastReport = max(record.lastReport, report.at)
        switch report.event {
        case .widgetsRegistered(let token, let environment, let kinds, let os):
            try registerWidgets(token, in: environment, kinds, os: os)
        case .widgetsUnregistered:
            try unregisterWidgets()
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
            try registerActivity(
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
            try closeActivity(activityID, launch)
        case .identified, .loggedOut:
            break
        }
        for delivery in record.deliveries(movedSince: before) { set(delivery.before, to: delivery.after) }
        lines.noteInstances(of: record, over: before)
    }

    /// Puts another value in the place of a delivery; one that is settled leaves the record.
    mutating func set(_ delivery: Delivery, to changed: Delivery) {
        deliveries.note(delivery, is: changed)
        record.replace(delivery, with: changed.state.isOpen ? changed : nil)
    }

    // MARK: - Owner

    /// The device belongs to the subscriber of its newest report, after a logout to nobody.
    private mutating func settleOwner() throws(IllegalMove) {
        if case .identified(let anonymous) = report.event, context.anonymousIs == anonymous {
            identify(anonymous, as: subscriber)
        }
        let owner: Text? = report.event == .loggedOut ? nil : subscriber
        guard owner != record.owner else { return }
        guard report.at >= record.lastReport else { return try settleEarlierOwner(owner) }
        let former = record.owner
        if let former, let owner, former.isAnonymous, !owner.isAnonymous { return identify(former, as: owner) }
        record.owner = owner
        record.ownerSince = record.lastReport
        if let former { leave(former) }
        if let owner { try welcomeBack(owner) }
        try takeRegistrations(before: .distantFuture)
    }

    /// A late report of another owner: what the device registered before it went with that owner.
    private mutating func settleEarlierOwner(_ earlier: Text?) throws(IllegalMove) {
        guard report.at >= record.ownerSince else { return }
        if let owner = record.owner, let earlier, earlier.isAnonymous, !owner.isAnonymous {
            identify(earlier, as: owner)
            subscriber = owner
            return
        }
        record.ownerSince = report.at
        try takeRegistrations(before: report.at)
    }

    /// An anonymous id turns out to be a person: what is recorded of it becomes the person's, on this device as
    /// everywhere, and the widgets have another published state to fetch.
    private mutating func identify(_ anonymous: Text, as person: Text) {
        let isOwner = record.owner == anonymous
        let alias = Alias(app: report.app, anonymous: anonymous, person: person)
        aliases.append(alias)
        before.identify(alias)
        record.identify(alias)
        if isOwner { record.widgets?.owesReload = true }
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
            instance.end(because: .logout, at: report.at)
            // What was refused is another push; only what holds the token itself holds the end.
            if instance.rejection?.holdsToken == false { instance.rejection = nil }
            record.instances[index].instance = instance
        }
    }

    /// A person who is back before the end was sent keeps the tile.
    private mutating func welcomeBack(_ owner: Text) throws(IllegalMove) {
        for index in record.instances.indices where record.instances[index].subscriber == owner {
            let instance = record.instances[index].instance
            guard instance.ending == .logout, instance.device == report.device, instance.phase.isOpen,
                instance.pending(.end).map({ $0.status == .queued }) ?? true
            else { continue }
            record.instances[index].instance.ending = nil
            if let end = instance.pending(.end) { try settle(end) }
        }
    }

    /// The registrations of the former owner do not pass to the next one, who has to report them anew; the widgets then
    /// owe one reload, because they still show the former owner's state.
    private mutating func takeRegistrations(before at: Moment) throws(IllegalMove) {
        for index in record.startTargets.indices where record.startTargets[index].at < at {
            record.startTargets[index].token = nil
        }
        guard let widgets = record.widgets, widgets.at < at else { return }
        record.widgets?.token = nil
        record.widgets?.owesReload = true
        if let reload = widgets.pending { try settle(reload) }
    }

    // MARK: - Registrations

    /// Whether the subscriber's authority, or that over a registration, is revoked.
    private func isRevoked(_ registration: ScopeSubject) -> Bool {
        context.scopes.authority(over: .subscriber(subscriber), registration) == .revoked
    }

    /// Whether a token may be registered: not found dead, and not reported elsewhere, at this time or later.
    private var isTokenLive: Bool {
        report.at > context.tokenDeadAt ?? .distantPast
            && report.at >= context.holders.elsewhere(than: report).latest ?? .distantPast
    }

    private mutating func registerWidgets(
        _ token: Text,
        in environment: PushEnvironment,
        _ kinds: [Text],
        os: OSVersion?
    ) throws(IllegalMove) {
        guard isOwners, report.at >= record.widgets?.at ?? .distantPast else { return }
        guard !kinds.isEmpty else { return try unregisterWidgets() }
        guard isTokenLive else { return }
        var registration = record.widgets ?? noWidgets
        guard !isRevoked(.widgets(registration.id)) else { return lines.noteIgnored() }
        registration.token = token
        registration.environment = environment
        registration.kinds = kinds.sorted()
        registration.os = os
        registration.at = report.at
        record.widgets = registration
        takeToken()
    }

    /// What is unregistered is noted even where nothing was registered: a report that comes late does not undo it.
    private mutating func unregisterWidgets() throws(IllegalMove) {
        guard isOwners, report.at >= record.widgets?.at ?? .distantPast else { return }
        var registration = record.widgets ?? noWidgets
        registration.token = nil
        registration.at = report.at
        record.widgets = registration
        if let reload = registration.pending { try settle(reload) }
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
            guard target.token == nil || !isRevoked(.startTarget(id)) else { return lines.noteIgnored() }
            record.startTargets[index] = target
            record.startTargets[index].id = id
        } else {
            guard target.token == nil || !isRevoked(.startTarget(target.id)) else { return lines.noteIgnored() }
            record.startTargets.append(target)
        }
        if target.token != nil { takeToken() }
    }
}

extension Text {
    /// Whether this is the id of somebody who was not identified: `anon_…`.
    public var isAnonymous: Bool { string.hasPrefix("anon_") }
}
