internal import Diff
internal import JSON
struct Send {
    let ledger: Ledger
    let run: RunID
    let keys: Credentials
    let environment: RunEnvironment
    let selection: Selection
    let sendsReloads: Bool
    func sendAll() throws -> SendOutcome { SendOutcome() }
}
