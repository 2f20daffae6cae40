import Foundation
import Testing

/// `lockstep init`: what it writes works as it stands.
@Suite struct InitTests {
    @Test func writesAProjectWithALedgerAndAKeyOfItsOwn() throws {
        let (one, two) = (try Workspace(), try Workspace())
        for workspace in [one, two] { #expect(try workspace.run("init", "shop").status == 0) }
        for path in ["lockstep.json", "state/user_42.json", ".gitignore", "lockstep.db", "keys/publish.key"] {
            #expect(one.exists("shop/\(path)"), "\(path)")
        }
        let keys = try [one, two].map { try $0.text("shop/keys/publish.key") }
        #expect(keys[0].wholeMatch(of: /[0-9a-f]{64}\n/) != nil)
        #expect(keys[0] != keys[1])
        let key = one.url.appending(path: "shop/keys/publish.key").path
        let mode = try FileManager.default.attributesOfItem(atPath: key)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func overwritesNothing() throws {
        let workspace = try Workspace()
        try workspace.write("lockstep.json", "mine")
        let outcome = try workspace.run("init")
        #expect(outcome.status == 65)
        #expect(outcome.stderr.contains("./lockstep.json exists") || outcome.stderr.contains("lockstep.json exists"))
        #expect(try workspace.text("lockstep.json") == "mine")
        #expect(!workspace.exists("state"))
    }

    @Test func gitSeesTheFilesAndNeitherSecretsNorLedger() throws {
        let workspace = try Workspace()
        try workspace.run("init")
        let git = URL(filePath: "/usr/bin/git")
        _ = try execute(git, ["init", "-q"], in: workspace.url)
        let seen = try execute(git, ["status", "--porcelain", "-uall"], in: workspace.url)
        #expect(seen.lines == ["?? .gitignore", "?? lockstep.json", "?? state/user_42.json"])
    }

    @Test func namesItsFilesToPrograms() throws {
        let outcome = try Workspace().run("init", "shop", "--format", "json")
        let data = try #require(try outcome.json()["data"] as? [String: Any])
        #expect((data["files"] as? [String])?.contains("shop/lockstep.json") == true)
    }
}
