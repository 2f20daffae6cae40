internal import Diff
internal import Foreign
internal import JSON
internal import Time

extension Database {
    /// Hands out all rows of a table in an order.
    func each(
        _ columns: String,
        of table: String,
        by order: String,
        row: (Statement) throws -> Void
    ) throws {
        try each("SELECT \(columns) FROM \(table) ORDER BY \(order)", row: row)
    }
}

extension DevicePlace {
    static let columns = "app, device, subscriber"

    init(row: Statement) {
        self.init(app: row.text(0), device: row.text(1), subscriber: row.optionalText(2))
    }
}

extension RunRecord {
    static let columns = "id, command, host, user, pid, source, started_at, ended_at, status"

    init(row: Statement) {
        self.init(
            id: RunID(row.text(0)),
            command: row.text(1),
            host: row.text(2),
            user: row.text(3),
            pid: row.integer(4),
            startedAt: row.moment(6)
        )
        sourceCommit = row.optionalText(5)
        endedAt = row.momentIfAny(7)
        exitStatus = row.optionalInteger(8)
    }
}

extension TemplateRecord {
    static let columns = "name, digest, document, at"

    init(row: Statement) throws {
        self.init(name: row.text(0), digest: row.text(1), document: try row.json(2), appliedAt: row.moment(3))
    }
}

extension ReloadRequestRecord {
    static let columns = "key, request, results, at"

    init(row: Statement) throws {
        self.init(
            key: row.text(0),
            subscribers: try row.json(1),
            results: try row.optionalJSON(2),
            at: row.moment(3)
        )
    }
}

extension LogLine {
    static let columns = "at, run, kind, subscriber, app, subject, text"

    init(row: Statement, from column: Int32) {
        self.init(
            at: row.moment(column),
            run: row.optionalText(column + 1).map { RunID($0) },
            kind: row.text(column + 2),
            subscriber: row.optionalText(column + 3),
            app: row.optionalText(column + 4),
            subject: row.optionalText(column + 5),
            text: row.text(column + 6)
        )
    }
}

extension ResolutionRecord {
    static let columns = "number, launch, resolution, target, at, run"

    init(row: Statement) {
        self.init(
            number: row.integer(0),
            launch: LaunchID(row.text(1)),
            resolution: row.text(2),
            target: TargetID(row.text(3)),
            at: row.moment(4),
            run: row.optionalText(5).map { RunID($0) }
        )
    }
}

extension Operation {
    static let columns = "id, kind, subscriber, app, run, commit_number, created_at"

    init(row: Statement) throws {
        guard let kind = Action.Kind(rawValue: row.text(1)) else {
            throw UnreadableRow(table: "operations", detail: row.text(0).string)
        }
        self.init(
            id: OperationID(row.text(0)),
            kind: kind,
            owner: Owner(subscriber: row.text(2), app: row.text(3)),
            run: RunID(row.text(4)),
            step: Step(row.integer(5)),
            createdAt: row.moment(6)
        )
    }
}
