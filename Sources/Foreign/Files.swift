internal import CLinux
internal import Glibc

/// Whole files and the names in directories.
///
/// Paths are taken as they are: relative ones count from the working directory.
public enum Files {
    /// The whole of a file.
    ///
    /// - Throws: The system's error; `tooLarge` where the file has more than `limit` bytes.
    public static func read(_ path: String, limit: Int = 64 << 20) throws(FileError) -> [UInt8] {
        let file = try FileDescriptor(path, O_RDONLY)
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0 else { throw .last("look at", path) }
        guard status.st_size <= limit else { throw FileError("read", path, because: .tooLarge(limit: limit)) }
        // One byte more than expected, so that the end of the file shows in the second read. Files of the kernel and
        // pipes have no size: they are read piece by piece.
        var bytes = [UInt8](repeating: 0, count: max(Int(status.st_size) + 1, 4 << 10))
        var end = 0
        while true {
            let count = try file.read(into: &bytes, at: end)
            end += count
            guard end <= limit else { throw FileError("read", path, because: .tooLarge(limit: limit)) }
            if count == 0 { break }
            if end == bytes.count { bytes += [UInt8](repeating: 0, count: bytes.count) }
        }
        bytes.removeLast(bytes.count - end)
        return bytes
    }

    /// The SHA-256 of a file, however large it is: 32 bytes.
    ///
    /// - Throws: ``FileError``, ``CryptoError``.
    public static func sha256(of path: String) throws -> [UInt8] {
        let file = try FileDescriptor(path, O_RDONLY)
        var digest = try RunningSHA256()
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = try file.read(into: &buffer)
            if count == 0 { return digest.finalize() }
            digest.update(count == buffer.count ? buffer : Array(buffer[..<count]))
        }
    }

    /// Waits until everything that was written to the file system of `path` is on the disk: one wait for many files.
    public static func synchronizeFileSystem(of path: String) throws(FileError) {
        let directory = try FileDescriptor(path, O_RDONLY | O_DIRECTORY)
        guard syncfs(directory.number) == 0 else { throw .last("synchronize", path) }
    }

    /// Waits until the names in a directory are on the disk.
    public static func synchronize(directory: String) throws(FileError) {
        try FileDescriptor(directory, O_RDONLY | O_DIRECTORY).synchronize()
    }

    /// Gives a file another name, in place of one that has it.
    public static func rename(_ source: String, to destination: String) throws(FileError) {
        guard unsafe Glibc.rename(source, destination) == 0 else {
            throw .last("rename to '\(destination)'", source)
        }
    }

    /// Makes a directory and those above it, where they are missing.
    public static func makeDirectory(_ path: String, mode: UInt32 = 0o755) throws(FileError) {
        if unsafe mkdir(path, mode) == 0 { return }
        let error = FileError.last("make the directory", path)
        switch error.reason {
        case .system(EEXIST) where try facts(following: path)?.kind == .directory: return
        case .system(ENOENT) where parent(of: path) != path:
            try makeDirectory(parent(of: path), mode: mode)
            guard unsafe mkdir(path, mode) == 0 || errno == EEXIST else { throw .last("make the directory", path) }
        default: throw error
        }
    }

    /// Removes a file, a symbolic link or an empty directory.
    public static func remove(_ path: String) throws(FileError) {
        guard unsafe Glibc.remove(path) == 0 else { throw .last("remove", path) }
    }

    /// The absolute path without symbolic links, `.` and `..`.
    public static func resolve(_ path: String) throws(FileError) -> String {
        guard !path.utf8.contains(0) else { throw FileError("resolve", path, because: .nulInPath) }
        guard let resolved = unsafe realpath(path, nil) else { throw .last("resolve", path) }
        // realpath allocates its result, and the caller frees it.
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }
}

extension Files {
    /// The facts that the system knows about a name in a directory.
    public struct Facts: Hashable, Sendable {
        /// The thing that has the name.
        public enum Kind: Hashable, Sendable {
            /// An ordinary file.
            case file
            /// A directory.
            case directory
            /// A symbolic link.
            case link
            /// A pipe, a socket or a device.
            case other
        }

        /// The thing that has the name.
        public var kind: Kind
        /// The permission bits, such as `0o600`.
        public var mode: UInt32
        /// The user id of the owner.
        public var owner: UInt32
        /// The size in bytes.
        public var size: Int64 { stamp.size }
        /// The facts that tell the file from an earlier one under its name.
        public var stamp: Stamp

        /// True where the group or everybody may read it.
        public var isReadableByOthers: Bool { mode & 0o044 != 0 }

        fileprivate init(_ status: stat) {
            kind =
                switch status.st_mode & S_IFMT {
                case S_IFREG: .file
                case S_IFDIR: .directory
                case S_IFLNK: .link
                default: .other
                }
            mode = status.st_mode & 0o7777
            owner = status.st_uid
            stamp = Stamp(status)
        }
    }

    /// The facts that tell a file from an earlier one under its name without reading it, as in Git's index.
    public struct Stamp: Hashable, Sendable {
        /// The size in bytes.
        public var size: Int64
        /// The nanoseconds since 1970 at which its content changed last; whoever writes it can set them.
        public var modified: Int64
        /// The nanoseconds since 1970 at which anything about it changed last; nobody can set them.
        public var changed: Int64
        /// The number of the file in its file system.
        public var inode: UInt64

        fileprivate init(_ status: stat) {
            func nanoseconds(_ time: timespec) -> Int64 { Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec) }
            size = Int64(status.st_size)
            modified = nanoseconds(status.st_mtim)
            changed = nanoseconds(status.st_ctim)
            inode = UInt64(status.st_ino)
        }
    }

    /// The facts of what has this name itself, be it a link; `nil` where there is nothing.
    public static func facts(_ path: String) throws(FileError) -> Facts? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return try nothing(at: path) }
        return Facts(status)
    }

    /// The facts of what a path leads to once links are followed; `nil` where there is nothing.
    public static func facts(following path: String) throws(FileError) -> Facts? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return try nothing(at: path) }
        return Facts(status)
    }

    private static func nothing(at path: String) throws(FileError) -> Facts? {
        let error = FileError.last("look at", path)
        guard error.isMissing else { throw error }
        return nil
    }
}

extension Files {
    /// A path inside a directory; an absolute one stays as it is, and `.` and the empty directory add nothing.
    public static func join(_ directory: String, _ path: String) -> String {
        if path.utf8.first == UInt8(ascii: "/") || directory.isEmpty || directory == "." { return path }
        if path.isEmpty || path == "." { return directory }
        return directory.utf8.last == UInt8(ascii: "/") ? directory + path : directory + "/" + path
    }

    /// The directory that a path is in: `.` for a bare name, `/` for the root.
    public static func parent(of path: String) -> String {
        let trimmed = withoutSlashes(path)
        guard let slash = trimmed.utf8.lastIndex(of: UInt8(ascii: "/")) else { return trimmed.isEmpty ? "/" : "." }
        let directory = withoutSlashes(String(trimmed[..<slash]))
        return directory.isEmpty ? "/" : directory
    }

    /// The last part of a path.
    public static func name(of path: String) -> String {
        let trimmed = withoutSlashes(path)
        guard let slash = trimmed.utf8.lastIndex(of: UInt8(ascii: "/")) else { return trimmed }
        return String(trimmed[trimmed.utf8.index(after: slash)...])
    }

    /// A path without what says nothing: no `.`, no `//`, no slash at the end.
    ///
    /// A `..` stays, because the name before it may be a link that leads elsewhere.
    public static func simplified(_ path: String) -> String {
        let joined = path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
        if path.utf8.first == UInt8(ascii: "/") { return "/" + joined }
        return joined.isEmpty ? "." : joined
    }

    private static func withoutSlashes(_ path: String) -> String {
        var utf8 = path[...].utf8
        while utf8.last == UInt8(ascii: "/") { utf8.removeLast() }
        return String(Substring(utf8))
    }
}
