/// The failure of a TLS context or connection.
public enum TLSError: Error, Equatable {
    /// A file or PEM text of certificates or keys is not usable; what it is and OpenSSL's own words.
    case unusable(what: String, reason: String)
    /// The server's certificate is not trusted or not for this host; OpenSSL's own words.
    case untrusted(host: String, reason: String)
    /// The handshake ended without agreeing on HTTP/2 (ALPN `h2`).
    case noHTTP2(peer: String)
    /// The handshake failed for another reason.
    case handshake(peer: String, reason: String)
    /// The connection broke after the handshake.
    case broken(peer: String, reason: String)
}

extension TLSError: CustomStringConvertible {
    /// The failure, the peer, the reason, and what to do about it.
    public var description: String {
        switch self {
        case .unusable(let what, let reason):
            "\(what) cannot be used for TLS: \(reason)"
        case .untrusted(let host, let reason):
            """
            the certificate of \(host) is not trusted: \(reason); install the system's CA certificates, \
            or name the right caFile where the host is a simulator
            """
        case .noHTTP2(let peer):
            "\(peer) does not speak HTTP/2 over TLS (no ALPN h2); check the host and that no proxy answers in its place"
        case .handshake(let peer, let reason):
            "the TLS handshake with \(peer) failed: \(reason)"
        case .broken(let peer, let reason):
            "the TLS connection with \(peer) broke: \(reason)"
        }
    }
}
