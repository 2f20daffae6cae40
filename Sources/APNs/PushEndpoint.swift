/// The service that a connection is made to: Apple's, or a stand-in for it.
public struct PushEndpoint: Hashable, Sendable {
    /// The host, as a name or an address.
    public let host: String
    /// The port.
    public let port: UInt16
    /// A PEM file of the certificates to trust instead of the system's.
    public let caFile: String?

    /// A service at an address.
    public init(host: String, port: UInt16, caFile: String? = nil) {
        self.host = host
        self.port = port
        self.caFile = caFile
    }

    /// The service of real phones.
    public static let production = PushEndpoint(host: "api.push.apple.com", port: 443)
    /// The service of phones whose app is run from Xcode.
    public static let sandbox = PushEndpoint(host: "api.sandbox.push.apple.com", port: 443)

    /// Reads `https://HOST[:PORT]`; `nil` for anything else.
    ///
    /// An IPv6 address stands in brackets.
    ///
    /// - Parameters:
    ///   - url: The URL; a path other than `/` is refused, because APNs's paths are fixed.
    ///   - caFile: A PEM file of the certificates to trust instead of the system's.
    public init?(url: String, caFile: String? = nil) {
        guard url.hasPrefix("https://") else { return nil }
        var authority = url.dropFirst("https://".count)
        if authority.last == "/" { authority = authority.dropLast() }
        guard !authority.contains(where: { "/?#@ ".contains($0) }) else { return nil }
        var port: UInt16? = 443
        let afterBracket = authority.lastIndex(of: "]") ?? authority.startIndex
        if let colon = authority[afterBracket...].lastIndex(of: ":") {
            port = UInt16(authority[authority.index(after: colon)...])
            authority = authority[..<colon]
        }
        if authority.first == "[", authority.last == "]" {
            authority = authority.dropFirst().dropLast()
        } else if authority.contains(where: { "[]:".contains($0) }) {
            return nil
        }
        guard let port, port > 0, !authority.isEmpty else { return nil }
        self.init(host: String(authority), port: port, caFile: caFile)
    }

    /// Host and port as they stand in a URL.
    public var authority: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }
}
