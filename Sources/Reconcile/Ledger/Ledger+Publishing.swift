internal import Diff
internal import Foreign
internal import JSON

/// A widget as its published file shows it: times that have a date format are numbers.
struct PublishedWidget {
    var name: Text
    var state: Value
    var revision: Int64
    var changedAt: Int64
}

/// Which published files are older than what is committed.
extension Ledger {
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
        ) { owners.append(Owner(subscriber: $0.text(0), app: $0.text(1))) }
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
                    changedAt: row.integer(3)
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
