internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// How a run that holds the lock begins and ends in the ledger.
extension Pipeline {
    /// Notes the run, and whether the ledger was restored since the last one.
    ///
    /// - Parameters:
    ///   - run: The run, as the lock names it.
    ///   - command: What it does.
    ///   - ledger: Where it is noted.
    ///   - isWarned: Whether whoever started it knows that the ledger was restored.
    ///   - now: The time.
    /// - Throws: ``LedgerError``, ``RunError/clockBehind(now:confirmed:)``.
    func begin(_ run: RunID, _ command: Text, _ ledger: Ledger, isWarned: Bool = false, at now: Moment) throws {
        try ledger.requirePlausible(now)
        try ledger.begin(
            run: run,
            command: command,
            host: Text(CurrentProcess.host),
            user: Text(CurrentProcess.user),
            pid: Int64(CurrentProcess.id),
            at: now
        )
        let mark = LedgerMark.read(besideLedger: ledgerPath)
        guard let restoration = try ledger.restoration(mark, of: ledgerPath) else {
            if mark == .missing, try ledger.lastStep() > .zero { warnOfMissingMark() }
            return try ledger.moveMark()
        }
        ledger.isRestored = true
        if case .noted = restoration {
            if !isWarned { environment.remark("\(restoration)") }
        } else {
            try ledger.note(restoration, run: run, at: now)
            if !isWarned { environment.warn("\(restoration)") }
        }
    }

    private func warnOfMissingMark() {
        let mark = LedgerMark.path(of: ledgerPath)
        environment.warn(
            "\(mark) was missing, so nobody can tell whether this ledger was restored from a backup; where that is so, "
                + "'touch \(mark)' keeps activities from being started until --after-restore"
        )
    }

    /// Says so where a restored ledger might not be recognised, because the mark could not be kept.
    func warnOfMark(_ ledger: Ledger) {
        guard let problem = ledger.markProblem else { return }
        environment.warn("\(problem); if this ledger is restored from a backup, the next run cannot tell")
    }
}
