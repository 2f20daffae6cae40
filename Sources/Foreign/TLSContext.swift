internal import COpenSSL
internal import Glibc

/// The settings that TLS connections of one side share: the authorities to trust, or the certificate to show.
///
/// Every connection speaks TLS 1.2 or later and HTTP/2 (ALPN `h2`). Making a context makes the process ignore
/// `SIGPIPE`, because OpenSSL writes to sockets that the peer may have closed.
@safe
public final class TLSContext {
    let context: OpaquePointer
    let isServer: Bool

    /// A client that verifies the server's certificate chain and name.
    ///
    /// - Parameter caFile: A PEM file of the certificates to trust; the system's store where it is `nil`.
    /// - Returns: The context, for any number of connections.
    /// - Throws: ``TLSError`` where the file cannot be read or holds no certificate.
    public static func client(caFile: String? = nil) throws(TLSError) -> TLSContext {
        let client = try TLSContext(isServer: false)
        unsafe SSL_CTX_set_verify(client.context, SSL_VERIFY_PEER, nil)
        if let caFile {
            guard unsafe SSL_CTX_load_verify_file(client.context, caFile) == 1 else {
                throw .unusable(what: "the CA file \(caFile)", reason: takeOpenSSLReason())
            }
        } else {
            guard unsafe SSL_CTX_set_default_verify_paths(client.context) == 1 else {
                throw .unusable(what: "the system's store of CA certificates", reason: takeOpenSSLReason())
            }
        }
        let protocols: [UInt8] = [2, UInt8(ascii: "h"), UInt8(ascii: "2")]
        // Unlike the rest of OpenSSL, this call returns 0 for success.
        guard unsafe SSL_CTX_set_alpn_protos(client.context, protocols, UInt32(protocols.count)) == 0 else {
            throw .unusable(what: "ALPN", reason: takeOpenSSLReason())
        }
        return client
    }

    /// A server that shows one certificate.
    ///
    /// - Parameters:
    ///   - certificates: PEM text: the server's certificate first, then the ones that lead to its CA.
    ///   - key: PEM text of the private key of the first certificate.
    /// - Returns: The context, for any number of connections.
    /// - Throws: ``TLSError`` where a text is unusable or the two do not belong together.
    public static func server(certificates: [UInt8], key: [UInt8]) throws(TLSError) -> TLSContext {
        let server = try TLSContext(isServer: true)
        try server.use(certificates: certificates)
        try server.use(key: key)
        unsafe SSL_CTX_set_alpn_select_cb(
            server.context,
            { _, selected, count, offered, offeredCount, _ in
                unsafe selectHTTP2(selected: selected, count: count, offered: offered, offeredCount: offeredCount)
            },
            nil
        )
        return server
    }

    private init(isServer: Bool) throws(TLSError) {
        guard let context = unsafe SSL_CTX_new(isServer ? TLS_server_method() : TLS_client_method()) else {
            throw .unusable(what: "OpenSSL", reason: takeOpenSSLReason())
        }
        unsafe self.context = unsafe context
        self.isServer = isServer
        // These are macros over SSL_CTX_ctrl, which Swift does not import.
        _ = unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
        _ = unsafe SSL_CTX_ctrl(
            context,
            SSL_CTRL_MODE,
            Int(SSL_MODE_ENABLE_PARTIAL_WRITE) | Int(SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER),
            nil
        )
        // One read of the socket may take in many small records, which is most of what an answer costs.
        _ = unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_READ_AHEAD, 1, nil)
        unsafe SSL_CTX_set_default_read_buffer_len(context, 64 * 1024)
        _ = signal(SIGPIPE, SIG_IGN)
    }

    deinit {
        unsafe SSL_CTX_free(context)
    }

    private func use(certificates: [UInt8]) throws(TLSError) {
        let count: Int? = unsafe withReader(of: certificates) { reader in
            var count = 0
            while let certificate = unsafe PEM_read_bio_X509(reader, nil, nil, nil) {
                defer { unsafe X509_free(certificate) }
                guard unsafe use(certificate, isFirst: count == 0) else { return nil }
                count += 1
            }
            return count == 0 ? nil : count
        }
        let reason = takeOpenSSLReason()
        guard count != nil else { throw .unusable(what: "the server's certificate", reason: reason) }
    }

    /// Shows one certificate; the context takes a reference of its own.
    private func use(_ certificate: OpaquePointer, isFirst: Bool) -> Bool {
        guard !isFirst else { return unsafe SSL_CTX_use_certificate(context, certificate) == 1 }
        // SSL_CTX_add1_chain_cert
        return unsafe SSL_CTX_ctrl(context, SSL_CTRL_CHAIN_CERT, 1, UnsafeMutableRawPointer(certificate)) == 1
    }

    private func use(key pem: [UInt8]) throws(TLSError) {
        let read = unsafe withReader(of: pem) { unsafe PEM_read_bio_PrivateKey($0, nil, { _, _, _, _ in 0 }, nil) }
        guard let key = unsafe read else { throw .unusable(what: "the server's key", reason: takeOpenSSLReason()) }
        defer { unsafe EVP_PKEY_free(key) }
        guard unsafe SSL_CTX_use_PrivateKey(context, key) == 1, unsafe SSL_CTX_check_private_key(context) == 1 else {
            throw .unusable(what: "the server's key", reason: takeOpenSSLReason())
        }
    }
}

/// Picks `h2` from the client's offer (length-prefixed names) or refuses the handshake.
private func selectHTTP2(
    selected: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    count: UnsafeMutablePointer<UInt8>?,
    offered: UnsafePointer<UInt8>?,
    offeredCount: UInt32
) -> Int32 {
    guard let offered = unsafe offered else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    let names = unsafe UnsafeBufferPointer(start: offered, count: Int(offeredCount))
    var index = 0
    while index < names.count {
        let length = unsafe Int(names[index])
        let name = unsafe names.dropFirst(index + 1).prefix(length)
        if unsafe name.elementsEqual("h2".utf8) {
            unsafe selected?.pointee = offered + index + 1
            unsafe count?.pointee = 2
            return SSL_TLSEXT_ERR_OK
        }
        index += 1 + length
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
}
