import Foundation
import TestSeeds
import Testing

/// The examples for GitHub Actions and GitLab CI, with a pull request, the host of the ledger and a phone.
@Suite struct PipelineTests {
    private static let order = "state/orders/order-1001.json"

    @Test(arguments: runsLongProofs ? Forge.Pipeline.allCases : [.githubBySSH])
    func aPullRequestShowsItsPlanInOneCommentAndMergingAppliesIt(_ pipeline: Forge.Pipeline) throws {
        let forge = try Forge(pipeline)
        let world = forge.world
        _ = try world.events()

        try forge.edit(Self.order, "cooking", "riding")
        let first = try forge.opened(forge.commit("riding", on: "order"))
        #expect(first.mapValues(\.status) == ["validate": 0, "plan": 0], "\(first)")
        var comment = try #require(try forge.shown().first)
        #expect(comment.hasPrefix("<!-- lockstep plan -->\n**Plan: 1 to update (1 push); 0 held, 0 blocked.**\n"))
        #expect(comment.contains(#"+     /state/status: "riding""#))

        try forge.edit(Self.order, "0.25", "0.75")
        let second = try forge.opened(forge.commit("further", on: "order"))
        #expect(second["plan"]?.status == 0, "\(second)")
        #expect(try forge.shown().count == 1)
        comment = try #require(try forge.shown().first)
        #expect(comment.contains("+     /state/progress: 0.75"))
        #expect(try world.events() == [])

        // A fork is validated, and reaches no host.
        let fork = try forge.opened(forge.place.git("rev-parse", "HEAD", in: "clone"), fromFork: true)
        #expect(fork.mapValues(\.status) == ["validate": 0], "\(fork)")
        #expect(try forge.shown() == [comment])

        let applied = try forge.merged(forge.merge("order"))
        #expect(applied.mapValues(\.status) == ["apply": 0], "\(applied)")
        #expect(try world.events() == ["update ana-iphone"])
        #expect(try world.statuses("ana-iphone") == ["riding"])

        // What is in step gets no new comment, but the old one says so.
        try forge.place.git("commit", "--quiet", "--allow-empty", "-m", "nothing", in: "clone")
        try forge.place.git("push", "--quiet", "origin", "HEAD:nothing", in: "clone")
        let nothing = try forge.opened(forge.place.git("rev-parse", "HEAD", in: "clone"))
        #expect(nothing["plan"]?.status == 0)
        comment = try #require(try forge.shown().first)
        #expect(comment.contains("**No changes. Every target is in step with the files.**"))

        try runsBetweenMerges(forge)
    }

    /// The line of the crontab applies the commit that was applied last, and says nothing while nothing is due.
    private func runsBetweenMerges(_ forge: Forge) throws {
        let lines = try Checkout.text("examples/ssh-ci/crontab").split(separator: "\n")
        let line = try #require(lines.last)
        let command = line.dropFirst("* * * * * ".count).replacing(
            "/srv/lockstep",
            with: forge.world.workspace.url.path
        )
        let path = "\(Checkout.lockstep.deletingLastPathComponent().path):/usr/bin:/bin"
        func cron() throws -> Outcome {
            try execute(
                URL(filePath: "/bin/sh"),
                ["-c", String(command)],
                in: Checkout.root,
                environment: ["PATH": path]
            )
        }
        var run = try cron()
        #expect(run.status == 0)
        #expect(run.stdout + run.stderr == "")
        try forge.world.phone("ana-ipad", of: "ana")
        run = try cron()
        #expect(run.status == 0, "\(run.stderr)")
        #expect(try forge.world.statuses("ana-ipad") == ["riding"])
        #expect(try cron().stdout == "")
    }

    @Test(.long, arguments: sample(of: [Forge.Pipeline.gitlabOnTheHost, .githubBySSH], every: 2))
    func aPlanThatIsRefusedIsRedAndTheCommentSaysWhatAllowsIt(_ pipeline: Forge.Pipeline) throws {
        let forge = try Forge(pipeline)
        try forge.world.configure { $0["safety"] = ["maxRemoved": 0] }
        _ = try forge.world.events()
        try forge.place.remove("clone/\(Self.order)")
        let jobs = try forge.opened(forge.commit("no more orders", on: "less"))
        #expect(jobs.mapValues(\.status) == ["validate": 0, "plan": 4], "\(jobs)")
        let comment = try #require(try forge.shown().first)
        #expect(comment.contains("--allow-removed 1"), "\(comment)")
        #expect(comment.contains("- activity order-1001"))

        let applied = try forge.merged(forge.merge("less"))
        #expect(applied.mapValues(\.status) == ["apply": 4], "\(applied)")
        #expect(applied["apply"]?.log.contains("--allow-removed 1") == true)
        #expect(try forge.world.events() == [])
    }

    @Test(.long, arguments: sample(of: [Forge.Pipeline.gitlabBySSH, .githubOnTheHost], every: 2))
    func whatIsWrongIsRedAndShownWithItsPlace(_ pipeline: Forge.Pipeline) throws {
        let forge = try Forge(pipeline)
        try forge.edit("state/stats.json", #""state": { "ordersThisMonth": 6 }"#, #""stat": { "ordersThisMonth": 6 }"#)
        let jobs = try forge.opened(forge.commit("a slip", on: "slip"))
        #expect(jobs.mapValues(\.status) == ["validate": 65, "plan": 65], "\(jobs)")
        var comment = try #require(try forge.shown().first)
        #expect(comment.contains("**No plan.**") && comment.contains("unknown key 'stat'"), "\(comment)")
        let log = try #require(jobs["validate"]?.log)
        let place = pipeline.isGitHub ? "/state/stats.json,line=4,col=29," : "state/stats.json:4:29: "
        #expect(log.contains(place), "\(log)")

        // A host that cannot do its part says so in the same comment.
        try forge.world.workspace.git("remote", "set-url", "origin", "/nowhere", in: "state.git")
        let unreachable = try forge.opened(forge.commit("again", on: "slip"))
        #expect(unreachable["plan"]?.status == 1, "\(unreachable)")
        #expect(try forge.shown().count == 1)
        comment = try #require(try forge.shown().first)
        #expect(comment.contains("**No plan.** the host could not fetch the commits"), "\(comment)")
    }

    /// What the forges' own schemas, shellcheck and the rules of docs/ci.md say of the files.
    @Test(.long, arguments: Forge.Pipeline.allCases)
    func theFilesAreWhatTheForgesTake(_ pipeline: Forge.Pipeline) throws {
        let judge = try execute(
            Checkout.root.appending(path: ".venv/bin/python3"),
            [Checkout.root.appending(path: "Tests/Forge/judge.py").path, pipeline.file.path],
            in: Checkout.root
        )
        #expect(judge.status == 0, "\(judge.stdout)\(judge.stderr)")
        #expect(judge.lines.last?.hasSuffix("scripts, all right") == true, "\(judge.stdout)")
    }
}
