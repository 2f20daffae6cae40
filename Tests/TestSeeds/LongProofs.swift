import Foundation

/// Whether the long proofs run too: `script/test --all`.
package let runsLongProofs = ProcessInfo.processInfo.environment["LOCKSTEP_TEST_ALL"] != nil

/// Every so many of the cases of one rule, the first among them; `script/test --all` plays all.
package func sample<Case>(of cases: [Case], every distance: Int) -> [Case] {
    runsLongProofs ? cases : stride(from: 0, to: cases.count, by: distance).map { cases[$0] }
}
