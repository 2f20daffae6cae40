internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// The templates of a project: `templates/NAME/VERSION.json` beside its configuration.
///
/// A project without that directory has none, and `template` is then only recorded.
public struct Templates: Sendable {
    /// The directory; `nil` where there is none.
    private let directory: String?
    private var templates: [Text: Template] = [:]
    /// Versions whose file is wrong, which was said already.
    private var broken: Set<Text> = []

    /// The directory's name.
    static let name = "templates"

    /// No templates.
    public init() { directory = nil }

    /// Reads every template of a project.
    ///
    /// - Parameters:
    ///   - tree: The project's files.
    ///   - problems: Takes everything that is wrong with any file.
    /// - Throws: The errors of `problems`, and that the directory cannot be looked at.
    init(in tree: any FileTree, problems: (Diagnostic) throws -> Void) throws {
        let directory = try tree.path(Self.name)
        guard try tree.kind(following: directory) != nil else {
            self.directory = nil
            return
        }
        self.directory = directory
        let shape = try TemplateSchema(FileSchema.template.value)
        do {
            try tree.walk(directory) { entry in
                if let error = entry.error { try problems(Diagnostic(error.words, file: entry.path)) }
                if entry.kind == .directory { return true }
                if entry.path.hasSuffix(".json") { try read(entry, of: tree, in: directory, as: shape, problems) }
                return false
            }
        } catch let error as FileError {
            try problems(Diagnostic(error.words, file: error.path))
        }
    }

    /// The places that they call sensitive.
    var sensitive: [PointerRules.Rule] {
        templates.values.sorted { $0.name < $1.name }.flatMap(\.sensitive)
    }

    /// The number of templates.
    var count: Int { templates.count }

    /// The file of a version.
    static func file(of template: Text, in directory: String) -> String {
        let parts = template.string.split(separator: "@", maxSplits: 1)
        return Files.join(directory, "\(parts.first ?? "")/\(parts.last ?? "").json")
    }

    private mutating func read(
        _ entry: Files.Entry,
        of tree: any FileTree,
        in directory: String,
        as shape: TemplateSchema,
        _ problems: (Diagnostic) throws -> Void
    ) throws {
        let file = entry.path
        let parts = file.utf8.dropFirst(directory.utf8.count + 1).split(separator: UInt8(ascii: "/")).map {
            String(Substring($0))
        }
        let name = Text(String(parts.joined(separator: "@").dropLast(".json".utf8.count)))
        guard parts.count == 2, name.isTemplate else {
            return try problems(
                Diagnostic(
                    "a template is \(directory)/NAME/VERSION.json, in letters, digits, '-', '_' and '.'",
                    file: file
                )
            )
        }
        broken.insert(name)
        guard entry.kind == .file else {
            return try problems(Diagnostic("a template is a file of its own; put it here", file: file))
        }
        let bytes: [UInt8]
        do { bytes = try tree.read(file, limit: 1 << 20) } catch {
            return try problems(Diagnostic(error.words, file: file))
        }
        let text = JSONText(bytes, file: file)
        try text.diagnostics.forEach(problems)
        guard text.diagnostics.isEmpty, let document = text.value else { return }
        let findings = Findings()
        TemplateCheck.run(document, as: shape, findings)
        if findings.all.isEmpty {
            do throws(JSONSchema.Failure) {
                templates[name] = try Template(name, document)
                broken.remove(name)
            } catch {
                findings.add(error.description, at: Pointer())
            }
        }
        try text.diagnostics(of: findings).forEach(problems)
    }

    // MARK: - Use

    /// The answer to a declaration that names a version.
    enum Lookup {
        /// The template.
        case found(Template)
        /// Nothing to check by: the project has no templates, or the file is wrong, which was said.
        case unchecked
        /// There is no such file; what is wrong and what to do.
        case missing(String)
    }

    /// Looks a version up for a declaration that names it.
    func use(_ name: Text) -> Lookup {
        guard let directory else { return .unchecked }
        if let template = templates[name] {
            return .found(template)
        }
        if broken.contains(name) { return .unchecked }
        let known = templates.keys.sorted().map(\.string)
        let file = Self.file(of: name, in: directory)
        let remedy =
            if let meant = closest(to: name.string, in: known) { "did you mean '\(meant)'?" } else {
                "make it with 'lockstep template new', or correct the name"
            }
        return .missing("there is no template '\(name.shown)', which would be \(file); \(remedy)")
    }

    /// A version; `nil` where no file has it.
    subscript(name: Text) -> Template? { templates[name] }

    /// The problems of files of versions that were applied: those never change.
    ///
    /// - Parameters:
    ///   - applied: The versions.
    ///   - named: Those that declarations name.
    /// - Returns: The problems.
    func problems(against applied: [TemplateRecord], named: Set<Text>) -> [Diagnostic] {
        guard let directory else {
            return applied.filter { named.contains($0.name) }.prefix(1).map { version in
                Diagnostic(
                    "this directory is missing, and '\(version.name.shown)' was applied with a template; put it back",
                    .changedTemplate,
                    file: Self.name
                )
            }
        }
        return applied.compactMap { version in
            guard let template = templates[version.name], template.digest != version.digest else { return nil }
            let file = Self.file(of: version.name, in: directory)
            let name = version.name.string.prefix { $0 != "@" }
            return Diagnostic(
                "'\(version.name.shown)' was first applied at \(RFC3339.string(version.appliedAt)), and activities run "
                    + "with it: a version never changes. Put the file back as it was, and make the new version beside it, "
                    + "with a name of its own, in \(directory)/\(name)",
                .changedTemplate,
                file: file
            )
        }
    }
}

extension Text {
    /// True for `NAME@VERSION` in letters, digits, `-`, `_` and `.`, neither beginning with a dot.
    var isTemplate: Bool {
        let parts = string.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { part in
                guard let first = part.first, first != UInt8(ascii: ".") else { return false }
                return part.allSatisfy { byte in
                    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || 0x30...0x39 ~= byte
                        || "-_.".utf8.contains(byte)
                }
            }
    }
}
