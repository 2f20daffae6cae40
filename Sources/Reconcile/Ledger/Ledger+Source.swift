internal import Foreign
internal import JSON
internal import Diff

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
