internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// Scopes that were paused and revoked, and what is under way under them.
extension Ledger {
    /// All scopes that are not as they were at first: a few, which people made.
    func scopes() throws -> Scopes {
        var scopes: [ScopeSubject: Scope] = [:]
        try database.each(Scope.columns, of: "scopes", by: Scope.order) {
            scopes[try ScopeSubject(row: $0)] = Scope(row: $0)
        }
        return Scopes(scopes)
    }

    /// What an id names that authority can be had over: a widget or an instance (`tgt_…`), a start target (`stt_…`), a
    /// device's widgets (`wgt_…`), or a subscriber, aliases resolved; `nil` where the ledger knows no such thing.
    func scopeSubject(_ id: Text, apps: [Text]) throws -> ScopeSubject? {
        switch id.string.prefix(while: { $0 != "_" }) {
        case "tgt":
            let widget: ScopeSubject? = try database.first(
                "SELECT subscriber, app, name FROM widgets WHERE target = ?",
                .text(id)
            ) { .widget(Owner(row: $0), name: $0.text(2)) }
            if let widget { return widget }
            let instance: ScopeSubject? = try database.first(
                "SELECT subscriber, app, name, device FROM instances WHERE id = ?",
                .text(id)
            ) {
                // There is no declaration whose authority could be taken away.
                guard !$0.text(2).string.isEmpty else { throw ScopeError.unnamed(id, device: $0.text(3)) }
                return .activity(Owner(row: $0), name: $0.text(2), device: $0.text(3))
            }
            if let instance { return instance }
        case "stt":
            let isKnown = try database.first("SELECT 1 FROM start_targets WHERE id = ?", .text(id)) { _ in true }
            if isKnown == true { return .startTarget(StartTargetID(id)) }
        case "wgt":
            let isKnown = try database.first("SELECT 1 FROM widget_registrations WHERE id = ?", .text(id)) { _ in true }
            if isKnown == true { return .widgets(WidgetsID(id)) }
        default: break
        }
        for app in apps {
            let owner = Owner(subscriber: try resolve(id, app: app), app: app)
            let recorded = try RecordedCursor(self, range: .only(owner.subscriber)).take(owner)
            if recorded != Recorded(owner: owner) { return .subscriber(owner.subscriber) }
        }
        return nil
    }

    /// Things under way under a subject, of each owner: instances, and the deliveries that are not settled.
    func underWay(_ subject: ScopeSubject) throws -> [Recorded] {
        var records: [Owner: Recorded] = [:]
        func collect(instances condition: String?, deliveries: String, _ values: SQLiteValue...) throws {
            if let condition {
                let sql = "SELECT subscriber, app, \(Instance.columns) FROM instances WHERE \(condition)"
                try database.each(sql, values: values) { row in
                    let owner = Owner(row: row)
                    records[owner, default: Recorded(owner: owner)].instances.append(try Instance(row: row, from: 2))
                }
            }
            for delivery in try openDeliveries(where: deliveries, values) {
                records[delivery.owner, default: Recorded(owner: delivery.owner)].attach(delivery)
            }
        }
        switch subject {
        case .widget: break
        case .subscriber(let subscriber):
            try collect(instances: "subscriber = ?", deliveries: "subscriber = ?", .text(subscriber))
        case .activity(let owner, let name, let device):
            let own = "subscriber = ? AND app = ? AND name = ? AND device = ?"
            try collect(
                instances: own,
                deliveries: "target IN (SELECT id FROM instances WHERE \(own))",
                .text(owner.subscriber),
                .text(owner.app),
                .text(name),
                .text(device)
            )
        case .startTarget(let id):
            let place = "SELECT app, device FROM start_targets WHERE id = ?1"
            try collect(
                instances: "(app, device) IN (\(place)) AND start_target = ?1",
                deliveries: "registration = ?1",
                .text(id.text)
            )
        case .widgets(let id): try collect(instances: nil, deliveries: "registration = ?", .text(id.text))
        }
        return records.values.sorted { $0.owner < $1.owner }
    }
}

extension Scope {
    /// Its columns, behind those of its subject.
    static let columns = "kind, subscriber, app, name, device, number, paused, revoked, opened_at"
    static let order = "kind, subscriber, app, name, device"

    init(row: Statement) {
        self.init(
            number: row.integer(5),
            isPaused: row.integer(6) != 0,
            isRevoked: row.integer(7) != 0,
            openedAt: row.moment(8)
        )
    }
}

extension ScopeSubject {
    init(row: Statement) throws {
        let owner = Owner(subscriber: row.text(1), app: row.text(2))
        switch row.text(0) {
        case "subscriber": self = .subscriber(owner.subscriber)
        case "widget": self = .widget(owner, name: row.text(3))
        case "activity": self = .activity(owner, name: row.text(3), device: row.text(4))
        case "startTarget": self = .startTarget(StartTargetID(row.text(3)))
        case "widgets": self = .widgets(WidgetsID(row.text(3)))
        default: throw UnreadableRow(table: "scopes", detail: row.text(0).string)
        }
    }
}
