import Diff
import Foreign
import Reconcile

extension Pipeline {
    /// Does something that writes to the ledger, as the only run that does.
    ///
    /// - Parameters:
    ///   - command: What it is, for those who find the ledger locked.
    ///   - body: Does it, as the run that the lock and the ledger name.
    /// - Returns: The status that `body` ends with, which the ledger notes.
    /// - Throws: ``FileLockError`` at once where another run is at work, and what `body` throws.
    func locked(_ command: String, _ body: (RunID) throws -> ExitStatus) throws -> ExitStatus {
        let run = try Pipeline.mintRun()
        let since = RFC3339.string(milliseconds: systemMilliseconds())
        let holder = LockHolder.current(command: "lockstep \(command)", since: since, run: run.description)
        let lock = try FileLock(path: ledgerPath + ".lock", holder: holder)
        defer { withExtendedLifetime(lock) {} }
        do {
            let status = try body(run)
            try? end(run: run, status: status.rawValue)
            return status
        } catch {
            try? end(run: run, status: Failure(error).status.rawValue)
            throw error
        }
    }
}
