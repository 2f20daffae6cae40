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

    /// The pushes that the account sent in other ways on a day, as far as they were recorded.
    func sentElsewhere(on day: UTCDay) throws -> Int { try elsewhere(on: day)?.pushes ?? 0 }

    private func elsewhere(on day: UTCDay) throws -> SentElsewhere? {
        try database.first("SELECT pushes FROM sent_elsewhere WHERE day = ?", .integer(day.number)) {
            SentElsewhere(day: day, pushes: Int($0.integer(0)))
        }
    }

    /// Records what the account sent in other ways; it adds to what was recorded before.
    func recordElsewhere(_ pushes: Int, on day: UTCDay) throws {
        var changes = LedgerChanges()
        changes.sentElsewhere = [.adding(pushes, on: day, to: try elsewhere(on: day))]
        try write(changes)
    }

    // MARK: - A new day

    /// The condition of ``QuotaBook/isUnbooked(_:)`` on rows, for a day, a status and no cost.
    private static let isUnbooked = "open = 1 AND quota_day IS NOT ? AND status = ? AND cost > ?"

    private static func unbooked(on day: UTCDay) -> [SQLiteValue] {
        [.integer(day.number), .text(DeliveryStatus.queued.rawValue), 0]
    }

    /// Whether anything that is queued holds no capacity of a day.
    func hasUnbooked(on day: UTCDay) throws -> Bool {
        var isFound = false
        let sql = "SELECT 1 FROM deliveries WHERE \(Self.isUnbooked) LIMIT 1"
        try database.each(sql, values: Self.unbooked(on: day)) { _ in isFound = true }
        return isFound
    }

    /// Reserves capacity of today for what was queued and not sent before today, in the order of sending; what finds no
    /// room is taken back, so that the next diff plans it anew.
    ///
    /// - Returns: How many deliveries were taken back.
    func renewReservations(_ quota: Quota, at now: Moment) throws -> Int {
        let day = UTCDay(at: now)
        guard try hasUnbooked(on: day) else { return 0 }
        return try transaction {
            var book = QuotaBook(day: day, sums: try quotaDay(day, quota))
            var batch: [Delivery] = []
            func renew() throws {
                var changes = LedgerChanges()
                let (renewed, refused) = book.renew(batch)
                changes.deliveries = renewed
                try takeBack(refused, into: &changes, at: now)
                try write(changes)
                batch.removeAll(keepingCapacity: true)
            }
            let sql = """
                SELECT id FROM deliveries WHERE \(Self.isUnbooked) ORDER BY rank, commit_number, subscriber, id
                """
            // All of them are sorted before the first one comes out, so that what is written here changes nothing there.
            try database.each(sql, values: Self.unbooked(on: day)) { row in
                batch += try openDeliveries(where: "id = ?", [.text(row.text(0))])
                if batch.count >= 500 { try renew() }
            }
            try renew()
            return book.refused
        }
    }

    /// Takes back what was not sent and finds no room, with the launches that it was for.
    private func takeBack(_ deliveries: [Delivery], into changes: inout LedgerChanges, at now: Moment) throws {
        for delivery in deliveries {
            var transition = Transition(try record(of: delivery))
            try delivery.takeBack(in: &transition, isRequested: isRequested(delivery), at: now)
            changes.add(transition)
        }
    }
}
