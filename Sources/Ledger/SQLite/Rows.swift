internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// A row of the ledger that cannot be read as a value.
///
/// A row is read by position: each `columns` list and its reader stand together.
public struct UnreadableRow: Error, CustomStringConvertible {
    /// The table.
    public var table: String
    /// The value that cannot be read.
    public var detail: String

    /// A row that cannot be read.
    public init(table: String, detail: String) {
        self.table = table
        self.detail = detail
    }

    /// The place, and the remedy.
    public var description: String {
        "the ledger's table \(table) has a row that this lockstep cannot read (\(detail)); restore the last backup"
    }
}

extension Statement {
    func rejection(_ column: Int32) -> Rejection? {
        guard let revision = optionalInteger(column), let tokenAt = optionalMoment(column + 1) else { return nil }
        return Rejection(revision: revision, tokenAt: tokenAt)
    }
}

extension Owner {
    /// The owner that the first two columns of a row name.
    init(row: Statement) {
        self.init(subscriber: row.text(0), app: row.text(1))
    }

    /// The number of the owner of two values, in a statement.
    static let number = "(SELECT number FROM owners WHERE subscriber = ? AND app = ?)"

    /// Its parts, as columns are ordered.
    var values: [SQLiteValue] { [.text(subscriber), .text(app)] }
}

extension RecordedWidget {
    static let columns = "w.target, w.name, w.body, w.revision, w.changed_step, w.changed_at"

    init(row: Statement, from column: Int32) throws {
        self.init(
            id: row.id(column),
            declaration: try WidgetDeclaration(name: row.text(column + 1), body: row.json(column + 2)),
            revision: row.integer(column + 3),
            changedStep: Step(row.integer(column + 4)),
            changedAt: row.moment(column + 5)
        )
    }
}

extension RecordedActivity {
    static let columns = "a.name, a.body, a.life, a.revision, a.removed, a.changed_step, a.adopted_life, a.alert_at"

    init(row: Statement, from column: Int32) throws {
        self.init(
            declaration: try ActivityDeclaration(name: row.text(column), body: row.json(column + 1)),
            life: row.integer(column + 2),
            revision: row.integer(column + 3),
            isRemoved: row.integer(column + 4) != 0,
            changedStep: Step(row.integer(column + 5)),
            adoptedLife: row.integer(column + 6),
            alertAt: row.moment(column + 7)
        )
    }
}

extension DeviceRow {
    /// The columns of a device and of whose it is.
    static let columns = "v.app, v.id, o.subscriber, v.owner_since, v.last_report"
    /// Devices, with whose they are.
    static let rows = "devices AS v LEFT JOIN owners AS o ON o.number = v.owner"

    init(row: Statement, _ words: Words) throws {
        self.init(
            app: try row.word(0, words),
            device: row.name(1),
            owner: row.optionalText(2),
            ownerSince: row.moment(3),
            lastReport: row.moment(4)
        )
    }
}

extension OnDevice {
    /// A row whose first columns are app, device and subscriber.
    init(_ statement: Statement, _ words: Words, row: Row) throws {
        self.init(
            app: try statement.word(0, words),
            device: statement.name(1),
            subscriber: statement.optionalText(2),
            row: row
        )
    }
}

extension WidgetRegistration {
    static let columns = """
        r.id, r.token, r.environment, r.kinds, r.os, r.at, r.reloaded_step, r.owes_reload, r.rejected_revision,
        r.rejected_token_at, r.reloaded_at
        """
    /// Registrations, with their devices and whose they are.
    static let rows = """
        widget_registrations AS r CROSS JOIN devices AS v ON v.number = r.device
        LEFT JOIN owners AS o ON o.number = v.owner
        """

    init(row: Statement, from column: Int32, _ words: Words) throws {
        self.init(
            id: row.id(column),
            token: row.optionalDigits(column + 1),
            environment: try row.numbered(column + 2),
            kinds: try row.list(column + 3, words) ?? [],
            os: try row.os(column + 4, words),
            at: row.moment(column + 5),
            reloadedStep: Step(row.integer(column + 6)),
            reloadedAt: row.moment(column + 10),
            owesReload: row.integer(column + 7) != 0,
            rejection: row.rejection(column + 8)
        )
    }
}

extension StartTarget {
    static let columns = "s.id, s.attributes_type, s.token, s.environment, s.os, s.at, s.frequent_pushes, s.templates"
    /// Start targets, with their devices and whose they are.
    static let rows = """
        start_targets AS s CROSS JOIN devices AS v ON v.number = s.device LEFT JOIN owners AS o ON o.number = v.owner
        """

    init(row: Statement, from column: Int32, _ words: Words) throws {
        self.init(
            id: row.id(column),
            attributesType: try row.word(column + 1, words),
            token: row.optionalDigits(column + 2),
            environment: try row.numbered(column + 3),
            os: try row.os(column + 4, words),
            at: row.moment(column + 5),
            frequentPushes: row.optionalInteger(column + 6).map { $0 != 0 },
            templates: try row.list(column + 7, words)
        )
    }
}

extension Instance {
    static let columns = """
        i.id, i.launch, i.name, v.id, i.origin, i.attributes_type, i.attributes, i.template, i.life, i.sequence,
        i.replaces, i.phase, i.closure, i.ending, i.activity_id, i.token, i.token_at, i.environment, i.os, i.started_at,
        i.registered_at, p.revision, p.shown, p.rejected_revision, p.rejected_token_at, i.start_expires_at, i.inferred,
        p.updated_at, i.start_target, p.last_timestamp
        """
    /// The rows that belong to an instance, behind it.
    static let companions = """
        CROSS JOIN progress AS p ON p.instance = i.number CROSS JOIN devices AS v ON v.number = i.device
        """
    /// Instances, with all that belongs to them.
    static let rows = "instances AS i \(companions) CROSS JOIN owners AS o ON o.number = i.owner"
    /// The condition of the indexes of instances that are open, as they spell it.
    static let isOpen = "i.phase < \(PhaseNumber.firstOver)"

    init(row: Statement, from column: Int32, _ words: Words) throws {
        let number: PhaseNumber = try row.numbered(column + 11)
        guard let phase = number.phase(try row.optionalNumbered(column + 12)) else {
            throw UnreadableRow(table: "instances", detail: row.id(column, TargetID.self).description)
        }
        self.init(
            id: row.id(column),
            launch: row.optionalID(column + 1),
            name: row.text(column + 2),
            device: row.name(column + 3),
            origin: try row.numbered(column + 4),
            attributesType: try row.word(column + 5, words),
            attributes: try row.optionalJSON(column + 6),
            template: try row.optionalWord(column + 7, words),
            life: row.integer(column + 8),
            sequence: row.integer(column + 9),
            replaces: row.optionalID(column + 10),
            startTarget: row.optionalID(column + 28),
            phase: phase,
            ending: try row.optionalNumbered(column + 13),
            activityID: row.optionalName(column + 14),
            token: row.optionalDigits(column + 15),
            tokenAt: row.moment(column + 16),
            environment: try row.numbered(column + 17),
            os: try row.os(column + 18, words),
            startedAt: row.moment(column + 19),
            startExpiresAt: row.moment(column + 25),
            registeredAt: row.moment(column + 20),
            isInferred: row.integer(column + 26) != 0,
            updatedAt: row.moment(column + 27),
            revision: row.integer(column + 21),
            shown: try row.optionalJSON(column + 22).flatMap { ActivityContent($0) },
            lastTimestamp: Moment(seconds: row.integer(column + 29)),
            rejection: row.rejection(column + 23)
        )
    }
}

extension Delivery {
    /// The tables of deliveries: those that are under way, and those that are settled.
    enum Table: CaseIterable {
        case open
        case finished

        /// Its name.
        var name: StaticString {
            switch self {
            case .open: "open_deliveries"
            case .finished: "finished_deliveries"
            }
        }

        /// The table of a state.
        init(_ state: DeliveryState) {
            self = state.isOpen ? .open : .finished
        }

        /// The columns; what was sent is kept only while it is under way.
        var columns: String {
            """
            d.number, d.operation, d.kind, o.subscriber, o.app, v.id, i.id, i.start_target, r.id, d.environment, d.status,
            d.rank, d.revision, d.cost, d.quota_day, d.created_at, d.expires_after, d.not_before, d.dispatched_at,
            d.attempts, \(self == .open ? "d.content" : "NULL"), d.apns_id, d.apns_status, d.apns_reason, d.note,
            d.answered_at, d.id, d.operation_id, \(self == .open ? 1 : 0)
            """
        }

        /// The rows that belong to a delivery, behind it.
        static let companions = """
            CROSS JOIN devices AS v ON v.number = d.device LEFT JOIN instances AS i ON i.number = d.instance
            LEFT JOIN widget_registrations AS r ON d.instance IS NULL AND r.device = d.device
            """

        /// The rows, with all that belongs to them.
        var rows: String { "\(name) AS d CROSS JOIN owners AS o ON o.number = d.owner \(Self.companions)" }
    }

    /// The number of columns.
    static let columnCount: Int32 = 29

    init(row: Statement, from column: Int32) throws {
        let kind: Action.Kind = try row.numbered(column + 2)
        let place = StepPlace(number: row.integer(column))
        let operation = StepPlace(step: place.step, ordinal: row.integer(column + 1))
        let registration: Text? =
            switch kind {
            case .reload: row.optionalID(column + 8, WidgetsID.self)?.text
            case .start: row.optionalID(column + 7, StartTargetID.self)?.text
            case .update, .end: nil
            }
        self.init(
            id: row.optionalID(column + 26) ?? DeliveryID(place.ulid),
            operation: row.optionalID(column + 27) ?? OperationID(operation.ulid),
            kind: kind,
            owner: Owner(subscriber: row.text(column + 3), app: row.text(column + 4)),
            device: row.name(column + 5),
            target: row.optionalID(column + 6),
            registration: registration,
            environment: try row.numbered(column + 9),
            state: DeliveryState(try row.numbered(column + 10), isOpen: row.integer(column + 28) != 0),
            rank: row.integer(column + 11),
            step: place.step,
            revision: row.integer(column + 12),
            cost: Int(row.integer(column + 13)),
            quotaDay: row.optionalInteger(column + 14).map { UTCDay($0) },
            createdAt: row.moment(column + 15),
            expiresAfter: row.optionalSeconds(column + 16),
            notBefore: row.moment(column + 17),
            dispatchedAt: row.optionalMoment(column + 18),
            attempts: row.integer(column + 19),
            content: try row.optionalJSON(column + 20),
            answer: DeliveryAnswer(
                status: row.optionalInteger(column + 22),
                reason: row.optionalText(column + 23),
                id: row.optionalName(column + 21),
                note: row.optionalText(column + 24),
                at: row.optionalMoment(column + 25)
            )
        )
    }
}

extension StepPlace {
    /// The bits of a row's number that count within its step.
    static let bits: Int64 = 24
    /// Those bits.
    static let mask: Int64 = 1 << bits - 1

    /// The place of a row by its number.
    init(number: Int64) {
        self.init(step: Step(number >> Self.bits), ordinal: number & Self.mask)
    }

    /// The number of its row; `nil` where so many in a step, or so many steps, have none.
    var number: Int64? {
        guard ordinal <= Self.mask, step.number < 1 << (63 - Self.bits) else { return nil }
        return step.number << Self.bits | ordinal
    }

    /// The numbers of the rows of a step.
    static func numbers(of step: Step) -> ClosedRange<Int64> {
        let first = step.number << bits
        return first...(first | mask)
    }
}

extension Identifier {
    /// The number of the row that it spells; `nil` where its row keeps the id itself.
    var number: Int64? { ulid.flatMap(StepPlace.init)?.number }

    /// The number of the row that it spells, where that is one of a step.
    func number(in step: Step) -> Int64? {
        guard let place = ulid.flatMap(StepPlace.init), place.step == step else { return nil }
        return place.number
    }
}

extension Fault {
    static let columns = "app, environment, reason, fingerprint, since"

    init(row: Statement) throws {
        self.init(
            app: row.text(0),
            environment: try row.numbered(1),
            reason: row.text(2),
            fingerprint: row.text(3),
            since: row.moment(4)
        )
    }
}

extension Scope {
    /// Its columns, behind those of its subject.
    static let columns = "kind, subscriber, app, name, device, number, paused, revoked, opened_at"

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
        switch try row.numbered(0) as ScopeKind {
        case .subscriber: self = .subscriber(owner.subscriber)
        case .widget: self = .widget(owner, name: row.text(3))
        case .activity: self = .activity(owner, name: row.text(3), device: row.text(4))
        case .startTarget: self = .startTarget(StartTargetID(row.text(3)))
        case .widgets: self = .widgets(WidgetsID(row.text(3)))
        }
    }
}
