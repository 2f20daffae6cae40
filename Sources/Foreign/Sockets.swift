internal import Glibc

/// A system call on a socket that failed.
public struct SocketError: Error, Equatable, CustomStringConvertible {
    /// The call that failed, with the address where there is one: `listen on 127.0.0.1:8443`.
    public let operation: String
    /// The system's error number (`errno`).
    public let number: Int32

    /// The call that failed, and the system's words for the reason.
    public var description: String { "cannot \(operation): \(errorText(number))" }

    /// Takes `errno`, so it must be made right after the failing call.
    init(_ operation: String) {
        self.operation = operation
        self.number = errno
    }
}

/// An open, non-blocking TCP socket; it closes when the last reference goes.
public final class Socket {
    /// The file descriptor, for ``Poller`` only; it belongs to this object.
    public let descriptor: Int32

    /// Takes over an open descriptor and makes it non-blocking, close-on-exec and free of Nagle's delay.
    init(owning descriptor: Int32) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL, 0) | O_NONBLOCK)
        var on: Int32 = 1
        _ = unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit {
        close(descriptor)
    }
}

/// A listening, non-blocking TCP socket on an IPv4 address; it closes when the last reference goes.
public final class ListeningSocket {
    /// The file descriptor, for ``Poller`` only; it belongs to this object.
    public let descriptor: Int32
    /// The port it listens on; the one the system chose where 0 was asked for.
    public let port: UInt16

    /// Starts listening.
    ///
    /// - Parameters:
    ///   - address: An IPv4 address in dotted form; only this machine reaches the default.
    ///   - port: The port, or 0 for any free one.
    /// - Throws: ``SocketError``, for example where the port is taken.
    public init(address: String = "127.0.0.1", port: UInt16) throws(SocketError) {
        let operation = "listen on \(address):\(port)"
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        errno = EINVAL
        guard unsafe inet_pton(AF_INET, address, &name.sin_addr) == 1 else { throw SocketError(operation) }
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_INET, kind, 0)
        guard descriptor >= 0 else { throw SocketError(operation) }
        do throws(SocketError) {
            self.port = try ListeningSocket.listen(descriptor, name: name, operation: operation)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// The next connection that waits, or `nil` where none does.
    ///
    /// - Throws: ``SocketError`` where the system has no descriptor or memory left; a connection that its peer gave
    ///   up before it was taken counts as none.
    public func accept() throws(SocketError) -> Socket? {
        let descriptor = Glibc.accept(self.descriptor, nil, nil)
        guard descriptor < 0 else { return Socket(owning: descriptor) }
        switch errno {
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: throw SocketError("accept a connection on port \(port)")
        default: return nil
        }
    }

    private static func listen(
        _ descriptor: Int32,
        name: sockaddr_in,
        operation: String
    ) throws(SocketError) -> UInt16 {
        var on: Int32 = 1
        var bound = name
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        let status = unsafe withUnsafeMutablePointer(to: &bound) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard unsafe bind(descriptor, address, length) == 0, Glibc.listen(descriptor, 1024) == 0 else {
                    return Int32(-1)
                }
                return unsafe getsockname(descriptor, address, &length)
            }
        }
        guard status == 0 else { throw SocketError(operation) }
        return UInt16(bigEndian: bound.sin_port)
    }
}
