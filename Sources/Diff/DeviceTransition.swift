internal import JSON
internal import Time

extension DeviceRecord {
    /// Decides one report, as a pure function of the record before it.
    ///
    /// Reports may come late, twice and out of order: per key the highest `at` wins, what is over stays over, and a
    /// report older than the device's last change of owner registers nothing.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - context: The records from elsewhere that decide with it.
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
/// decides nothing. Its methods are the steps that the rules are made of; the rules stand with the events:
/// ``ReportedOwner``, ``ReportedWidgets``, ``ReportedStartTarget``, ``ReportedActivity``, ``ReportedClosure``.
public struct DeviceTransition: Hashable, Sendable {
    /// The report.
    public let report: Report
    let context: ReportContext
    /// The record as it was read, once what was recorded of ``aliases`` is the persons'.
    public internal(set) var before: DeviceRecord
    /// The record as it is to be.
    public internal(set) var record: DeviceRecord
    /// Anonymous ids that turn out to be persons: everything of them becomes the persons' before the rest is written, see
    /// ``Identification``.
    public internal(set) var aliases: [Alias] = []
    /// Widget push tokens that other devices lose.
    public internal(set) var registrations: [RowChange<OnDevice<WidgetRegistration>>] = []
    /// Push-to-start tokens that other devices lose.
    public internal(set) var startTargets: [RowChange<OnDevice<StartTarget>>] = []
    /// The pushes that were settled or go elsewhere, each once.
    public internal(set) var deliveries: [RowChange<Delivery>] = []
    /// The lines that it adds to the history.
    var lines: ReportLines
    /// Additions to the history.
    public var history: [HistoryEntry] { lines.entries }
    /// The subscriber of the report, aliases resolved.
    var subscriber: Text

    /// True where it says what is registered now: it is the owner's, and from after the last change of owner.
    var isOwners: Bool { record.owner == subscriber && report.at >= record.ownerSince }

    init(record: DeviceRecord, report: Report, context: ReportContext) {
        self.report = report
        self.context = context
        before = record
        self.record = record
        subscriber = context.subscriber
        lines = ReportLines(of: report, at: context.now)
    }

    /// Carries the report out.
    mutating func apply() throws(IllegalMove) {
        try ReportedOwner(owner: report.event == .loggedOut ? nil : subscriber).settle(in: &self)
        record.lastReport = max(record.lastReport, report.at)
        switch report.event {
        case .widgetsRegistered(let token, let environment, let kinds, let os):
            let widgets = ReportedWidgets(token: token, environment: environment, kinds: kinds, os: os)
            try widgets.register(in: &self)
        case .widgetsUnregistered:
            try ReportedWidgets.unregister(in: &self)
        case .startRegistered(let type, let token, let environment, let os, let frequentPushes, let templates):
            let target = StartTarget(
                id: context.fresh.startTarget,
                attributesType: type,
                token: token,
                environment: environment,
                os: os,
                at: report.at,
                frequentPushes: frequentPushes,
                templates: templates
            )
            ReportedStartTarget(target: target).register(in: &self)
        case .startUnregistered(let type):
            let target = StartTarget(
                id: context.fresh.startTarget,
                attributesType: type,
                token: nil,
                environment: .production,
                os: nil,
                at: report.at
            )
            ReportedStartTarget(target: target).register(in: &self)
        case .activityRegistered(let activityID, let type, let token, let environment, let os, let launch, let name):
            let instance = Instance(
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
            try ReportedActivity(instance).register(in: &self)
        case .activityClosed(let activityID, let launch, _):
            try ReportedClosure(activityID: activityID, launch: launch).close(in: &self)
        case .identified, .loggedOut:
            break
        }
        for delivery in record.deliveries(movedSince: before) { set(delivery.before, to: delivery.after) }
        lines.noteInstances(of: record, over: before)
    }
}
