internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// How the rows of the ledger read as values, and what a row that cannot be read says.
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
    func environment(_ column: Int32) throws -> PushEnvironment {
        guard let environment = PushEnvironment(rawValue: text(column)) else {
            throw UnreadableRow(table: "registrations", detail: "environment \(text(column))")
        }
        return environment
    }

    func os(_ column: Int32) -> OSVersion? {
        optionalText(column).flatMap { OSVersion($0.string) }
    }

    func rejection(_ column: Int32) -> Rejection? {
        guard let revision = optionalInteger(column), let tokenAt = optionalMoment(column + 1) else { return nil }
        return Rejection(revision: revision, tokenAt: tokenAt)
    }
}

extension WidgetRegistration {
    static let columns = """
        id, token, environment, kinds, os, at, reloaded_commit, owes_reload, rejected_revision, rejected_token_at,
        reloaded_at
        """

    init(row: Statement, from column: Int32) throws {
        self.init(
            id: WidgetsID(row.text(column)),
            token: row.optionalText(column + 1),
            environment: try row.environment(column + 2),
            kinds: try row.texts(column + 3),
            os: row.os(column + 4),
            at: row.moment(column + 5),
            reloadedStep: Step(row.integer(column + 6)),
            reloadedAt: row.moment(column + 10),
            owesReload: row.integer(column + 7) != 0,
            rejection: row.rejection(column + 8)
        )
    }
}

extension StartTarget {
    static let columns = "id, attributes_type, token, environment, os, at, frequent_pushes, templates"

    init(row: Statement, from column: Int32) throws {
        self.init(
            id: StartTargetID(row.text(column)),
            attributesType: row.text(column + 1),
            token: row.optionalText(column + 2),
            environment: try row.environment(column + 3),
            os: row.os(column + 4),
            at: row.moment(column + 5),
            frequentPushes: row.optionalInteger(column + 6).map { $0 != 0 },
            templates: row.isNull(column + 7) ? nil : try row.texts(column + 7)
        )
    }
}

extension Instance {
    static let columns = """
        id, launch, name, device, origin, attributes_type, attributes, template, life, sequence, replaces, phase,
        closure, ending, activity_id, token, token_at, environment, os, started_at, registered_at, revision, shown,
        rejected_revision, rejected_token_at, start_expires_at, inferred, updated_at,
        start_target, last_timestamp
        """

    init(row: Statement, from column: Int32) throws {
        guard let origin = Origin(rawValue: row.text(column + 4)),
            let phase = Phase(name: row.text(column + 11), closure: row.optionalText(column + 12))
        else { throw UnreadableRow(table: "instances", detail: row.text(column).string) }
        self.init(
            id: TargetID(row.text(column)),
            launch: row.optionalText(column + 1).map { LaunchID($0) },
            name: row.text(column + 2),
            device: row.text(column + 3),
            origin: origin,
            attributesType: row.text(column + 5),
            attributes: try row.optionalJSON(column + 6),
            template: row.optionalText(column + 7),
            life: row.integer(column + 8),
            sequence: row.integer(column + 9),
            replaces: row.optionalText(column + 10).map { TargetID($0) },
            startTarget: row.optionalText(column + 28).map { StartTargetID($0) },
            phase: phase,
            ending: row.optionalText(column + 13).flatMap(Closure.init(rawValue:)),
            activityID: row.optionalText(column + 14),
            token: row.optionalText(column + 15),
            tokenAt: row.moment(column + 16),
            environment: try row.environment(column + 17),
            os: row.os(column + 18),
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

extension Instance.Phase {
    init?(name: Text, closure: Text?) {
        switch name {
        case "queued": self = .queued
        case "outstanding": self = .outstanding
        case "unconfirmed": self = .unconfirmed
        case "running": self = .running
        case "failed": self = .failed
        case "cancelled": self = .cancelled
        case "closed":
            guard let cause = closure.flatMap(Instance.Closure.init(rawValue:)) else { return nil }
            self = .closed(cause)
        default: return nil
        }
    }
}

extension Delivery {
    static let columns = """
        id, operation, kind, subscriber, app, device, target, registration, environment, status, open, rank,
        commit_number, revision, cost, quota_day, created_at, expires_after, not_before, dispatched_at, attempts,
        content, apns_id, apns_status, apns_reason, note, answered_at
        """
    /// The number of columns.
    static let columnCount: Int32 = 27

    init(row: Statement, from column: Int32) throws {
        guard let kind = Action.Kind(rawValue: row.text(column + 2)),
            let status = DeliveryStatus(rawValue: row.text(column + 9))
        else { throw UnreadableRow(table: "deliveries", detail: row.text(column).string) }
        self.init(
            id: DeliveryID(row.text(column)),
            operation: OperationID(row.text(column + 1)),
            kind: kind,
            owner: Owner(subscriber: row.text(column + 3), app: row.text(column + 4)),
            device: row.text(column + 5),
            target: row.optionalText(column + 6).map { TargetID($0) },
            registration: row.optionalText(column + 7),
            environment: try row.environment(column + 8),
            state: DeliveryState(status, isOpen: row.integer(column + 10) != 0),
            rank: row.integer(column + 11),
            step: Step(row.integer(column + 12)),
            revision: row.integer(column + 13),
            cost: Int(row.integer(column + 14)),
            quotaDay: row.optionalInteger(column + 15).map { UTCDay($0) },
            createdAt: row.moment(column + 16),
            expiresAfter: row.optionalSeconds(column + 17),
            notBefore: row.moment(column + 18),
            dispatchedAt: row.optionalMoment(column + 19),
            attempts: row.integer(column + 20),
            content: try row.optionalJSON(column + 21),
            answer: DeliveryAnswer(
                status: row.optionalInteger(column + 23),
                reason: row.optionalText(column + 24),
                id: row.optionalText(column + 22),
                note: row.optionalText(column + 25),
                at: row.optionalMoment(column + 26)
            )
        )
    }
}

extension DeviceRow {
    static let columns = "app, device, subscriber, owner_since, last_report"

    init(row: Statement) {
        self.init(
            app: row.text(0),
            device: row.text(1),
            owner: row.optionalText(2),
            ownerSince: row.moment(3),
            lastReport: row.moment(4)
        )
    }
}

extension Fault {
    static let columns = "app, environment, reason, fingerprint, since"

    init(row: Statement) throws {
        self.init(
            app: row.text(0),
            environment: try row.environment(1),
            reason: row.text(2),
            fingerprint: row.text(3),
            since: row.moment(4)
        )
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
