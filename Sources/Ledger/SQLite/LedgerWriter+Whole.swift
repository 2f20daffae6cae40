internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// Rows of the ledger as a whole, and of runs.
extension LedgerWriter {
    /// Writes which published files are older than what is committed.
    func writePublishing(_ changes: LedgerChanges) throws {
        if changes.unpublishesAll {
            try database.run(
                "INSERT OR IGNORE INTO unpublished (subscriber, app) SELECT DISTINCT subscriber, app FROM widgets"
            )
        }
        for owner in changes.unpublished { try add(owner, to: "unpublished") }
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
    func writeTouched(_ changes: LedgerChanges) throws {
        if changes.forgetsTouched { try database.run("DELETE FROM touched") }
        let touched = changes.touched
        guard !touched.isEmpty || !changes.scopes.isEmpty, try hasIndex() else { return }
        if changes.scopes.isEmpty {
            for owner in touched { try add(owner, to: "touched") }
        } else {
            try database.run("DELETE FROM facts WHERE key = ?", .text(SQLiteLedger.Fact.index.rawValue))
        }
    }

    private func hasIndex() throws -> Bool {
        let key = SQLiteLedger.Fact.index.rawValue
        return try database.first("SELECT 1 FROM facts WHERE key = ?", .text(key)) { _ in true } ?? false
    }

    private func add(_ owner: Owner, to table: String) throws {
        try database.run(
            "INSERT OR IGNORE INTO \(table) (subscriber, app) VALUES (?, ?)",
            .text(owner.subscriber),
            .text(owner.app)
        )
    }

    func write(facts change: RowChange<LedgerFacts>) throws {
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

    func write(template change: RowChange<TemplateRecord>) throws {
        guard let new = change.after else { return }
        let old = change.before
        var row = RowDraft(over: old)
        row.fix("name", new.name)
        row.fix("digest", new.digest)
        row.set("document", from: old?.document, to: new.document)
        row.fix("at", new.appliedAt)
        try row.write(to: "templates", of: database, where: [("name", new.name)])
    }

    func write(run change: RowChange<RunRecord>) throws {
        guard let new = change.after else { return }
        let old = change.before
        var row = RowDraft(over: old)
        row.fix("id", new.id)
        row.fix("command", new.command)
        row.fix("host", new.host)
        row.fix("user", new.user)
        row.fix("pid", new.pid)
        row.set("source", from: old?.sourceCommit, to: new.sourceCommit)
        row.fix("started_at", new.startedAt)
        row.set("ended_at", from: old?.endedAt, to: new.endedAt)
        row.set("status", from: old?.exitStatus, to: new.exitStatus)
        try row.write(to: "runs", of: database, where: [("id", new.id.text)])
    }

    func write(_ request: ReloadRequestRecord) throws {
        try database.run(
            "INSERT INTO idempotency (key, request, results, at) VALUES (?, ?, ?, ?)",
            request.key.stored,
            request.subscribers.stored,
            request.results.stored,
            request.at.stored
        )
    }

    func write(_ early: EarlyReport) throws {
        try database.run(
            "INSERT OR IGNORE INTO early_reports (digest, at) VALUES (?, ?)",
            early.digest.stored,
            early.at.stored
        )
    }

    func write(_ event: Event) throws {
        try database.run(
            "INSERT INTO events (at, run, kind, subscriber, app, subject, text) VALUES (?, ?, ?, ?, ?, ?, ?)",
            event.at.stored,
            event.run.stored,
            event.kind.stored,
            (event.owner?.subscriber).stored,
            (event.owner?.app).stored,
            event.subject.stored,
            event.text.stored
        )
    }
}
