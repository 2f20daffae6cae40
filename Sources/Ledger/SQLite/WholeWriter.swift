internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// Writes rows of the ledger as a whole: facts, runs, templates, authority, and what is to be published or looked at again.
struct WholeWriter {
    let database: Database
    let places: Places

    /// Writes what a group of changes does to the whole ledger.
    func write(_ changes: LedgerChanges) throws {
        for change in changes.scopes { try write(scope: change) }
        for change in changes.sentElsewhere { try write(sentElsewhere: change) }
        for change in changes.faults { try write(fault: change) }
        for early in changes.earlyReports { try write(early) }
        for change in changes.templates { try write(template: change) }
        for request in changes.reloadRequests { try write(request) }
        try writePublishing(changes)
        try writeTouched(changes)
        if let facts = changes.facts { try write(facts: facts) }
    }

    /// Writes which published files are older than what is committed.
    private func writePublishing(_ changes: LedgerChanges) throws {
        if changes.unpublishesAll {
            try database.run(
                "INSERT OR IGNORE INTO unpublished (subscriber, app) SELECT subscriber, app FROM owners WHERE number IN (SELECT owner FROM widgets)"
            )
        }
        for owner in changes.unpublished {
            try database.run(
                "INSERT OR IGNORE INTO unpublished (subscriber, app) VALUES (?, ?)",
                .text(owner.subscriber),
                .text(owner.app)
            )
        }
        for owner in changes.published {
            try database.run(
                "DELETE FROM unpublished WHERE subscriber = ? AND app = ?",
                .text(owner.subscriber),
                .text(owner.app)
            )
        }
    }

    /// Writes whose records changed, while there is an index of the source files; where a scope did, which can be
    /// anybody's, no index is good any more.
    private func writeTouched(_ changes: LedgerChanges) throws {
        if changes.forgetsTouched { try database.run("DELETE FROM touched") }
        // Asked first: without an index, nobody needs to know.
        guard try hasIndex() else { return }
        guard changes.scopes.isEmpty else {
            return try database.run("DELETE FROM facts WHERE key = ?", .text(SQLiteLedger.Fact.index.rawValue))
        }
        for owner in changes.touched {
            try database.run("INSERT OR IGNORE INTO touched (owner) VALUES (?)", .integer(try places.owner(owner)))
        }
    }

    private func hasIndex() throws -> Bool {
        let key = SQLiteLedger.Fact.index.rawValue
        return try database.first("SELECT 1 FROM facts WHERE key = ?", .text(key)) { _ in true } ?? false
    }

    private func write(facts change: RowChange<LedgerFacts>) throws {
        let (old, new) = (change.before.map(Self.values) ?? [:], change.after.map(Self.values) ?? [:])
        for fact in SQLiteLedger.Fact.allCases where old[fact] != new[fact] {
            if let value = new[fact] {
                try database.run(
                    "INSERT INTO facts (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                    .text(fact.rawValue),
                    .text(value)
                )
            } else {
                try database.run("DELETE FROM facts WHERE key = ?", .text(fact.rawValue))
            }
        }
    }

    private static func values(of facts: LedgerFacts) -> [SQLiteLedger.Fact: Text] {
        var values: [SQLiteLedger.Fact: Text] = [
            .lineage: facts.lineage, .step: Text("\(facts.step.number)"),
            .launchSequence: Text("\(facts.launchSequence)"),
        ]
        values[.restoredAt] = facts.restoredAt.map { Text("\($0.milliseconds)") }
        values[.confirmedAt] = facts.confirmedAt.map { Text("\($0.milliseconds)") }
        values[.appliedCommit] = facts.appliedCommit
        values[.index] = facts.index
        values[.publishedPlace] = facts.publishedPlace
        return values
    }

    private func write(template change: RowChange<TemplateRecord>) throws {
        guard let new = change.after else { return }
        let old = change.before
        var row = RowDraft(in: "templates", over: old)
        row.fix("name", new.name)
        row.fix("digest", new.digest)
        row.set("document", from: old?.document, to: new.document)
        row.fix("at", new.appliedAt)
        try row.write(to: database, where: "name = ?", .text(new.name))
    }

    /// Writes a run; other rows name it.
    func write(run change: RowChange<RunRecord>) throws {
        guard let new = change.after else { return }
        let old = change.before
        var row = RowDraft(in: "runs", over: old)
        row.fix("id", new.id.text)
        row.fix("command", new.command)
        row.fix("host", new.host)
        row.fix("user", new.user)
        row.fix("pid", new.pid)
        row.set("source", from: old?.sourceCommit, to: new.sourceCommit)
        row.fix("started_at", new.startedAt)
        row.set("ended_at", from: old?.endedAt, to: new.endedAt)
        row.set("status", from: old?.exitStatus, to: new.exitStatus)
        try row.write(to: database, where: "id = ?", .text(new.id.text))
    }

    private func write(_ request: ReloadRequestRecord) throws {
        try database.run(
            "INSERT INTO idempotency (key, request, results, at) VALUES (?, ?, ?, ?)",
            request.key.stored,
            request.subscribers.stored,
            request.results.stored,
            request.at.stored
        )
    }

    private func write(_ early: EarlyReport) throws {
        try database.run(
            "INSERT OR IGNORE INTO early_reports (digest, at) VALUES (?, ?)",
            Digits(text: early.digest).stored,
            early.at.stored
        )
    }

    private func write(fault change: RowChange<Fault>) throws {
        guard let fault = change.after ?? change.before else { return }
        let key: StaticString = "app = ? AND environment = ?"
        guard change.after != nil else {
            return try database.run("DELETE FROM faults WHERE \(key)", fault.app.stored, fault.environment.stored)
        }
        let old = change.before
        var row = RowDraft(in: "faults", over: old)
        row.fix("app", fault.app)
        row.fix("environment", fault.environment)
        row.fix("since", fault.since)
        row.set("reason", from: old?.reason, to: fault.reason)
        row.set("fingerprint", from: old?.fingerprint, to: fault.fingerprint)
        try row.write(to: database, where: key, fault.app.stored, fault.environment.stored)
    }

    private func write(sentElsewhere change: RowChange<SentElsewhere>) throws {
        guard let new = change.after else { return }
        try database.run(
            "INSERT INTO sent_elsewhere (day, pushes) VALUES (?, ?) ON CONFLICT (day) DO UPDATE SET pushes = excluded.pushes",
            new.day.stored,
            new.pushes.stored
        )
    }

    private func write(scope change: RowChange<ScopeRow>) throws {
        if let old = change.before {
            let key = old.subject.key.map { "\($0.column) = ?" }.joined(separator: " AND ")
            try database.cached("DELETE FROM scopes WHERE \(key)").run(old.subject.key.map(\.value))
        }
        guard let new = change.after else { return }
        let columns = new.subject.key.map(\.column).joined(separator: ", ")
        try database.cached(
            "INSERT INTO scopes (number, paused, revoked, opened_at, \(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        ).run(
            [new.scope.number.stored, new.scope.isPaused.stored, new.scope.isRevoked.stored, new.scope.openedAt.stored]
                + new.subject.key.map(\.value)
        )
    }
}

extension ScopeSubject {
    /// The columns that name its row, and their values.
    fileprivate var key: [(column: String, value: SQLiteValue)] {
        let values: (kind: ScopeKind, subscriber: Text, app: Text, name: Text, device: Text) =
            switch self {
            case .subscriber(let subscriber): (.subscriber, subscriber, "", "", "")
            case .widget(let owner, let name): (.widget, owner.subscriber, owner.app, name, "")
            case .activity(let owner, let name, let device): (.activity, owner.subscriber, owner.app, name, device)
            case .startTarget(let id): (.startTarget, "", "", id.text, "")
            case .widgets(let id): (.widgets, "", "", id.text, "")
            }
        return [
            ("kind", values.kind.stored), ("subscriber", .text(values.subscriber)), ("app", .text(values.app)),
            ("name", .text(values.name)), ("device", .text(values.device)),
        ]
    }
}
