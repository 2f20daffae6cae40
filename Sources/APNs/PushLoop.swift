public import Foreign
public import Time

/// Waits for many push connections at once, on one thread.
///
///     while work remains {
///         for each connection: mark and submit up to connection.freeStreams pushes
///         for completion in try loop.poll(.seconds(1)) { record it }
///     }
///     for completion in loop.close() { record it }
public final class PushLoop: PushTransport {
    private let poller: Poller
    private let interrupt: Int32?
    private let uptime: @Sendable () -> Span
    private var connections: [PushConnection] = []
    private static let interruptToken: UInt64 = 0

    /// A loop without connections.
    ///
    /// - Parameters:
    ///   - system: The clock of all waiting.
    ///   - interrupt: A descriptor that makes ``poll(_:)`` return early, once, when it becomes readable:
    ///     ``StopSignals/descriptor``.
    /// - Throws: ``SocketError`` where the system has no descriptor left.
    public init(_ system: SystemEnvironment, interrupt: Int32? = nil) throws(SocketError) {
        self.interrupt = interrupt
        uptime = system.uptime
        poller = try Poller()
        if let interrupt { try poller.add(interrupt, for: .read, token: PushLoop.interruptToken) }
    }

    /// Adds a connection, which is made when the first push is submitted to it.
    public func connection(_ configuration: PushConnection.Configuration) -> PushConnection {
        let connection = PushConnection(configuration, id: connections.count + 1, poller: poller, uptime)
        connections.append(connection)
        return connection
    }

    /// Adds a connection, which is made when the first push is submitted to it.
    public func route(_ configuration: PushConnection.Configuration) -> any PushRoute { connection(configuration) }

    /// Writes what was submitted and waits for what becomes of it.
    ///
    /// - Parameter limit: The longest wait; `nil` is for ever, which only makes sense while pushes are
    ///   in flight.
    /// - Returns: The outcomes of pushes; nothing when the time passed, the interrupt descriptor became readable, a
    ///   signal handler ran, or more streams became free.
    /// - Throws: ``SocketError`` where the system refuses to wait.
    public func poll(_ limit: Span?) throws(SocketError) -> [PushCompletion] {
        let end = limit.map { uptime() + $0 }
        let free = freeStreams
        while true {
            for connection in connections { connection.advanceWhereDue() }
            let completions = connections.flatMap { $0.takeCompletions() }
            let now = uptime()
            if !completions.isEmpty || freeStreams > free || end.map({ $0 <= now }) == true { return completions }
            let due = (connections.compactMap(\.deadline) + (end.map { [$0] } ?? [])).min()
            let events = try poller.wait(due.map { $0 - now })
            for event in events where event.token != PushLoop.interruptToken {
                let connection = connections[Int(event.token >> 32) - 1]
                connection.advance(link: event.token & 0xFFFF_FFFF)
            }
            if isInterrupted(events) || events.isEmpty && due.map({ uptime() < $0 }) != false {
                return connections.flatMap { $0.takeCompletions() }
            }
        }
    }

    /// Closes all connections.
    ///
    /// - Returns: The outcomes of pushes that were still in flight: not processed, or uncertain once they were written.
    public func close() -> [PushCompletion] {
        for connection in connections { connection.close() }
        return connections.flatMap { $0.takeCompletions() }
    }

    private var freeStreams: Int { connections.reduce(0) { $0 + $1.freeStreams } }

    /// True where the interrupt descriptor is among the events; it counts once, because it may stay readable.
    private func isInterrupted(_ events: [Poller.Event]) -> Bool {
        guard let interrupt, events.contains(where: { $0.token == PushLoop.interruptToken }) else { return false }
        poller.remove(interrupt)
        return true
    }
}
