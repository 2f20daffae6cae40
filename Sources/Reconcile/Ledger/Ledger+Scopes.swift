internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// What was paused and revoked, and what that does to what is under way.
extension Ledger {
    /// All scopes that are not as they were at first: a few, which people made.
    func scopes() throws -> Scopes {
        var scopes: [ScopeSubject: Scope] = [:]
        try database.each(Scope.columns, of: "scopes", by: Scope.order) {
            scopes[try ScopeSubject(row: $0)] = Scope(row: $0)
        }
        return Scopes(scopes)
    }

    func store(_ scope: Scope, of subject: ScopeSubject) throws {
        let key = subject.key
        try database.run(
            """
            INSERT INTO scopes (kind, subscriber, app, name, device, number, paused, revoked, opened_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            ON CONFLICT (kind, subscriber, app, name, device)
            DO UPDATE SET number = ?6, paused = ?7, revoked = ?8, opened_at = ?9
            """,
            .text(key[0]),
            .text(key[1]),
            .text(key[2]),
            .text(key[3]),
            .text(key[4]),
            .integer(scope.number),
            SQLiteValue(scope.isPaused),
            SQLiteValue(scope.isRevoked),
            .moment(scope.openedAt)
        )
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

    /// Takes what is under way out of a scope that is closed: what is queued is cancelled, what is outstanding is ended
    /// once it is reported, and what is visible is ended, unless it is kept.
    ///
    /// - Returns: How many running instances are to be ended.
    func close(_ subject: ScopeSubject, keepsTiles: Bool, run: RunID?, at now: Moment) throws -> Int {
        for delivery in try deliveries(in: subject) where delivery.state.status != .dispatching {
            try move([delivery], .cancel, note: "its scope was revoked", at: now)
            if delivery.kind == .start, delivery.state == .queued, let target = delivery.target {
                try move(target, .cancel, run: run, at: now)
            }
        }
        return try end(subject, phases: keepsTiles ? ["outstanding", "unconfirmed"] : openPhases)
    }

    /// Ends what a closed scope had kept visible, because the next one may start it anew.
    ///
    /// - Returns: How many running instances are to be ended.
    func endKept(of subject: ScopeSubject) throws -> Int { try end(subject, phases: openPhases) }

    private var openPhases: [String] { ["outstanding", "unconfirmed", "running"] }

    private func end(_ subject: ScopeSubject, phases: [String]) throws -> Int {
        guard let (condition, values) = subject.instances else { return 0 }
        var running = 0
        for phase in phases {
            let found = "phase = '\(phase)' AND (ending IS NULL OR ending <> 'logout') AND \(condition)"
            if phase == "running" {
                let count = try database.cached("SELECT count(*) FROM instances WHERE \(found)")
                try count.bind(values)
                defer { count.reset() }
                if try count.step() { running = Int(count.integer(0)) }
            }
            try database.cached("UPDATE instances SET ending = 'revoked' WHERE \(found)").run(values)
        }
        return running
    }

    private func deliveries(in subject: ScopeSubject) throws -> [StoredDelivery] {
        let isEnd = "kind = 'end' AND target IN (SELECT id FROM instances WHERE ending IN ('logout', 'revoked'))"
        let open = "open = 1 AND NOT (\(isEnd))"
        switch subject {
        case .subscriber(let subscriber):
            return try deliveries(where: "subscriber = ? AND \(open)", .text(subscriber))
        case .widget: return []
        case .activity(let owner, let name, let device):
            return try deliveries(
                where: """
                    \(open) AND target IN (
                        SELECT id FROM instances WHERE subscriber = ? AND app = ? AND name = ? AND device = ?)
                    """,
                .text(owner.subscriber),
                .text(owner.app),
                .text(name),
                .text(device)
            )
        case .startTarget(let id): return try deliveries(where: "registration = ? AND \(open)", .text(id.text))
        case .widgets(let id): return try deliveries(where: "registration = ? AND \(open)", .text(id.text))
        }
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

    /// Its row: kind, subscriber, app, name, device.
    fileprivate var key: [Text] {
        switch self {
        case .subscriber(let subscriber): ["subscriber", subscriber, "", "", ""]
        case .widget(let owner, let name): ["widget", owner.subscriber, owner.app, name, ""]
        case .activity(let owner, let name, let device): ["activity", owner.subscriber, owner.app, name, device]
        case .startTarget(let id): ["startTarget", "", "", id.text, ""]
        case .widgets(let id): ["widgets", "", "", id.text, ""]
        }
    }

    /// The instances under it, as an SQL condition and its values.
    fileprivate var instances: (condition: String, values: [SQLiteValue])? {
        switch self {
        case .subscriber(let subscriber): ("subscriber = ?", [.text(subscriber)])
        case .activity(let owner, let name, let device):
            (
                "subscriber = ? AND app = ? AND name = ? AND device = ?",
                [.text(owner.subscriber), .text(owner.app), .text(name), .text(device)]
            )
        case .startTarget(let id): ("start_target = ?", [.text(id.text)])
        case .widget, .widgets: nil
        }
    }
}
