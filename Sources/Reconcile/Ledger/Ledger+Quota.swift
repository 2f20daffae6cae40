internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// What a day's quota went to: counted from the deliveries that are booked to it, and never kept a second time.
///
/// A delivery's status says what it holds of its day, so that whatever ends it gives its capacity back.
extension Ledger {
    /// What a day's quota went to.
    func quotaDay(_ day: UTCDay, _ quota: Quota) throws -> QuotaDay {
        var held: [QuotaDay.Hold: Int] = [:]
        try database.each(
            "SELECT status, count(*) FROM deliveries WHERE quota_day = ? GROUP BY status",
            .integer(day.number)
        ) { row in
            guard let hold = DeliveryStatus(rawValue: row.text(0)).flatMap(QuotaDay.Hold.init) else { return }
            held[hold, default: 0] += Int(row.integer(1))
        }
        return QuotaDay(
            limit: quota.dailyPushes,
            reserved: held[.reserved] ?? 0,
            uncertain: held[.uncertain] ?? 0,
            consumed: held[.consumed] ?? 0,
            elsewhere: try sentElsewhere(on: day)
        )
    }

    /// What the account sent in other ways on a day, as far as it was recorded.
    func sentElsewhere(on day: UTCDay) throws -> Int {
        try database.first("SELECT pushes FROM sent_elsewhere WHERE day = ?", .integer(day.number)) {
            Int($0.integer(0))
        } ?? 0
    }

    /// Records what the account sent in other ways; it adds to what was recorded before.
    func recordElsewhere(_ pushes: Int, on day: UTCDay) throws {
        try database.run(
            """
            INSERT INTO sent_elsewhere (day, pushes) VALUES (?, ?)
            ON CONFLICT (day) DO UPDATE SET pushes = pushes + excluded.pushes
            """,
            .integer(day.number),
            .integer(Int64(pushes))
        )
    }

    // MARK: - A new day

    /// What is queued, costs something and is not booked to a day: it lost its capacity at 00:00 UTC, or there was no
    /// quota when it was queued.
    private static let isUnbooked = "open = 1 AND status = 'queued' AND cost > 0 AND quota_day IS NOT ?1"

    /// Whether anything that is queued holds no capacity of a day.
    func hasUnbooked(on day: UTCDay) throws -> Bool {
        try database.first("SELECT 1 FROM deliveries WHERE \(Self.isUnbooked) LIMIT 1", .integer(day.number)) { _ in
            true
        } ?? false
    }

    /// Reserves capacity of today for what was queued and not sent before today, in the order of sending; what finds no
    /// room is taken back, so that the next diff plans it anew.
    ///
    /// - Returns: How many deliveries were taken back.
    func renewReservations(_ quota: Quota, at now: Moment) throws -> Int {
        let day = UTCDay(at: now)
        guard try hasUnbooked(on: day) else { return 0 }
        return try transaction {
            try database.run(
                """
                UPDATE deliveries SET quota_day = ?1 WHERE id IN (SELECT id FROM deliveries WHERE \(Self.isUnbooked)
                    ORDER BY rank, commit_number, subscriber, id LIMIT ?2)
                """,
                .integer(day.number),
                .integer(Int64(try quotaDay(day, quota).left))
            )
            var count = 0
            while true {
                let batch = try deliveries(
                    where: "id IN (SELECT id FROM deliveries WHERE \(Self.isUnbooked) LIMIT 500)",
                    .integer(day.number)
                )
                guard !batch.isEmpty else { return count }
                try takeBack(batch, at: now)
                count += batch.count
            }
        }
    }

    /// Takes back what was not sent and finds no room, with the launches that it was for.
    func takeBack(_ deliveries: [StoredDelivery], at now: Moment) throws {
        try move(deliveries, .cancel, note: "the day's quota is used up; it is planned anew", at: now)
        for delivery in deliveries {
            if delivery.kind == .start, let target = delivery.target { try move(target, .cancel, run: nil, at: now) }
            guard delivery.kind == .reload else { continue }
            // A changed widget says itself that a reload is due; one that a person asked for has nothing else to say so.
            try database.run(
                """
                UPDATE widget_registrations SET owes_reload = 1 WHERE id = (
                    SELECT d.registration FROM deliveries AS d JOIN operations AS o ON o.id = d.operation
                        JOIN runs AS r ON r.id = o.run
                    WHERE d.id = ? AND r.command = 'reload')
                """,
                .text(delivery.id.text)
            )
        }
    }

    /// Books a push to the day on which it is first sent.
    ///
    /// It is booked already unless what an end carries has changed since it was queued.
    ///
    /// - Returns: `false` where it costs something and there is no room.
    func book(_ push: Outgoing, _ quota: Quota, at now: Moment) throws -> Bool {
        guard push.delivery.status == .queued else { return true }
        let day = UTCDay(at: now)
        let booked = try database.first("SELECT quota_day FROM deliveries WHERE id = ?", .text(push.delivery.id.text)) {
            $0.optionalInteger(0).map { UTCDay($0) }
        }
        let needed = push.cost > 0 ? day : nil
        guard needed != booked else { return true }
        guard try needed == nil || quotaDay(day, quota).left > 0 else { return false }
        try database.run(
            "UPDATE deliveries SET cost = ?, quota_day = ? WHERE id = ?",
            .integer(Int64(push.cost)),
            SQLiteValue(needed?.number),
            .text(push.delivery.id.text)
        )
        return true
    }
}
