internal import Diff
internal import Foreign
internal import JSON
internal import Source

/// The Git commits that were applied.
extension Ledger {
    private static let appliedFact: Text = "applied"

    /// The commit whose state a run committed last, or began to; `nil` where no run read a commit yet.
    func appliedCommit() throws -> String? { try fact(Self.appliedFact)?.string }

    /// Notes the commit that a run is about to commit the state of: should it be killed half-way, what was before that
    /// commit is a step back all the same.
    func noteApplied(_ commit: SourceCommit, run: RunID) throws {
        try transaction {
            try set(Self.appliedFact, Text(commit.id))
            try database.run("UPDATE runs SET source = ? WHERE id = ?", .text(Text(commit.id)), .text(run.text))
        }
    }
}

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
