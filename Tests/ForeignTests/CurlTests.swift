import Foreign
import Testing
import TestServers
import Time

@Suite struct CurlTests {
    let workspace: Workspace

    init() throws {
        workspace = try Workspace()
    }

    private func proxy(_ variables: [String: String]) throws -> Proxy {
        try Proxy.fromEnvironment { variables[$0] }
    }

    private func cause(_ body: () throws -> Socket) throws -> ConnectError.Cause? {
        do {
            _ = try body()
            return nil
        } catch let error as ConnectError {
            return error.cause
        }
    }

    @Test func aConnectedSocketOutlivesItsConnector() throws {
        let listener = try ListeningSocket(port: 0)
        let socket = try Client.connect(host: "localhost", port: listener.port)
        let accepted = try #require(try listener.accept())
        #expect(socket.descriptor != accepted.descriptor)
        let poller = try Poller()
        try poller.add(accepted.descriptor, for: .read, token: 7)
        // Nothing to read: the other side neither wrote nor closed.
        #expect(try poller.wait(.zero) == [])
        _ = consume socket
        #expect(try poller.wait(.seconds(20)).map(\.token) == [7])
    }

    @Test func nobodyListens() throws {
        let port = try ReservedPort()
        let found = try cause { try Client.connect(host: "127.0.0.1", port: port.number) }
        guard case .unreachable(let reason) = found else { return #expect(found == .timedOut) }
        #expect(reason.contains("Connection refused") || reason.contains("connect"))
    }

    @Test func aHostWithoutAnAddress() throws {
        // No resolver is asked for a label of 64 characters.
        let host = String(repeating: "a", count: 64) + ".invalid"
        #expect(try cause { try Client.connect(host: host, port: 443) } == .unknownHost)
    }

    @Test func theProxyConnects() throws {
        let certificates = try Certificates(in: workspace)
        let server = try Server.nghttpd(in: workspace, certificates)
        let tinyproxy = try Server.tinyproxy(in: workspace, connectPort: server.port)
        let proxy = try proxy(["https_proxy": "http://127.0.0.1:\(tinyproxy.port)"])
        let client = try Client(port: server.port, caFile: certificates.caFile, proxy: proxy)
        try client.run { !$0.isEmpty }
        #expect(tinyproxy.prints("CONNECT localhost:\(server.port)"))
    }

    @Test func theProxyRefuses() throws {
        let tinyproxy = try Server.tinyproxy(in: workspace, connectPort: 1)
        let listener = try ListeningSocket(port: 0)
        let proxy = try proxy(["all_proxy": "http://user:secret@127.0.0.1:\(tinyproxy.port)/"])
        #expect {
            try Client.connect(host: "127.0.0.1", port: listener.port, proxy: proxy)
        } throws: { error in
            guard let error = error as? ConnectError, case .proxyRefused(let reason) = error.cause else { return false }
            return reason.contains("403") && error.proxy == "127.0.0.1:\(tinyproxy.port)"
                && !error.description.contains("secret")
        }
    }

    @Test func theProxyIsSilent() throws {
        let silent = try ListeningSocket(port: 0)
        let proxy = try proxy(["https_proxy": "127.0.0.1:\(silent.port)"])
        let found = try cause {
            try Client.connect(host: "localhost", port: 443, proxy: proxy, timeout: .milliseconds(300))
        }
        #expect(found == .timedOut)
    }

    @Test(arguments: ["127.0.0.1", "*", "example.com, 127.0.0.1"])
    func noProxyGoesDirectly(exceptions: String) throws {
        let listener = try ListeningSocket(port: 0)
        let closed = try ReservedPort()
        let variables = ["HTTPS_PROXY": "http://127.0.0.1:\(closed.number)", "no_proxy": exceptions]
        _ = try Client.connect(host: "127.0.0.1", port: listener.port, proxy: proxy(variables))
        #expect(try listener.accept() != nil)
    }

    @Test func aProxyBehindTLSIsRefusedWithAReason() throws {
        #expect {
            try proxy(["https_proxy": "https://user:secret@proxy.example:3128"])
        } throws: { error in
            "\(error)"
                == "a proxy reached by https:// is not supported; set https_proxy to an http:// or socks5h:// URL"
        }
    }

    @Test func theFirstSetVariableCounts() throws {
        let both = ["https_proxy": "", "HTTPS_PROXY": "http://a:1", "all_proxy": "http://b:2"]
        #expect(try proxy(both) == proxy(["https_proxy": "http://a:1"]))
        #expect(try proxy(["http_proxy": "http://a:1"]) == Proxy.none)
    }
}
