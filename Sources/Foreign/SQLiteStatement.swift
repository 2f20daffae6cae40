internal import CSQLite
public import JSON

/// One compiled statement; its rows are read one at a time.
@safe public final class Statement {
    private let handle: OpaquePointer
    private let subject: String

    init(_ handle: OpaquePointer, subject: String) {
        unsafe self.handle = handle
        self.subject = subject
    }

    deinit {
        unsafe sqlite3_finalize(handle)
    }

    /// Its text.
    var sql: String { unsafe String(cString: sqlite3_sql(handle)) }

    /// Makes the statement ready to run with these values, in order.
    public func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
        unsafe sqlite3_reset(handle)
        for (offset, value) in values.enumerated() {
            let index = Int32(offset + 1)
            let code =
                switch value {
                case .null: unsafe sqlite3_bind_null(handle, index)
                case .integer(let integer): unsafe sqlite3_bind_int64(handle, index, integer)
                case .text(let text): bind(text, index)
                case .blob(let bytes): unsafe bytes.withUnsafeBytes { unsafe bind($0, index) }
                case .octets(let high, let low): unsafe withOctets(of: (high, low)) { unsafe bind($0, index) }
                }
            unsafe try checked(code, on: sqlite3_db_handle(handle), subject: subject)
        }
    }

    private func bind(_ text: Text, _ index: Int32) -> Int32 {
        var string = text.string
        return string.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                // The base address of an empty string may be nil, which would bind NULL.
                guard let start = characters.baseAddress else { return unsafe lockstep_bind_text(handle, index, "", 0) }
                return unsafe lockstep_bind_text(handle, index, start, UInt64(characters.count))
            }
        }
    }

    @unsafe private func bind(_ bytes: UnsafeRawBufferPointer, _ index: Int32) -> Int32 {
        // The base address of no bytes may be nil, which would bind NULL.
        guard let start = bytes.baseAddress else { return unsafe sqlite3_bind_zeroblob(handle, index, 0) }
        return unsafe lockstep_bind_blob(handle, index, start, UInt64(bytes.count))
    }

    /// Runs a statement that returns no rows.
    public func run(_ values: [SQLiteValue]) throws(SQLiteError) {
        try bind(values)
        defer { reset() }
        while try step() {}
    }

    /// Goes to the next row; `false` at the end.
    public func step() throws(SQLiteError) -> Bool {
        let code = unsafe sqlite3_step(handle)
        unsafe try checked(code, on: sqlite3_db_handle(handle), subject: subject)
        return code == SQLITE_ROW
    }

    /// Ends the use of this statement.
    public func reset() {
        unsafe sqlite3_reset(handle)
    }

    /// True where a column of this row is NULL.
    public func isNull(_ column: Int32) -> Bool {
        unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    /// An integer column; 0 for NULL.
    public func integer(_ column: Int32) -> Int64 {
        unsafe sqlite3_column_int64(handle, column)
    }

    /// An integer column, `nil` for NULL.
    public func optionalInteger(_ column: Int32) -> Int64? {
        isNull(column) ? nil : integer(column)
    }

    /// A text column; empty for NULL.
    public func text(_ column: Int32) -> Text {
        guard let bytes = unsafe sqlite3_column_text(handle, column) else { return "" }
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        return unsafe Text(String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self))
    }

    /// A text column, `nil` for NULL.
    public func optionalText(_ column: Int32) -> Text? {
        isNull(column) ? nil : text(column)
    }

    /// The UTF-8 bytes of a text column.
    public func bytes(_ column: Int32) -> [UInt8] {
        guard let bytes = unsafe sqlite3_column_text(handle, column) else { return [] }
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        return unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: count))
    }

    /// Hands out the UTF-8 bytes of a text column, which are the statement's until it goes on.
    func withBytes<Result, Failure: Error>(
        _ column: Int32,
        _ body: (Swift.Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let bytes = unsafe sqlite3_column_text(handle, column)
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        return try unsafe body(UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : count).span)
    }

    /// True where a column of this row is a BLOB.
    public func isBlob(_ column: Int32) -> Bool {
        unsafe sqlite3_column_type(handle, column) == SQLITE_BLOB
    }

    /// The bytes of a BLOB column; none for anything else.
    public func blob(_ column: Int32) -> [UInt8] {
        guard isBlob(column), let bytes = unsafe sqlite3_column_blob(handle, column) else { return [] }
        return unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))))
    }

    /// The first 16 bytes of a BLOB column as two numbers, the highest byte first; `nil` for fewer, and for anything else.
    public func octets(_ column: Int32) -> (high: UInt64, low: UInt64)? {
        guard isBlob(column), let bytes = unsafe sqlite3_column_blob(handle, column),
            unsafe sqlite3_column_bytes(handle, column) >= 16
        else { return nil }
        return unsafe (
            UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        )
    }
}

/// Hands out two numbers as 16 bytes, the highest byte first.
func withOctets<Result>(of numbers: (UInt64, UInt64), _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    unsafe withUnsafeBytes(of: (numbers.0.bigEndian, numbers.1.bigEndian), body)
}

/// Turns a result code into an error, reading the message before anything clears it.
func checked(_ code: Int32, on handle: OpaquePointer?, subject: String) throws(SQLiteError) {
    guard code != SQLITE_OK, code != SQLITE_ROW, code != SQLITE_DONE else { return }
    throw SQLiteError(code: code, message: unsafe String(cString: sqlite3_errmsg(handle)), subject: subject)
}
