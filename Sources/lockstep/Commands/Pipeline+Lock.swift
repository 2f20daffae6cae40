import Diff
import Foreign
import Reconcile
internal import Time

extension Pipeline {
    /// Does something that writes to the ledger, as the only run that does.
    ///
    /// - Parameters:
    ///   - command: The words for those who find the ledger locked.
    ///   - timeout: The time to wait for another run; `nil` does not wait.
    ///   - output: The output that tells a person of the wait.
    ///   - body: Does it, as the run that the lock and the ledger name.
    /// - Returns: The status that `body` ends with, which the ledger notes.
    /// - Throws: ``FileLockError`` where another run is still at work, and what `body` throws.
    func locked(
        _ command: String,
        timeout: Span? = nil,
        telling output: Output,
        _ body: (RunID) throws -> ExitStatus
    ) throws -> ExitStatus {
        let run = try mintRun()
        let since = RFC3339.string(system.now())
        let holder = LockHolder.current(command: "lockstep \(command)", since: since, run: run.description)
        let lock = try FileLock(path: ledgerPath + ".lock", holder: holder, waiting: timeout ?? .zero, system) {
            other in
            output.say("waiting for \(other.map { "\($0)" } ?? "another run"), which holds the lock")
        }
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
