internal import CCurl
internal import Glibc
public import Time

/// Reaches a host over plain TCP, directly or through a proxy, without blocking, and hands over the connected socket.
///
/// libcurl does what it does best: DNS, both address families at once, SOCKS and `CONNECT` proxies, time-outs.
@safe
public final class Connector {
    /// The latest time for the next ``advance()``, by the clock that it was given.
    public private(set) var deadline: Span

    private let multi: UnsafeMutableRawPointer
    private let easy: UnsafeMutableRawPointer
    /// libcurl writes the details of a failure here.
    private let details: UnsafeMutablePointer<CChar>
    private let sockets: WatchedSockets
    private let host: String
    private let proxy: Proxy
    /// The time from which on the host counts as silent.
    ///
    /// libcurl 7.88 keeps the same time, but loses sight of it when its timer runs a
    /// fraction of a millisecond early.
    private let limit: Span
    private let uptime: @Sendable () -> Span

    /// A host, and the way to it.
    public struct Destination {
        /// A name or an address.
        public var host: String
        /// The port.
        public var port: UInt16
        /// The proxy to go through, where the host is none of its exceptions.
        public var proxy: Proxy

        /// A host, and the way to it.
        public init(host: String, port: UInt16, proxy: Proxy = .none) {
            self.host = host
            self.port = port
            self.proxy = proxy
        }

        fileprivate var authority: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }
    }

    /// Starts to connect.
    ///
    /// - Parameters:
    ///   - destination: The host, and the proxy before it.
    ///   - timeout: The time until the host counts as silent, the proxy's answer included.
    ///   - uptime: The clock of the time-out.
    ///   - poller: Watches libcurl's sockets while they connect; keep it as long as the connector.
    ///   - token: The name of all these sockets in the poller; call ``advance()`` when it comes up.
    /// - Throws: ``ConnectError`` where libcurl cannot start.
    public init(
        to destination: Destination,
        timeout: Span,
        by uptime: @escaping @Sendable () -> Span,
        poller: Poller,
        token: UInt64
    ) throws(ConnectError) {
        let (authority, proxy) = (destination.authority, destination.proxy)
        host = authority
        self.proxy = proxy
        self.uptime = uptime
        deadline = uptime()
        limit = deadline + timeout
        sockets = WatchedSockets(poller: poller, token: token)
        guard let multi = unsafe curl_multi_init(), let easy = unsafe curl_easy_init() else {
            throw ConnectError(cause: .unreachable("libcurl cannot start"), host: authority, proxy: proxy.address)
        }
        unsafe self.multi = unsafe multi
        unsafe self.easy = unsafe easy
        unsafe details = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe details.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        configure(authority: authority, timeout: timeout)
    }

    deinit {
        unsafe curl_multi_remove_handle(multi, easy)
        unsafe curl_easy_cleanup(easy)
        unsafe curl_multi_cleanup(multi)
        unsafe details.deallocate()
        sockets.forgetAll()
    }

    private func configure(authority: String, timeout: Span) {
        for (option, value) in [
            (CURLOPT_CONNECT_ONLY, 1), (CURLOPT_NOSIGNAL, 1), (CURLOPT_HTTPPROXYTUNNEL, 1),
            (CURLOPT_CONNECTTIMEOUT_MS, Int(timeout.milliseconds)),
        ] {
            unsafe lockstep_curl_set_number(easy, option, value)
        }
        // An https:// URL would make libcurl speak TLS itself. Both proxy options are set even when empty, so that
        // libcurl does not look into the environment for the http:// ones.
        for (option, value) in [
            (CURLOPT_URL, "http://\(authority)"), (CURLOPT_PROXY, proxy.url), (CURLOPT_NOPROXY, proxy.exceptions),
        ] {
            unsafe lockstep_curl_set_text(easy, option, value)
        }
        unsafe lockstep_curl_set_error_buffer(easy, details)
        let user = unsafe Unmanaged.passUnretained(sockets).toOpaque()
        unsafe lockstep_curl_on_socket(
            multi,
            { _, descriptor, what, user, _ in
                guard let user = unsafe user else { return 0 }
                unsafe Unmanaged<WatchedSockets>.fromOpaque(user).takeUnretainedValue().watch(descriptor, for: what)
                return 0
            },
            user
        )
        unsafe curl_multi_add_handle(multi, easy)
    }

    /// Goes on with connecting.
    ///
    /// - Returns: The connected socket, or `nil` while there is none yet; after a socket or an error the connector is
    ///   of no more use.
    /// - Throws: ``ConnectError`` where the host cannot be reached.
    public func advance() throws(ConnectError) -> Socket? {
        var running: Int32 = 0
        // Without a readiness of its own, libcurl looks at the socket itself.
        for descriptor in sockets.descriptors { unsafe curl_multi_socket_action(multi, descriptor, 0, &running) }
        if deadline <= uptime() {
            unsafe curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running)
        }
        var waiting: Int32 = 0
        guard let message = unsafe curl_multi_info_read(multi, &waiting) else {
            try lookAtTheTime()
            return nil
        }
        let code = unsafe lockstep_curl_result(message)
        guard code == CURLE_OK else { throw error(code) }
        return try handOver()
    }

    private func lookAtTheTime() throws(ConnectError) {
        let now = uptime()
        guard now < limit else { throw ConnectError(cause: .timedOut, host: host, proxy: proxy.address) }
        var wait = -1
        unsafe curl_multi_timeout(multi, &wait)
        deadline = wait < 0 ? limit : min(now + .milliseconds(Int64(wait)), limit)
    }

    /// A duplicate of libcurl's socket: libcurl closes its own with the handle, and the connection stays.
    private func handOver() throws(ConnectError) -> Socket {
        var descriptor: curl_socket_t = -1
        unsafe lockstep_curl_get_socket(easy, CURLINFO_ACTIVESOCKET, &descriptor)
        sockets.forgetAll()
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else {
            throw ConnectError(cause: .unreachable(errorText(errno)), host: host, proxy: proxy.address)
        }
        return Socket(owning: copy)
    }

    private func error(_ code: CURLcode) -> ConnectError {
        let words = unsafe String(cString: details)
        let reason = words.isEmpty ? unsafe String(cString: curl_easy_strerror(code)) : words
        var status = 0
        unsafe lockstep_curl_get_number(easy, CURLINFO_HTTP_CONNECTCODE, &status)
        let cause: ConnectError.Cause =
            switch code {
            case CURLE_COULDNT_RESOLVE_HOST: .unknownHost
            case CURLE_COULDNT_RESOLVE_PROXY: .unknownProxy
            case CURLE_OPERATION_TIMEDOUT: .timedOut
            case CURLE_PROXY: .proxyRefused(reason)
            default: status == 0 ? .unreachable(reason) : .proxyRefused(reason)
            }
        return ConnectError(cause: cause, host: host, proxy: proxy.address)
    }
}

/// The sockets that libcurl wants watched.
private final class WatchedSockets {
    private let poller: Poller
    private let token: UInt64
    private(set) var descriptors: Set<Int32> = []

    init(poller: Poller, token: UInt64) {
        self.poller = poller
        self.token = token
    }

    func watch(_ descriptor: Int32, for what: Int32) {
        let interest: Poller.Interest =
            switch what {
            case CURL_POLL_IN: .read
            case CURL_POLL_OUT: .write
            default: [.read, .write]
            }
        if what == CURL_POLL_REMOVE {
            poller.remove(descriptor)
            descriptors.remove(descriptor)
        } else if descriptors.insert(descriptor).inserted {
            // A socket that cannot be watched is looked at when the deadline comes.
            try? poller.add(descriptor, for: interest, token: token)
        } else {
            try? poller.change(descriptor, to: interest, token: token)
        }
    }

    func forgetAll() {
        for descriptor in descriptors { poller.remove(descriptor) }
        descriptors = []
    }
}
