internal import Diff
internal import Foreign
public import JSON

/// Reads the state files of a configuration and streams what they declare; nothing is kept but one document at a time.
public struct Loader {
    /// The counts of what was read.
    public struct Summary: Hashable, Sendable {
        /// The number of state files.
        public var files = 0
        /// The number of subscriber documents in them.
        public var documents = 0
        /// The number of widgets that they declare.
        public var widgets = 0
        /// The number of Live Activities that they declare.
        public var activities = 0
        /// The number of template versions.
        public var templates = 0
        /// The number of errors.
        public var errors = 0
        /// The number of warnings.
        public var warnings = 0
        /// True where an id or a name has a form of Unicode that another one could look the same in.
        public var hasLookalikes = false

        /// Nothing yet.
        public init() {}
    }

    private let configuration: Configuration
    /// The tree that the files are in.
    let tree: any FileTree
    private let allowsMissing: Bool
    private let templates: Templates
    private let parser: Parser

    /// A loader of the files on the disk; where a missing directory is allowed, it counts as an empty one.
    public init(_ configuration: Configuration, allowsMissing: Bool = false) {
        self.init(configuration, in: DiskTree(directory: configuration.directory), allowsMissing: allowsMissing)
    }

    /// A loader of files that are somewhere else, which holds declarations against the templates that they name.
    init(
        _ configuration: Configuration,
        in tree: any FileTree,
        allowsMissing: Bool = false,
        templates: Templates = Templates(),
        showsValues: Bool = true
    ) {
        self.configuration = configuration
        self.tree = tree
        self.allowsMissing = allowsMissing
        self.templates = templates
        let apps = configuration.apps.map(\.bundleID)
        parser = Parser(apps: apps, templates: templates, showsValues: showsValues)
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
                try passes(over: paths, into: declared, problems: problems)
            }
        }
    }

    private func passes(
        over paths: [String],
        into declared: @escaping (Declaration) throws -> Void,
        problems: @escaping (Diagnostic) throws -> Void
    ) throws -> Summary {
        let lookalikes = Lookalikes(tree)
        var summary = Summary()
        summary.templates = templates.count
        func report(_ diagnostic: Diagnostic) throws {
            if diagnostic.severity == .error { summary.errors += 1 } else { summary.warnings += 1 }
            try problems(diagnostic)
        }
        let first = Reading(tree, parser, problems: report) { declaration in
            lookalikes.note(declaration)
            switch declaration.content {
            case .widget: summary.widgets += 1
            case .activity: summary.activities += 1
            }
            try declared(declaration)
        }
        let entries = try entries(paths, problems: report)
        try read(entries, first)
        summary.files = first.files
        summary.documents = first.documents
        if !lookalikes.isEmpty {
            summary.hasLookalikes = true
            // Something was written in an unusual form of Unicode, which is rare: look for what looks the same.
            let second = Reading(tree, parser, problems: { _ in }) { declaration in
                try lookalikes.diagnostics(about: declaration).forEach(report)
            }
            try read(entries, second)
        }
        return summary
    }

    private func read(_ entries: [StateFiles.Entry], _ reading: Reading) throws {
        let files = StateFiles(tree: tree, allowsMissing: allowsMissing, problems: reading.problems)
        try files.visit(entries) { try reading.read($0) }
    }

    /// Visits the state files without reading them.
    ///
    /// - Parameters:
    ///   - paths: Files, directories or globs, from the working directory; everything where empty.
    ///   - problems: Takes the problems of files and directories.
    ///   - visit: Takes the path of each file.
    /// - Throws: The errors of the closures.
    public func visitFiles(
        only paths: [String],
        problems: (Diagnostic) throws -> Void,
        visit: (String) throws -> Void
    ) throws {
        try withoutActuallyEscaping(problems) { problems in
            let files = StateFiles(tree: tree, allowsMissing: allowsMissing, problems: problems)
            try files.visit(entries(paths, problems: problems), visit)
        }
    }

    /// The entries that the command line or the configuration names; what cannot be in the tree is a problem.
    private func entries(_ paths: [String], problems: (Diagnostic) throws -> Void) throws -> [StateFiles.Entry] {
        guard paths.isEmpty else {
            return paths.map { path in
                StateFiles.Entry(path: Files.simplified(path)) { Diagnostic($0, file: path) }
            }
        }
        var entries: [StateFiles.Entry] = []
        for (index, written) in configuration.state.enumerated() {
            let pointer = Pointer(["state"]).appending(index)
            do throws(FileError) {
                let path = try tree.path(written)
                let remedy = "; --allow-empty takes it for empty"
                entries.append(
                    StateFiles.Entry(path: path, remedy: remedy) { configuration.error($0, at: pointer) }
                )
            } catch {
                try problems(configuration.error(error.description, at: pointer))
            }
        }
        return entries
    }
}

extension Configuration {
    /// An error about a value of the configuration.
    public func error(
        _ message: String,
        _ code: Diagnostic.Code = .unreadableFile,
        at pointer: Pointer
    ) -> Diagnostic {
        let places = Places(text)
        let range = places.range(of: pointer)
        return Diagnostic(
            message,
            code,
            file: file,
            range: range,
            excerpt: (range?.lowerBound).map(places.excerpt)
        )
    }
}
