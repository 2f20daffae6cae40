internal import Foreign
internal import Time

/// The way to the service: a TCP connection, TLS over it, and HTTP/2 frames over that.
///
/// Messages may be submitted to its session from the start; they go out once the way is there.
final class PushWire {
    /// The endpoint, the way to it, and the clock of waiting.
    struct Surroundings {
        let endpoint: PushEndpoint
        let context: TLSContext
        let proxy: Proxy
        let timing: PushTiming
        let poller: Poller
        /// The clock of all waiting.
        let uptime: @Sendable () -> Span
    }

    private enum Phase {
        case connecting(Connector)
        case connected(HTTP2Connection, watched: Poller.Interest)
    }

    let session: HTTP2Session
    /// Since when the connection can carry messages, by the clock of waiting; `nil` before.
    private(set) var establishedAt: Span?

    private let surroundings: Surroundings
    private let token: UInt64
    private var phase: Phase
    private var connectedAt = Span.zero

    /// Starts to connect; `token` is its name in the poller.
    init(_ surroundings: Surroundings, token: UInt64) throws(PushProblem) {
        self.surroundings = surroundings
        self.token = token
        let host = surroundings.endpoint.authority
        session = try described({ .protocolViolation(host: host, $0) }) { () throws(HTTP2Error) in
            try HTTP2Session(.client)
        }
        let connector = try described({ .unreachable($0) }) { () throws(ConnectError) in
            try Connector(
                to: Connector.Destination(
                    host: surroundings.endpoint.host,
                    port: surroundings.endpoint.port,
                    proxy: surroundings.proxy
                ),
                timeout: surroundings.timing.connect,
                by: surroundings.uptime,
                poller: surroundings.poller,
                token: token
            )
        }
        phase = .connecting(connector)
    }

    deinit {
        if case .connected(let connection, _) = phase {
            surroundings.poller.remove(connection.stream.socket.descriptor)
        }
    }

    /// The latest time for ``advance()``; `nil` while only the other side decides.
    var deadline: Span? {
        switch phase {
        case .connecting(let connector): connector.deadline
        case .connected: establishedAt == nil ? connectedAt + surroundings.timing.handshake : nil
        }
    }

    /// Goes on as far as the socket allows; what arrived is in the session's events.
    ///
    /// - Throws: The reason that the connection is over.
    func advance() throws(PushProblem) {
        if case .connecting(let connector) = phase {
            let socket = try described({ .unreachable($0) }) { () throws(ConnectError) in try connector.advance() }
            guard let socket else { return }
            try secure(socket)
        }
        if case .connected(let connection, let watched) = phase { try exchange(connection, watched) }
    }

    /// Says goodbye to the other side.
    func close() {
        if case .connected(let connection, _) = phase { connection.close() }
    }

    private func secure(_ socket: Socket) throws(PushProblem) {
        let stream = try described({ .insecure($0) }) { () throws(TLSError) in
            try TLSStream(over: socket, context: surroundings.context, host: surroundings.endpoint.host)
        }
        try described({ .system($0) }) { () throws(SocketError) in
            try surroundings.poller.add(socket.descriptor, for: .write, token: token)
        }
        phase = .connected(HTTP2Connection(stream: stream, session: session), watched: .write)
        connectedAt = surroundings.uptime()
    }

    private func exchange(_ connection: HTTP2Connection, _ watched: Poller.Interest) throws(PushProblem) {
        let host = surroundings.endpoint.authority
        let status: HTTP2Connection.Status
        do {
            status = try connection.advance()
        } catch let error as TLSError {
            throw .insecure(error)
        } catch let error as HTTP2Error {
            throw .protocolViolation(host: host, error)
        } catch {
            throw .closed(host: host, complaint: nil)
        }
        guard case .open(let wanted) = status else { throw .closed(host: host, complaint: session.complaint) }
        if wanted != watched {
            try described({ .system($0) }) { () throws(SocketError) in
                try surroundings.poller.change(connection.stream.socket.descriptor, to: wanted, token: token)
            }
            phase = .connected(connection, watched: wanted)
        }
        guard establishedAt == nil else { return }
        let now = surroundings.uptime()
        if connection.isEstablished {
            establishedAt = now
        } else if let deadline, deadline <= now {
            throw .silent(host: host, during: .handshake, for: surroundings.timing.handshake)
        }
    }
}

/// Runs `body` and puts what it throws in the words of a push.
func described<Result, Failure: Error>(
    _ problem: (Failure) -> PushProblem,
    _ body: () throws(Failure) -> Result
) throws(PushProblem) -> Result {
    do throws(Failure) { return try body() } catch { throw problem(error) }
}
