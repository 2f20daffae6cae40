public import Foreign
public import JSON
public import Time

/// The reason that a push has no answer.
public enum PushProblem: Error, Equatable {
    /// The host, or the proxy before it, cannot be reached.
    case unreachable(ConnectError)
    /// TLS failed: the certificate is not trusted, there is no HTTP/2, or the connection broke.
    case insecure(TLSError)
    /// The key cannot sign a provider token.
    case unusableKey(CryptoError)
    /// The system refused a socket or a poller.
    case system(SocketError)
    /// The host took the connection and then said nothing for so long.
    case silent(host: String, during: Phase, for: Span)
    /// The host closed the connection; what was wrong with its frames, where something was.
    case closed(host: String, complaint: String?)
    /// The other side does not follow HTTP/2.
    case protocolViolation(host: String, HTTP2Error)
    /// The host takes no more pushes on this connection (GOAWAY), with Apple's reason where it gave one.
    case goAway(host: String, code: UInt32, reason: Text?)
    /// The host reset this push with an error code of HTTP/2.
    case reset(host: String, code: UInt32)
    /// There was no free stream.
    case noFreeStream(host: String)
    /// This side closed the connection.
    case stopped(host: String)

    /// The step during which a host was silent.
    public enum Phase: String, Sendable {
        /// It accepted the connection and did not make the TLS handshake.
        case handshake = "the TLS handshake"
        /// It did not answer a push.
        case answer = "the wait for an answer"
    }

    /// True where another attempt in the same run is of no use.
    var isFinal: Bool {
        switch self {
        case .unusableKey, .system, .silent: true
        case .insecure(let error):
            switch error {
            case .untrusted, .noHTTP2, .unusable: true
            case .handshake, .broken: false
            }
        case .unreachable(let error):
            switch error.cause {
            case .proxyRefused, .unsupportedProxy, .timedOut: true
            case .unknownHost, .unknownProxy, .unreachable: false
            }
        case .closed, .protocolViolation, .goAway, .reset, .noFreeStream, .stopped: false
        }
    }
}

extension PushProblem: CustomStringConvertible {
    /// The host, the problem, and the way out.
    public var description: String {
        switch self {
        case .unreachable(let error): error.description
        case .insecure(let error): error.description
        case .unusableKey(let error): error.description
        case .system(let error): error.description
        case .silent(let host, let phase, let span):
            "\(host) said nothing for \(span.seconds) s during \(phase.rawValue); "
                + "check that nothing stands between it and this machine"
        case .closed(let host, let complaint):
            "\(host) closed the connection\(complaint.map { " (\($0))" } ?? "")"
        case .protocolViolation(let host, let error): "\(host): \(error)"
        case .goAway(let host, let code, let reason):
            "\(host) takes no more pushes on this connection: \(reason?.string ?? HTTP2Code.name(code))"
        case .reset(let host, HTTP2Code.refusedStream): "\(host) refused the stream of this push"
        case .reset(let host, let code): "\(host) reset this push: \(HTTP2Code.name(code))"
        case .noFreeStream(let host): "there is no free stream to \(host)"
        case .stopped(let host): "the connection to \(host) was closed by this run"
        }
    }
}
