internal import Foreign
internal import Git
internal import Time

/// The identity of a file, of one line of it, or of a directory in a commit.
///
/// Equal identities are equal texts.
enum FileIdentity: Hashable, Sendable, CustomStringConvertible {
    /// The id of an object of Git.
    case object(ObjectID)
    /// The SHA-256 of raw bytes: of a file on the disk, or of a line without its end.
    case digest([UInt8])

    /// The identity of a text that is in memory.
    init(of bytes: [UInt8]) { self = .digest(sha256(bytes)) }

    /// Hex digits.
    var description: String {
        switch self {
        case .object(let id): id.description
        case .digest(let bytes): Hex.text(bytes)
        }
    }
}

/// A file on the disk as it was when it was read last.
struct KnownFile: Hashable, Sendable {
    /// The identity of its bytes.
    var identity: FileIdentity
    /// Its size, times and inode, asked for before it was read.
    var stamp: Files.Stamp

    /// File systems keep times in steps, of two seconds at the most.
    private static let step = Span.seconds(2)

    /// True where a file that has this stamp now was not written to since.
    ///
    /// As in Git's index, a time that is not older than the reading proves nothing: the file may have been written to
    /// again in the same step. Such a file is read; see `Documentation/technical/racy-git` of Git.
    /// - Parameters:
    ///   - now: The stamp of the file now.
    ///   - begun: The time at which that reading began, by the clock that gives files their times.
    /// - Returns: True where reading the file would show the same bytes.
    func isSame(as now: Files.Stamp, readFrom begun: Moment) -> Bool {
        now == stamp && max(now.modified, now.changed) / 1_000_000 < (begun - Self.step).milliseconds
    }
}

extension DiskTree {
    /// A file as it is now; it is read only where size, times and inode leave open whether it is what was known.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - known: The file as it was read last; `nil` where it never was.
    ///   - begun: The time at which that reading began.
    /// - Returns: The file, with the same identity as before where the bytes are the same; `nil` where there is none.
    /// - Throws: ``FileError``, ``CryptoError``.
    func file(_ path: String, knowing known: KnownFile?, readFrom begun: Moment) throws -> KnownFile? {
        guard let facts = try Files.facts(following: path), facts.kind == .file else { return nil }
        if let known, known.isSame(as: facts.stamp, readFrom: begun) { return known }
        return KnownFile(identity: .digest(try Files.sha256(of: path)), stamp: facts.stamp)
    }

    func identity(of path: String) throws -> FileIdentity? {
        try file(path, knowing: nil, readFrom: .distantPast)?.identity
    }
}

extension CommitTree {
    func identity(of path: String) throws -> FileIdentity? { try identity(of: path, in: commit.tree) }

    /// The identity of a file or directory in another commit of the repository.
    ///
    /// - Parameters:
    ///   - path: The path, as in this commit.
    ///   - tree: The other commit's directory.
    /// - Returns: The identity; `nil` where there is nothing.
    /// - Throws: ``FileError``.
    func identity(of path: String, in tree: ObjectID) throws(FileError) -> FileIdentity? {
        (try find(path, in: tree)?.entry.id).map(FileIdentity.object)
    }
}
