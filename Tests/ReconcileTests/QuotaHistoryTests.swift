import Foundation
import TestSeeds
import Testing

@Suite struct QuotaHistoryTests {
    static let seeds: Range<UInt64> = 0..<(runsLongProofs ? 300 : 4)

    /// Whatever happens in whatever order: each push is booked once, to one day, and reserving never goes above the limit.
    @Test(arguments: seeds) func everyPushIsBookedOnceAndNoneAboveTheLimit(seed: UInt64) throws {
        let history = try QuotaHistory(seed: seed)
        for _ in 0..<80 {
            do { try history.step() } catch {
                Issue.record("\(error):\n\(history.story.joined(separator: "\n"))")
                return
            }
        }
    }
}
