internal import Diff
internal import Foreign

/// The claims of one rank in their order, in a temporary file, so that memory stays flat.
final class ClaimStore {
    private let database: Database

    init() throws {
        database = try Database.scratch(
            """
            CREATE TABLE claims (
                rank INTEGER NOT NULL, commit_number INTEGER NOT NULL, subscriber TEXT NOT NULL, app TEXT NOT NULL,
                ordinal INTEGER NOT NULL, PRIMARY KEY (rank, commit_number, subscriber, app, ordinal)
            ) STRICT, WITHOUT ROWID;
            """
        )
    }

    func add(_ claim: Claim) throws {
        try database.run(
            "INSERT INTO claims (rank, commit_number, subscriber, app, ordinal) VALUES (?, ?, ?, ?, ?)",
            .integer(claim.rank),
            .integer(claim.step.number),
            .text(claim.owner.subscriber),
            .text(claim.owner.app),
            .integer(Int64(claim.ordinal))
        )
    }

    /// The first claim after so many others.
    func claim(after count: Int) throws -> Claim? {
        try database.first(
            """
            SELECT rank, commit_number, subscriber, app, ordinal FROM claims
            ORDER BY rank, commit_number, subscriber, app, ordinal LIMIT 1 OFFSET ?
            """,
            .integer(Int64(count))
        ) { row in
            Claim(
                rank: row.integer(0),
                step: Step(row.integer(1)),
                owner: Owner(subscriber: row.text(2), app: row.text(3)),
                ordinal: Int(row.integer(4))
            )
        }
    }
}
