internal import Glibc

/// The lines that arrive on an open descriptor, such as standard input, one readiness of a ``Poller`` at a time.
public final class IncomingLines {
    /// The file descriptor, for ``Poller``; it stays open when this object goes.
    public let descriptor: Int32
    /// True once the other side has closed it and every line was handed out.
    public private(set) var isAtEnd = false
    private var rest: [UInt8] = []

    /// Reads from this descriptor; 0 is standard input.
    public init(descriptor: Int32 = 0) {
        self.descriptor = descriptor
    }

    /// Reads once, which does not block where the descriptor is ready.
    ///
    /// - Returns: The lines that are now complete, without their ends; at the end of the input also what is left.
    public func read() -> [[UInt8]] {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
        guard count > 0 else {
            if count < 0, errno == EINTR || errno == EAGAIN { return [] }
            isAtEnd = true
            defer { rest = [] }
            return rest.isEmpty ? [] : [rest]
        }
        var lines = (rest + buffer[..<count]).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        rest = lines.popLast().map(Array.init) ?? []
        return lines.map(Array.init)
    }
}
