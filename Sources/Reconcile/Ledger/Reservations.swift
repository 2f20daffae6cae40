internal import Diff
internal import Foreign
internal import Time

/// The capacity of the day's quota, as one run takes it, transaction by transaction.
///
/// What is booked to the day is counted once: only the run that holds the lock reserves, others only give back. What the
/// account sent elsewhere may be recorded at any time and is read in every transaction.
final class Reservations {
    /// Whether a push may be queued.
    enum Booking {
        /// It may; on the day whose capacity it holds, if it needs any.
        case booked(UTCDay?)
        /// There is no room.
        case refused
    }

    private let ledger: Ledger
    private let quota: Quota
    private var day: UTCDay
    private var sums: QuotaDay
    /// Pushes that found no room though there was some when they were planned.
    private(set) var refused = 0

    /// Counts what is left at a moment.
    init(_ ledger: Ledger, _ quota: Quota, at now: Moment) throws {
        self.ledger = ledger
        self.quota = quota
        day = UTCDay(at: now)
        sums = try ledger.quotaDay(day, quota)
    }

    /// Brings it up to date at the begin of a transaction.
    func begin(at now: Moment) throws {
        if UTCDay(at: now) == day {
            sums.elsewhere = try ledger.sentElsewhere(on: day)
        } else {
            day = UTCDay(at: now)
            sums = try ledger.quotaDay(day, quota)
        }
    }

    /// Reserves capacity for one push; one that takes the place of a queued update takes over what that holds.
    func reserve(succeeding target: TargetID? = nil) throws -> Booking {
        if let target, try ledger.holdsCapacity(updateOf: target, on: day) { return .booked(day) }
        do throws(QuotaError) { try sums.reserve() } catch {
            refused += 1
            return .refused
        }
        return .booked(day)
    }
}

extension Ledger {
    fileprivate func holdsCapacity(updateOf target: TargetID, on day: UTCDay) throws -> Bool {
        try database.first(
            """
            SELECT 1 FROM deliveries
            WHERE target = ? AND open = 1 AND kind = 'update' AND status = 'queued' AND quota_day = ?
            """,
            .text(target.text),
            .integer(day.number)
        ) { _ in true } ?? false
    }
}
