internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// What a report does beyond its own device.
extension Ledger {
    func perform(_ effect: ReportEffect, of report: Report, at now: Moment) throws {
        switch effect {
        case .takeToken(let token): try take(token, for: report)
        case .ignored:
            try note(
                Event(
                    at: now,
                    run: nil,
                    kind: "report_ignored",
                    owner: Owner(subscriber: report.subscriber, app: report.app),
                    subject: report.device,
                    text: Text("device \(report.device) reported into a revoked scope: nothing was registered")
                )
            )
        case .merge(let anonymous, let person): try merge(anonymous, into: person, app: report.app, at: now)
        }
    }

    /// A token lives in one place: whoever else had it loses it.
    private func take(_ token: Text, for report: Report) throws {
        var type: Text?
        if case .startRegistered(let attributesType, _, _, _, _, _) = report.event { type = attributesType }
        try database.run(
            """
            UPDATE widget_registrations SET token = NULL
            WHERE token = ?1 AND NOT (?4 IS NULL AND app = ?2 AND device = ?3)
            """,
            .text(token),
            .text(report.app),
            .text(report.device),
            SQLiteValue(type)
        )
        try database.run(
            """
            UPDATE start_targets SET token = NULL
            WHERE token = ?1 AND NOT (?4 IS NOT NULL AND app = ?2 AND device = ?3 AND attributes_type = ?4)
            """,
            .text(token),
            .text(report.app),
            .text(report.device),
            SQLiteValue(type)
        )
    }

    /// Moves everything recorded of an anonymous id to the person; where both have a name, the person's stays.
    private func merge(_ anonymous: Text, into person: Text, app: Text, at now: Moment) throws {
        try database.run(
            "INSERT OR IGNORE INTO aliases (app, anonymous, subscriber) VALUES (?, ?, ?)",
            .text(app),
            .text(anonymous),
            .text(person)
        )
        let hadWidgets =
            try database.first(
                "SELECT 1 FROM widgets WHERE subscriber = ? AND app = ? LIMIT 1",
                .text(anonymous),
                .text(app)
            ) { _ in true } ?? false
        for table in ["widgets", "activities"] {
            try database.run(
                "UPDATE OR IGNORE \(table) SET subscriber = ?1 WHERE subscriber = ?2 AND app = ?3",
                .text(person),
                .text(anonymous),
                .text(app)
            )
            try database.run(
                "DELETE FROM \(table) WHERE subscriber = ? AND app = ?",
                .text(anonymous),
                .text(app)
            )
        }
        for table in ["devices", "widget_registrations", "start_targets", "instances"] {
            try database.run(
                "UPDATE \(table) SET subscriber = ?1 WHERE subscriber = ?2 AND app = ?3",
                .text(person),
                .text(anonymous),
                .text(app)
            )
        }
        try database.run(
            "UPDATE deliveries SET subscriber = ?1 WHERE subscriber = ?2 AND app = ?3 AND open = 1",
            .text(person),
            .text(anonymous),
            .text(app)
        )
        try database.run(
            "UPDATE OR IGNORE scopes SET subscriber = ? WHERE subscriber = ? AND (app = ? OR app = '')",
            .text(person),
            .text(anonymous),
            .text(app)
        )
        if hadWidgets {
            for subscriber in [anonymous, person] {
                try markUnpublished(Owner(subscriber: subscriber, app: app))
            }
        }
        try note(
            Event(
                at: now,
                run: nil,
                kind: "identified",
                owner: Owner(subscriber: person, app: app),
                subject: anonymous,
                text: Text("\(anonymous) is \(person): everything of it moved")
            )
        )
    }

    func markUnpublished(_ owner: Owner) throws {
        try database.run(
            "INSERT OR IGNORE INTO unpublished (subscriber, app) VALUES (?, ?)",
            .text(owner.subscriber),
            .text(owner.app)
        )
    }
}
