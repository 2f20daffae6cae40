public import Time

/// The most pushes that an account may send on one UTC day.
public struct Quota: Hashable, Sendable {
    /// The most pushes of one day.
    public var dailyPushes: Int

    /// A quota.
    public init(dailyPushes: Int) {
        self.dailyPushes = dailyPushes
    }
}

/// A day of UTC.
public struct UTCDay: Hashable, Sendable, Comparable {
    /// Days since 1970.
    public var number: Int64

    /// A day by its number.
    public init(_ number: Int64) {
        self.number = number
    }

    /// The day of a moment.
    public init(at moment: Moment) {
        number = moment.milliseconds / Span.days(1).milliseconds
    }

    /// Its 00:00.
    public var start: Moment { Moment(milliseconds: Span.days(number).milliseconds) }
    /// The 00:00 that ends it.
    public var end: Moment { start + .days(1) }

    /// True where one day is before another.
    public static func < (left: UTCDay, right: UTCDay) -> Bool { left.number < right.number }
}

/// The sums that the quota of one UTC day went to.
///
/// A push that is queued or being sent has reserved capacity; one that APNs accepted has consumed it; one that perhaps
/// arrived is uncertain and keeps it. Each push is in one of the three sums, of one day.
public struct QuotaDay: Hashable, Sendable {
    /// The part of the day that a push holds.
    public enum Hold: Hashable, Sendable, CaseIterable {
        /// It is queued, or being sent.
        case reserved
        /// It was sent, and nobody knows what became of it.
        case uncertain
        /// APNs accepted it.
        case consumed

        /// The hold of a delivery with a status; `nil` where it is none, so that whatever ends it gives its capacity back.
        public init?(_ status: DeliveryStatus) {
            switch status {
            case .queued, .dispatching: self = .reserved
            case .unknown: self = .uncertain
            case .accepted: self = .consumed
            case .failed, .superseded, .cancelled, .expired: return nil
            }
        }
    }

    /// The most pushes of the day.
    public let limit: Int
    /// Pushes that are queued or being sent.
    public private(set) var reserved: Int
    /// Pushes that were sent, and nobody knows what became of them.
    public private(set) var uncertain: Int
    /// Pushes that APNs accepted.
    public private(set) var consumed: Int
    /// Pushes that the account sent in other ways, as far as it was recorded.
    public var elsewhere: Int

    /// A day as it stands.
    public init(limit: Int, reserved: Int = 0, uncertain: Int = 0, consumed: Int = 0, elsewhere: Int = 0) {
        self.limit = limit
        self.reserved = reserved
        self.uncertain = uncertain
        self.consumed = consumed
        self.elsewhere = elsewhere
    }

    /// The pushes that may still be reserved: none where the limit was lowered below what is held already.
    public var left: Int { max(0, limit - consumed - reserved - uncertain - elsewhere) }

    /// A push is queued.
    ///
    /// - Throws: ``QuotaError/exceeded(limit:)`` where nothing is left.
    public mutating func reserve() throws(QuotaError) {
        guard left > 0 else { throw .exceeded(limit: limit) }
        reserved += 1
    }

    /// A push that is reserved turned out to be free, or is not sent.
    ///
    /// - Throws: ``QuotaError/nothingReserved``.
    public mutating func release() throws(QuotaError) {
        guard reserved > 0 else { throw .nothingReserved }
        reserved -= 1
    }
}

/// A move that a day's quota does not allow.
public enum QuotaError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Nothing is left.
    case exceeded(limit: Int)
    /// No push has reserved anything.
    case nothingReserved

    /// The reason.
    public var description: String {
        switch self {
        case .exceeded(let limit): "the day's quota of \(limit) \(limit == 1 ? "push" : "pushes") is used up"
        case .nothingReserved: "no push of the day has reserved capacity that could be given back"
        }
    }
}
