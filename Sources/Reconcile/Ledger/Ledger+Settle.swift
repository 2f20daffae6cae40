internal import Diff
internal import Foreign
internal import JSON

/// Recording what became of deliveries.
extension Ledger {
    /// Records one outcome; part of the transaction of its batch.
    func settle(
        _ push: Outgoing,
        _ settlement: Settlement,
        _ answer: AnswerRecord,
        run: RunID,
        at now: Int64
    ) throws {
        switch settlement {
        case .accepted:
            try write(push, "accepted", isOpen: false, 0, answer, at: now)
            try accept(push, at: now)
        case .invalidEndpoint(let deadAt):
            try write(push, "failed", isOpen: false, 0, answer, at: now)
            if push.isNewer(thanDeathAt: deadAt) {
                // It was reported again after APNs found it dead: hold it until the next report.
                try hold(push, .untilReported(tokenAt: push.tokenAt))
            } else {
                try removeToken(push, deadAt: deadAt ?? now, run: run, at: now)
            }
        case .requeued(let notBefore):
            try write(push, "queued", isOpen: true, notBefore, answer, at: now)
            try takeBack(push)
        case .unknown(let notBefore):
            try write(push, "unknown", isOpen: true, notBefore, answer, at: now)
            try show(push)
        case .rejected:
            try write(push, "failed", isOpen: false, 0, answer, at: now)
            try hold(push, Rejection(revision: push.revision, tokenAt: push.tokenAt))
        }
    }

    private func write(
        _ push: Outgoing,
        _ status: Text,
        isOpen: Bool,
        _ notBefore: Int64,
        _ answer: AnswerRecord,
        at now: Int64
    ) throws {
        // Once an attempt was uncertain, a delivery does not return to the queue, and a refusal does not make it certain.
        try database.run(
            """
            UPDATE deliveries SET status = ?, open = ?, not_before = ?, apns_status = ?, apns_reason = ?, apns_id = ?,
                note = ?, answered_at = ? WHERE id = ?
            """,
            .text(status != "accepted" && push.delivery.status == .unknown ? "unknown" : status),
            SQLiteValue(isOpen),
            .integer(notBefore),
            SQLiteValue(answer.status),
            SQLiteValue(answer.reason),
            SQLiteValue(answer.id),
            SQLiteValue(answer.note.map { Text($0) }),
            .integer(now),
            .text(push.delivery.id.text)
        )
    }

    private func accept(_ push: Outgoing, at now: Int64) throws {
        switch push.content {
        case .reload:
            try database.run(
                """
                UPDATE widget_registrations SET reloaded_commit = max(reloaded_commit, ?), owes_reload = 0,
                    rejected_revision = NULL, rejected_token_at = NULL WHERE id = ?
                """,
                .integer(push.revision),
                SQLiteValue(push.delivery.registration)
            )
        case .start:
            break
        case .update:
            try show(push)
        case .end:
            guard let target = push.delivery.target else { return }
            try database.run(
                "UPDATE instances SET phase = 'closed', closure = ending WHERE id = ? AND phase = 'running'",
                .text(target.text)
            )
        }
    }

    /// What a push carried counts as shown, accepted or not certain.
    private func show(_ push: Outgoing) throws {
        guard case .update(let content, _, _) = push.content, let target = push.delivery.target else { return }
        try database.run(
            "UPDATE instances SET shown = ?, rejected_revision = NULL, rejected_token_at = NULL WHERE id = ?",
            SQLiteValue(json: content.value),
            .text(target.text)
        )
    }

    /// A start that was certainly not processed is no launch yet.
    private func takeBack(_ push: Outgoing) throws {
        guard case .start = push.content, let target = push.delivery.target else { return }
        try database.run(
            "UPDATE instances SET phase = 'queued', started_at = 0, shown = NULL WHERE id = ? AND phase = 'outstanding'",
            .text(target.text)
        )
    }

    private func hold(_ push: Outgoing, _ rejection: Rejection) throws {
        let values = (SQLiteValue.integer(rejection.revision), SQLiteValue.integer(rejection.tokenAt))
        if let target = push.delivery.target {
            try database.run(
                "UPDATE instances SET rejected_revision = ?, rejected_token_at = ? WHERE id = ?",
                values.0,
                values.1,
                .text(target.text)
            )
            if push.delivery.kind == .start {
                try database.run("UPDATE instances SET phase = 'failed' WHERE id = ?", .text(target.text))
            } else if push.delivery.kind == .update, push.delivery.status == .unknown {
                // It counted as shown because it may have arrived; refused now, it counts as not sent.
                try database.run("UPDATE instances SET shown = NULL WHERE id = ?", .text(target.text))
            }
        } else {
            try database.run(
                "UPDATE widget_registrations SET rejected_revision = ?, rejected_token_at = ? WHERE id = ?",
                values.0,
                values.1,
                SQLiteValue(push.delivery.registration)
            )
        }
    }

    /// A dead token leaves a tombstone; what it was registered for goes with it.
    private func removeToken(_ push: Outgoing, deadAt: Int64, run: RunID, at now: Int64) throws {
        try database.run(
            """
            INSERT INTO dead_tokens (token, at) VALUES (?, ?)
            ON CONFLICT (token) DO UPDATE SET at = max(at, excluded.at)
            """,
            .text(push.token),
            .integer(deadAt)
        )
        switch push.delivery.kind {
        case .reload:
            try database.run("UPDATE widget_registrations SET token = NULL WHERE token = ?", .text(push.token))
        case .start:
            try database.run("UPDATE start_targets SET token = NULL WHERE token = ?", .text(push.token))
            try database.run(
                "UPDATE instances SET phase = 'failed' WHERE id = ?",
                SQLiteValue(push.delivery.target?.text)
            )
        case .update, .end:
            try database.run(
                """
                UPDATE instances SET phase = 'closed', closure = coalesce(ending, 'gone') WHERE id = ? AND phase = 'running'
                """,
                SQLiteValue(push.delivery.target?.text)
            )
            try database.run(
                "UPDATE deliveries SET \(Self.closing(as: "cancelled")) WHERE target = ? AND open = 1",
                SQLiteValue(push.delivery.target?.text)
            )
        }
        try note(
            LedgerEvent(
                at: now,
                run: run,
                kind: "invalid_endpoint",
                owner: push.delivery.owner,
                subject: push.delivery.registration ?? push.delivery.target?.text,
                text: Text("the token \(push.token.string.prefix(8))… of device \(push.delivery.device) is dead")
            )
        )
    }

    /// Marks what a delivery is addressed to as suspect: it is tried last from now on, after all earlier suspects.
    func suspect(_ push: Outgoing) throws {
        try database.run("UPDATE deliveries SET rank = rank + 4 WHERE id = ?", .text(push.delivery.id.text))
    }

    // MARK: - Recovery

    /// What a run that died was sending is unknown: it may have arrived.
    ///
    /// - Returns: How many deliveries that were.
    func recover(run: RunID, at now: Int64) throws -> Int {
        try transaction {
            var found: [(id: Text, kind: Text, target: Text?, content: Text?)] = []
            try database.each("SELECT id, kind, target, content FROM deliveries WHERE status = 'dispatching'") {
                found.append(($0.text(0), $0.text(1), $0.optionalText(2), $0.optionalText(3)))
            }
            for delivery in found {
                try database.run(
                    """
                    UPDATE deliveries SET status = 'unknown', not_before = 0, note = 'the run that sent it died'
                    WHERE id = ?
                    """,
                    .text(delivery.id)
                )
                if delivery.kind == "update" {
                    try database.run(
                        "UPDATE instances SET shown = ? WHERE id = ?",
                        SQLiteValue(delivery.content),
                        SQLiteValue(delivery.target)
                    )
                }
                try note(
                    LedgerEvent(
                        at: now,
                        run: run,
                        kind: "unknown",
                        owner: nil,
                        subject: delivery.id,
                        text: "an earlier run died while it sent this; it counts as unknown"
                    )
                )
            }
            return found.count
        }
    }

    // MARK: - Faults

    /// The configuration fault that stopped an app and environment, if any: its reason, and of which configuration.
    func fault(app: Text, environment: PushEnvironment) throws -> (reason: Text, fingerprint: Text)? {
        try database.first(
            "SELECT reason, fingerprint FROM faults WHERE app = ? AND environment = ?",
            .text(app),
            .text(environment.rawValue)
        ) { ($0.text(0), $0.text(1)) }
    }

    func setFault(
        app: Text,
        environment: PushEnvironment,
        reason: Text,
        fingerprint: Text,
        at now: Int64
    ) throws {
        try database.run(
            """
            INSERT INTO faults (app, environment, reason, fingerprint, since) VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (app, environment) DO UPDATE SET reason = ?3, fingerprint = ?4
            """,
            .text(app),
            .text(environment.rawValue),
            .text(reason),
            .text(fingerprint),
            .integer(now)
        )
    }

    func clearFault(app: Text, environment: PushEnvironment) throws {
        try database.run(
            "DELETE FROM faults WHERE app = ? AND environment = ?",
            .text(app),
            .text(environment.rawValue)
        )
    }
}
