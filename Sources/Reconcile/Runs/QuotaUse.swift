public import Diff
internal import Foreign
internal import Ledger
internal import Source
internal import Time

/// The reason that there is nothing to say of the quota.
public struct NoQuota: Error, Hashable, Sendable, CustomStringConvertible {
    /// The configuration that has none.
    public var file: String

    /// The fault and the way out.
    public var description: String {
        "\(file): there is no quota, so that nothing is counted; \"quota\": { \"dailyPushes\": N } sets one"
    }
}

extension UTCDay {
    /// `2026-11-30`.
    public var text: String { String(RFC3339.string(start).prefix(10)) }
}

/// `quota`: shows what the day's quota went to, and records what the account sent in other ways.
///
/// It takes no lock: a run that is at work counts it from its next transaction on.
public struct QuotaUse {
    private let pipeline: Pipeline

    /// The quota of a project.
    public init(_ pipeline: Pipeline) {
        self.pipeline = pipeline
    }

    /// The quota of today, by UTC.
    ///
    /// - Returns: The day and its sums.
    /// - Throws: ``NoQuota``, ``LedgerError``.
    public func today() throws -> (day: UTCDay, sums: QuotaDay) {
        let (quota, day) = (try quota, UTCDay(at: pipeline.environment.now()))
        return (day, try pipeline.store.snapshot().quotaDay(day, quota))
    }

    /// Records what the account sent today in other ways; it adds to what was recorded before.
    ///
    /// - Parameter pushes: The number of pushes.
    /// - Returns: The day and its sums.
    /// - Throws: ``NoQuota``, ``LedgerError``.
    public func record(_ pushes: Int) throws -> (day: UTCDay, sums: QuotaDay) {
        let (quota, day) = (try quota, UTCDay(at: pipeline.environment.now()))
        let ledger = try pipeline.store.session()
        return try ledger.unit {
            try ledger.recordElsewhere(pushes, on: day)
            return (day, try ledger.quotaDay(day, quota))
        }
    }

    private var quota: Quota {
        get throws {
            guard let quota = pipeline.configuration.quota else { throw NoQuota(file: pipeline.configuration.file) }
            return quota
        }
    }
}
