internal import Diff
internal import Foreign
internal import JSON
internal import Time
internal import Source

/// A widget as its published file shows it: times that have a date format are numbers.
struct PublishedWidget {
    var name: Text
    var state: Value
    var revision: Int64
    var changedAt: Moment
}

/// Which published files are older than what is committed.
extension Ledger {
    private static let publishedFact: Text = "published"

    /// Has every file written anew where they are to be in another place than before.
    ///
    /// - Parameters:
    ///   - place: What names the place.
    ///   - isGone: Whether the directory is not there.
    /// - Throws: ``LedgerError``.
    func beginPublishing(at place: Text, isGone: Bool) throws {
        guard try isGone || fact(Self.publishedFact) != place else { return }
        try transaction {
            try database.run(
                "INSERT OR IGNORE INTO unpublished (subscriber, app) SELECT DISTINCT subscriber, app FROM widgets"
            )
            try set(Self.publishedFact, place)
        }
    }

    /// How many published files are older than what is committed; `place` and `isGone` as above, `nil` where the key is
    /// not at hand.
    func unpublishedCount(at place: Text?, isGone: Bool) throws -> Int {
        let isElsewhere = try place != nil && fact(Self.publishedFact) != place
        let table = isGone || isElsewhere ? "(SELECT DISTINCT subscriber, app FROM widgets)" : "unpublished"
        return Int(try database.first("SELECT count(*) FROM \(table)") { $0.integer(0) } ?? 0)
    }

    /// Whether the published file of an owner is older than what is committed.
    func isUnpublished(_ owner: Owner) throws -> Bool {
        try database.first(
            "SELECT 1 FROM unpublished WHERE subscriber = ? AND app = ?",
            .text(owner.subscriber),
            .text(owner.app)
        ) { _ in true } ?? false
    }

    /// The first owners, after one, whose published file has to be written.
    func unpublished(after last: Owner?, limit: Int) throws -> [Owner] {
        var owners: [Owner] = []
        try database.each(
            """
            SELECT subscriber, app FROM unpublished WHERE (subscriber, app) > (?, ?) ORDER BY subscriber, app LIMIT ?
            """,
            .text(last?.subscriber ?? ""),
            .text(last?.app ?? ""),
            .integer(Int64(limit))
        ) { owners.append(Owner(row: $0)) }
        return owners
    }

    /// The committed widgets of an owner.
    func widgets(of owner: Owner) throws -> [PublishedWidget] {
        var widgets: [PublishedWidget] = []
        try database.each(
            """
            SELECT name, body, revision, changed_at FROM widgets WHERE subscriber = ? AND app = ? ORDER BY name
            """,
            .text(owner.subscriber),
            .text(owner.app)
        ) { row in
            let declaration = try WidgetDeclaration(name: row.text(0), body: row.json(1))
            widgets.append(
                PublishedWidget(
                    name: declaration.name,
                    state: try template(declaration.template)?.wire(declaration).state ?? declaration.state,
                    revision: row.integer(2),
                    changedAt: row.moment(3)
                )
            )
        }
        return widgets
    }

    /// Notes that the files of these owners are on the disk.
    func markPublished(_ owners: [Owner]) throws {
        try transaction {
            for owner in owners {
                try database.run(
                    "DELETE FROM unpublished WHERE subscriber = ? AND app = ?",
                    .text(owner.subscriber),
                    .text(owner.app)
                )
            }
        }
    }
}
