import Foreign
import JSON
import Testing
import Time

@testable import Simulator

/// Apple asked without a socket.
@Suite struct SimulatedServiceTests {
    private static let app = Simulator.Options.App()
    private static let now = Moment(seconds: 1_800_000_000)

    /// The answers and reports of a small history.
    private static func history(seed: UInt64) throws -> [String] {
        let key = try SigningKey()
        let pem = Array(try key.privatePEM().utf8)
        let service = try SimulatedService(
            apps: [app],
            keys: [.init(id: "PRODKEY001", team: app.team, environment: .production, pem: pem)],
            seed: seed,
            publishKey: [1],
            published: { _ in nil }
        )
        let phone = #"{"do":"add","device":"d1","subscriber":"anna","widgets":["Stats"],"attributesTypes":["Ride"]}"#
        var lines = [service.carryOut(Array(phone.utf8), at: now).canonical]
        lines += service.takeReportLines(at: now).map { String(decoding: $0, as: UTF8.self) }
        let token = try #require(try Value(json: Array(lines[1].utf8))["token"]?.text)
        let header = base64URL(Array(#"{"alg":"ES256","kid":"PRODKEY001"}"#.utf8))
        let claims = base64URL(Array(#"{"iat":\#(now.seconds),"iss":"\#(app.team)"}"#.utf8))
        let signature = base64URL(try key.signature(of: Array("\(header).\(claims)".utf8)))
        let connection = service.connect(to: .production)
        for authorization in ["bearer \(header).\(claims).\(signature)", "bearer of nothing"] {
            let request = SimulatedRequest(
                method: "POST",
                path: "/3/device/\(token)",
                headers: [
                    ("authorization", authorization), ("apns-topic", "\(app.bundle).push-type.widgets"),
                    ("apns-push-type", "widgets"),
                ],
                body: Array(#"{"aps":{"content-changed":true}}"#.utf8)
            )
            let answer = service.receive(request, over: connection, at: now).outcome.answer
            lines.append("\(answer?.status ?? 0) \(answer?.reason ?? "")")
        }
        return lines + [service.screens(at: now).canonical]
    }

    @Test func theSameSeedGivesTheSameAnswersTokensAndReports() throws {
        let first = try Self.history(seed: 7)
        #expect(first.suffix(3).prefix(2) == ["200 ", "403 InvalidProviderToken"])
        #expect(try Self.history(seed: 7) == first)
        #expect(try Self.history(seed: 8) != first)
    }
}
