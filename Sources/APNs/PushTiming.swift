/// How long to wait for the service, in milliseconds, and how often to try.
public struct PushTiming: Sendable {
    /// For the TCP connection, and the answer of a proxy.
    public var connect: Int64 = 15_000
    /// For the TLS handshake.
    public var handshake: Int64 = 15_000
    /// For the answer to a push.
    public var answer: Int64 = 60_000
    /// The pauses before the next connection, after one that brought no answer; then no more are made.
    public var pauses: [Int64] = [500, 2_000]

    /// The times for Apple's service.
    public init() {}
}
