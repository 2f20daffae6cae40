internal import Foreign
internal import Git

/// The files of a commit that are not the same in the one that an index was made of: what is equal by its id is passed
/// over, directories with everything in them.
final class ChangedTree: FileTree {
    /// The commit.
    let tree: CommitTree
    /// The index of what was read before.
    private let index: SourceIndex
    /// The files and directories of the index's commit that are gone or different now.
    private(set) var replaced: [String] = []

    /// The files that changed since an index was made.
    init(_ tree: CommitTree, since index: SourceIndex) {
        self.tree = tree
        self.index = index
    }

    func path(_ written: String) throws(FileError) -> String { try tree.path(written) }
    func kind(following path: String) throws(FileError) -> Files.Facts.Kind? { try tree.kind(following: path) }
    func resolve(_ path: String) throws(FileError) -> String { try tree.resolve(path) }
    func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] { try tree.read(path, limit: limit) }
    func identity(of path: String) throws -> FileIdentity? { try tree.identity(of: path) }
    func lines(_ path: String, from offset: Int) throws(FileError) -> LineReader { try tree.lines(path, from: offset) }

    func walk(_ directory: String, visit: (Files.Entry) throws -> Bool) throws {
        guard let now = try tree.find(directory)?.entry else { return try tree.walk(directory, visit: visit) }
        guard let before = try tree.find(directory, in: index.tree)?.entry, before.kind == .directory else {
            replaced.append(directory)
            return try tree.walk(directory, visit: visit)
        }
        guard now.id != before.id else { return }
        // The directories of the index's commit by path: a directory is entered after its entry was compared.
        var known = [directory: try entries(before.id, directory)]
        note(known[directory] ?? [:], gone: try entries(now.id, directory), directory)
        try tree.walk(now.id, at: directory) { entry, path in
            let before = known[Files.parent(of: path)]?[entry.name]
            guard before != entry else { return false }
            guard let before, before.kind == .directory, entry.kind == .directory else { return true }
            let inside = try entries(before.id, path)
            note(inside, gone: try entries(entry.id, path), path)
            known[path] = inside
            return true
        } visit: {
            try visit($0)
        }
    }

    /// Notes what a directory held that it does not hold any more as it was; directories that are still there are looked
    /// into instead.
    private func note(_ before: [String: TreeEntry], gone now: [String: TreeEntry], _ directory: String) {
        for (name, entry) in before where now[name] != entry {
            if entry.kind == .directory, now[name]?.kind == .directory { continue }
            replaced.append(Files.join(directory, name))
        }
    }

    private func entries(_ directory: ObjectID, _ path: String) throws(FileError) -> [String: TreeEntry] {
        Dictionary(try tree.entries(of: directory, path).map { ($0.name, $0) }) { first, _ in first }
    }

    func passesOver(_ file: String) throws(FileError) -> Bool {
        let before = try tree.identity(of: file, in: index.tree)
        if let before, try tree.identity(of: file, in: tree.commit.tree) == before { return true }
        replaced.append(file)
        return false
    }

    func passesOver(where isWanted: (String) -> Bool) throws -> Bool {
        try index.hasFile { file in
            isWanted(file) && !replaced.contains { file == $0 || file.utf8.starts(with: ($0 + "/").utf8) }
        }
    }
}
