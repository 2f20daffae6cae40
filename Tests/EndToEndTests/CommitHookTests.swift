import Foundation
import Testing

/// The hooks for pre-commit, with the real pre-commit and the configuration that docs/ci.md shows.
@Suite struct CommitHookTests {
    /// A project with the hooks installed, and the repository that they come from.
    private func project() throws -> Scratch {
        let place = try Scratch()
        let hooks = try Checkout.text(".pre-commit-hooks.yaml")
        try place.write("hooks/.pre-commit-hooks.yaml", hooks)
        try place.git("init", "--quiet", "hooks")
        try place.git("add", "--all", in: "hooks")
        try place.git("commit", "--quiet", "-m", "hooks", in: "hooks")
        let revision = try place.git("rev-parse", "HEAD", in: "hooks")

        var configuration = ""
        _ = try Readme("docs/ci.md").carriedOut { block in
            if block.language == "yaml" { configuration += block.lines.joined(separator: "\n") + "\n" }
            return block.lines
        }
        let address = place.url.appending(path: "hooks").path
        let installed = configuration.replacing(/repo: .*/, with: "repo: \(address)").replacing(
            /rev: .*/,
            with: "rev: \(revision)"
        )
        try place.write("project/.pre-commit-config.yaml", installed)
        for file in ["lockstep.json", "state/stats.json"] {
            try place.write("project/\(file)", try Checkout.text("examples/ssh-ci/\(file)"))
        }
        try place.git("init", "--quiet", "project")
        try place.git("add", "--all", in: "project")
        try place.git("commit", "--quiet", "-m", "first", in: "project")
        let install = try run(place, Checkout.root.appending(path: ".venv/bin/pre-commit"), "install")
        #expect(install.status == 0, "\(install.stdout)\(install.stderr)")
        return place
    }

    private func run(_ place: Scratch, _ program: URL, _ arguments: String...) throws -> Outcome {
        let bin = Checkout.lockstep.deletingLastPathComponent().path
        return try execute(
            program,
            arguments,
            in: place.url.appending(path: "project"),
            environment: [
                "PATH": "\(bin):/usr/bin:/bin", "PRE_COMMIT_HOME": place.url.appending(path: "cache").path,
                "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.com",
                "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.com",
            ]
        )
    }

    private func commit(_ place: Scratch) throws -> Outcome {
        try place.git("add", "--all", in: "project")
        return try run(place, URL(filePath: "/usr/bin/git"), "commit", "--quiet", "-m", "change")
    }

    @Test(.long) func aCommitIsLaidOutAndValid() throws {
        let place = try project()
        let state = "project/state/ben.json"
        // Laid out wrongly: the hook lays it out, and the commit is made again.
        try place.write(state, #"{"subscriber":"ben","widgets":{"Rings":{"state":1}}}"#)
        var outcome = try commit(place)
        #expect(outcome.status == 1)
        #expect(outcome.stderr.contains("files were modified by this hook"), "\(outcome.stderr)")
        #expect(try place.text(state).contains("\n  \"subscriber\": \"ben\","))
        outcome = try commit(place)
        #expect(outcome.status == 0, "\(outcome.stderr)")

        // Wrong, also in what another file says: 'Stats' of ben is declared there.
        try place.write(state, try place.text(state).replacing("Rings", with: "Stats"))
        outcome = try commit(place)
        #expect(outcome.status == 1)
        #expect(outcome.stderr.contains("state/ben.json:"), "\(outcome.stderr)")
        #expect(outcome.stderr.contains("state/stats.json:"), "\(outcome.stderr)")

        // What is no state is none of its business.
        try place.git("checkout", "--quiet", "HEAD", ".", in: "project")
        try place.write("project/notes.json", "{")
        outcome = try commit(place)
        #expect(outcome.status == 0, "\(outcome.stderr)")
        #expect(outcome.stderr.contains("(no files to check)Skipped"), "\(outcome.stderr)")
    }
}
