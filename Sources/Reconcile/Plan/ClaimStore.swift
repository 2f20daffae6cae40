internal import Diff
internal import Foreign

/// The claims of one rank in their order, in a temporary file, so that memory stays flat.
final class ClaimStore {
    private let sorter: Sorter

    init() throws {
        sorter = try Sorter(keyParts: 5)
    }

    func add(_ claim: Claim) throws {
        try sorter.add([
            .integer(claim.rank), .integer(claim.step.number), .text(claim.owner.subscriber), .text(claim.owner.app),
            .integer(Int64(claim.ordinal)),
        ])
    }

    /// The first claim after so many others.
    func claim(after count: Int) throws -> Claim? {
        let entries = try sorter.entries()
        for _ in 0...count {
            guard try entries.next() else { return nil }
        }
        return Claim(
            rank: entries.integer(0),
            step: Step(entries.integer(1)),
            owner: Owner(subscriber: entries.text(2), app: entries.text(3)),
            ordinal: Int(entries.integer(4))
        )
    }
}
