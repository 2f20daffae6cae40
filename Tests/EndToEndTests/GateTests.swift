import Foundation
import Testing

/// `lockstep-gate`, with a forge on the disk and a stand-in for `lockstep` that says how it was called.
@Suite struct GateTests {
    static let gate = Checkout.root.appending(path: "examples/ssh-ci/lockstep-gate")
    private static let unknown = String(repeating: "0123456789", count: 4)

    /// A project whose forge has two commits on main, one on a branch, and one that only a fork's pull request has.
    private final class Host {
        let place: Scratch
        var main = "", branch = "", behind = "", fork = ""

        init() throws {
            place = try Scratch()
            try place.write("project/lockstep.json", "{}")
            try place.git("init", "--quiet", "--bare", "forge.git")
            try place.git("init", "--quiet", "clone")
            try place.git("remote", "add", "origin", "../forge.git", in: "clone")
            let first = try commit(to: "main")
            main = try commit(to: "main")
            branch = try commit(to: "order")
            fork = try commit(to: "refs/pull/7/head")
            try place.git("checkout", "--quiet", "--detach", first, in: "clone")
            behind = try commit(to: "behind")
            try place.git(
                "clone",
                "--quiet",
                "--bare",
                place.url.appending(path: "forge.git").path,
                "project/state.git"
            )
            let program = try place.write("bin/lockstep", "#!/bin/sh\necho \"lockstep $*\"\nexit 2\n")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        }

        func commit(to name: String) throws -> String {
            try place.git("commit", "--quiet", "--allow-empty", "-m", name, in: "clone")
            let full = name.hasPrefix("refs/") ? name : "refs/heads/\(name)"
            try place.git("push", "--quiet", "origin", "HEAD:\(full)", in: "clone")
            return try place.git("rev-parse", "HEAD", in: "clone")
        }

        /// What ssh asks for, with the forced command's options.
        func ask(_ request: String, _ options: [String] = []) throws -> Outcome {
            try execute(
                GateTests.gate,
                options + [place.url.appending(path: "project").path],
                in: place.url,
                environment: [
                    "SSH_ORIGINAL_COMMAND": request, "LOCKSTEP": place.url.appending(path: "bin/lockstep").path,
                ]
            )
        }
    }

    @Test func commitsOfABranchArePlannedAndThoseOfMainApplied() throws {
        let host = try Host()
        let plan = try host.ask("plan \(host.branch)", ["--plan-only"])
        #expect(plan.status == 2)
        #expect(
            plan.stdout == "lockstep plan --rev \(host.branch) --repo state.git --format markdown "
                + "--detailed-exitcode --color never\n"
        )
        // Committed after the repository was cloned: each request fetches.
        try host.place.git("checkout", "--quiet", "--detach", host.main, in: "clone")
        let newest = try host.commit(to: "main")
        let apply = try host.ask("apply \(newest)")
        #expect(apply.status == 2)
        #expect(
            apply.stdout == "lockstep apply --yes --rev \(newest) --repo state.git --lock-timeout 10m --color never\n"
        )
    }

    /// `SHA` stands for a commit that may be applied.
    static let hostile = [
        "", "plan", "apply", "apply HEAD", "apply main", "apply SHA; rm -rf /", "apply SHA\n", "apply SHA\nid",
        "id\napply SHA", " apply SHA", "apply  SHA", "apply\tSHA", "apply SHA ", "apply SHA --allow-removed 9",
        "apply $(echo SHA)", "apply `id`", "apply SHA0", "plan --rev=SHA", "plan SHA..SHA", "APPLY SHA", "bash",
        "-c id",
        "apply ../../SHA", "apply SHA | sh", "apply SHA && id", "apply \u{1b}[31mSHA", "reload ana",
    ]

    @Test func anythingElseIsRefusedAndNothingRuns() throws {
        let host = try Host()
        // What is refused for its digits has some that differ.
        let letters = host.main.contains { $0.isLetter } ? [host.main.uppercased()] : []
        let short = [host.main.prefix(39), host.main.prefix(7)].map(String.init)
        for request in Self.hostile.map({ $0.replacing("SHA", with: host.main) })
            + (letters + short).map({ "apply \($0)" })
        {
            let outcome = try host.ask(request)
            #expect(outcome.status == 64, "\(request)")
            #expect(outcome.stdout == "", "\(request)")
            #expect(outcome.stderr.contains("takes 'plan SHA' or 'apply SHA'"), "\(outcome.stderr)")
            #expect(!outcome.stderr.contains("\u{1b}") && outcome.stderr.split(separator: "\n").count == 1)
        }
    }

    @Test func onlyWhatIsOnMainIsAppliedAndOnlyWithTheKeyForIt() throws {
        let host = try Host()
        for commit in [host.branch, host.behind, host.fork, Self.unknown] {
            let outcome = try host.ask("apply \(commit)")
            #expect(outcome.status == 65)
            #expect(outcome.stdout == "")
            #expect(
                outcome.stderr == "lockstep-gate: commit \(commit) is not on main: only what is merged is applied\n"
            )
        }
        let outcome = try host.ask("apply \(host.main)", ["--plan-only"])
        #expect(outcome.status == 65)
        #expect(outcome.stderr == "lockstep-gate: this key may plan, and not apply\n")
    }

    @Test func aCommitThatIsNotPlannedLeavesAComment() throws {
        let host = try Host()
        for (commit, reason) in [
            (host.fork, "is on no branch here: one of a fork"), (Self.unknown, "is on no branch here"),
            (host.behind, "lacks what is on main by now: merge main into its branch"),
        ] {
            let outcome = try host.ask("plan \(commit)")
            #expect(outcome.status == 65)
            #expect(outcome.stdout.hasPrefix("**No plan.** commit \(commit) \(reason)"), "\(outcome.stdout)")
            #expect(outcome.stderr.contains(reason))
        }
    }

    @Test func aForgeThatCannotBeReachedLeavesACommentWithoutItsAddress() throws {
        let host = try Host()
        try host.place.git("remote", "set-url", "origin", "/nowhere/secret.git", in: "project/state.git")
        let outcome = try host.ask("plan \(host.branch)")
        #expect(outcome.status == 1)
        #expect(outcome.stdout == "**No plan.** the host could not fetch the commits; the log of the job says why.\n")
        #expect(outcome.stderr.contains("/nowhere/secret.git"))

        try host.place.remove("project/state.git")
        #expect(try host.ask("plan \(host.branch)").stdout == "**No plan.** the host has no repository at state.git.\n")
        #expect(!host.place.exists("project/state.git"))
    }

    @Test(arguments: [[], ["--branch"], ["--wrong", "."], [".", "plan"], [".", "plan", "a", "b"]])
    func aWrongCallSaysHow(_ arguments: [String]) throws {
        let outcome = try execute(Self.gate, arguments, in: Checkout.root)
        #expect(outcome.status == 64)
        #expect(outcome.stderr.hasPrefix("usage: lockstep-gate "))
    }
}
