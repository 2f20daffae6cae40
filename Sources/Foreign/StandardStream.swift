import Glibc

/// Standard output or standard error: buffered, aware of its terminal, and calm when its reader goes away.
///
/// A reader that has seen enough (`lockstep plan | head`) closes the pipe. That is no failure: what is written afterwards
/// is dropped, ``isAbandoned`` says so, and work that must go on goes on. Any other failure to write is kept in
/// ``failure``, because data that is lost must be reported.
public final class StandardStream {
    /// One of the two streams.
    public enum Kind: Sendable {
        /// Data.
        case output
        /// Talk, progress and messages.
        case error
    }

    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private static let capacity = 1 << 16

    /// True where it is a terminal.
    public let isTerminal: Bool
    /// True once the reader has gone.
    public private(set) var isAbandoned = false
    /// The reason that something could not be written, where that was not the reader's choice.
    public private(set) var failure: String?

    /// Opens one of the process's own streams; the process no longer dies of a closed pipe.
    public init(_ kind: Kind) {
        descriptor = kind == .output ? STDOUT_FILENO : STDERR_FILENO
        isTerminal = isatty(descriptor) == 1
        _ = signal(SIGPIPE, SIG_IGN)
    }

    /// The number of columns of its terminal; `nil` where it is none.
    public var width: Int? {
        guard isTerminal else { return nil }
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Adds text; it reaches the reader at the next ``flush()`` or when the buffer is full.
    public func write(_ text: String) {
        guard !isAbandoned, failure == nil else { return }
        buffer.append(contentsOf: text.utf8)
        if buffer.count >= Self.capacity { flush() }
    }

    /// Hands everything written so far to the reader.
    public func flush() {
        defer { buffer.removeAll(keepingCapacity: true) }
        unsafe buffer.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[sent...])
                let count = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count > 0 {
                    sent += count
                } else if errno == EAGAIN {
                    waitUntilWritable()
                } else if errno != EINTR {
                    return note(errno)
                }
            }
        }
    }

    /// A terminal or pipe that somebody else made non-blocking is full for the moment.
    private func waitUntilWritable() {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&entry, 1, -1)
    }

    private func note(_ code: Int32) {
        if code == EPIPE { isAbandoned = true } else { failure = errorText(code) }
    }
}

/// Standard input, where a person answers.
public enum StandardInput {
    /// True where a person sits there.
    public static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// The next line without its end; `nil` where there is no more.
    ///
    /// Reads byte by byte, so that it takes nothing that belongs to a later reader.
    public static func line() -> String? {
        var bytes: [UInt8] = []
        while let byte = nextByte() {
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    private static func nextByte() -> UInt8? {
        var byte: UInt8 = 0
        while true {
            let count = unsafe read(STDIN_FILENO, &byte, 1)
            if count == 1 { return byte }
            guard count < 0, errno == EINTR else { return nil }
        }
    }
}
