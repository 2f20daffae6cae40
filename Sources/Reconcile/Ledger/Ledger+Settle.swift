internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// Recording what became of deliveries.
extension Ledger {
    /// Records one outcome; part of the transaction of its batch.
    func settle(
        _ push: Outgoing,
        _ settlement: Settlement,
        _ answer: AnswerRecord,
        run: RunID,
        at now: Moment
    ) throws {
        switch settlement {
        case .accepted:
            try write(push, .accept, .never, answer, at: now)
            try accept(push, run: run, at: now)
        case .invalidEndpoint(let deadAt):
            try write(push, .refuse, .never, answer, at: now)
            if push.isNewer(thanDeathAt: deadAt) {
                // It was reported again after APNs found it dead: hold it until the next report.
                try hold(push, .untilReported(tokenAt: push.tokenAt), run: run, at: now)
            } else {
                try removeToken(push, deadAt: deadAt ?? now, run: run, at: now)
            }
        case .requeued(let notBefore):
            try write(push, .takeBack, notBefore, answer, at: now)
            if answer.status != nil {
                try noteAttempt(push.delivery.id, .queued, "queued again: \(answer.words)", run: run, at: now)
            }
            try takeBack(push, run: run, at: now)
        case .unknown(let notBefore):
            try write(push, .lose, notBefore, answer, at: now)
            try noteAttempt(push.delivery.id, .unknown, "unknown: \(answer.words)", run: run, at: now)
            try show(push, at: now)
        case .rejected:
            try write(push, .refuse, .never, answer, at: now)
            try hold(push, Rejection(revision: push.revision, tokenAt: push.tokenAt), run: run, at: now)
        }
    }

    private func write(
        _ push: Outgoing,
        _ move: DeliveryMove,
        _ notBefore: Moment,
        _ answer: AnswerRecord,
        at now: Moment
    ) throws {
        let sent = DeliveryState.dispatching(again: push.delivery.status == .unknown)
        let next = try sent.after(move, of: push.delivery.kind)
        try database.run(
            """
            UPDATE deliveries SET status = ?, open = ?, not_before = ?, apns_status = ?, apns_reason = ?, apns_id = ?,
                note = ?, answered_at = ? WHERE id = ?
            """,
            .text(next.status.rawValue),
            SQLiteValue(next.isOpen),
            .moment(notBefore),
            SQLiteValue(answer.status),
            SQLiteValue(answer.reason),
            SQLiteValue(answer.id),
            SQLiteValue(answer.note.map { Text($0) }),
            .moment(now),
            .text(push.delivery.id.text)
        )
    }

    private func accept(_ push: Outgoing, run: RunID, at now: Moment) throws {
        switch push.content {
        case .reload:
            try database.run(
                """
                UPDATE widget_registrations SET reloaded_commit = max(reloaded_commit, ?), owes_reload = 0,
                    reloaded_at = ?, rejected_revision = NULL, rejected_token_at = NULL WHERE id = ?
                """,
                .integer(push.revision),
                .moment(now),
                SQLiteValue(push.delivery.registration)
            )
        case .start:
            break
        case .update:
            try show(push, at: now)
        case .end:
            guard let target = push.delivery.target else { return }
            try close(target, orElse: .removal, run: run, at: now)
        }
    }

    /// What a push carried counts as shown, accepted or not certain.
    private func show(_ push: Outgoing, at now: Moment) throws {
        switch push.content {
        case .update(let content, _, _):
            try database.run(
                """
                UPDATE instances SET shown = ?, updated_at = ?, rejected_revision = NULL, rejected_token_at = NULL
                WHERE id = ?
                """,
                SQLiteValue(json: content.value),
                .moment(now),
                SQLiteValue(push.delivery.target?.text)
            )
        case .reload:
            try database.run(
                "UPDATE widget_registrations SET reloaded_at = ? WHERE id = ?",
                .moment(now),
                SQLiteValue(push.delivery.registration)
            )
        case .start, .end:
            break
        }
    }

    /// A start that was certainly not processed is no launch yet.
    private func takeBack(_ push: Outgoing, run: RunID, at now: Moment) throws {
        guard case .start = push.content, let target = push.delivery.target else { return }
        try move(target, .takeBack, run: run, at: now)
        try database.run(
            "UPDATE instances SET started_at = 0, start_expires_at = 0, shown = NULL WHERE id = ?",
            .text(target.text)
        )
    }

    private func hold(_ push: Outgoing, _ rejection: Rejection, run: RunID, at now: Moment) throws {
        let values = (SQLiteValue.integer(rejection.revision), SQLiteValue.moment(rejection.tokenAt))
        if let target = push.delivery.target {
            try database.run(
                "UPDATE instances SET rejected_revision = ?, rejected_token_at = ? WHERE id = ?",
                values.0,
                values.1,
                .text(target.text)
            )
            if push.delivery.kind == .start {
                try move(target, .refuse, run: run, at: now)
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
    private func removeToken(_ push: Outgoing, deadAt: Moment, run: RunID, at now: Moment) throws {
        try database.run(
            """
            INSERT INTO dead_tokens (token, at) VALUES (?, ?)
            ON CONFLICT (token) DO UPDATE SET at = max(at, excluded.at)
            """,
            .text(push.token),
            .moment(deadAt)
        )
        switch push.delivery.kind {
        case .reload:
            try database.run("UPDATE widget_registrations SET token = NULL WHERE token = ?", .text(push.token))
        case .start:
            try database.run("UPDATE start_targets SET token = NULL WHERE token = ?", .text(push.token))
            if let target = push.delivery.target { try move(target, .refuse, run: run, at: now) }
        case .update, .end:
            guard let target = push.delivery.target else { break }
            try close(target, orElse: .gone, run: run, at: now)
            try move(deliveriesOf: target, .cancel, at: now)
            try database.run("UPDATE instances SET token = NULL WHERE id = ?", .text(target.text))
        }
        try note(
            Event(
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
    func recover(run: RunID, at now: Moment) throws -> Int {
        try transaction {
            let found = try deliveries(where: "status = 'dispatching'")
            try move(found, .lose, note: "the run that sent it died", at: now)
            for delivery in found {
                try database.run("UPDATE deliveries SET not_before = 0 WHERE id = ?", .text(delivery.id.text))
                if delivery.kind == .update {
                    try database.run(
                        "UPDATE instances SET shown = ?, updated_at = ? WHERE id = ?",
                        SQLiteValue(delivery.content),
                        .moment(now),
                        SQLiteValue(delivery.target?.text)
                    )
                }
                try noteAttempt(delivery.id, .unknown, "unknown: the run that sent it died", run: run, at: now)
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
        run: RunID,
        at now: Moment
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
            .moment(now)
        )
        try noteFault("configuration_fault", app, environment, "stopped: APNs answered \(reason)", run: run, at: now)
    }

    func clearFault(app: Text, environment: PushEnvironment, run: RunID, at now: Moment) throws {
        guard try fault(app: app, environment: environment) != nil else { return }
        try database.run(
            "DELETE FROM faults WHERE app = ? AND environment = ?",
            .text(app),
            .text(environment.rawValue)
        )
        try noteFault("configuration_fault_over", app, environment, "pushes go out again", run: run, at: now)
    }

    private func noteFault(
        _ kind: Text,
        _ app: Text,
        _ environment: PushEnvironment,
        _ words: String,
        run: RunID,
        at now: Moment
    ) throws {
        let text = Text("\(app) (\(environment.rawValue)): \(words)")
        try note(Event(at: now, run: run, kind: kind, owner: nil, subject: app, text: text))
    }
}
