extension Pipeline {
    /// Checks the state files, or only some paths; needs no ledger.
    ///
    /// - Parameters:
    ///   - paths: Files, directories or globs, from the working directory; everything where empty.
    ///   - problems: Takes every problem of every file.
    /// - Returns: The counts of what was read, duplicates among the errors.
    /// - Throws: What `problems` throws, or that there is no room for what is declared.
    public func validate(
        _ paths: [String],
        problems: (Diagnostic) throws -> Void
    ) throws -> Loader.Summary {
        let tree = DiskTree(directory: configuration.directory)
        return try gather(in: tree, only: paths, problems: problems).summary
    }
}
