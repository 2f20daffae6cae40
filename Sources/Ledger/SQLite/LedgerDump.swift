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
        try ledger.database.each(Scope.columns, of: "scopes", by: "kind, subscriber, app, name, device") {
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
        let words = ledger.words
        let (place, order) = (DevicePlace.columns, "v.app, v.id")
        let devices = "\(DeviceRow.rows) WHERE v.last_report IS NOT NULL"
        try ledger.database.each(DeviceRow.columns, of: devices, by: order) {
            try body(.device(DevicePlace(row: $0, words), ownerSince: $0.momentIfAny(3), lastReportAt: $0.moment(4)))
        }
        let registrations = "\(place), \(WidgetRegistration.columns)"
        try ledger.database.each(registrations, of: WidgetRegistration.rows, by: order) {
            var registration = try WidgetRegistration(row: $0, from: 3, words)
            registration.token = masks.token(registration.token)
            try body(.widgetRegistration(DevicePlace(row: $0, words), registration))
        }
        let targets = "\(place), \(StartTarget.columns)"
        try ledger.database.each(targets, of: StartTarget.rows, by: "\(order), s.attributes_type") {
            var target = try StartTarget(row: $0, from: 3, words)
            target.token = masks.token(target.token)
            try body(.startTarget(DevicePlace(row: $0, words), target))
        }
        let early = "closed_early AS c CROSS JOIN devices AS v ON v.number = c.device"
        try ledger.database.each("v.app, v.id, c.key", of: early, by: "\(order), c.key") {
            try body(.closedEarly(app: try $0.word(0, words), device: $0.name(1), id: $0.text(2)))
        }
        try ledger.database.each("token, at", of: "dead_tokens", by: "token") {
            try body(.deadToken(masks.token($0.digits(0)) ?? "", at: $0.moment(1)))
        }
        try ledger.database.each("digest, at", of: "early_reports", by: "digest") {
            try body(.earlyReport(digest: $0.digits(0), at: $0.moment(1)))
        }
    }

    private func declarations(_ body: Receiver) throws {
        let (owner, order) = ("o.subscriber, o.app", "o.subscriber, o.app")
        let widgets = "owners AS o CROSS JOIN widgets AS w ON w.owner = o.number"
        try ledger.database.each("\(owner), \(RecordedWidget.columns)", of: widgets, by: "\(order), w.name") {
            try body(.widget(WidgetRecord(try RecordedWidget(row: $0, from: 2), of: Owner(row: $0), masks: masks)))
        }
        let activities = "owners AS o CROSS JOIN activities AS a ON a.owner = o.number"
        let columns = "\(owner), a.alert_at, \(RecordedActivity.columns)"
        try ledger.database.each(columns, of: activities, by: "\(order), a.name") {
            let activity = try RecordedActivity(row: $0, from: 3)
            var record = ActivityRecord(activity, of: Owner(row: $0), masks: masks)
            record.alertAt = $0.momentIfAny(2)
            try body(.activity(record))
        }
        try ledger.database.each("subscriber, app", of: "unpublished", by: "subscriber, app") {
            try body(.unpublished(Owner(row: $0)))
        }
        let touched = "touched AS t CROSS JOIN owners AS o ON o.number = t.owner"
        try ledger.database.each(owner, of: touched, by: order) { try body(.touched(Owner(row: $0))) }
    }

    private func instances(_ body: Receiver) throws {
        let columns = "o.subscriber, o.app, i.start_target, p.last_timestamp, \(Instance.columns)"
        try ledger.database.each(columns, of: Instance.rows, by: "i.id") {
            let instance = try Instance(row: $0, from: 4, ledger.words)
            var record = InstanceRecord(instance, of: Owner(row: $0), masks: masks)
            record.startTarget = $0.optionalID(2)
            record.lastTimestamp = $0.integer(3) == 0 ? nil : Moment(seconds: $0.integer(3))
            try body(.instance(record))
        }
        try ledger.database.each(ResolutionRecord.columns, of: ResolutionRecord.rows, by: "r.number") {
            try body(.resolution(try ResolutionRecord(row: $0)))
        }
    }

    private func transport(_ body: Receiver) throws {
        try ledger.database.each(Operation.rows(where: "1") + " ORDER BY d.number") {
            try body(.operation(try Operation(row: $0)))
        }
        let tables = Delivery.Table.allCases.map { table in
            "SELECT \(table.columns), i.attributes_type, i.template FROM \(table.rows)"
        }
        try ledger.database.each(tables.joined(separator: " UNION ALL ") + " ORDER BY 1") {
            var delivery = try Delivery(row: $0, from: 0)
            let next = Delivery.columnCount
            if let content = delivery.content.flatMap({ ActivityContent($0) }) {
                let subject = PointerRules.Subject.activity(
                    types: Set([try $0.optionalWord(next, ledger.words)].compactMap(\.self)),
                    templates: Set([try $0.optionalWord(next + 1, ledger.words)].compactMap(\.self))
                )
                delivery.content = masks.masked(subject, content.document)
            }
            try body(.delivery(delivery))
        }
    }

    private func history(_ body: Receiver) throws {
        try ledger.database.each("e.number, \(LogLine.columns)", of: LogLine.rows, by: "e.number") {
            try body(.event(number: $0.integer(0), LogLine(row: $0, from: 1, ledger.words)))
        }
    }
}
