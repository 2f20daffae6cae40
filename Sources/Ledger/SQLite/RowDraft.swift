internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// One row on its way into a table: all of its columns where it is new there, else those that differ from what was read.
struct RowDraft {
    private let table: StaticString
    /// True where the table does not have it yet.
    private let isNew: Bool
    private var columns: [StaticString] = []
    private var values: [SQLiteValue] = []

    /// A row of which `before` was read; `nil`: it is new.
    init<Row>(in table: StaticString, over before: Row?) {
        self.table = table
        isNew = before == nil
    }

    /// Sets a column that never changes once the row is there.
    mutating func fix(_ column: StaticString, _ value: @autoclosure () throws -> some Storable) rethrows {
        if isNew { add(column, try value().stored) }
    }

    /// Sets a column where the row is new, or the value another one.
    mutating func set<Value: Storable & Equatable>(_ column: StaticString, from old: Value?, to new: Value) {
        if isNew || old != new { add(column, new.stored) }
    }

    /// Sets a column to what another value becomes in a row, where the row is new, or the value another one.
    mutating func set<Value: Equatable>(
        _ column: StaticString,
        from old: Value?,
        to new: Value,
        as stored: (Value) throws -> some Storable
    ) rethrows {
        if isNew || old != new { add(column, try stored(new).stored) }
    }

    private mutating func add(_ column: StaticString, _ value: SQLiteValue) {
        if columns.isEmpty {
            columns.reserveCapacity(24)
            values.reserveCapacity(24)
        }
        columns.append(column)
        values.append(value)
    }

    private var names: String { columns.map(\.description).joined(separator: ", ") }
    private var places: Substring { String(repeating: ", ?", count: values.count).dropFirst(2) }

    /// Writes the row; nothing where no column differs.
    ///
    /// - Parameters:
    ///   - database: The database that has the table.
    ///   - key: The condition that names the row where it is there.
    ///   - keys: The values of the condition.
    /// - Throws: ``SQLiteError``.
    func write(to database: Database, where key: StaticString, _ keys: SQLiteValue...) throws {
        if isNew {
            let insert = try database.cached(["INSERT", table] + columns) {
                "INSERT INTO \(table) (\(names)) VALUES (\(places))"
            }
            return try insert.run(values)
        }
        guard !values.isEmpty else { return }
        let update = try database.cached(["UPDATE", table, key] + columns) {
            "UPDATE \(table) SET \(columns.map { "\($0) = ?" }.joined(separator: ", ")) WHERE \(key)"
        }
        try update.run(values + keys)
    }

    /// Moves the row with a number here from another table, which has its other columns.
    ///
    /// - Parameters:
    ///   - number: The number.
    ///   - former: The table that it leaves.
    ///   - others: The columns that it brings along.
    ///   - database: The database that has both.
    /// - Throws: ``SQLiteError``.
    func move(
        _ number: SQLiteValue,
        from former: StaticString,
        with others: StaticString,
        in database: Database
    ) throws {
        let insert = try database.cached(["MOVE", table, former, others] + columns) {
            "INSERT INTO \(table) (\(names), \(others)) SELECT \(places), \(others) FROM \(former) WHERE number = ?"
        }
        try insert.run(values + [number])
        try database.cached(["DELETE", former]) { "DELETE FROM \(former) WHERE number = ?" }.run([number])
    }
}

/// A value that a column holds.
protocol Storable {
    /// The value as SQLite keeps it.
    var stored: SQLiteValue { get }
}

extension Text: Storable {
    var stored: SQLiteValue { .text(self) }
}
extension Int64: Storable {
    var stored: SQLiteValue { .integer(self) }
}
extension Int: Storable {
    var stored: SQLiteValue { .integer(Int64(self)) }
}
extension Bool: Storable {
    var stored: SQLiteValue { SQLiteValue(self) }
}
extension Moment: Storable {
    var stored: SQLiteValue { .moment(self) }
}
extension Span: Storable {
    var stored: SQLiteValue { SQLiteValue(seconds: self) }
}
extension Step: Storable {
    var stored: SQLiteValue { .integer(number) }
}
extension UTCDay: Storable {
    var stored: SQLiteValue { .integer(number) }
}
extension Value: Storable {
    var stored: SQLiteValue { SQLiteValue(json: self) }
}
extension ActivityContent: Storable {
    var stored: SQLiteValue { SQLiteValue(json: value) }
}
extension OSVersion: Storable {
    var stored: SQLiteValue { .text(text) }
}
extension Array: Storable where Element == Text {
    var stored: SQLiteValue { SQLiteValue(texts: self) }
}
extension Optional: Storable where Wrapped: Storable {
    var stored: SQLiteValue { self?.stored ?? .null }
}
