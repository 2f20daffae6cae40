internal import COpenSSL
internal import Glibc

/// One TLS connection over a non-blocking socket, which it owns.
///
/// No call blocks: what cannot go on says whether the socket must become readable or writable first.
@safe
public final class TLSStream {
    /// The result of a read or write.
    public enum Progress: Equatable, Sendable {
        /// So many bytes were read or written, at least one.
        case bytes(Int)
        /// Nothing was; try again when the socket is ready for this.
        case wouldBlock(Poller.Interest)
        /// The other side said that it is done (close_notify). Only a read returns it.
        case closed
    }

    /// The socket, for ``Poller`` only.
    public let socket: Socket
    private let stream: OpaquePointer
    private let peer: String
    private var isEstablished = false
    private var isBroken = false

    /// Prepares a connection over a connected socket; ``handshake()`` makes it.
    ///
    /// - Parameters:
    ///   - socket: The connected socket; the stream owns it from now on.
    ///   - context: The side to take.
    ///   - host: The name or address that a server's certificate must be for; a server names its client here.
    /// - Throws: ``TLSError`` where OpenSSL cannot, for example for an impossible host name.
    public init(over socket: Socket, context: TLSContext, host: String) throws(TLSError) {
        guard let stream = unsafe SSL_new(context.context) else {
            throw .handshake(peer: host, reason: takeOpenSSLReason())
        }
        self.socket = socket
        unsafe self.stream = unsafe stream
        peer = host
        guard unsafe SSL_set_fd(stream, socket.descriptor) == 1 else {
            throw .handshake(peer: host, reason: takeOpenSSLReason())
        }
        guard !context.isServer else {
            unsafe SSL_set_accept_state(stream)
            return
        }
        unsafe SSL_set_connect_state(stream)
        // An address counts as one here and is compared with the certificate's addresses.
        guard unsafe SSL_set1_host(stream, host) == 1 else {
            throw .handshake(peer: host, reason: takeOpenSSLReason())
        }
        guard !isAddress(host) else { return }
        let named = unsafe host.withCString { name in
            unsafe SSL_ctrl(
                stream,
                SSL_CTRL_SET_TLSEXT_HOSTNAME,
                Int(TLSEXT_NAMETYPE_host_name),
                UnsafeMutableRawPointer(mutating: name)
            )
        }
        guard named == 1 else { throw .handshake(peer: host, reason: takeOpenSSLReason()) }
    }

    deinit {
        unsafe SSL_free(stream)
    }

    /// Goes on with the handshake.
    ///
    /// - Returns: The readiness of the socket to wait for before the next call; `nil` once the connection is made.
    /// - Throws: ``TLSError`` where the two sides cannot agree, or the server is not who it should be.
    public func handshake() throws(TLSError) -> Poller.Interest? {
        guard !isEstablished else { return nil }
        ERR_clear_error()
        let status = unsafe SSL_do_handshake(stream)
        guard status == 1 else {
            switch unsafe SSL_get_error(stream, status) {
            case SSL_ERROR_WANT_READ: return .read
            case SSL_ERROR_WANT_WRITE: return .write
            case let code: throw handshakeError(code)
            }
        }
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        unsafe SSL_get0_alpn_selected(stream, &name, &count)
        guard let name = unsafe name,
            unsafe UnsafeBufferPointer(start: name, count: Int(count)).elementsEqual("h2".utf8)
        else { throw .noHTTP2(peer: peer) }
        isEstablished = true
        return nil
    }

    /// Reads what has arrived into the front of `buffer`, up to its size.
    ///
    /// - Throws: ``TLSError`` where the connection broke, or ended without close_notify.
    public func read(into buffer: inout [UInt8]) throws(TLSError) -> Progress {
        ERR_clear_error()
        var count = 0
        let capacity = buffer.count
        let status = unsafe SSL_read_ex(stream, &buffer, capacity, &count)
        return try progress(status, count)
    }

    /// Writes the front of `bytes`, at most one TLS record.
    ///
    /// `wouldBlock` means that the peer cannot have understood a byte of these: a record is only decrypted whole.
    /// The next write must begin with the same bytes.
    ///
    /// - Throws: ``TLSError`` where the connection broke.
    public func write(_ bytes: Span<UInt8>) throws(TLSError) -> Progress {
        guard !bytes.isEmpty else { return .bytes(0) }
        ERR_clear_error()
        var count = 0
        let status = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe SSL_write_ex(stream, buffer.baseAddress, buffer.count, &count)
        }
        return try progress(status, count)
    }

    /// Tells the other side that nothing more will be written (close_notify), as far as the socket takes it now.
    public func close() {
        guard isEstablished, !isBroken else { return }
        ERR_clear_error()
        _ = unsafe SSL_shutdown(stream)
        ERR_clear_error()
    }

    private func progress(_ status: Int32, _ count: Int) throws(TLSError) -> Progress {
        guard status != 1 else { return .bytes(count) }
        let number = errno
        switch unsafe SSL_get_error(stream, status) {
        case SSL_ERROR_WANT_READ: return .wouldBlock(.read)
        case SSL_ERROR_WANT_WRITE: return .wouldBlock(.write)
        case SSL_ERROR_ZERO_RETURN: return .closed
        case let code:
            isBroken = true
            throw .broken(peer: peer, reason: reason(code, number))
        }
    }

    private func handshakeError(_ code: Int32) -> TLSError {
        let number = errno
        isBroken = true
        let verdict = unsafe SSL_get_verify_result(stream)
        guard verdict == Int(X509_V_OK) else {
            ERR_clear_error()
            return .untrusted(host: peer, reason: unsafe String(cString: X509_verify_cert_error_string(verdict)))
        }
        let reason = reason(code, number)
        // A server that lacks h2 refuses the handshake with this alert.
        return reason.contains("no application protocol")
            ? .noHTTP2(peer: peer) : .handshake(peer: peer, reason: reason)
    }

    /// OpenSSL's words, or the system's where OpenSSL has none.
    private func reason(_ code: Int32, _ number: Int32) -> String {
        guard code == SSL_ERROR_SYSCALL, ERR_peek_error() == 0 else { return takeOpenSSLReason() }
        return number == 0 ? "the other side closed the connection" : errorText(number)
    }
}

/// Tells an IPv4 or IPv6 address from a name: certificates list addresses apart, and SNI leaves them out.
func isAddress(_ host: String) -> Bool {
    var address = in6_addr()
    return unsafe inet_pton(AF_INET, host, &address) == 1 || inet_pton(AF_INET6, host, &address) == 1
}
