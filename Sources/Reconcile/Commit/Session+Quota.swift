internal import Diff
internal import Ledger
internal import Time

extension Snapshot {
    /// The use of a day's quota: counted from the deliveries that are booked to it, and never kept a second time.
    ///
    /// A delivery's status says what it holds of its day, so that whatever ends it gives its capacity back.
    func quotaDay(_ day: UTCDay, _ quota: Quota) throws -> QuotaDay {
        var held: [QuotaDay.Hold: Int] = [:]
        for (status, count) in try booked(on: day) {
            if let hold = QuotaDay.Hold(status) { held[hold, default: 0] += count }
        }
        return QuotaDay(
            limit: quota.dailyPushes,
            reserved: held[.reserved] ?? 0,
            uncertain: held[.uncertain] ?? 0,
            consumed: held[.consumed] ?? 0,
            elsewhere: try sentElsewhere(on: day)?.pushes ?? 0
        )
    }

    /// True where anything that is queued holds no capacity of a day.
    func hasUnbooked(on day: UTCDay) throws -> Bool { try !unbooked(on: day, after: .start, limit: 1).isEmpty }
}

extension Session {
    /// Records what the account sent in other ways; it adds to what was recorded before.
    ///
    /// It is part of a unit.
    func recordElsewhere(_ pushes: Int, on day: UTCDay) throws {
        var changes = LedgerChanges()
        changes.sentElsewhere = [.adding(pushes, on: day, to: try sentElsewhere(on: day))]
        try write(changes)
    }

    /// Reserves capacity of today for what was queued and not sent before today, in the order of sending; what finds no
    /// room is taken back, so that the next diff plans it anew.
    ///
    /// - Returns: The number of deliveries that were taken back.
    func renewReservations(_ quota: Quota, at now: Moment) throws -> Int {
        let day = UTCDay(at: now)
        guard try hasUnbooked(on: day) else { return 0 }
        return try unit {
            var book = QuotaBook(day: day, sums: try quotaDay(day, quota))
            var place = SendingPlace.start
            while true {
                let batch = try unbooked(on: day, after: place, limit: 500)
                guard let last = batch.last else { return book.refused }
                place = last.place
                var changes = LedgerChanges()
                let (renewed, refused) = book.renew(batch)
                changes.deliveries = renewed
                try write(changes)
                for delivery in refused {
                    var transition = Transition(try record(of: delivery))
                    try delivery.takeBack(in: &transition, isRequested: isRequested(delivery), at: now)
                    try write(transition)
                }
            }
        }
    }
}
