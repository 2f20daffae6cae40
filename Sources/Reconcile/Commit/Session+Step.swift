internal import Diff
internal import Foreign
internal import Ledger
internal import Time

/// Taking steps: the units in which owners are read, decided and written.
extension Session {
    /// Takes one step.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - environment: The clock, and the chance that ids are made of.
    ///   - book: The capacity that pushes reserve, as it goes on from step to step; `nil` without a quota.
    ///   - body: Decides, and adds what is to be written to the changes.
    /// - Returns: The result of `body`.
    /// - Throws: ``LedgerError``, and what `body` throws; then nothing is written.
    func step<Result>(
        _ run: RunID,
        in environment: RunEnvironment,
        book: inout QuotaBook?,
        _ body: (inout StepContext, inout LedgerChanges) throws -> Result
    ) throws -> Result {
        let now = environment.now()
        let ids = try environment.system.identifiers(at: now)
        let former = book
        let (result, quota) = try unit {
            let before = try facts()
            var facts = before
            facts.step = facts.step.next
            facts.confirmClock(now)
            var step = StepContext(
                step: facts.step,
                run: run,
                now: now,
                clock: facts.clock,
                ids: ids,
                sequence: facts.launchSequence,
                quota: former
            )
            if let former { try renew(&step.quota, former, at: now) }
            var changes = LedgerChanges()
            let result = try body(&step, &changes)
            facts.launchSequence = step.sequence
            changes.facts = RowChange(before: before, after: facts)
            try write(changes)
            return (result, step.quota)
        }
        book = quota
        return result
    }

    /// Brings the books up to date: only the run that holds the lock reserves, but what the account sent elsewhere may be
    /// recorded at any time, and the day may have changed.
    private func renew(_ book: inout QuotaBook?, _ current: QuotaBook, at now: Moment) throws {
        var sums = current.sums
        let day = UTCDay(at: now)
        if day == current.day {
            sums.elsewhere = try sentElsewhere(on: day)?.pushes ?? 0
        } else {
            sums = try quotaDay(day, Quota(dailyPushes: sums.limit))
        }
        book?.renew(day: day, sums: sums)
    }

    /// Counts one step more; part of its unit.
    func takeStep() throws {
        var changes = LedgerChanges()
        changes.change(try facts()) { $0.step = $0.step.next }
        try write(changes)
    }

    /// Writes what a transition changed; part of a unit.
    func write(_ transition: Transition) throws {
        var changes = LedgerChanges()
        changes.add(transition)
        try write(changes)
    }

    /// Changes facts of the whole ledger, and notes it; a unit by itself.
    func change(_ note: Event? = nil, _ body: (inout LedgerFacts) -> Void) throws {
        try unit {
            var changes = LedgerChanges()
            changes.change(try facts(), body)
            if let note { changes.history = [.event(note)] }
            try write(changes)
        }
    }
}
