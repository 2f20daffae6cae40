internal import Glibc

/// A private directory for files that go with it.
public final class TemporaryDirectory {
    /// Its path.
    public let path: String

    /// Makes one below `$TMPDIR`, or `/tmp`.
    public init() throws(FileError) {
        let base = CurrentProcess.environment("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        var template = Files.join(base, "lockstep.XXXXXX").utf8CString.map { $0 }
        let isMade = unsafe template.withUnsafeMutableBufferPointer { buffer in
            // The buffer of an array that is not empty always has an address.
            guard let start = buffer.baseAddress else { return false }
            return unsafe mkdtemp(start) != nil
        }
        guard isMade else { throw .last("make a directory in", base) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        // A file that cannot be removed is left to whoever cleans temporary directories.
        for name in (try? Files.names(in: path)) ?? [] { try? Files.remove(Files.join(path, name)) }
        unsafe rmdir(path)
    }
}
