import Glibc

/// A system call failed.
public struct SystemError: Error, Equatable, CustomStringConvertible {
    /// The `errno` it left.
    public let code: Int32
    /// What was tried: a call, and a path where one was involved.
    public let operation: String

    /// A failure with its `errno`.
    public init(_ code: Int32, _ operation: String) {
        self.code = code
        self.operation = operation
    }

    /// One line for a message: `open ledger.db.lock: Permission denied`.
    public var description: String { unsafe "\(operation): \(String(cString: strerror(code)))" }
}
