internal import Glibc

/// An open file, closed with this value.
struct FileDescriptor: ~Copyable {
    let number: Int32
    let path: String

    /// Opens a file.
    ///
    /// The flag that closes it in child processes is always set.
    init(_ path: String, _ flags: Int32, mode: mode_t = 0) throws(FileError) {
        guard !path.utf8.contains(0) else { throw FileError("open", path, because: .nulInPath) }
        let number = retrying { unsafe open(path, flags | O_CLOEXEC, mode) }
        guard number >= 0 else { throw .last("open", path) }
        self.number = number
        self.path = path
    }

    deinit {
        close(number)
    }

    /// Reads into a buffer, from an index to its end at most; 0 at the end of the file.
    func read(into buffer: inout [UInt8], at index: Int = 0) throws(FileError) -> Int {
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            retrying { unsafe Glibc.read(number, bytes.baseAddress?.advanced(by: index), bytes.count - index) }
        }
        guard count >= 0 else { throw .last("read", path) }
        return count
    }

    /// Writes all of it.
    func write(_ bytes: [UInt8]) throws(FileError) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                retrying {
                    unsafe Glibc.write(number, bytes.baseAddress?.advanced(by: written), bytes.count - written)
                }
            }
            guard count >= 0 else { throw .last("write", path) }
            written += count
        }
    }

    /// Waits until what was written is on the disk.
    func synchronize() throws(FileError) {
        guard retrying({ fsync(number) }) == 0 else { throw .last("sync", path) }
    }

    /// Sets the permission bits, whatever the umask.
    func setMode(_ mode: UInt32) throws(FileError) {
        guard retrying({ fchmod(number, mode) }) == 0 else { throw .last("set the permissions of", path) }
    }
}

/// A file that only grows: a log of lines.
public struct AppendingFile: ~Copyable {
    private let file: FileDescriptor

    /// Opens a file to append to, made where it is missing.
    ///
    /// - Throws: The system's error.
    public init(_ path: String, mode: UInt32 = 0o644) throws(FileError) {
        file = try FileDescriptor(path, O_WRONLY | O_CREAT | O_APPEND, mode: mode)
    }

    /// Appends all of `bytes`.
    ///
    /// - Throws: The system's error; a part may have been written.
    public func append(_ bytes: [UInt8]) throws(FileError) {
        try file.write(bytes)
    }
}

/// Repeats a system call that a signal has interrupted.
func retrying<Result: FixedWidthInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
