internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// What the files declare, gathered by owner in a temporary file, so that memory stays flat and names are unique.
final class DesiredStore {
    private let database: Database
    /// How many declarations there are, those included that stand in an index alone.
    private(set) var count = 0
    /// The templates that they were held against.
    let templates: Templates

    init(_ templates: Templates = Templates()) throws {
        self.templates = templates
        database = try Database.scratch(
            """
            CREATE TABLE declarations (
                subscriber TEXT NOT NULL, app TEXT NOT NULL, kind INTEGER NOT NULL, name TEXT NOT NULL,
                body TEXT NOT NULL, source TEXT NOT NULL, PRIMARY KEY (subscriber, app, kind, name)
            ) STRICT, WITHOUT ROWID;
            """
        )
    }

    /// Keeps a declaration.
    ///
    /// - Returns: `nil`, or where its name was already declared.
    func add(_ declaration: Declaration) throws -> Source? {
        let (kind, body): (Int64, Value) =
            switch declaration.content {
            case .widget(let widget): (0, widget.body)
            case .activity(let activity): (1, activity.body)
            }
        let owner = declaration.owner
        let isNew = try insert([
            .text(owner.subscriber), .text(owner.app), .integer(kind), .text(declaration.name), SQLiteValue(json: body),
            .text(Text(declaration.source.text)),
        ])
        guard !isNew else {
            count += 1
            return nil
        }
        let first = try database.first(
            "SELECT source FROM declarations WHERE subscriber = ? AND app = ? AND kind = ? AND name = ?",
            .text(owner.subscriber),
            .text(owner.app),
            .integer(kind),
            .text(declaration.name)
        ) { Source(text: $0.text(0).string) }
        return first ?? declaration.source
    }

    /// Whether there was no row of this name yet.
    private func insert(_ row: [SQLiteValue]) throws -> Bool {
        try database.cached(
            """
            INSERT OR IGNORE INTO declarations (subscriber, app, kind, name, body, source) VALUES (?, ?, ?, ?, ?, ?)
            """
        ).run(row)
        return database.changes == 1
    }

    // MARK: - Together with an index

    /// The anonymous ids that declare something.
    static let anonymousOwners =
        "SELECT DISTINCT subscriber, app FROM declarations WHERE subscriber >= 'anon_' AND subscriber < 'anon`'"

    /// Adds to what changed what else the owners declare who have to be looked at.
    ///
    /// - Parameters:
    ///   - index: What is known of the files that did not change.
    ///   - ledger: What is recorded, which says whose records changed.
    ///   - now: The time.
    /// - Returns: The owners in their order; `nil` where a name turns out to be declared twice.
    /// - Throws: ``SQLiteError``.
    func complete(from index: SourceIndex, _ ledger: Ledger, at now: Moment) throws -> [Owner]? {
        var owners = try index.owners(at: now).union(ledger.touched())
        try database.each("SELECT DISTINCT subscriber, app FROM declarations") { owners.insert(Owner(row: $0)) }
        var anonymous = try index.anonymous()
        try database.each(Self.anonymousOwners) { anonymous.append(Owner(row: $0)) }
        for owner in anonymous {
            let person = try ledger.resolve(owner.subscriber, app: owner.app)
            if person != owner.subscriber { owners.formUnion([owner, Owner(subscriber: person, app: owner.app)]) }
        }
        var isUnique = true
        for owner in owners {
            try index.rows(of: owner) { row in
                let isNew = try insert([
                    .text(row.text(0)), .text(row.text(1)), .integer(row.integer(2)), .text(row.text(3)),
                    .text(row.text(4)), .text(row.text(5)),
                ])
                isUnique = isUnique && isNew
            }
        }
        count += index.count
        return isUnique ? owners.sorted() : nil
    }

    /// Keeps what the files say beside what it comes to once the aliases are resolved: that is for the index.
    func keepAsRead() throws {
        try database.execute("CREATE TABLE read AS SELECT * FROM declarations")
    }

    /// Calls `body` with each row as it was read, and the file that it is from.
    func rowsAsRead(_ body: ([SQLiteValue]) throws -> Void) throws {
        try database.each(
            "SELECT subscriber, app, kind, name, body, source, json_extract(source, '$[0]') FROM read"
        ) { row in
            let texts: [Int32] = [3, 4, 5, 6]
            try body(
                [.text(row.text(0)), .text(row.text(1)), .integer(row.integer(2))] + texts.map { .text(row.text($0)) }
            )
        }
    }

    // MARK: -

    /// Gives what anonymous ids declare to the persons they turned out to be; where both declare a name, the person's
    /// declaration counts.
    ///
    /// - Parameters:
    ///   - ledger: Which knows the aliases.
    ///   - held: Takes each declaration that does not count, with its source.
    /// - Throws: ``LedgerError``, and what `held` throws.
    func resolveAliases(in ledger: Ledger, held: (HeldAlias) throws -> Void) throws {
        var anonymous: [Owner] = []
        try database.each(Self.anonymousOwners) { anonymous.append(Owner(row: $0)) }
        for owner in anonymous {
            let person = try ledger.resolve(owner.subscriber, app: owner.app)
            guard person != owner.subscriber else { continue }
            try database.run(
                "UPDATE OR IGNORE declarations SET subscriber = ? WHERE subscriber = ? AND app = ?",
                .text(person),
                .text(owner.subscriber),
                .text(owner.app)
            )
            let key = [SQLiteValue.text(owner.subscriber), .text(owner.app)]
            try database.each(
                "SELECT name, source FROM declarations WHERE subscriber = ? AND app = ? ORDER BY kind, name",
                key[0],
                key[1]
            ) { row in
                guard let source = Source(text: row.text(1).string) else { return }
                try held(HeldAlias(alias: owner.subscriber, person: person, name: row.text(0), source: source))
            }
            try database.run("DELETE FROM declarations WHERE subscriber = ? AND app = ?", key[0], key[1])
        }
    }

    /// The digest of everything that is declared, under a seal.
    func digest(_ seal: Seal) throws -> Text {
        var digest = try RunningSHA256()
        try database.each(
            "SELECT subscriber, app, kind, name, body FROM declarations ORDER BY subscriber, app, kind, name"
        ) { row in
            let key: Value = [
                .string(row.text(0)), .string(row.text(1)), .integer(row.integer(2)), .string(row.text(3)),
            ]
            let body = try row.json(4)
            let subject: PointerRules.Subject =
                row.integer(2) == 0
                ? .init(try WidgetDeclaration(name: row.text(3), body: body))
                : .init(try ActivityDeclaration(name: row.text(3), body: body))
            digest.update(key.canonicalBytes + seal.content(subject, body).canonicalBytes + [0x0A])
        }
        return seal.text(digest.finalize())
    }

    /// The targets that are declared in the files that `isWanted` takes.
    func targets(in isWanted: (String) -> Bool) throws -> Set<LedgerTarget> {
        var found: Set<LedgerTarget> = []
        try database.each("SELECT subscriber, app, kind, name, source FROM declarations") { row in
            guard let source = Source(text: row.text(4).string), isWanted(source.file) else { return }
            let owner = Owner(row: row)
            found.insert(LedgerTarget(owner: owner, isActivity: row.integer(2) != 0, name: row.text(3)))
        }
        return found
    }

    /// The declarations, owner by owner in byte order.
    func cursor(_ range: OwnerRange = .all) throws -> DesiredCursor {
        let statement = try database.prepare(
            """
            SELECT subscriber, app, kind, name, body FROM declarations WHERE subscriber >= ? AND subscriber <= ?
            ORDER BY subscriber, app, kind, name
            """
        )
        try statement.bind([.text(range.first), .text(range.last)])
        return try DesiredCursor(statement)
    }
}

/// A declaration of an anonymous id that does not count, because the person it turned out to be declares the same name.
struct HeldAlias {
    var alias: Text
    var person: Text
    var name: Text
    var source: Source
}

/// The desired state, owner by owner in byte order.
final class DesiredCursor {
    private let rows: OwnerRows<(isWidget: Bool, name: Text, body: Value)>

    init(_ statement: Statement) throws {
        rows = try OwnerRows(statement) { ($0.integer(2) == 0, $0.text(3), try $0.json(4)) }
    }

    /// The first owner that is not taken yet; `nil` at the end.
    var owner: Owner? { rows.owner }

    /// Takes the declarations of one owner; `nil` where there are none.
    func take(_ owner: Owner) throws -> Desired? {
        let declared = try rows.take(owner)
        guard !declared.isEmpty else { return nil }
        var desired = Desired(owner: owner)
        for (isWidget, name, body) in declared {
            if isWidget {
                desired.widgets.append(try WidgetDeclaration(name: name, body: body))
            } else {
                desired.activities.append(try ActivityDeclaration(name: name, body: body))
            }
        }
        return desired
    }
}

extension Owner {
    /// The owner that the first two columns of a row name.
    init(row: Statement) {
        self.init(subscriber: row.text(0), app: row.text(1))
    }
}
