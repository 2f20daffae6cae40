import APNs
import Testing

@Suite struct PushEndpointTests {
    @Test(arguments: [
        ("https://127.0.0.1:8443", "127.0.0.1", 8443), ("https://localhost/", "localhost", 443),
        ("https://api.push.apple.com:2197", "api.push.apple.com", 2197), ("https://[::1]:8443/", "::1", 8443),
        ("https://[::1]", "::1", 443),
    ])
    func aURLNamesHostAndPort(url: String, host: String, port: UInt16) {
        #expect(PushEndpoint(url: url) == PushEndpoint(host: host, port: port))
    }

    @Test(arguments: [
        "http://localhost", "localhost:8443", "https://", "https://:443", "https://a:0", "https://a:65536",
        "https://a:b", "https://a/3/device", "https://user@a", "https://a b", "https://::1", "https://[::1",
        "https://a?b",
    ])
    func anythingElseIsRefused(url: String) {
        #expect(PushEndpoint(url: url) == nil)
    }

    @Test func theAuthorityHasBracketsAroundAnAddressOfIPv6() {
        #expect(PushEndpoint(host: "::1", port: 1).authority == "[::1]:1")
        #expect(PushEndpoint.production.authority == "api.push.apple.com:443")
    }
}
