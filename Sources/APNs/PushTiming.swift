public import Time

/// The times to wait for the service, and the number of attempts.
public struct PushTiming: Sendable {
    /// For the TCP connection, and the answer of a proxy.
    public var connect = Span.seconds(15)
    /// For the TLS handshake.
    public var handshake = Span.seconds(15)
    /// For the answer to a push.
    public var answer = Span.seconds(60)
    /// The pauses before the next connection, after one that brought no answer; then no more are made.
    public var pauses: [Span] = [.milliseconds(500), .seconds(2)]

    /// The times for Apple's service.
    public init() {}
}
