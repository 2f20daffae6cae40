internal import Diff
internal import Foreign

/// Owners in their order, in a temporary file, so that memory stays flat.
final class OwnerList {
    private let sorter: Sorter

    init() throws {
        sorter = try Sorter(keyParts: 2)
    }

    /// Adds an owner.
    func add(_ owner: Owner) throws { try sorter.add([.text(owner.subscriber), .text(owner.app)]) }

    /// Calls `body` with one batch of owners after the other, until it returns `false`.
    func each(_ count: Int, _ body: ([Owner]) throws -> Bool) throws {
        var batch: [Owner] = []
        var goesOn = true
        let entries = try sorter.entries()
        while goesOn, try entries.next() {
            batch.append(Owner(subscriber: entries.text(0), app: entries.text(1)))
            guard batch.count >= count else { continue }
            goesOn = try body(batch)
            batch.removeAll(keepingCapacity: true)
        }
        if goesOn, !batch.isEmpty { _ = try body(batch) }
    }
}
