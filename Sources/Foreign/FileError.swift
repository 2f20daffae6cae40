internal import Glibc

/// A failed call on a file or a directory: the call, the path and the reason.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason.
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

    /// The call that failed, as a verb: `open`, `read`, `rename`, ….
    public var action: String
    /// The path.
    public var path: String
    /// The reason.
    public var reason: Reason

    /// An error with its facts.
    public init(_ action: String, _ path: String, because reason: Reason) {
        self.action = action
        self.path = path
        self.reason = reason
    }

    /// The error of the system call that has just failed.
    static func last(_ action: String, _ path: String) -> FileError {
        FileError(action, path, because: .system(errno))
    }

    /// The path and the reason: `state/eu.json: cannot open: Permission denied`.
    public var description: String { "\(path): \(words)" }

    /// The same without the path.
    public var words: String {
        switch reason {
        case .system(let code): "cannot \(action): \(errorText(code))"
        case .tooLarge(let limit): "cannot \(action): more than \(limit) bytes"
        case .lineTooLong(_, let limit): "the line has more than \(limit) bytes"
        case .nulInPath: "cannot \(action): a path holds no NUL"
        case .nameNotUTF8(let name): "cannot \(action): the name '\(name)' in it is not UTF-8; rename it"
        case .other(let text): "cannot \(action): \(text)"
        }
    }

    /// True where there is nothing at the path.
    public var isMissing: Bool { reason == .system(ENOENT) || reason == .system(ENOTDIR) }
}

/// The system's words for an `errno`.
func errorText(_ number: Int32) -> String { unsafe String(cString: strerror(number)) }
