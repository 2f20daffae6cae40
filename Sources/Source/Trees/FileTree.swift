internal import Foreign

/// A tree that state files are read from: the disk, or a commit.
///
/// Paths on the disk count from the working directory, those in a commit from its root.
protocol FileTree {
    /// The path in this tree of what the configuration calls so.
    func path(_ written: String) throws(FileError) -> String
    /// The kind of what a path leads to once links are followed; `nil` where there is nothing.
    func kind(following path: String) throws(FileError) -> Files.Facts.Kind?
    /// The absolute path without symbolic links.
    func resolve(_ path: String) throws(FileError) -> String
    /// Visits everything below a directory, as ``Files/walk(_:visit:)`` does.
    func walk(_ directory: String, visit: (Files.Entry) throws -> Bool) throws
    /// The whole of a file that has at most `limit` bytes.
    func read(_ path: String, limit: Int) throws(FileError) -> [UInt8]
    /// The identity of a file, in a commit of a directory too; `nil` where there is none.
    func identity(of path: String) throws -> FileIdentity?
    /// The lines of a file, from the one on that begins at the byte `offset`.
    func lines(_ path: String, from offset: Int) throws(FileError) -> LineReader
    /// True where a file is passed over, because what it says is known.
    func passesOver(_ file: String) throws(FileError) -> Bool
    /// True where there is a file like this that is passed over.
    func passesOver(where isWanted: (String) -> Bool) throws -> Bool
}

extension FileTree {
    func passesOver(_ file: String) throws(FileError) -> Bool { false }
    func passesOver(where isWanted: (String) -> Bool) throws -> Bool { false }
}

/// The files on the disk.
struct DiskTree: FileTree {
    /// The directory that the configuration's paths are relative to.
    var directory = "."

    func path(_ written: String) -> String { Files.simplified(Files.join(directory, written)) }

    func kind(following path: String) throws(FileError) -> Files.Facts.Kind? {
        try Files.facts(following: path)?.kind
    }

    func resolve(_ path: String) throws(FileError) -> String { try Files.resolve(path) }

    func walk(_ directory: String, visit: (Files.Entry) throws -> Bool) throws {
        try Files.walk(directory, visit: visit)
    }

    func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] { try Files.read(path, limit: limit) }

    func lines(_ path: String, from offset: Int) throws(FileError) -> LineReader { try LineReader(path, from: offset) }
}
