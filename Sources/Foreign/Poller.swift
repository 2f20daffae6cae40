internal import CLinux
internal import Glibc
public import Time

/// Waits, on one thread, until one of many file descriptors is ready (epoll) or a time passes.
@safe
public final class Poller {
    /// The readiness to wait for on a descriptor.
    public struct Interest: OptionSet, Sendable {
        /// The bits, each one of the members.
        public let rawValue: UInt8
        /// Wraps bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// There is something to read, or the other side closed.
        public static let read = Interest(rawValue: 1)
        /// There is room to write.
        public static let write = Interest(rawValue: 2)
    }

    /// One descriptor that is ready.
    public struct Event: Equatable, Sendable {
        /// The name that the descriptor was added under.
        public let token: UInt64
        /// The readiness that it has; an error or a closed peer counts as both.
        public let ready: Interest
    }

    private let descriptor: Int32
    private var events: [epoll_event]
    /// Regular files, which epoll refuses because they are always ready (standard input from a file).
    private var alwaysReady: [(descriptor: Int32, token: UInt64)] = []

    /// A poller that watches nothing yet.
    ///
    /// - Throws: ``SocketError`` where the system has no descriptor left.
    public init() throws(SocketError) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        unsafe events = unsafe Array(repeating: epoll_event(), count: 64)
        guard descriptor >= 0 else { throw SocketError("make a poller") }
    }

    deinit {
        close(descriptor)
    }

    /// Watches an open descriptor (a socket, a pipe, standard input) until ``remove(_:)``.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor; the caller keeps it open while it is watched.
    ///   - interest: The readiness to wait for; the state counts, so what is not consumed is reported again.
    ///   - token: The name of the descriptor in ``Event``.
    /// - Throws: ``SocketError`` where the descriptor is not open or is watched already.
    public func add(_ descriptor: Int32, for interest: Interest, token: UInt64) throws(SocketError) {
        guard !control(EPOLL_CTL_ADD, descriptor, interest: interest, token: token) else { return }
        guard errno == EPERM else { throw SocketError("watch file descriptor \(descriptor)") }
        alwaysReady.append((descriptor, token))
    }

    /// Changes what a watched descriptor is waited on for.
    ///
    /// - Throws: ``SocketError`` where the descriptor is not watched.
    public func change(_ descriptor: Int32, to interest: Interest, token: UInt64) throws(SocketError) {
        guard control(EPOLL_CTL_MOD, descriptor, interest: interest, token: token) else {
            throw SocketError("watch file descriptor \(descriptor)")
        }
    }

    /// Stops watching a descriptor; does nothing where it is not watched.
    ///
    /// Call it before the descriptor closes.
    public func remove(_ descriptor: Int32) {
        alwaysReady.removeAll { $0.descriptor == descriptor }
        _ = control(EPOLL_CTL_DEL, descriptor, interest: [], token: 0)
    }

    /// Waits until something is ready.
    ///
    /// - Parameter limit: The longest wait; `nil` waits for ever, 0 only looks.
    /// - Returns: The ready ones; nothing where the time passed or a signal handler ran.
    /// - Throws: ``SocketError`` where the system call is refused.
    public func wait(_ limit: Span?) throws(SocketError) -> [Event] {
        let milliseconds = alwaysReady.isEmpty ? limit.map { Int32(clamping: max($0.milliseconds, 0)) } ?? -1 : 0
        let count = unsafe epoll_wait(descriptor, &events, Int32(events.count), milliseconds)
        guard count >= 0 || errno == EINTR else { throw SocketError("wait for file descriptors") }
        var ready: [Event] = []
        for index in 0..<Int(max(count, 0)) {
            let event = unsafe events[index]
            ready.append(unsafe Event(token: event.data.u64, ready: Interest(epoll: event.events)))
        }
        return ready + alwaysReady.map { Event(token: $0.token, ready: .read) }
    }

    private func control(_ operation: Int32, _ target: Int32, interest: Interest, token: UInt64) -> Bool {
        var event = unsafe epoll_event(events: interest.epoll, data: epoll_data_t(u64: token))
        return unsafe epoll_ctl(descriptor, operation, target, &event) == 0
    }
}

extension Poller.Interest {
    fileprivate var epoll: UInt32 {
        (contains(.read) ? EPOLLIN.rawValue : 0) | (contains(.write) ? EPOLLOUT.rawValue : 0)
    }

    fileprivate init(epoll bits: UInt32) {
        let broken = bits & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0
        self = []
        if broken || bits & EPOLLIN.rawValue != 0 { insert(.read) }
        if broken || bits & EPOLLOUT.rawValue != 0 { insert(.write) }
    }
}
