internal import Glibc

/// A file that is written piece by piece and has its name only once it is whole; thrown away before, it leaves nothing.
public struct FileDraft: ~Copyable {
    private let file: FileDescriptor
    private let path: String
    private var buffer: [UInt8] = []
    private var isPublished = false

    /// Begins a file that is to be at `path`, with the mode that the umask says.
    ///
    /// - Throws: What the system says.
    public init(of path: String) throws(FileError) {
        let name = ".\(Files.name(of: path)).\(getpid())"
        file = try FileDescriptor(
            Files.join(Files.parent(of: path), name),
            O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW,
            mode: 0o666
        )
        self.path = path
    }

    deinit {
        if !isPublished { try? Files.remove(file.path) }
    }

    /// Appends `bytes`.
    ///
    /// - Throws: What the system says.
    public mutating func append(_ bytes: [UInt8]) throws(FileError) {
        buffer += bytes
        if buffer.count >= 256 << 10 { try flush() }
    }

    private mutating func flush() throws(FileError) {
        try file.write(buffer)
        buffer.removeAll(keepingCapacity: true)
    }

    /// Overwrites what was appended at a byte of the file.
    ///
    /// - Throws: What the system says.
    public mutating func overwrite(_ bytes: [UInt8], at offset: Int) throws(FileError) {
        try flush()
        guard lseek(file.number, off_t(offset), SEEK_SET) >= 0 else { throw .last("seek in", file.path) }
        try file.write(bytes)
        guard lseek(file.number, 0, SEEK_END) >= 0 else { throw .last("seek in", file.path) }
    }

    /// Gives the file its name, in place of one that has it; it is on the disk then.
    ///
    /// - Throws: What the system says.
    public mutating func publish() throws(FileError) {
        try flush()
        try file.synchronize()
        try Files.rename(file.path, to: path)
        isPublished = true
        try Files.synchronize(directory: Files.parent(of: path))
    }
}
