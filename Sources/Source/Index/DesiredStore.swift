public import Diff
public import Foreign
public import JSON
public import Time

/// The declarations of the files, by owner: in memory while they are few, then in a temporary file, so that memory stays
/// flat.
public final class DesiredStore {
    /// Those that are in memory; `nil` once they are in the table.
    private var held: HeldDeclarations? = HeldDeclarations()
    private var rows: Database?
    /// The number of declarations, with those that stand in an index alone.
    public private(set) var count = 0
    /// The templates that they were held against.
    public let templates: Templates
    /// The versions of templates that declarations name.
    private var named: Set<Text> = []
    /// Those that declarations of the run's selection name.
    private var selected: Set<Text> = []

    /// The most that is held in memory, in bytes.
    private let room: Int

    /// An empty store.
    ///
    /// - Parameters:
    ///   - templates: The templates that declarations were held against.
    ///   - room: The most that is held in memory, in bytes.
    public init(_ templates: Templates = Templates(), room: Int = 64 << 20) {
        self.templates = templates
        self.room = room
    }

    /// The table of the declarations, which takes those in memory over.
    private func table() throws -> Database {
        if let rows { return rows }
        let database = try Database.scratch(
            """
            CREATE TABLE declarations (
                subscriber TEXT NOT NULL, app TEXT NOT NULL, kind INTEGER NOT NULL, name TEXT NOT NULL,
                body TEXT NOT NULL, source TEXT NOT NULL, PRIMARY KEY (subscriber, app, kind, name)
            ) STRICT, WITHOUT ROWID;
            """
        )
        rows = database
        try held.take()?.each { _ = try insert($0, into: database) }
        return database
    }

    /// Keeps a declaration.
    ///
    /// - Returns: `nil`, or where its name was already declared.
    func add(_ declaration: Declaration) throws -> SourcePlace? {
        if let template = declaration.template { named.insert(template) }
        if held != nil {
            if let first = held?.add(declaration) { return first }
            count += 1
            if held?.weight ?? 0 > room { _ = try table() }
            return nil
        }
        let database = try table()
        guard try !insert(declaration, into: database) else {
            count += 1
            return nil
        }
        let first = try database.first(
            "SELECT source FROM declarations WHERE subscriber = ? AND app = ? AND kind = ? AND name = ?",
            .text(declaration.owner.subscriber),
            .text(declaration.owner.app),
            .integer(declaration.content.number),
            .text(declaration.name)
        ) { SourcePlace(text: $0.text(0).string) }
        return first ?? declaration.source
    }

    /// Adds a declaration; false where there is one of its name.
    private func insert(_ declaration: Declaration, into database: Database) throws -> Bool {
        let owner = declaration.owner
        let row: [SQLiteValue] = [
            .text(owner.subscriber), .text(owner.app), .integer(declaration.content.number), .text(declaration.name),
            SQLiteValue(json: declaration.content.body), .text(Text(declaration.source.text)),
        ]
        return try insert(row, into: database)
    }

    /// Adds a row; false where there is one of its name.
    private func insert(_ row: [SQLiteValue], into database: Database) throws -> Bool {
        try database.cached(
            """
            INSERT OR IGNORE INTO declarations (subscriber, app, kind, name, body, source) VALUES (?, ?, ?, ?, ?, ?)
            """
        ).run(row)
        return database.changes == 1
    }

    // MARK: - Templates

    /// Notes what a run selects: it applies the versions that are named there, and no others.
    public func select(_ desired: Desired) {
        selected.formUnion(desired.widgets.compactMap(\.template))
        selected.formUnion(desired.activities.compactMap(\.template))
    }

    /// The templates of what a run selects.
    public var selectedTemplates: [Template] { selected.sorted().compactMap { templates[$0] } }

    /// The problems of files of versions that were applied: those never change.
    public func templateProblems(against applied: [TemplateRecord]) -> [Diagnostic] {
        templates.problems(against: applied, named: named)
    }

    // MARK: - Together with an index

    /// The anonymous ids that declare something.
    static let anonymousOwners =
        "SELECT DISTINCT subscriber, app FROM declarations WHERE subscriber >= 'anon_' AND subscriber < 'anon`'"

    /// The anonymous ids that declare something here, and in the files that an index knows.
    ///
    /// - Throws: ``SQLiteError``.
    public func anonymous(and index: SourceIndex? = nil) throws -> [Owner] {
        var owners = try index?.anonymous() ?? []
        if let held { return owners + held.owners.filter(\.subscriber.isAnonymous).sorted() }
        try table().each(Self.anonymousOwners) { owners.append(Owner(row: $0)) }
        return owners
    }

    /// Adds to what changed what else the owners declare who have to be looked at.
    ///
    /// - Parameters:
    ///   - index: The facts about the files that did not change.
    ///   - touched: The owners whose records changed since the index was made.
    ///   - persons: The persons that the anonymous ids turned out to be, here and in the index.
    ///   - now: The time.
    /// - Returns: The owners in their order; `nil` where a name turns out to be declared twice.
    /// - Throws: ``SQLiteError``.
    public func complete(
        from index: SourceIndex,
        touched: Set<Owner>,
        persons: Persons,
        at now: Moment
    ) throws -> [Owner]? {
        var owners = try index.owners(at: now).union(touched)
        let database = try table()
        try database.each("SELECT DISTINCT subscriber, app FROM declarations") { owners.insert(Owner(row: $0)) }
        for (owner, person) in persons { owners.formUnion([owner, Owner(subscriber: person, app: owner.app)]) }
        var isUnique = true
        for owner in owners {
            try index.rows(of: owner) { row in
                let texts: [Int32] = [3, 4, 5]
                let isNew = try insert(
                    [.text(row.text(0)), .text(row.text(1)), .integer(row.integer(2))]
                        + texts.map { .text(row.text($0)) },
                    into: database
                )
                isUnique = isUnique && isNew
            }
        }
        count += index.count
        return isUnique ? owners.sorted() : nil
    }

    /// Keeps what the files say beside what it comes to once the aliases are resolved: that is for the index.
    ///
    /// - Throws: ``SQLiteError``.
    public func keepAsRead() throws {
        try table().execute("CREATE TABLE read AS SELECT * FROM declarations")
    }

    /// Calls `body` with each row as it was read, and the file that it is from.
    func rowsAsRead(_ body: ([SQLiteValue]) throws -> Void) throws {
        try table().each(
            "SELECT subscriber, app, kind, name, body, source, json_extract(source, '$[0]') FROM read"
        ) { row in
            let texts: [Int32] = [3, 4, 5, 6]
            try body(
                [.text(row.text(0)), .text(row.text(1)), .integer(row.integer(2))] + texts.map { .text(row.text($0)) }
            )
        }
    }

    // MARK: -

    /// The persons that anonymous ids turned out to be; who is nobody yet has no entry.
    public typealias Persons = [Owner: Text]

    /// Gives what anonymous ids declare to the persons they turned out to be; where both declare a name, the person's
    /// declaration counts.
    ///
    /// - Parameter persons: The persons, by the anonymous ids of ``anonymous(and:)``.
    /// - Returns: The declarations that do not count, in the order of their owners.
    /// - Throws: ``SQLiteError``.
    public func resolve(_ persons: Persons) throws -> [HeldAlias] {
        guard !persons.isEmpty else { return [] }
        var held: [HeldAlias] = []
        let database = try table()
        for (owner, person) in persons.sorted(by: { $0.key < $1.key }) {
            let key = [SQLiteValue.text(owner.subscriber), .text(owner.app)]
            try database.run(
                "UPDATE OR IGNORE declarations SET subscriber = ? WHERE subscriber = ? AND app = ?",
                .text(person),
                key[0],
                key[1]
            )
            try database.each(
                "SELECT name, source FROM declarations WHERE subscriber = ? AND app = ? ORDER BY kind, name",
                key[0],
                key[1]
            ) { row in
                guard let source = SourcePlace(text: row.text(1).string) else { return }
                held.append(HeldAlias(alias: owner.subscriber, person: person, name: row.text(0), source: source))
            }
            try database.run("DELETE FROM declarations WHERE subscriber = ? AND app = ?", key[0], key[1])
        }
        return held
    }

    /// The SHA-256 of everything that is declared, but what masks hide.
    ///
    /// - Throws: ``SQLiteError``.
    public func digest(hiding masks: Masks) throws -> [UInt8] {
        var digest = try RunningSHA256()
        try table().each(
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
            digest.update(key.canonicalBytes + masks.masked(subject, body).canonicalBytes + [0x0A])
        }
        return digest.finalize()
    }

    /// The targets that are declared in the files that one of some patterns matches.
    ///
    /// - Throws: ``SQLiteError``.
    public func targets(in files: [Glob]) throws -> [Owner: Set<TargetName>] {
        var found: [Owner: Set<TargetName>] = [:]
        try table().each("SELECT subscriber, app, kind, name, source FROM declarations") { row in
            guard let source = SourcePlace(text: row.text(4).string), files.contains(where: { $0.matches(source.file) })
            else { return }
            let name = row.text(3)
            found[Owner(row: row), default: []].insert(row.integer(2) == 0 ? .widget(name) : .activity(name))
        }
        return found
    }

    /// The declarations, owner by owner in byte order.
    ///
    /// - Throws: ``SQLiteError``.
    public func cursor(_ range: OwnerRange = .all) throws -> DesiredCursor {
        if let held { return DesiredCursor(held, over: range) }
        let statement = try table().prepare(
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
public struct HeldAlias: Hashable, Sendable {
    /// The anonymous id.
    public var alias: Text
    /// The person.
    public var person: Text
    /// The name that both declare.
    public var name: Text
    /// The place of the declaration that does not count.
    public var source: SourcePlace
}

extension Owner {
    /// The owner that the first two columns of a row name.
    init(row: Statement) {
        self.init(subscriber: row.text(0), app: row.text(1))
    }
}
