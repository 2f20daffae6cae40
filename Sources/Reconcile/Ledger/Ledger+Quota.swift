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
    private static let isUnbooked =
        "open = 1 AND status = '\(DeliveryStatus.queued.rawValue)' AND cost > 0 AND quota_day IS NOT ?1"

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
                let unbooked = try deliveries("\(Self.isUnbooked) LIMIT 500", .integer(day.number))
                guard !unbooked.isEmpty else { return count }
                var changes = LedgerChanges()
                for delivery in unbooked {
                    var transition = Transition(try record(of: delivery))
                    try delivery.takeBack(in: &transition, isRequested: isRequested(delivery), at: now)
                    changes.add(transition)
                }
                try write(changes)
                count += unbooked.count
            }
        }
    }
}
