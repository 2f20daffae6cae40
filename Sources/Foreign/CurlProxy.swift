/// The proxy that the environment asks for, and the hosts that do without it.
public struct Proxy: Equatable, Sendable {
    /// The URL of the proxy, as libcurl takes it, perhaps with a password; empty for none.
    let url: String
    /// The hosts that are reached directly, in the form of `no_proxy`.
    let exceptions: String

    /// No proxy.
    public static let none = Proxy(url: "", exceptions: "")

    /// Reads `https_proxy`, `all_proxy` and `no_proxy`, each also in capitals, in curl's order.
    ///
    /// - Parameter variable: Looks up an environment variable; the process's own by default.
    /// - Returns: The proxy; ``none`` where no variable is set.
    /// - Throws: ``ConnectError`` where the proxy is of a kind that cannot be used.
    public static func fromEnvironment(
        _ variable: (String) -> String? = CurrentProcess.environment
    ) throws(ConnectError) -> Proxy {
        func first(_ names: String...) -> String { names.lazy.compactMap(variable).first { !$0.isEmpty } ?? "" }
        let url = first("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
        let proxy = Proxy(url: url, exceptions: first("no_proxy", "NO_PROXY"))
        guard let scheme = proxy.scheme, !supported.contains(scheme) else { return proxy }
        throw ConnectError(cause: .unsupportedProxy(scheme: scheme), host: "", proxy: proxy.address)
    }

    /// An `https://` proxy would need TLS within TLS, which the handed over plain socket cannot carry.
    private static let supported = ["http", "socks4", "socks4a", "socks5", "socks5h"]

    private var scheme: String? { separator.map { url[..<$0].lowercased() } }

    private var separator: String.Index? { url.range(of: "://") }

    /// Host and port of the proxy, without user name and password; `nil` where there is none.
    var address: String? {
        guard !url.isEmpty else { return nil }
        let rest = separator.map { url[$0...].dropFirst(3) } ?? url[...]
        let authority = rest.prefix { $0 != "/" }
        return String(authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority)
    }
}

extension String {
    /// The first place of `text`, which Foundation would find for us.
    fileprivate func range(of text: String) -> Index? {
        indices.first { self[$0...].hasPrefix(text) }
    }
}
