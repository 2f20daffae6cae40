public import JSON

/// Puts entries in the order of their keys, in a temporary file, so that memory stays flat however many there are.
///
/// A key has a fixed number of parts, integers and texts; texts are ordered by their bytes. Of entries with one key, the
/// first is kept.
public final class Sorter {
    private let database: Database
    private let parts: [String]

    /// A sorter without entries.
    ///
    /// - Parameter parts: The number of parts of a key, from 1.
    /// - Throws: ``SQLiteError``.
    public init(keyParts parts: Int) throws {
        self.parts = (0..<parts).map { "part\($0)" }
        let columns = self.parts.joined(separator: ", ")
        database = try Database.scratch(
            "CREATE TABLE entries (\(columns), value TEXT NOT NULL, PRIMARY KEY (\(columns))) WITHOUT ROWID;"
        )
    }

    /// Adds an entry.
    ///
    /// - Parameters:
    ///   - key: The parts of its key.
    ///   - value: The text that is kept with it.
    /// - Throws: ``SQLiteError``.
    public func add(_ key: [SQLiteValue], value: Text = "") throws {
        try database.cached(["INSERT"]) {
            let places = String(repeating: "?, ", count: parts.count)
            return "INSERT OR IGNORE INTO entries (\(parts.joined(separator: ", ")), value) VALUES (\(places)?)"
        }.run(key + [.text(value)])
    }

    /// The entries in the order of their keys, one after the other.
    ///
    /// - Parameter prefix: The first parts of the keys that are meant; those of all where empty.
    /// - Returns: The entries, which are read as they are asked for.
    /// - Throws: ``SQLiteError``.
    public func entries(under prefix: [SQLiteValue] = []) throws -> SortedEntries {
        let conditions = ["1"] + parts.prefix(prefix.count).map { "\($0) = ?" }
        let columns = parts.joined(separator: ", ")
        let statement = try database.prepare(
            "SELECT \(columns), value FROM entries WHERE \(conditions.joined(separator: " AND ")) ORDER BY \(columns)"
        )
        try statement.bind(prefix)
        return SortedEntries(statement, keyParts: parts.count)
    }
}

/// Entries of a ``Sorter``, one at a time.
public final class SortedEntries {
    private let row: Statement
    private let keyParts: Int

    fileprivate init(_ statement: Statement, keyParts: Int) {
        row = statement
        self.keyParts = keyParts
    }

    /// Goes to the next entry; `false` at the end.
    ///
    /// - Throws: ``SQLiteError``.
    public func next() throws -> Bool { try row.step() }

    /// A part of the key that is an integer.
    public func integer(_ part: Int) -> Int64 { row.integer(Int32(part)) }
    /// A part of the key that is a text.
    public func text(_ part: Int) -> Text { row.text(Int32(part)) }
    /// The UTF-8 bytes of a part of the key that is a text.
    public func bytes(_ part: Int) -> [UInt8] { row.bytes(Int32(part)) }
    /// The text that is kept with the key.
    public var value: Text { row.text(Int32(keyParts)) }

    /// The text that is kept with the key, as the JSON that it is.
    ///
    /// - Throws: ``ParseError``.
    public func json() throws -> Value { try row.json(Int32(keyParts)) }
}
