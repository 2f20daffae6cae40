import Foundation

/// Whether the long proofs run too: `script/test --all`.
let runsLongProofs = ProcessInfo.processInfo.environment["LOCKSTEP_TEST_ALL"] != nil
