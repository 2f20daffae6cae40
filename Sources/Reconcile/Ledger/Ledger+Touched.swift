internal import Diff
internal import Foreign
internal import JSON

/// What the ledger knows of the index of the source files: which one, and whose records changed since.
extension Ledger {
    private static let indexFact: Text = "index"

    /// What names the index that may be used; `nil` where none may.
    func indexStamp() throws -> Text? { try fact(Self.indexFact) }

    /// The owners of whom something changed since.
    func touched() throws -> Set<Owner> {
        var owners: Set<Owner> = []
        try database.each("SELECT subscriber, app FROM touched") { owners.insert(Owner(row: $0)) }
        return owners
    }

    /// Begins to count anew for an index that is about to be made: should that not come to its end, no index has this
    /// name and everything is read.
    ///
    /// - Parameter stamp: What names it.
    /// - Returns: The owners of whom something changed before.
    /// - Throws: ``LedgerError``.
    func beginIndex(_ stamp: Text) throws -> Set<Owner> {
        try transaction {
            let owners = try touched()
            try database.run("DELETE FROM touched")
            try set(Self.indexFact, stamp)
            return owners
        }
    }
}
