internal import Diff
internal import Foreign
public import JSON

/// Reads the state files of a configuration and streams what they declare; nothing is kept but one document at a time.
public struct Loader {
    /// What was read.
    public struct Summary: Hashable, Sendable {
        /// How many state files there are.
        public var files = 0
        /// How many subscriber documents they hold.
        public var documents = 0
        /// How many widgets they declare.
        public var widgets = 0
        /// How many Live Activities they declare.
        public var activities = 0
        /// How many errors there are.
        public var errors = 0
        /// How many warnings there are.
        public var warnings = 0

        /// Nothing yet.
        public init() {}
    }

    private let configuration: Configuration
    private let allowsMissing: Bool

    /// A loader; where a missing directory is allowed, it counts as an empty one.
    public init(_ configuration: Configuration, allowsMissing: Bool = false) {
        self.configuration = configuration
        self.allowsMissing = allowsMissing
    }

    /// Reads all state files, or only some paths.
    ///
    /// The order is that of the bytes of the paths, then that of the text. All problems of all files come out in one
    /// run; a declaration with an error is left out, and the others are handed on. That two documents declare the same
    /// name is for the caller to find, who keeps them: ``Locator/duplicate(_:first:)``.
    /// - Parameters:
    ///   - paths: Files, directories or globs to read instead of those of the configuration, from the working directory.
    ///   - declared: Takes each declaration.
    ///   - problems: Takes each problem.
    /// - Returns: The counts of what was read.
    /// - Throws: Only what `declared` and `problems` throw.
    @discardableResult
    public func load(
        only paths: [String] = [],
        into declared: (Declaration) throws -> Void,
        problems: (Diagnostic) throws -> Void
    ) throws -> Summary {
        // The closures live in a pass, which ends before this function does.
        try withoutActuallyEscaping(declared) { declared in
            try withoutActuallyEscaping(problems) { problems in
                try passes(over: entries(paths), into: declared, problems: problems)
            }
        }
    }

    private func passes(
        over entries: [StateFiles.Entry],
        into declared: @escaping (Declaration) throws -> Void,
        problems: @escaping (Diagnostic) throws -> Void
    ) throws -> Summary {
        let apps = configuration.apps.map(\.bundleID)
        let lookalikes = Lookalikes()
        var summary = Summary()
        func report(_ diagnostic: Diagnostic) throws {
            if diagnostic.severity == .error { summary.errors += 1 } else { summary.warnings += 1 }
            try problems(diagnostic)
        }
        let first = Reading(apps: apps, problems: report) { declaration in
            lookalikes.note(declaration)
            switch declaration.content {
            case .widget: summary.widgets += 1
            case .activity: summary.activities += 1
            }
            try declared(declaration)
        }
        try read(entries, first)
        summary.files = first.files
        summary.documents = first.documents
        if !lookalikes.isEmpty {
            // Something was written in an unusual form of Unicode, which is rare: look for what looks the same.
            let second = Reading(apps: apps, problems: { _ in }) { declaration in
                try lookalikes.diagnostics(about: declaration).forEach(report)
            }
            try read(entries, second)
        }
        return summary
    }

    private func read(_ entries: [StateFiles.Entry], _ reading: Reading) throws {
        let files = StateFiles(allowsMissing: allowsMissing, problems: reading.problems)
        try files.visit(entries) { try reading.read($0) }
    }

    /// Visits the state files without reading them.
    func visitFiles(
        only paths: [String],
        problems: (Diagnostic) throws -> Void,
        visit: (String) throws -> Void
    ) throws {
        try withoutActuallyEscaping(problems) { problems in
            try StateFiles(allowsMissing: allowsMissing, problems: problems).visit(entries(paths), visit)
        }
    }

    private func entries(_ paths: [String]) -> [StateFiles.Entry] {
        guard paths.isEmpty else {
            return paths.map { path in
                StateFiles.Entry(path: Files.simplified(path)) { Diagnostic($0, file: path) }
            }
        }
        return configuration.state.enumerated().map { index, path in
            let pointer = Pointer(["state"]).appending(index)
            let remedy = "; --allow-empty takes it for empty"
            return StateFiles.Entry(path: configuration.path(path), remedy: remedy) {
                configuration.error($0, at: pointer)
            }
        }
    }
}

extension Configuration {
    /// An error about a value of the configuration.
    public func error(_ message: String, at pointer: Pointer) -> Diagnostic {
        let places = Places(text)
        let place = places.place(of: pointer)
        return Diagnostic(message, file: file, place: place, excerpt: place.map(places.excerpt))
    }
}
