import Foreign
import Foundation
import JSON
import Testing
import TestServers
import Time

@testable import APNs

/// One server, one loop and a connection between them.
final class PushBench {
    let workspace: Workspace
    let certificates: Certificates
    let loop: PushLoop
    let key: ProviderKey
    /// What the tokens' clock says.
    var now = SystemEnvironment.machine.now()
    var timing = PushTiming()
    var maxStreams = 500
    private(set) var completions: [PushCompletion] = []

    init(interrupt: Int32? = nil) throws {
        workspace = try Workspace()
        certificates = try Certificates(in: workspace)
        loop = try PushLoop(.machine, interrupt: interrupt)
        key = try ProviderKey(keyID: "KEY1234567", teamID: "ABCDE12345", pem: Array(SigningKey().privatePEM().utf8))
        timing.pauses = [.milliseconds(10), .milliseconds(10)]
    }

    func server(_ scenario: String) throws -> Server {
        try Server.push(in: workspace, certificates, scenario)
    }

    func connection(
        port: UInt16,
        host: String = "127.0.0.1",
        caFile: String? = nil,
        proxy: Proxy = .none,
        key: ProviderKey? = nil
    ) -> PushConnection {
        let endpoint = PushEndpoint(host: host, port: port, caFile: caFile ?? certificates.caFile)
        let tokens = ProviderTokens(directory: workspace.path("tokens"), now: { [unowned self] in now })
        var configuration = PushConnection.Configuration(
            endpoint: endpoint,
            key: key ?? self.key,
            tokens: tokens,
            proxy: proxy
        )
        configuration.timing = timing
        configuration.maxStreams = maxStreams
        return loop.connection(configuration)
    }

    static func request(token: Text = "ab") throws -> PushRequest {
        try PushRequest(
            app: "com.example.courier",
            token: token,
            fields: PushRequest.Fields(
                kind: .widgets,
                priority: .immediate,
                expiration: Moment(seconds: 1_700_000_000)
            ),
            payload: Array(#"{"aps":{"content-changed":true}}"#.utf8)
        )
    }

    func submit(_ ids: Text..., to connection: PushConnection) throws {
        for id in ids { connection.submit(try PushBench.request(), id: id) }
    }

    /// Polls until all of these have an outcome, which it returns in their order.
    @discardableResult
    func outcomes(of ids: Text...) throws -> [PushCompletion.Outcome] {
        try poll { ids.allSatisfy { id in self.completions.contains { $0.id == id } } }
        let found = ids.compactMap { id in completions.first { $0.id == id }?.outcome }
        // Each submission ends once; taken outcomes make room for the next submission of the same push.
        completions.removeAll { ids.contains($0.id) }
        return found
    }

    /// Polls until something holds, for at most 30 seconds.
    func poll(every interval: Span = .seconds(1), until isEnough: () -> Bool) throws {
        let deadline = SystemEnvironment.machine.uptime() + .seconds(30)
        while !isEnough() {
            completions += try loop.poll(interval)
            try #require(SystemEnvironment.machine.uptime() < deadline, "in time: \(completions)")
        }
    }

    /// The requests that a push server received, in order.
    func requests(of server: Server) throws -> [(connection: Int64, fields: [String: String], body: String)] {
        try server.log.split(separator: "\n").compactMap { line in
            let value = try Value(json: String(line))
            let pairs = (value["headers"]?.array ?? []).compactMap { field -> (String, String)? in
                guard let field = field.array, let name = field.first?.text, let value = field.last?.text else {
                    return nil
                }
                return (name.string, value.string)
            }
            let fields = Dictionary(pairs, uniquingKeysWith: { $0 + "," + $1 })
            return (value["connection"]?.integer ?? 0, fields, value["body"]?.text?.string ?? "")
        }
    }
}

extension PushCompletion.Outcome {
    var status: Int? { if case .answered(let answer) = self { answer.status } else { nil } }
    var notProcessed: PushProblem? { if case .notProcessed(let problem) = self { problem } else { nil } }
    var uncertain: PushProblem? { if case .uncertain(let problem) = self { problem } else { nil } }
}
