/// A failure to reach a host.
public struct ConnectError: Error, Equatable {
    /// The cause.
    public enum Cause: Equatable, Sendable {
        /// The name of the host has no address.
        case unknownHost
        /// The name of the proxy has no address.
        case unknownProxy
        /// Nothing answered in time.
        case timedOut
        /// The host (or the proxy) refused the connection or cannot be reached; libcurl's words.
        case unreachable(String)
        /// The proxy answered, but does not connect to the host; libcurl's words.
        case proxyRefused(String)
        /// The proxy's URL asks for something that is not supported; its scheme.
        case unsupportedProxy(scheme: String)
    }

    /// The cause.
    public let cause: Cause
    /// The host that was asked for, with its port.
    public let host: String
    /// The proxy in between, without user name and password; `nil` where there is none.
    public let proxy: String?
}

extension ConnectError: CustomStringConvertible {
    /// The host, the cause, and what to do about it.
    public var description: String {
        switch cause {
        case .unknownHost:
            "\(host) has no address; check the name and this machine's DNS"
        case .unknownProxy:
            "the proxy \(proxy ?? "") has no address; check https_proxy or all_proxy"
        case .timedOut:
            "\(host)\(way) does not answer; check that a firewall lets this machine out, or set https_proxy"
        case .unreachable(let reason):
            "\(host)\(way) cannot be reached: \(reason); check the network\(proxy == nil ? "" : " and https_proxy")"
        case .proxyRefused(let reason):
            "the proxy \(proxy ?? "") does not connect to \(host): \(reason); allow it there or add it to no_proxy"
        case .unsupportedProxy(let scheme):
            "a proxy reached by \(scheme):// is not supported; set https_proxy to an http:// or socks5h:// URL"
        }
    }

    private var way: String { proxy.map { " through the proxy \($0)" } ?? "" }
}
