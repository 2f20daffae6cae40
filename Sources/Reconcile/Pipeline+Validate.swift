internal import Foreign

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
        let store = try DesiredStore()
        let locator = Locator()
        var duplicates = 0
        var summary = try Loader(configuration).load(only: paths) { declaration in
            guard let first = try store.add(declaration) else { return }
            duplicates += 1
            try problems(locator.duplicate(declaration, first: first))
        } problems: {
            try problems($0)
        }
        summary.errors += duplicates
        return summary
    }
}
