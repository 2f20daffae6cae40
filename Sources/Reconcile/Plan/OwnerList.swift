internal import Diff
internal import Foreign

/// Owners in their order, in a temporary file, so that memory stays flat.
final class OwnerList {
    private let database: Database

    init() throws {
        database = try Database.scratch(
            "CREATE TABLE owners (subscriber TEXT NOT NULL, app TEXT NOT NULL) STRICT;"
        )
    }

    /// Adds an owner behind all others.
    func add(_ owner: Owner) throws {
        try database.run(
            "INSERT INTO owners (subscriber, app) VALUES (?, ?)",
            .text(owner.subscriber),
            .text(owner.app)
        )
    }

    /// Calls `body` with one batch of owners after the other, until it returns `false`.
    func each(_ count: Int, _ body: ([Owner]) throws -> Bool) throws {
        var batch: [Owner] = []
        var goesOn = true
        let statement = try database.prepare("SELECT subscriber, app FROM owners ORDER BY rowid")
        while goesOn, try statement.step() {
            batch.append(Owner(subscriber: statement.text(0), app: statement.text(1)))
            guard batch.count >= count else { continue }
            goesOn = try body(batch)
            batch.removeAll(keepingCapacity: true)
        }
        if goesOn, !batch.isEmpty { _ = try body(batch) }
    }
}
