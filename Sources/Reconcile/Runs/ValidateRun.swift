public import Source

/// `validate`: checks state files; needs no ledger.
public struct ValidateRun {
    private let pipeline: Pipeline

    /// A check of the files of a project.
    public init(_ pipeline: Pipeline) {
        self.pipeline = pipeline
    }

    /// Checks the state files, or only some paths; every problem of every file is an event.
    ///
    /// - Parameter paths: Files, directories or globs, from the working directory; everything where empty.
    /// - Returns: The counts of what was read, duplicates among the errors.
    /// - Throws: The errors of what takes the events, and that there is no room for what is declared.
    public func run(_ paths: [String]) throws -> Loader.Summary {
        let (configuration, environment) = (pipeline.configuration, pipeline.environment)
        let files = try ProjectFiles(of: configuration)
        let reader = SourceReader(files, of: configuration, showsSensitive: environment.showsSensitive)
        return try reader.everything(only: paths) { try environment.events(.problem($0)) }.summary
    }
}
