import Foundation

/// A port of this machine that belongs to one test: connections are refused until a server of that test listens on it.
///
/// A bound socket that does not listen keeps it. While it lives, the system gives the number to nobody who asks for any free
/// port; a server that asks for this very number gets it, because both sockets have `SO_REUSEADDR`, as servers do. So two
/// tests cannot start servers on one port, nor take the server of another test for their own.
package final class ReservedPort {
    /// The number of it.
    package let number: UInt16
    private let descriptor: Int32

    /// Reserves any free port.
    ///
    /// - Throws: `POSIXError` where the system has none.
    package init() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var on: Int32 = 1
        _ = setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        var name = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = inet_addr("127.0.0.1")
        let isBound = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else {
            let code = POSIXErrorCode(rawValue: errno) ?? .EADDRNOTAVAIL
            close(descriptor)
            throw POSIXError(code)
        }
        self.descriptor = descriptor
        number = UInt16(bigEndian: name.sin_port)
    }

    deinit { close(descriptor) }
}
