internal import Foreign
internal import Git

/// The files of one commit, read without a checkout.
///
/// A file is one object in memory while it is read, however many lines it has.
final class CommitTree: FileTree {
    let repository: Repository
    let commit: Revision
    /// The directory of the configuration in the commit; empty where it is the root, or where the configuration is not in
    /// the repository's work tree.
    let directory: String
    /// True once a way led over a symbolic link, so that what a path means does not follow from its directory alone.
    private(set) var hasLinks = false
    /// The file that the walk came to last, so that reading it asks for no directory again.
    private var visited: (path: String, id: ObjectID)?
    /// The directory that was looked into last, by name.
    private var opened: (id: ObjectID, entries: [String: TreeEntry])?

    /// The files of a commit, for a configuration in the given directory.
    init(_ repository: Repository, _ commit: Revision, for configuration: Configuration) {
        self.repository = repository
        self.commit = commit
        let home = try? Files.resolve(configuration.directory)
        directory = home.flatMap { home in repository.workTree.flatMap { Self.relative(home, to: $0) } } ?? ""
    }

    private static func relative(_ path: String, to directory: String) -> String? {
        if path == directory { return "" }
        let prefix = directory == "/" ? "/" : directory + "/"
        return path.utf8.starts(with: prefix.utf8) ? String(path.dropFirst(prefix.count)) : nil
    }

    func path(_ written: String) throws(FileError) -> String {
        var path = Files.join(directory, written)
        if path.utf8.first == UInt8(ascii: "/") {
            guard let inside = repository.workTree.flatMap({ Self.relative(path, to: $0) }) else {
                throw FileError("find", written, because: .other("--rev reads only what is in the repository"))
            }
            path = inside
        }
        var names: [Substring] = []
        for name in path.split(separator: "/") where name != "." {
            guard name == ".." else {
                names.append(name)
                continue
            }
            guard names.popLast() != nil else {
                throw FileError("find", written, because: .other("--rev reads only what is in the repository"))
            }
        }
        return names.isEmpty ? "." : names.joined(separator: "/")
    }

    func kind(following path: String) throws(FileError) -> Files.Facts.Kind? {
        guard let found = try find(path) else { return nil }
        return found.entry.kind == .directory ? .directory : .file
    }

    func resolve(_ path: String) throws(FileError) -> String {
        guard let found = try find(path) else {
            throw FileError("resolve", path, because: .other("leads nowhere in the commit"))
        }
        return "/" + found.path
    }

    func walk(_ directory: String, visit: (Files.Entry) throws -> Bool) throws {
        guard let found = try find(directory) else {
            throw FileError("read the directory", directory, because: .other("it is not in the commit"))
        }
        try walk(found.entry.id, at: directory, visit: visit)
    }

    /// Visits what is in a directory.
    ///
    /// - Parameters:
    ///   - tree: The directory.
    ///   - directory: Its path.
    ///   - isWanted: True where an entry is visited at all.
    ///   - visit: Takes each entry; whether its directory is walked.
    /// - Throws: ``FileError``, and what the closures throw.
    func walk(
        _ tree: ObjectID,
        at directory: String,
        where isWanted: (TreeEntry, String) throws -> Bool = { _, _ in true },
        visit: (Files.Entry) throws -> Bool
    ) throws {
        for entry in try entries(of: tree, directory)
        where entry.name.utf8.first != UInt8(ascii: ".") {
            let path = Files.join(directory, entry.name)
            guard try isWanted(entry, path) else { continue }
            switch entry.kind {
            case .file:
                visited = (path, entry.id)
                _ = try visit(Files.Entry(path: path, kind: .file))
            case .link:
                hasLinks = true
                _ = try visit(Files.Entry(path: path, kind: .link))
            case .submodule: _ = try visit(Files.Entry(path: path, kind: .directory, error: .submodule(path)))
            case .directory:
                guard try visit(Files.Entry(path: path, kind: .directory)) else { continue }
                do { try walk(entry.id, at: path, where: isWanted, visit: visit) } catch let error as FileError
                    where error.path == path
                {
                    _ = try visit(Files.Entry(path: path, kind: .directory, error: error))
                }
            }
        }
    }

    func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
        let id = try file(path)
        return try bytes(of: id, path, limit: limit)
    }

    func lines(_ path: String, from offset: Int) throws(FileError) -> LineReader {
        LineReader(try read(path, limit: .max), of: path, from: offset)
    }

    // MARK: - Objects

    private func file(_ path: String) throws(FileError) -> ObjectID {
        if let visited, visited.path == path { return visited.id }
        guard let found = try find(path), found.entry.kind != .directory else {
            throw FileError("read", path, because: .other("it is no file in the commit"))
        }
        return found.entry.id
    }

    /// Follows a path.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - tree: The root; `nil` for the commit's.
    /// - Returns: The entry, with its path without links; `nil` where there is nothing.
    /// - Throws: ``FileError``.
    func find(_ path: String, in tree: ObjectID? = nil) throws(FileError) -> (path: String, entry: TreeEntry)? {
        let root = TreeEntry(name: "", kind: .directory, id: tree ?? commit.tree)
        var way = [root]
        var rest = Array(path.split(separator: "/").map(String.init).reversed())
        var links = 0
        while let name = rest.popLast() {
            if name == "." { continue }
            if name == ".." {
                guard way.count > 1 else { throw FileError("follow", path, because: .other("leaves the commit")) }
                way.removeLast()
                continue
            }
            guard let directory = way.last, directory.kind == .directory,
                let entry = try entry(name, in: directory.id, path)
            else { return nil }
            switch entry.kind {
            case .file, .directory: way.append(entry)
            case .submodule: throw .submodule(path)
            case .link:
                hasLinks = true
                links += 1
                let bytes = try bytes(of: entry.id, path, limit: 4096)
                let target = String(decoding: bytes, as: UTF8.self)
                guard target.utf8.first != UInt8(ascii: "/"), links <= 40 else {
                    throw FileError("follow", path, because: .other("leaves the commit, to '\(target)'"))
                }
                rest += target.split(separator: "/").map(String.init).reversed()
            }
        }
        return (way.dropFirst().map(\.name).joined(separator: "/"), way[way.count - 1])
    }

    private func entry(_ name: String, in tree: ObjectID, _ path: String) throws(FileError) -> TreeEntry? {
        if let opened, opened.id == tree { return opened.entries[name] }
        let byName = Dictionary(try entries(of: tree, path).map { ($0.name, $0) }) { first, _ in first }
        opened = (tree, byName)
        return byName[name]
    }

    /// The entries of a directory.
    func entries(of tree: ObjectID, _ path: String) throws(FileError) -> [TreeEntry] {
        do { return try repository.entries(of: tree) } catch { throw FileError(error, path) }
    }

    private func bytes(of blob: ObjectID, _ path: String, limit: Int) throws(FileError) -> [UInt8] {
        do { return try repository.bytes(of: blob, limit: limit) } catch { throw FileError(error, path) }
    }
}

extension FileError {
    /// An error of Git about the object at a path.
    fileprivate init(_ error: GitError, _ path: String) {
        self =
            switch error {
            case .tooLarge(let limit): FileError("read", path, because: .tooLarge(limit: limit))
            case .nameNotUTF8(let name): FileError("read the directory", path, because: .nameNotUTF8(name))
            default: FileError("read", path, because: .other(error.description))
            }
    }

    fileprivate static func submodule(_ path: String) -> FileError {
        FileError(
            "read",
            path,
            because: .other("it is a submodule, whose files are not in this repository; put the state itself here")
        )
    }
}
