import Foreign
import Testing
import TestServers

@Suite struct TLSTests {
    let workspace: Workspace

    init() throws {
        workspace = try Workspace()
    }

    private func failure(_ host: String, port: UInt16, caFile: String?) throws -> TLSError? {
        let client = try Client(host: host, port: port, caFile: caFile)
        do {
            try client.run { _ in false }
        } catch let error as TLSError {
            return error
        }
        return nil
    }

    @Test func aCertificateOfAnUnknownCAIsRefused() throws {
        let certificates = try Certificates(in: workspace)
        let server = try Server.nghttpd(in: workspace, certificates)
        let error = try failure("localhost", port: server.port, caFile: nil)
        #expect(error == .untrusted(host: "localhost", reason: "unable to get local issuer certificate"))
    }

    @Test(arguments: [("localhost", "hostname mismatch"), ("127.0.0.1", "IP address mismatch")])
    func aCertificateForAnotherNameIsRefused(host: String, reason: String) throws {
        let certificates = try Certificates(in: workspace, names: "DNS:example.com,IP:127.0.0.2")
        let server = try Server.nghttpd(in: workspace, certificates)
        let error = try failure(host, port: server.port, caFile: certificates.caFile)
        #expect(error == .untrusted(host: host, reason: reason))
    }

    @Test func anAddressInTheCertificateIsAccepted() throws {
        let certificates = try Certificates(in: workspace)
        let server = try Server.nghttpd(in: workspace, certificates)
        let client = try Client(host: "127.0.0.1", port: server.port, caFile: certificates.caFile)
        try client.run { !$0.isEmpty }
        #expect(client.connection.isEstablished)
    }

    @Test(arguments: [[], ["-alpn", "http/1.1"]])
    func aServerWithoutHTTP2IsRefused(options: [String]) throws {
        let certificates = try Certificates(in: workspace)
        let server = try Server(in: workspace) { port in
            [
                "openssl", "s_server", "-accept", "127.0.0.1:\(port)", "-cert", certificates.certificateFile, "-key",
                certificates.keyFile, "-quiet",
            ] + options
        }
        let error = try failure("localhost", port: server.port, caFile: certificates.caFile)
        #expect(error == .noHTTP2(peer: "localhost"))
    }

    @Test func aServerBelowTLS12IsRefused() throws {
        let certificates = try Certificates(in: workspace)
        let server = try Server(in: workspace) { port in
            [
                "openssl", "s_server", "-accept", "127.0.0.1:\(port)", "-cert", certificates.certificateFile, "-key",
                certificates.keyFile, "-quiet", "-tls1_1", "-cipher", "DEFAULT:@SECLEVEL=0",
            ]
        }
        let error = try failure("localhost", port: server.port, caFile: certificates.caFile)
        guard case .handshake("localhost", _) = error else { return #expect(error == .noHTTP2(peer: "")) }
    }

    @Test func aCAFileThatIsNoneNamesItself() throws {
        let file = try workspace.write("nothing", to: "none.pem")
        #expect { try TLSContext.client(caFile: file) } throws: { error in "\(error)".contains(file) }
    }

    @Test func aServerNeedsAKeyThatFitsItsCertificate() throws {
        let certificates = try Certificates(in: workspace)
        let pem = try workspace.read("server.pem")
        let other = try Array(SigningKey().privatePEM().utf8)
        #expect(throws: TLSError.self) { try TLSContext.server(certificates: pem, key: other) }
        #expect(throws: TLSError.self) { try TLSContext.server(certificates: [], key: other) }
        #expect(throws: Never.self) {
            try TLSContext.server(certificates: pem, key: workspace.read("server.key"))
        }
        #expect(!certificates.caFile.isEmpty)
    }
}
