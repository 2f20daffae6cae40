internal import CSQLite
public import JSON
public import Time

/// A refusal by SQLite, with its extended result code and its own words; bound values are never part of it.
public struct SQLiteError: Error, Equatable, CustomStringConvertible {
    /// The extended result code, as in https://sqlite.org/rescode.html.
    public var code: Int32
    /// SQLite's message.
    public var message: String
    /// The database file, or the statement that failed.
    public var subject: String

    /// The subject and the reason.
    public var description: String { "\(subject): \(message) (SQLite code \(code))" }

    /// The primary result code.
    public var primaryCode: Int32 { code & 0xFF }
    /// True where another process held the database for longer than the busy time-out.
    public var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }
    /// True where the file is damaged or no database at all.
    public var isCorrupt: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }
    /// True where the disk, or the quota on it, is full.
    public var isFull: Bool { primaryCode == SQLITE_FULL }
    /// True where the file, or its directory, may not be written.
    public var isReadOnly: Bool { primaryCode == SQLITE_READONLY || primaryCode == SQLITE_CANTOPEN }
}

/// A value that is bound to a statement.
public enum SQLiteValue: Sendable, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByNilLiteral {
    /// The NULL.
    case null
    /// An INTEGER.
    case integer(Int64)
    /// TEXT; may contain NUL characters.
    case text(Text)
    /// A BLOB.
    case blob([UInt8])
    /// A BLOB of 16 bytes: these two numbers, the highest byte first.
    case octets(UInt64, UInt64)

    /// An INTEGER.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A TEXT.
    public init(stringLiteral value: String) { self = .text(Text(value)) }
    /// The NULL.
    public init(nilLiteral: ()) { self = .null }
    /// TEXT, or NULL for `nil`.
    public init(_ text: Text?) { self = text.map(SQLiteValue.text) ?? .null }
    /// INTEGER, or NULL for `nil`.
    public init(_ integer: Int64?) { self = integer.map(SQLiteValue.integer) ?? .null }
    /// 1 or 0, or NULL for `nil`.
    public init(_ bool: Bool?) { self = bool.map { .integer($0 ? 1 : 0) } ?? .null }
}

/// One connection to an SQLite database, used by one thread.
@safe public final class Database {
    /// The way in which a database file is opened.
    public enum Mode: Sendable {
        /// The file has to exist; nothing is written, not even a lock.
        case readOnly
        /// The file has to exist.
        case readWrite
        /// The file is made where it does not exist.
        case create
        /// A private database in a temporary file that goes with the connection.
        case temporary
    }

    /// Configures SQLite for all connections, before the first of them is opened.
    private static let isConfigured = lockstep_count_no_memory() == SQLITE_OK

    private let handle: OpaquePointer
    private let path: String
    private var statements: [StatementText: Statement] = [:]
    private var composed: [StatementParts: Statement] = [:]

    /// Opens a database.
    ///
    /// - Parameters:
    ///   - path: The file; ignored for a temporary database.
    ///   - mode: The way in which it is opened.
    ///   - busyTimeout: The time that a statement waits for another process.
    /// - Throws: ``SQLiteError``, the file as its subject.
    public init(path: String, mode: Mode, busyTimeout: Span = .seconds(10)) throws(SQLiteError) {
        let flags =
            switch mode {
            case .readOnly: SQLITE_OPEN_READONLY
            case .readWrite: SQLITE_OPEN_READWRITE
            case .create, .temporary: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        self.path = path
        _ = Self.isConfigured
        var opened: OpaquePointer?
        let name = mode == .temporary ? "" : path
        let code = unsafe sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard let opened = unsafe opened, code == SQLITE_OK else {
            // A handle is returned even on failure and has to be closed.
            let message = unsafe opened.map { unsafe String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            unsafe sqlite3_close_v2(opened)
            throw SQLiteError(code: code, message: message, subject: path)
        }
        unsafe handle = opened
        unsafe sqlite3_busy_timeout(opened, Int32(clamping: busyTimeout.milliseconds))
    }

    deinit {
        statements = [:]
        composed = [:]
        // Statements that still exist keep the connection open until they go (sqlite3_close_v2).
        unsafe sqlite3_close_v2(handle)
    }

    /// Runs statements that take no values and return no rows of interest.
    public func execute(_ sql: String) throws(SQLiteError) {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        try check(code, sql)
    }

    /// Compiles a statement.
    public func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        var statement: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            handle,
            sql,
            Int32(sql.utf8.count),
            UInt32(SQLITE_PREPARE_PERSISTENT),
            &statement,
            nil
        )
        try check(code, sql)
        guard let statement = unsafe statement else {
            throw SQLiteError(code: SQLITE_MISUSE, message: "an empty statement", subject: sql)
        }
        return unsafe Statement(statement, subject: path.isEmpty ? sql : path)
    }

    /// The one compiled form of a statement that runs often; it is reset, so that only one use of it is open at a time.
    public func cached(_ sql: String) throws(SQLiteError) -> Statement {
        let text = StatementText(sql: sql)
        if let statement = statements[text] { return statement }
        let statement = try prepare(sql)
        statements[text] = statement
        return statement
    }

    /// The one compiled form of a statement that is put together of parts, as ``cached(_:)`` gives it; its text is made
    /// once.
    public func cached(_ parts: [StaticString], _ sql: () -> String) throws(SQLiteError) -> Statement {
        let parts = StatementParts(parts)
        if let statement = composed[parts] { return statement }
        let statement = try prepare(sql())
        composed[parts] = statement
        return statement
    }

    /// The statements that were compiled once to run often.
    public var cachedStatements: [String] { (Array(statements.values) + composed.values).map(\.sql).sorted() }

    /// Runs a statement that returns no rows, compiled once.
    public func run(_ sql: String, _ values: SQLiteValue...) throws(SQLiteError) {
        try cached(sql).run(values)
    }

    /// Calls `row` for each row of a statement, compiled once.
    public func each(_ sql: String, _ values: SQLiteValue..., row: (Statement) throws -> Void) throws {
        try each(sql, values: values, row: row)
    }

    /// Calls `row` for each row of a statement, compiled once.
    public func each(_ sql: String, values: [SQLiteValue], row: (Statement) throws -> Void) throws {
        let statement = try cached(sql)
        try statement.bind(values)
        defer { statement.reset() }
        while try statement.step() { try row(statement) }
    }

    /// The first row of a statement, as `read` makes it; `nil` where there is none.
    public func first<Row>(_ sql: String, _ values: SQLiteValue..., read: (Statement) throws -> Row) throws -> Row? {
        try first(sql, values: values, read: read)
    }

    /// The first row of a statement, as `read` makes it; `nil` where there is none.
    public func first<Row>(_ sql: String, values: [SQLiteValue], read: (Statement) throws -> Row) throws -> Row? {
        let statement = try cached(sql)
        try statement.bind(values)
        defer { statement.reset() }
        return try statement.step() ? read(statement) : nil
    }

    /// Runs `body` in a write transaction; what it throws rolls everything back.
    public func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try execute("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            // The transaction may have been rolled back by SQLite itself, on a full disk for instance.
            if unsafe sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }

    /// Defines a function of one text for the statements of this connection; one of NULL is NULL.
    ///
    /// - Parameters:
    ///   - name: Its name in SQL.
    ///   - body: The value of it, which depends on the text alone.
    /// - Throws: ``SQLiteError``.
    public func define(_ name: String, _ body: @escaping (Text) -> SQLiteValue) throws(SQLiteError) {
        let context = unsafe Unmanaged.passRetained(TextFunction(body))
        let code = unsafe sqlite3_create_function_v2(
            handle,
            name,
            1,
            SQLITE_UTF8 | SQLITE_DETERMINISTIC,
            context.toOpaque(),
            { context, _, arguments in
                guard let argument = unsafe arguments?.pointee, let own = unsafe sqlite3_user_data(context) else {
                    return
                }
                unsafe Unmanaged<TextFunction>.fromOpaque(own).takeUnretainedValue().call(context, argument)
            },
            nil,
            nil,
            { own in
                if let own = unsafe own { unsafe Unmanaged<TextFunction>.fromOpaque(own).release() }
            }
        )
        try check(code, name)
    }

    /// Takes over everything that another database holds, at once or not at all; no statement may be in use.
    public func replaceContents(with other: Database) throws(SQLiteError) {
        guard let backup = unsafe sqlite3_backup_init(handle, "main", other.handle, "main") else {
            return unsafe try checked(sqlite3_errcode(handle), on: handle, subject: path)
        }
        unsafe sqlite3_backup_step(backup, -1)
        // Its code is that of the step, where that failed.
        try check(unsafe sqlite3_backup_finish(backup), path)
    }

    /// The number of rows that the last statement changed.
    public var changes: Int { Int(unsafe sqlite3_changes64(handle)) }

    /// Turns a result code into an error, reading the message before anything clears it.
    private func check(_ code: Int32, _ sql: String) throws(SQLiteError) {
        unsafe try checked(code, on: handle, subject: path.isEmpty ? sql : path)
    }
}

/// The text of a statement, as the key of its compiled form: a few bytes tell statements apart well enough.
private struct StatementText: Hashable {
    let sql: String

    func hash(into hasher: inout Hasher) {
        let bytes = sql.utf8Span.span
        hasher.combine(bytes.count)
        // From the end, where the conditions stand, and the columns of what is written.
        var place = bytes.count - 1
        while place >= 0 {
            hasher.combine(bytes[place])
            place -= 13
        }
    }
}

/// The parts of a statement, as the key of its compiled form: literals are told apart by where they stand in the program.
private struct StatementParts: Hashable {
    private let places: [UInt]

    init(_ parts: [StaticString]) {
        places = parts.map { unsafe UInt(bitPattern: $0.utf8Start) }
    }
}

/// A function of one text that statements call.
private final class TextFunction {
    private let body: (Text) -> SQLiteValue

    init(_ body: @escaping (Text) -> SQLiteValue) {
        self.body = body
    }

    /// Answers a call.
    @unsafe func call(_ context: OpaquePointer?, _ argument: OpaquePointer?) {
        guard let bytes = unsafe sqlite3_value_text(argument) else { return unsafe sqlite3_result_null(context) }
        let count = Int(unsafe sqlite3_value_bytes(argument))
        let text = unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
        switch body(Text(text)) {
        case .null: unsafe sqlite3_result_null(context)
        case .integer(let integer): unsafe sqlite3_result_int64(context, integer)
        // Values that are given back as they came need no copy of ours.
        case .text: unsafe sqlite3_result_value(context, argument)
        case .blob(let bytes): unsafe bytes.withUnsafeBytes { unsafe result($0, context) }
        case .octets(let high, let low): unsafe withOctets(of: (high, low)) { unsafe result($0, context) }
        }
    }

    @unsafe private func result(_ bytes: UnsafeRawBufferPointer, _ context: OpaquePointer?) {
        unsafe lockstep_result_blob(context, bytes.baseAddress, UInt64(bytes.count))
    }
}
