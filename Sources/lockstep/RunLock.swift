import Diff
import Foreign
import JSON
import Reconcile

/// One run at a time writes to a ledger: the lock, and the run that holds it.
struct RunLock: ~Copyable {
    /// The run that holds it.
    let run: RunID
    private let lock: FileLock

    /// Takes the lock of a project's ledger, or throws at once with who holds it.
    init(_ pipeline: Pipeline, command: String) throws {
        let run = try RunID.mint()
        let since = RFC3339.string(milliseconds: systemMilliseconds())
        let holder = LockHolder.current(command: "lockstep \(command)", since: since, run: run.description)
        self.lock = try FileLock(path: pipeline.ledgerPath + ".lock", holder: holder)
        self.run = run
    }
}
