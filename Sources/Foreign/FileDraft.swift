internal import Glibc

/// A file that has its name only once it is whole: readers see the old one or the new one, and never a part.
///
/// The bytes go to a draft in the same directory, which then takes the name. A draft that is thrown away before leaves
/// nothing.
public struct FileDraft: ~Copyable {
    /// The most bytes that wait in memory.
    private static let capacity = 256 << 10

    private let file: FileDescriptor
    private let path: String
    private let mode: UInt32?
    private let isDurable: Bool
    private var buffer: [UInt8] = []
    private var isPublished = false

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - path: The place of the file.
    ///   - name: The place of the draft, where nobody else writes the file at the same time: what a killed process left
    ///     of it is gone with the next draft. `nil` gives a name that no other draft has.
    ///   - mode: The permission bits, whatever the umask, which the draft gets once it is whole: until then it is its
    ///     owner's alone. `nil` leaves them to the umask.
    ///   - durably: Makes ``publish()`` wait until file and name are on the disk, so that a power cut loses neither.
    /// - Throws: The system's error.
    public init(of path: String, as name: String? = nil, mode: UInt32?, durably: Bool = true) throws(FileError) {
        let first: mode_t = mode == nil ? 0o666 : 0o600
        do throws(FileError) {
            file = try FileDraft.file(as: name, beside: path, mode: first)
        } catch {
            throw FileError("write", path, because: error.reason)
        }
        self.path = path
        self.mode = mode
        isDurable = durably
    }

    private static func file(as name: String?, beside path: String, mode: mode_t) throws(FileError) -> FileDescriptor {
        var count = 0
        while true {
            let number = count == 0 ? "" : "-\(count)"
            let draft = name ?? Files.join(Files.parent(of: path), ".\(Files.name(of: path)).\(getpid())\(number)")
            do throws(FileError) {
                return try FileDescriptor(draft, O_WRONLY | O_CREAT | O_EXCL, mode: mode)
            } catch {
                guard error.reason == .system(EEXIST) else { throw error }
                if name != nil { try Files.remove(draft) }
                count += 1
            }
        }
    }

    deinit {
        if !isPublished { try? Files.remove(file.path) }
    }

    /// Appends `bytes`.
    ///
    /// - Throws: The system's error.
    public mutating func append(_ bytes: [UInt8]) throws(FileError) {
        if buffer.isEmpty, bytes.count >= FileDraft.capacity { return try file.write(bytes) }
        buffer += bytes
        if buffer.count >= FileDraft.capacity { try flush() }
    }

    private mutating func flush() throws(FileError) {
        try file.write(buffer)
        buffer.removeAll(keepingCapacity: true)
    }

    /// Overwrites what was appended at a byte of the file.
    ///
    /// - Throws: The system's error.
    public mutating func overwrite(_ bytes: [UInt8], at offset: Int) throws(FileError) {
        try flush()
        guard lseek(file.number, off_t(offset), SEEK_SET) >= 0 else { throw .last("seek in", file.path) }
        try file.write(bytes)
        guard lseek(file.number, 0, SEEK_END) >= 0 else { throw .last("seek in", file.path) }
    }

    /// Gives the file its name, in place of one that has it.
    ///
    /// - Throws: The system's error.
    public mutating func publish() throws(FileError) {
        try flush()
        if let mode { try file.setMode(mode) }
        if isDurable { try file.synchronize() }
        try Files.rename(file.path, to: path)
        isPublished = true
        if isDurable { try Files.synchronize(directory: Files.parent(of: path)) }
    }
}

extension Files {
    /// Puts a whole file in its place at once, by a ``FileDraft``.
    ///
    /// - Parameters:
    ///   - bytes: Its content.
    ///   - path: Its place.
    ///   - mode: The permission bits, whatever the umask.
    ///   - durably: Waits until file and name are on the disk, so that a power cut loses neither.
    ///   - isOnlyWriter: Gives the draft the same name each time, where nobody else writes this file at the same time.
    /// - Throws: The system's error.
    public static func write(
        _ bytes: [UInt8],
        to path: String,
        mode: UInt32 = 0o644,
        durably: Bool = true,
        isOnlyWriter: Bool = false
    ) throws(FileError) {
        let name = isOnlyWriter ? join(parent(of: path), ".\(name(of: path)).new") : nil
        var draft = try FileDraft(of: path, as: name, mode: mode, durably: durably)
        try draft.append(bytes)
        try draft.publish()
    }
}
