public import Diff
public import Foreign
internal import Git
public import JSON
public import Time

/// Reads what the state files of a project declare: all of it, or what changed since an index was made.
public struct SourceReader {
    private let configuration: Configuration
    private let files: ProjectFiles
    private let showsSensitive: Bool

    /// A reader of the state files of a configuration.
    ///
    /// - Parameters:
    ///   - files: The files.
    ///   - configuration: The configuration that names them.
    ///   - showsSensitive: True where messages may show what is sensitive.
    public init(_ files: ProjectFiles, of configuration: Configuration, showsSensitive: Bool) {
        self.files = files
        self.configuration = configuration
        self.showsSensitive = showsSensitive
    }

    /// Everything that was read, and the counts of it.
    public struct Gathered {
        /// The declarations.
        public var store: DesiredStore
        /// The counts, with those of templates and of what is declared twice.
        public var summary: Loader.Summary
        /// True where an index can be made of it: a commit without links, with nothing to remark about any file.
        public var isPlain: Bool
        /// The rules of the configuration, as far as the declarations have something for them.
        fileprivate var rules: [RuleUsage]
    }

    /// Reads all state files, or only some paths, and finds what is declared twice.
    ///
    /// - Parameters:
    ///   - paths: Files, directories or globs, from the working directory; everything where empty.
    ///   - allowsMissing: True where a missing path counts as empty.
    ///   - problems: Takes every problem of every file.
    /// - Returns: The declarations and the counts.
    /// - Throws: The errors of `problems`, and that there is no room for what is declared.
    public func everything(
        only paths: [String] = [],
        allowsMissing: Bool = false,
        problems: (Diagnostic) throws -> Void
    ) throws -> Gathered {
        var gathered = try gather(in: files.tree, only: paths, allowsMissing: allowsMissing, problems: problems)
        for warning in gathered.rules.flatMap({ $0.warnings(configuration) }) where paths.isEmpty {
            gathered.summary.warnings += 1
            try problems(warning)
        }
        let summary = gathered.summary
        if let tree = files.tree as? CommitTree {
            gathered.isPlain = summary.warnings == 0 && !summary.hasLookalikes && !tree.hasLinks
        }
        return gathered
    }

    /// Reads the files that are different in the commit from the one that an index was made of.
    ///
    /// - Parameter index: The index, which takes the files out of account that are gone or different.
    /// - Returns: The declarations and the counts; `nil` where everything has to be read, such as where anything is to be remarked.
    /// - Throws: ``SQLiteError``.
    public func changes(since index: SourceIndex) throws -> Gathered? {
        guard let tree = files.tree as? CommitTree else { return nil }
        let changed = ChangedTree(tree, since: index)
        var gathered: Gathered
        do { gathered = try gather(in: changed) { _ in throw NeedsWhole() } } catch is NeedsWhole { return nil }
        guard !gathered.summary.hasLookalikes, !tree.hasLinks else { return nil }
        try index.replace(changed.replaced)
        try index.each { content in
            // A few declarations are enough for rules that are right.
            guard gathered.rules.contains(where: \.isOpen) else { return false }
            for rule in gathered.rules.indices { gathered.rules[rule].note(content) }
            return true
        }
        guard gathered.rules.allSatisfy({ $0.warnings(configuration).isEmpty }) else { return nil }
        gathered.isPlain = true
        return gathered
    }

    /// Something was to be said about a file that changed, which needs the whole to say it.
    private struct NeedsWhole: Error {}

    private func gather(
        in tree: any FileTree,
        only paths: [String] = [],
        allowsMissing: Bool = false,
        problems: (Diagnostic) throws -> Void
    ) throws -> Gathered {
        // Those that the loader does not count: about templates, and what is declared twice.
        var errors = 0
        let templates = try Templates(in: files.tree) { problem in
            errors += 1
            try problems(problem)
        }
        let store = DesiredStore(templates)
        let locator = Locator(tree)
        let masks = showsSensitive ? Masks() : Masks(configuration.sensitive(with: templates))
        let loader = Loader(
            configuration,
            in: tree,
            allowsMissing: allowsMissing,
            templates: templates,
            showsValues: masks.isEmpty
        )
        var rules = [
            RuleUsage(configuration.sensitive, of: "sensitive"), RuleUsage(configuration.ignored, of: "ignore"),
        ]
        var summary = try loader.load(only: paths) { declaration in
            for index in rules.indices { rules[index].note(declaration.content) }
            guard let first = try store.add(declaration) else { return }
            errors += 1
            try problems(locator.duplicate(declaration, first: first).masked(masks))
        } problems: {
            try problems($0)
        }
        summary.errors += errors
        return Gathered(store: store, summary: summary, isPlain: false, rules: rules)
    }

    // MARK: - For an index

    /// The key of what the commit is read with: what was read with anything else is read again.
    ///
    /// - Returns: The key; `nil` for files that are in no commit, and for a program that has no name for its build.
    /// - Throws: ``FileError``.
    public func indexKey() throws(FileError) -> Text? {
        guard let tree = files.tree as? CommitTree, let build = try BuildID() else { return nil }
        let templates = try tree.identity(of: try tree.path(Templates.name), in: tree.commit.tree)?.description ?? ""
        let parts: Value = [
            .string(Text(build.description)), .string(Text(Hex.text(sha256(configuration.text)))),
            .string(Text(tree.directory)), .string(Text(templates)),
        ]
        return Text(parts.canonical)
    }

    /// The facts that an index of the commit is made of.
    ///
    /// - Parameters:
    ///   - stamp: The name that the ledger knows it by.
    ///   - now: The time.
    /// - Returns: The facts; `nil` for files that are in no commit.
    /// - Throws: ``FileError``.
    public func making(_ stamp: Text, at now: Moment) throws(FileError) -> SourceIndex.Making? {
        guard let tree = files.tree as? CommitTree, let key = try indexKey() else { return nil }
        return SourceIndex.Making(key: key, tree: tree.commit.tree, stamp: stamp, now: now)
    }
}

extension ProjectFiles {
    /// The finder of lines and columns in them.
    public var locator: Locator { Locator(tree) }

    /// Reads the templates of the project.
    ///
    /// - Parameter problems: Takes everything that is wrong with any file.
    /// - Returns: The templates.
    /// - Throws: The errors of `problems`, and ``FileError`` where their directory cannot be looked at.
    public func templates(problems: (Diagnostic) throws -> Void) throws -> Templates {
        try Templates(in: tree, problems: problems)
    }
}

extension Configuration {
    /// The places that are sensitive by the configuration and by templates.
    public func sensitive(with templates: Templates) -> PointerRules {
        PointerRules(sensitive.rules + templates.sensitive)
    }
}

extension Diagnostic {
    /// The diagnostic without the line of the file, where anything in the files is sensitive.
    public func masked(_ masks: Masks) -> Diagnostic {
        guard !masks.isEmpty else { return self }
        var diagnostic = self
        diagnostic.excerpt = nil
        return diagnostic
    }
}
