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
    /// The columns of a device and of whose it is.
    static let columns = "v.app, v.id, o.subscriber"

    init(row: Statement, _ words: Words) throws {
        self.init(app: try row.word(0, words), device: row.name(1), subscriber: row.optionalText(2))
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
    static let columns = "e.at, n.id, e.kind, o.subscriber, o.app, e.subject, e.text"
    /// Events, with their runs and whom they are about.
    static let rows = """
        events AS e LEFT JOIN runs AS n ON n.number = e.run LEFT JOIN owners AS o ON o.number = e.owner
        """

    init(row: Statement, from column: Int32, _ words: Words) throws {
        self.init(
            at: row.moment(column),
            run: row.optionalText(column + 1).map { RunID($0) },
            kind: try row.word(column + 2, words),
            subscriber: row.optionalText(column + 3),
            app: row.optionalText(column + 4),
            subject: row.optionalSubject(column + 5),
            text: row.text(column + 6)
        )
    }
}

extension ResolutionRecord {
    static let columns = "r.number, i.launch, r.resolution, i.id, r.at, n.id"
    /// Resolutions, with their instances and runs.
    static let rows = """
        resolutions AS r CROSS JOIN instances AS i ON i.number = r.instance LEFT JOIN runs AS n ON n.number = r.run
        """

    init(row: Statement) throws {
        self.init(
            number: row.integer(0),
            launch: row.id(1),
            resolution: (try row.numbered(2) as Resolution).rawValue,
            target: row.id(3),
            at: row.moment(4),
            run: row.optionalText(5).map { RunID($0) }
        )
    }
}

extension Operation {
    static let columns = "d.number, d.operation, d.operation_id, d.kind, o.subscriber, o.app, n.id, min(d.created_at)"

    /// Operations of the deliveries that meet a condition: each is told from the deliveries that it has.
    static func rows(where condition: String) -> String {
        let columns = "number, operation, operation_id, kind, coalesce(addressed, owner) AS owner, created_at"
        let tables = Delivery.Table.allCases.map { "SELECT \(columns) FROM \($0.name) AS d WHERE \(condition)" }
        return """
            SELECT \(Self.columns) FROM (\(tables.joined(separator: " UNION ALL "))) AS d
            CROSS JOIN owners AS o ON o.number = d.owner LEFT JOIN steps AS s ON s.number = d.number >> \(StepPlace.bits)
            LEFT JOIN runs AS n ON n.number = s.run
            GROUP BY d.number >> \(StepPlace.bits), d.operation, d.operation_id
            """
    }

    init(row: Statement) throws {
        let step = StepPlace(number: row.integer(0)).step
        self.init(
            id: row.optionalID(2) ?? OperationID(StepPlace(step: step, ordinal: row.integer(1)).ulid),
            kind: try row.numbered(3),
            owner: Owner(subscriber: row.text(4), app: row.text(5)),
            run: RunID(row.text(6)),
            step: step,
            createdAt: row.moment(7)
        )
    }
}
