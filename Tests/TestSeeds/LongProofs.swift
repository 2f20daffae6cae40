import Foundation

/// Whether the long proofs run too: `script/test --all`.
package let runsLongProofs = ProcessInfo.processInfo.environment["LOCKSTEP_TEST_ALL"] != nil
