import Foreign
import Foundation
import JSON
import Testing
import TestServers
import Time

@testable import APNs

@Suite struct ProviderTokenTests {
    let workspace: Workspace
    let key: ProviderKey
    let clock = Clock()

    final class Clock {
        var now = Moment(seconds: 1_700_000_000)
    }

    init() throws {
        workspace = try Workspace()
        key = try ProviderKey(keyID: "KEY1234567", teamID: "ABCDE12345", pem: Array(SigningKey().privatePEM().utf8))
    }

    /// What a run sees: another process with the same directory.
    private func run() -> ProviderTokens {
        let clock = clock
        return ProviderTokens(directory: workspace.path("tokens"), now: { clock.now })
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: workspace.path("tokens")).map {
            workspace.path("tokens/\($0)")
        }
    }

    @Test func pyJWTVerifiesAToken() throws {
        let token = try key.token(issuedAt: Moment(seconds: 1_700_000_000))
        let publicKey = try workspace.write(key.publicPEM, to: "public.pem")
        let script = """
            import json, jwt, sys
            claims = jwt.decode(sys.argv[1], open(sys.argv[2]).read(), algorithms=["ES256"])
            print(json.dumps([jwt.get_unverified_header(sys.argv[1]), claims], sort_keys=True))
            """
        let output = try workspace.run(Server.python, "-c", script, token.text, publicKey)
        let expected = """
            [{"alg": "ES256", "kid": "KEY1234567"}, {"iat": 1700000000, "iss": "ABCDE12345"}]

            """
        #expect(output == expected)
    }

    @Test func runsShareATokenUntilItIsFiftyMinutesOld() throws {
        let first = try run().token(for: key)
        // Sixty runs, one a minute, need two tokens: https://github.com/kylebrowning/APNSwift/issues/34
        var tokens: [ProviderToken] = []
        for _ in 0..<60 {
            tokens.append(try run().token(for: key))
            clock.now += .minutes(1)
        }
        #expect(tokens.prefix(50).allSatisfy { $0 == first })
        #expect(tokens.dropFirst(50).allSatisfy { $0.issuedAt == first.issuedAt + .minutes(50) })
    }

    @Test func theFileIsPrivateAndHoldsNothingElse() throws {
        let token = try run().token(for: key)
        let file = try #require(try files().first)
        #expect(try files().count == 1)
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == token.text)
        #expect(!file.contains("KEY1234567"))
    }

    @Test(arguments: ["", "garbage", "a.b.c", "..", "eyJhbGciOiJFUzI1NiJ9.e30.AAAA"])
    func aBrokenFileIsMadeAnew(content: String) throws {
        let first = try run().token(for: key)
        let file = try #require(try files().first)
        try Data(content.utf8).write(to: URL(fileURLWithPath: file))
        clock.now += .seconds(1)
        let second = try run().token(for: key)
        #expect(second.issuedAt == first.issuedAt + .seconds(1))
        #expect(try run().token(for: key) == second)
    }

    @Test func aTokenFromTheFutureIsMadeAnew() throws {
        _ = try run().token(for: key)
        clock.now += .seconds(-10)
        #expect(try run().token(for: key).issuedAt == clock.now)
    }

    @Test func anotherKeyOrTeamNeverGetsTheToken() throws {
        let pem = Array(try key.key.privatePEM().utf8)
        let others = [
            try ProviderKey(keyID: "KEY1234567", teamID: "OTHER12345", pem: pem),
            try ProviderKey(keyID: "OTHER34567", teamID: "ABCDE12345", pem: pem),
            try ProviderKey(keyID: "KEY1234567", teamID: "ABCDE12345", pem: Array(SigningKey().privatePEM().utf8)),
        ]
        let token = try run().token(for: key)
        let file = try #require(try files().first)
        for other in others {
            #expect(other.token(token.text) == nil)
            #expect(try run().token(for: other) != token)
        }
        // Even under the name of another one.
        for other in try files() where other != file {
            try FileManager.default.removeItem(atPath: other)
            try FileManager.default.copyItem(atPath: file, toPath: other)
        }
        for other in others { #expect(try run().token(for: other).text != token.text) }
    }

    @Test func aRefusedTokenIsReplacedByWhatAnotherRunMade() throws {
        let run = run()
        let first = try run.token(for: key)
        clock.now += .seconds(5)
        let second = try run.token(for: key, after: first)
        #expect(second.issuedAt == first.issuedAt + .seconds(5))
        #expect(try run.token(for: key) == second)
        let late = self.run()
        clock.now += .seconds(5)
        #expect(try late.token(for: key, after: first) == second)
        #expect(try late.token(for: key, after: second).issuedAt == first.issuedAt + .seconds(10))
    }

    @Test func aDirectoryThatCannotBeMadeIsAProblemAndNoFailure() throws {
        let file = try workspace.write("", to: "file")
        let tokens = ProviderTokens(directory: file + "/tokens", now: SystemEnvironment.machine.now)
        let token = try tokens.token(for: key)
        #expect(try tokens.token(for: key) == token)
        #expect(tokens.problem != nil)
    }

    @Test func aDescriptionHidesTheToken() throws {
        let token = try key.token(issuedAt: Moment(seconds: 1))
        #expect("\(token)" == "provider token of second 1")
    }
}
