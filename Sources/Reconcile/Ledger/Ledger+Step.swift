internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// Taking steps: the transactions in which owners are read, decided and written.
extension Ledger {
    /// Takes one step.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - now: The time.
    ///   - book: The capacity that pushes reserve, as it goes on from step to step; `nil` without a quota.
    ///   - body: Decides and writes.
    /// - Returns: What `body` returns.
    /// - Throws: ``LedgerError``, and what `body` throws; then nothing is written.
    func step<Result>(
        _ run: RunID,
        at now: Moment,
        book: inout QuotaBook?,
        _ body: (inout StepContext) throws -> Result
    ) throws -> Result {
        var step = StepContext(
            step: .zero,
            run: run,
            now: now,
            ids: try system.identifiers(at: now),
            quota: book
        )
        let result = try transaction {
            step.step = try nextStep()
            step.clock = try confirmClock(now)
            step.sequence = try lastSequence()
            if let quota = step.quota { try renew(&step.quota, quota, at: now) }
            let sequence = step.sequence
            let result = try body(&step)
            if step.sequence != sequence { try keep(sequence: step.sequence) }
            return result
        }
        book = step.quota
        return result
    }

    /// Brings the books up to date: only the run that holds the lock reserves, but what the account sent elsewhere may be
    /// recorded at any time, and the day may have changed.
    private func renew(_ book: inout QuotaBook?, _ current: QuotaBook, at now: Moment) throws {
        var sums = current.sums
        let day = UTCDay(at: now)
        if day == current.day {
            sums.elsewhere = try sentElsewhere(on: day)
        } else {
            sums = try quotaDay(day, Quota(dailyPushes: sums.limit))
        }
        book?.renew(day: day, sums: sums)
    }
}
