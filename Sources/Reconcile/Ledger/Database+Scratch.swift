internal import Foreign

extension Database {
    /// A database in a temporary file for what one run puts in order, so that memory stays flat.
    ///
    /// It goes with the run, and so it is neither logged nor waited for; everything in it is one transaction.
    ///
    /// - Parameter tables: The statements that make its tables.
    /// - Returns: The database.
    /// - Throws: ``SQLiteError``.
    static func scratch(_ tables: String) throws -> Database {
        let database = try Database(path: "", mode: .temporary)
        try database.execute(
            """
            PRAGMA journal_mode = OFF;
            PRAGMA synchronous = OFF;
            PRAGMA cache_size = -16000;
            \(tables)
            BEGIN;
            """
        )
        return database
    }
}
