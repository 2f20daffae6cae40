import Foundation
import TestServers
import Testing

/// Hosts that are down, wrong or not Apple, and a proxy on the way.
@Suite struct NetworkCasesTests {
    /// Expects one clear message at an endpoint, that nothing is removed, and that the next run sends to Apple.
    private func fails(_ world: World, at endpoint: [String: String], _ messages: String...) throws {
        let configuration = try world.workspace.text("lockstep.json")
        try world.configure { $0["endpoints"] = ["production": endpoint] }
        let outcome = try world.apply(status: 3)
        let lines = outcome.stderr.split(separator: "\n")
        #expect(lines.count == 1, "\(outcome.stderr)")
        for message in messages { #expect(outcome.stderr.contains(message), "\(outcome.stderr)") }
        #expect(outcome.lines.last?.contains("3 committed; 0 accepted") == true, "\(outcome.stdout)")
        try world.workspace.write("lockstep.json", configuration)
        #expect(try world.events().isEmpty)
        try world.apply()
        #expect(try world.events() == ["start d1", "start d2", "start d3"])
        try world.settles()
    }

    @Test(.long) func aHostThatIsDownIsNamed() throws {
        let port = try ReservedPort()
        try fails(
            try World.waiting(),
            at: ["url": "https://127.0.0.1:\(port.number)"],
            "127.0.0.1:\(port.number)",
            "the next run sends it"
        )
    }

    @Test(.long) func aNameThatDoesNotExistIsNamed() throws {
        try fails(try World.waiting(), at: ["url": "https://apns.invalid"], "apns.invalid", "the next run sends it")
    }

    @Test func aCertificateThatIsNotTrustedIsNamed() throws {
        let world = try World.waiting()
        try fails(world, at: ["url": world.simulator.ready.url], "127.0.0.1", "certificate")
    }

    @Test func theOtherEnvironmentsServiceIsAMistakeOfTheConfiguration() throws {
        let world = try World.waiting()
        let sandbox = ["url": world.simulator.ready.sandboxUrl, "caFile": world.simulator.ready.caFile]
        let configuration = try world.workspace.text("lockstep.json")
        try world.configure { $0["endpoints"] = ["production": sandbox] }
        let outcome = try world.apply(status: 3)
        #expect(outcome.stderr.split(separator: "\n").count == 1, "\(outcome.stderr)")
        #expect(outcome.stderr.contains("BadEnvironmentKeyIdInToken"), "\(outcome.stderr)")
        try world.workspace.write("lockstep.json", configuration)
        _ = try world.pushes()
        try world.apply()
        #expect(try world.events() == ["start d1", "start d2", "start d3"])
        try world.settles()
    }

    @Test func aWebServerInPlaceOfAppleIsNamed() throws {
        let world = try World.waiting()
        let workspace = try TestServers.Workspace()
        let certificates = try Certificates(in: workspace)
        let server = try Self.nginx(in: workspace, certificates)
        try fails(
            world,
            at: ["url": "https://127.0.0.1:\(server.port)", "caFile": certificates.caFile],
            "127.0.0.1:\(server.port)",
            "endpoints"
        )
    }

    private static func nginx(in workspace: TestServers.Workspace, _ certificates: Certificates) throws -> Server {
        try Server(in: workspace) { port in
            let configuration = """
                daemon off; master_process off; pid nginx.pid; error_log stderr;
                events {}
                http {
                    access_log off; client_body_temp_path b; proxy_temp_path p; fastcgi_temp_path f; uwsgi_temp_path u;
                    scgi_temp_path s;
                    server {
                        listen 127.0.0.1:\(port) ssl http2;
                        ssl_certificate \(certificates.certificateFile); ssl_certificate_key \(certificates.keyFile);
                        location / { return 404; }
                    }
                }
                """
            let file = (try? workspace.write(configuration, to: "nginx.conf")) ?? ""
            return ["nginx", "-p", workspace.directory.path, "-c", file]
        }
    }

    @Test func aProxyIsUsedWhereTheEnvironmentNamesOne() throws {
        let world = try World.waiting()
        let url = try #require(URL(string: world.simulator.ready.url))
        let workspace = try TestServers.Workspace()
        let proxy = try Server(in: workspace) { port in
            let file = try? workspace.write(
                "Port \(port)\nListen 127.0.0.1\nAllow 127.0.0.1\nConnectPort \(url.port ?? 0)\nLogLevel Connect\n",
                to: "tinyproxy.conf"
            )
            return ["tinyproxy", "-d", "-c", file ?? ""]
        }
        let environment = ["https_proxy": "http://127.0.0.1:\(proxy.port)", "no_proxy": "", "NO_PROXY": ""]
        try world.apply(environment: environment)
        #expect(try world.events() == ["start d1", "start d2", "start d3"])
        #expect(proxy.log.contains("CONNECT 127.0.0.1:\(url.port ?? 0)"))
        try world.settles()
    }

    @Test func aProxyThatIsWrongIsNamedBeforeAnythingIsCommitted() throws {
        let world = try World.waiting()
        let outcome = try world.apply(
            status: 1,
            environment: ["https_proxy": "https://proxy.example:3128", "no_proxy": ""]
        )
        #expect(outcome.stderr.contains("https_proxy"), "\(outcome.stderr)")
        #expect(!outcome.stderr.contains("lockstep.db"))
        try world.apply()
        #expect(try world.events().count == 3)
        try world.settles()
    }
}
