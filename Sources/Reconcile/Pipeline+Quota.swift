public import Diff
internal import Foreign
internal import Time
internal import Source

/// Why there is nothing to say of the quota.
public struct NoQuota: Error, Hashable, Sendable, CustomStringConvertible {
    /// The configuration that has none.
    public var file: String

    /// What is wrong and what to do.
    public var description: String {
        "\(file): there is no quota, so that nothing is counted; \"quota\": { \"dailyPushes\": N } sets one"
    }
}

extension UTCDay {
    /// `2026-11-30`.
    public var text: String { String(RFC3339.string(start).prefix(10)) }
}

extension Pipeline {
    /// What the quota of today, by UTC, went to.
    ///
    /// - Returns: The day and its sums.
    /// - Throws: ``NoQuota``, ``LedgerError``.
    public func quota() throws -> (day: UTCDay, sums: QuotaDay) {
        let quota = try requireQuota()
        let day = UTCDay(at: environment.now())
        return (day, try openLedger(.read).quotaDay(day, quota))
    }

    /// Records what the account sent today in other ways; it adds to what was recorded before.
    ///
    /// It takes no lock: a run that is at work counts it from its next transaction on.
    ///
    /// - Parameter pushes: How many.
    /// - Returns: The day and its sums.
    /// - Throws: ``NoQuota``, ``LedgerError``.
    public func recordElsewhere(_ pushes: Int) throws -> (day: UTCDay, sums: QuotaDay) {
        let quota = try requireQuota()
        let day = UTCDay(at: environment.now())
        let ledger = try openLedger(.write)
        return try ledger.transaction {
            try ledger.recordElsewhere(pushes, on: day)
            return (day, try ledger.quotaDay(day, quota))
        }
    }

    private func requireQuota() throws -> Quota {
        guard let quota = configuration.quota else { throw NoQuota(file: configuration.file) }
        return quota
    }

    // MARK: - In a run

    /// Whether the start of a run would make reservations anew.
    func hasUnbooked(_ ledgerPath: String, at now: Moment) throws -> Bool {
        guard configuration.quota != nil else { return false }
        return try openLedger(.read).hasUnbooked(on: UTCDay(at: now))
    }

    /// Makes reservations of earlier days anew.
    func renewReservations(in ledger: Ledger, at now: Moment) throws {
        guard let quota = configuration.quota else { return }
        _ = try ledger.renewReservations(quota, at: now)
    }

    /// The capacity that a run reserves; `nil` without a quota.
    func quotaBook(in ledger: Ledger, at now: Moment) throws -> QuotaBook? {
        let day = UTCDay(at: now)
        return try configuration.quota.map { QuotaBook(day: day, sums: try ledger.quotaDay(day, $0)) }
    }

    /// The planner that has wait what finds no room in the day's quota.
    func allocated(_ planner: Planner) throws -> Planner {
        guard let quota = configuration.quota else { return planner }
        let day = UTCDay(at: planner.context.now)
        let left = try planner.recorded?.quotaDay(day, quota).left ?? quota.dailyPushes
        return try planner.allocated(left: left, until: day.end)
    }
}
