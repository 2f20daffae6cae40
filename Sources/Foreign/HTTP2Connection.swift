/// An HTTP/2 session over a TLS stream: moves bytes between the two as far as the socket allows.
public final class HTTP2Connection {
    /// The state of the connection after ``advance()``.
    public enum Status: Equatable, Sendable {
        /// Go on when the socket is ready for this.
        case open(Poller.Interest)
        /// Nothing more will come or go.
        case finished
    }

    /// The frames: submit messages here and take events from here.
    public let session: HTTP2Session
    /// The TLS stream, which owns the socket.
    public let stream: TLSStream
    /// True once the TLS handshake is done.
    public private(set) var isEstablished = false
    private var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    private var peerClosed = false

    /// Joins a stream and a session of the same side.
    public init(stream: TLSStream, session: HTTP2Session) {
        self.stream = stream
        self.session = session
    }

    /// Makes the handshake, reads what has arrived and writes what waits.
    ///
    /// Look at the session's events after each call, also after one that throws.
    ///
    /// - Throws: ``TLSError`` or ``HTTP2Error`` where the connection is lost.
    public func advance() throws -> Status {
        if !isEstablished {
            if let interest = try stream.handshake() { return .open(interest) }
            isEstablished = true
        }
        try read()
        let wanted = try write()
        return peerClosed || session.isFinished ? .finished : .open(wanted.union(.read))
    }

    /// Says goodbye to the other side as far as the socket takes it now; the connection is of no use afterwards.
    public func close() {
        guard isEstablished else { return }
        // The other side may be gone, in which case there is nobody to say it to.
        try? session.goAway()
        _ = try? write()
        stream.close()
    }

    private func read() throws {
        while !peerClosed {
            switch try stream.read(into: &buffer) {
            case .bytes(let count):
                let bytes = buffer
                try session.receive(bytes.span.extracting(first: count))
            case .closed: peerClosed = true
            case .wouldBlock: return
            }
        }
    }

    /// Writes until nothing waits or the socket is full.
    ///
    /// - Returns: The readiness of the socket to wait for before writing goes on; nothing where all was written.
    private func write() throws -> Poller.Interest {
        while true {
            var progress = TLSStream.Progress.bytes(0)
            try session.withOutput { output throws(TLSError) in progress = try stream.write(output) }
            switch progress {
            case .bytes(0), .closed: return []
            case .bytes(let count): session.didWrite(count)
            case .wouldBlock(let interest): return interest
            }
        }
    }
}
