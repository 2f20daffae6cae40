internal import Glibc

/// What went wrong with a file or a directory: what was tried, on which path, and why it failed.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Why it failed.
    public enum Reason: Hashable, Sendable {
        /// The system refused; the number is its `errno`.
        case system(Int32)
        /// The file has more bytes than may be read at once.
        case tooLarge(limit: Int)
        /// A line has more bytes than a line may have; the next one can still be read.
        case lineTooLong(line: Int, limit: Int)
        /// The path holds a NUL, which no path can.
        case nulInPath
        /// A name in the directory is not UTF-8; the text is what can be shown of it.
        case nameNotUTF8(String)
        /// Anything else, in words: what another store of files than the system's says.
        case other(String)
    }

    /// What was tried, as a verb: `open`, `read`, `rename`, ….
    public var action: String
    /// The path.
    public var path: String
    /// Why it failed.
    public var reason: Reason

    /// An error with its facts.
    public init(_ action: String, _ path: String, _ reason: Reason) {
        self.action = action
        self.path = path
        self.reason = reason
    }

    /// The error of the system call that has just failed.
    static func last(_ action: String, _ path: String) -> FileError {
        FileError(action, path, .system(errno))
    }

    /// The path and the reason: `state/eu.json: cannot open: Permission denied`.
    public var description: String { "\(path): \(words)" }

    /// The same without the path.
    public var words: String {
        switch reason {
        case .system(let code): "cannot \(action): \(FileError.text(of: code))"
        case .tooLarge(let limit): "cannot \(action): more than \(limit) bytes"
        case .lineTooLong(_, let limit): "the line has more than \(limit) bytes"
        case .nulInPath: "cannot \(action): a path holds no NUL"
        case .nameNotUTF8(let name): "cannot \(action): the name '\(name)' in it is not UTF-8; rename it"
        case .other(let text): "cannot \(action): \(text)"
        }
    }

    /// Whether there is nothing at the path.
    public var isMissing: Bool { reason == .system(ENOENT) || reason == .system(ENOTDIR) }

    /// Whether the rights of this user do not suffice.
    public var isForbidden: Bool { reason == .system(EACCES) || reason == .system(EPERM) }

    /// The system's words for an `errno`.
    private static func text(of code: Int32) -> String {
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }
}
