/// The capacity of one day's quota, as one run takes it, push by push.
public struct QuotaBook: Hashable, Sendable {
    /// The answer to a push that asks for capacity.
    public enum Booking: Hashable, Sendable {
        /// It may; on the day whose capacity it holds, if it needs any.
        case booked(UTCDay?)
        /// There is no room.
        case refused
    }

    /// The day.
    public private(set) var day: UTCDay
    /// The sums of its quota.
    public var sums: QuotaDay
    /// Pushes that found no room though there was some when they were planned.
    public private(set) var refused = 0

    /// A day as it stands.
    public init(day: UTCDay, sums: QuotaDay) {
        self.day = day
        self.sums = sums
    }

    /// Goes on with a day as it stands now.
    public mutating func renew(day: UTCDay, sums: QuotaDay) {
        self.day = day
        self.sums = sums
    }

    /// True where a push that waits holds nothing of the day: its capacity ended at 00:00 UTC, or there was no quota when it was
    /// queued.
    public func isUnbooked(_ delivery: Delivery) -> Bool {
        delivery.status == .queued && delivery.cost > 0 && delivery.quotaDay != day
    }

    /// Reserves capacity of the day for pushes that wait and hold none.
    ///
    /// - Parameter deliveries: Pushes in the order of sending.
    /// - Returns: Those that hold capacity now, and those that find no room and have to be taken back.
    public mutating func renew(_ deliveries: [Delivery]) -> (renewed: [RowChange<Delivery>], refused: [Delivery]) {
        var renewed: [RowChange<Delivery>] = []
        var refused: [Delivery] = []
        for delivery in deliveries where isUnbooked(delivery) {
            guard case .booked(let day) = reserve() else {
                refused.append(delivery)
                continue
            }
            var booked = delivery
            booked.quotaDay = day
            renewed.append(RowChange(before: delivery, after: booked))
        }
        return (renewed, refused)
    }

    /// Reserves capacity for one push.
    ///
    /// - Parameter held: The day whose capacity a queued push holds whose place it takes; `nil` where it takes none.
    /// - Returns: The day; refused where it is full.
    public mutating func reserve(takingOver held: UTCDay? = nil) -> Booking {
        if held == day { return .booked(day) }
        do throws(QuotaError) { try sums.reserve() } catch {
            refused += 1
            return .refused
        }
        return .booked(day)
    }

    /// Gives back the capacity that a push holds which turned out to be free; nothing where that is another day's.
    public mutating func release(_ held: UTCDay?) {
        guard held == day else { return }
        do throws(QuotaError) { try sums.release() } catch {}
    }
}
