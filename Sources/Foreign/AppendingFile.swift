internal import Glibc

/// A file that only grows: a log of lines.
public struct AppendingFile: ~Copyable {
    private let file: FileDescriptor

    /// Opens a file to append to, made where it is missing.
    ///
    /// - Throws: What the system says.
    public init(_ path: String, mode: UInt32 = 0o644) throws(FileError) {
        file = try FileDescriptor(path, O_WRONLY | O_CREAT | O_APPEND, mode: mode)
    }

    /// Appends all of `bytes`.
    ///
    /// - Throws: What the system says; a part may have been written.
    public func append(_ bytes: [UInt8]) throws(FileError) {
        try file.write(bytes)
    }
}
