public import Diff
internal import Foreign
internal import JSON
internal import Time

/// Reads every record of a ledger, a row at a time, in an order that follows from the records alone.
///
/// The key of the digests in saved plans is the one thing that it leaves out.
public struct LedgerDump {
    private let ledger: SQLiteLedger
    private let masks: Masks

    /// Takes a record; an error that it throws ends the dump.
    public typealias Receiver = (LedgerRecord) throws -> Void

    /// A dump of a ledger, which takes no lock.
    ///
    /// - Parameters:
    ///   - store: The ledger.
    ///   - masks: Makes the masks of the ledger: the sensitive values, and whether push tokens are shown as a whole.
    /// - Throws: ``LedgerError`` where there is no ledger that can be read, and errors of `masks`.
    public init(_ store: SQLiteStore, masks: (any Snapshot) throws -> Masks) throws {
        let ledger = try store.open(.read)
        self.init(ledger, masks: try masks(ledger))
    }

    init(_ ledger: SQLiteLedger, masks: Masks) {
        self.ledger = ledger
        self.masks = masks
    }

    /// Hands out each record, as the ledger is at one moment.
    ///
    /// - Parameter body: Takes each.
    /// - Throws: Errors of `body`, ``LedgerError`` and ``UnreadableRow``.
    public func each(_ body: Receiver) throws {
        try ledger.holdSnapshot()
        try body(.ledger(try ledger.facts()))
        try whole(body)
        try devices(body)
        try declarations(body)
        try instances(body)
        try transport(body)
        try history(body)
    }

    private func whole(_ body: Receiver) throws {
        try ledger.database.each(RunRecord.columns, of: "runs", by: "id") { try body(.run(RunRecord(row: $0))) }
        try ledger.database.each(TemplateRecord.columns, of: "templates", by: "name") {
            try body(.template(try TemplateRecord(row: $0)))
        }
        try ledger.database.each(Scope.columns, of: "scopes", by: Scope.order) {
            try body(.scope(try ScopeSubject(row: $0), Scope(row: $0)))
        }
        try ledger.database.each(Fault.columns, of: "faults", by: "app, environment") {
            try body(.fault(try Fault(row: $0)))
        }
        try ledger.database.each("day, pushes", of: "sent_elsewhere", by: "day") {
            try body(.sentElsewhere(UTCDay($0.integer(0)), pushes: $0.integer(1)))
        }
        try ledger.database.each(ReloadRequestRecord.columns, of: "idempotency", by: "key") {
            try body(.reloadRequest(try ReloadRequestRecord(row: $0)))
        }
    }

    private func devices(_ body: Receiver) throws {
        try ledger.database.each("app, anonymous, subscriber", of: "aliases", by: "app, anonymous") {
            try body(.alias(app: $0.text(0), anonymous: $0.text(1), subscriber: $0.text(2)))
        }
        let place = DevicePlace.columns
        try ledger.database.each("\(place), owner_since, last_report", of: "devices", by: "app, device") {
            try body(.device(DevicePlace(row: $0), ownerSince: $0.momentIfAny(3), lastReportAt: $0.moment(4)))
        }
        let registrations = "\(place), \(WidgetRegistration.columns)"
        try ledger.database.each(registrations, of: "widget_registrations", by: "app, device") {
            var registration = try WidgetRegistration(row: $0, from: 3)
            registration.token = masks.token(registration.token)
            try body(.widgetRegistration(DevicePlace(row: $0), registration))
        }
        let targets = "\(place), \(StartTarget.columns)"
        try ledger.database.each(targets, of: "start_targets", by: "app, device, attributes_type") {
            var target = try StartTarget(row: $0, from: 3)
            target.token = masks.token(target.token)
            try body(.startTarget(DevicePlace(row: $0), target))
        }
        try ledger.database.each("app, device, key", of: "closed_early", by: "app, device, key") {
            try body(.closedEarly(app: $0.text(0), device: $0.text(1), id: $0.text(2)))
        }
        try ledger.database.each("token, at", of: "dead_tokens", by: "token") {
            try body(.deadToken(masks.token($0.text(0)) ?? "", at: $0.moment(1)))
        }
        try ledger.database.each("digest, at", of: "early_reports", by: "digest") {
            try body(.earlyReport(digest: $0.text(0), at: $0.moment(1)))
        }
    }

    private func declarations(_ body: Receiver) throws {
        let owner = "subscriber, app"
        try ledger.database.each("\(owner), \(RecordedWidget.columns)", of: "widgets", by: "\(owner), name") {
            try body(.widget(WidgetRecord(try RecordedWidget(row: $0, from: 2), of: Owner(row: $0), masks: masks)))
        }
        let activities = "\(owner), alert_at, \(RecordedActivity.columns)"
        try ledger.database.each(activities, of: "activities", by: "\(owner), name") {
            let activity = try RecordedActivity(row: $0, from: 3)
            var record = ActivityRecord(activity, of: Owner(row: $0), masks: masks)
            record.alertAt = $0.momentIfAny(2)
            try body(.activity(record))
        }
        try ledger.database.each(owner, of: "unpublished", by: owner) { try body(.unpublished(Owner(row: $0))) }
        try ledger.database.each(owner, of: "touched", by: owner) { try body(.touched(Owner(row: $0))) }
    }

    private func instances(_ body: Receiver) throws {
        let columns = "subscriber, app, start_target, last_timestamp, \(Instance.columns)"
        try ledger.database.each(columns, of: "instances", by: "id") {
            let instance = try Instance(row: $0, from: 4)
            var record = InstanceRecord(instance, of: Owner(row: $0), masks: masks)
            record.startTarget = $0.optionalText(2).map { StartTargetID($0) }
            record.lastTimestamp = $0.integer(3) == 0 ? nil : Moment(seconds: $0.integer(3))
            try body(.instance(record))
        }
        try ledger.database.each(ResolutionRecord.columns, of: "resolutions", by: "number") {
            try body(.resolution(ResolutionRecord(row: $0)))
        }
    }

    private func transport(_ body: Receiver) throws {
        try ledger.database.each(Operation.columns, of: "operations", by: "id") {
            try body(.operation(try Operation(row: $0)))
        }
        let instance = "FROM instances WHERE instances.id = deliveries.target"
        let columns = "\(Delivery.columns), (SELECT attributes_type \(instance)), (SELECT template \(instance))"
        try ledger.database.each(columns, of: "deliveries", by: "id") {
            var delivery = try Delivery(row: $0, from: 0)
            let next = Delivery.columnCount
            if let content = delivery.content.flatMap({ ActivityContent($0) }) {
                let subject = PointerRules.Subject.activity(
                    types: Set([$0.optionalText(next)].compactMap(\.self)),
                    templates: Set([$0.optionalText(next + 1)].compactMap(\.self))
                )
                delivery.content = masks.masked(subject, content.document)
            }
            try body(.delivery(delivery))
        }
    }

    private func history(_ body: Receiver) throws {
        try ledger.database.each("number, \(LogLine.columns)", of: "events", by: "number") {
            try body(.event(number: $0.integer(0), LogLine(row: $0, from: 1)))
        }
    }
}
