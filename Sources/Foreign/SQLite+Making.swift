extension Database {
    /// Makes a database in a temporary file for what one run puts in order, so that memory stays flat.
    ///
    /// It goes with the run, and so it is neither logged nor waited for; everything in it is one transaction.
    ///
    /// - Parameter tables: The statements that make its tables.
    /// - Returns: The database.
    /// - Throws: ``SQLiteError``.
    public static func scratch(_ tables: String) throws -> Database {
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

    /// Makes a database for its owner alone, which has its name only once it is whole.
    ///
    /// What a killed process left of another attempt goes first; nobody else makes this file at the same time.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - durably: Waits until file and name are on the disk.
    ///   - fill: Puts everything in.
    /// - Throws: ``SQLiteError``, ``FileError``, and what `fill` throws.
    public static func make(at path: String, durably: Bool, _ fill: (Database) throws -> Void) throws {
        let name = path + ".new"
        for left in ["-journal", "-wal", "-shm"].map({ name + $0 }) where try Files.facts(left) != nil {
            try Files.remove(left)
        }
        // SQLite writes into a file that exists where it is empty, and gives its other files the same mode.
        var draft = try FileDraft(of: path, as: name, mode: 0o600, durably: durably)
        do { try fill(Database(path: name, mode: .create)) }
        try draft.publish()
    }
}
