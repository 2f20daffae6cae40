internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// One row on its way into a table: all of its columns where it is new, else those that differ from what was read.
struct RowDraft {
    private let isNew: Bool
    private var columns: [String] = []
    private var values: [SQLiteValue] = []

    /// A row of which `before` was read; `nil`: it is new.
    init<Row>(over before: Row?) {
        isNew = before == nil
    }

    /// Sets a column that never changes once the row is there.
    mutating func fix(_ column: String, _ value: some Storable) {
        guard isNew else { return }
        columns.append(column)
        values.append(value.stored)
    }

    /// Sets a column where the row is new, or the value another one.
    mutating func set<Value: Storable & Equatable>(_ column: String, from old: Value?, to new: Value) {
        if !isNew, old == new { return }
        columns.append(column)
        values.append(new.stored)
    }

    /// Writes the row; nothing where no column differs.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - database: The database that has it.
    ///   - key: The columns that name the row, and their values.
    /// - Throws: ``SQLiteError``.
    func write(to table: String, of database: Database, where key: [(column: String, value: Text)]) throws {
        if isNew {
            let names = columns.joined(separator: ", ")
            let places = Array(repeating: "?", count: columns.count).joined(separator: ", ")
            try database.cached("INSERT INTO \(table) (\(names)) VALUES (\(places))").run(values)
        } else if !columns.isEmpty {
            let new = columns.map { "\($0) = ?" }.joined(separator: ", ")
            let row = key.map { "\($0.column) = ?" }.joined(separator: " AND ")
            try database.cached("UPDATE \(table) SET \(new) WHERE \(row)").run(values + key.map(\.value.stored))
        }
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
extension Identifier: Storable {
    var stored: SQLiteValue { .text(text) }
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
