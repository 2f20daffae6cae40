internal import CLinux
internal import Glibc

/// Whole files and the names in directories.
///
/// Paths are taken as they are: relative ones count from the working directory.
public enum Files {
    /// The whole of a file.
    ///
    /// - Throws: What the system says; `tooLarge` where the file has more than `limit` bytes.
    public static func read(_ path: String, limit: Int = 64 << 20) throws(FileError) -> [UInt8] {
        let file = try FileDescriptor(path, O_RDONLY)
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0 else { throw .last("look at", path) }
        guard status.st_size <= limit else { throw FileError("read", path, .tooLarge(limit: limit)) }
        // One byte more than expected, so that the end of the file shows in the second read. Files of the kernel and
        // pipes have no size: they are read piece by piece.
        var bytes = [UInt8](repeating: 0, count: max(Int(status.st_size) + 1, 4 << 10))
        var end = 0
        while true {
            let count = try file.read(into: &bytes, at: end)
            end += count
            guard end <= limit else { throw FileError("read", path, .tooLarge(limit: limit)) }
            if count == 0 { break }
            if end == bytes.count { bytes += [UInt8](repeating: 0, count: bytes.count) }
        }
        bytes.removeLast(bytes.count - end)
        return bytes
    }

    /// Puts a whole file in its place at once: readers see the old one or the new one, and never a part.
    ///
    /// The bytes go to a temporary file in the same directory, which then takes the name. `mode` is the permission
    /// bits, whatever the umask. `durably` waits until file and name are on the disk, so that a power cut loses
    /// neither. Where nobody else writes this file at the same time, `isOnlyWriter` gives the temporary file the same name
    /// each time, so that what a killed process leaves of it is gone with the next write.
    public static func write(
        _ bytes: [UInt8],
        to path: String,
        mode: UInt32 = 0o644,
        durably: Bool = true,
        isOnlyWriter: Bool = false
    ) throws(FileError) {
        let temporary = try temporaryFile(beside: path, bytes, mode: mode, durably: durably, isOnlyWriter)
        do throws(FileError) { try rename(temporary, to: path) } catch {
            try? remove(temporary)
            throw error
        }
        if durably { try synchronize(directory: parent(of: path)) }
    }

    private static func temporaryFile(
        beside path: String,
        _ bytes: [UInt8],
        mode: UInt32,
        durably: Bool,
        _ isOnlyWriter: Bool
    ) throws(FileError) -> String {
        guard !path.utf8.contains(0) else { throw FileError("write", path, .nulInPath) }
        let draft = join(parent(of: path), ".\(name(of: path)).new")
        let file = isOnlyWriter ? try newFile(draft) : try uniqueFile(beside: path)
        do throws(FileError) {
            try file.closeOnExec()
            try file.write(bytes)
            try file.setMode(mode)
            if durably { try file.synchronize() }
            return file.path
        } catch {
            try? remove(file.path)
            throw error
        }
    }

    /// A new file in place of what a killed process left under this name.
    private static func newFile(_ path: String) throws(FileError) -> FileDescriptor {
        try FileDescriptor(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode: 0o600)
    }

    private static func uniqueFile(beside path: String) throws(FileError) -> FileDescriptor {
        let template = join(parent(of: path), ".\(name(of: path)).XXXXXX")
        var name = template.utf8CString.map { $0 }
        let number = unsafe name.withUnsafeMutableBufferPointer { buffer in
            // The buffer of an array that is not empty always has an address.
            guard let base = buffer.baseAddress else { return Int32(-1) }
            return unsafe mkstemp(base)
        }
        guard number >= 0 else { throw .last("write", path) }
        let temporary = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return FileDescriptor(owning: number, path: temporary)
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
        guard !path.utf8.contains(0) else { throw FileError("resolve", path, .nulInPath) }
        guard let resolved = unsafe realpath(path, nil) else { throw .last("resolve", path) }
        // realpath allocates its result, and the caller frees it.
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// What a symbolic link says, unresolved.
    public static func target(ofLink path: String) throws(FileError) -> String {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            let characters = unsafe bytes.assumingMemoryBound(to: CChar.self)
            guard let base = characters.baseAddress else { return 0 }
            return unsafe readlink(path, base, characters.count)
        }
        guard count >= 0 else { throw .last("read the link", path) }
        return String(decoding: buffer[..<count], as: UTF8.self)
    }
}
