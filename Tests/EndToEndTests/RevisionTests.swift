import Foundation
import Testing

/// `--rev`: the state files of a commit, read without a checkout.
@Suite struct RevisionTests {
    /// A world whose state is in the first commit of a repository, and not on the disk.
    private func committed(_ document: Document = .order("cooking")) throws -> (world: World, commit: String) {
        let world = try World()
        try world.phone("d1")
        try world.declare(document)
        let commit = try world.workspace.commitState()
        try world.workspace.remove("state")
        return (world, commit)
    }

    private func commit(_ document: Document, in world: World) throws -> String {
        try world.declare(document)
        let commit = try world.workspace.commitState()
        try world.workspace.remove("state")
        return commit
    }

    private func settles(_ world: World, _ options: String...) throws {
        let plan = try world.run(["plan", "--detailed-exitcode"] + options)
        #expect(plan.lines.last?.hasPrefix("No changes") == true, "\(plan.stdout)")
    }

    @Test func aCommitOfABareRepositoryIsEnough() throws {
        let (world, commit) = try committed()
        try world.workspace.git("clone", "--quiet", "--bare", ".", "server.git")
        try world.workspace.remove(".git")
        try world.apply("--rev", "main", "--repo", "server.git")
        #expect(try world.statuses("d1") == ["cooking"])
        #expect(!world.workspace.exists("state"))
        try settles(world, "--rev", commit, "--repo", "server.git")

        let status = try world.run(["status", "--format", "json"]).json()
        let data = try #require(status["data"] as? [String: Any])
        #expect(data["source"] as? String == commit)
        #expect((data["lastRun"] as? [String: Any])?["source"] as? String == commit)
    }

    @Test func planAndApplySayWhichCommitTheyRead() throws {
        let (world, commit) = try committed()
        let plan = try world.run(["plan", "--rev", "HEAD"])
        #expect(plan.stderr.contains("Commit \(commit) (HEAD)."))
        let apply = try world.apply("--rev", "HEAD", "--format", "json")
        let source = try #require(try apply.items().first { $0["type"] as? String == "source" })
        #expect(source["commit"] as? String == commit)
        #expect(source["revision"] as? String == "HEAD")
        try settles(world, "--rev", "HEAD")
    }

    @Test func whatIsOnTheDiskDoesNotCount() throws {
        let (world, _) = try committed()
        try world.declare(.order("riding"))
        try world.apply("--rev", "HEAD")
        #expect(try world.statuses("d1") == ["cooking"])
        try settles(world, "--rev", "HEAD")
        try world.run(["plan", "--detailed-exitcode"], 2)
    }

    @Test func theConfigurationMayBeInADirectoryOfTheRepository() throws {
        let workspace = try Workspace()
        try workspace.write("shop/lockstep.json", Self.configuration)
        try workspace.write("shop/state/a.json", #"{"subscriber":"a","widgets":{"W":{"state":1}}}"#)
        try workspace.git("init", "--quiet")
        try workspace.git("add", "shop")
        try workspace.git("commit", "--quiet", "-m", "shop")
        try workspace.remove("shop/state")
        for (directory, config) in [(".", "shop/lockstep.json"), ("shop", "lockstep.json")] {
            let plan = try execute(
                Checkout.lockstep,
                ["plan", "--rev", "HEAD", "--config", config],
                in: workspace.url.appending(path: directory)
            )
            #expect(plan.status == 0, "\(plan.stderr)")
            #expect(plan.stdout.contains("+ widget W"))
        }
    }

    @Test(.long) func aStepBackHasToBeMeant() throws {
        let (world, first) = try committed()
        try world.apply("--rev", "HEAD")
        let second = try commit(.order("riding"), in: world)
        try world.apply("--rev", "HEAD")
        _ = try world.events()
        for command in [["plan"], ["apply", "--yes"]] {
            let refused = try world.run(command + ["--rev", first], 4)
            #expect(
                refused.stderr.contains(
                    "commit \(first.prefix(12)) does not descend from \(second.prefix(12)), which was applied last"
                ),
                "\(refused.stderr)"
            )
            #expect(refused.stderr.contains("--allow-rollback"))
        }
        let json = try world.run(["plan", "--rev", first, "--format", "json"], 4).items()
        #expect(json.contains { $0["code"] as? String == "rollback" })
        #expect(try world.events().isEmpty)
        try world.apply("--rev", first, "--allow-rollback")
        #expect(try world.statuses("d1") == ["cooking"])
        // The older commit is the one that was applied last now.
        try settles(world, "--rev", first)
        try world.apply("--rev", second)
        try settles(world, "--rev", second)
    }

    @Test(.long) func aBranchBesideTheAppliedOneIsNoStepForward() throws {
        let (world, first) = try committed()
        try world.workspace.git("branch", "aside", first)
        _ = try commit(.order("riding"), in: world)
        try world.apply("--rev", "main")
        // A history that was rewritten, and does not hold the applied commit any more.
        try world.workspace.git(
            "clone",
            "--quiet",
            "--bare",
            "--no-local",
            "--branch",
            "aside",
            "--single-branch",
            ".",
            "rewritten.git"
        )
        for repository in [".", "rewritten.git"] {
            let refused = try world.run(["plan", "--rev", "aside", "--repo", repository], 4)
            #expect(refused.stderr.contains("does not descend"), "\(refused.stderr)")
            #expect(refused.stderr.contains("does not have") == (repository != "."))
        }
        try world.apply("--rev", "aside", "--repo", "rewritten.git", "--allow-rollback")
        #expect(try world.statuses("d1") == ["cooking"])
        try settles(world, "--rev", "aside")
    }

    @Test func aRefusedRunLeavesNoCommitBehind() throws {
        let (world, first) = try committed()
        try world.apply("--rev", "HEAD")
        _ = try commit(.steps(1), in: world)
        // The activity would end by removal, which --allow-removed 0 forbids.
        try world.run(["apply", "--yes", "--rev", "HEAD", "--allow-removed", "0"], 4)
        let status = try world.run(["status", "--format", "json"]).json()
        #expect((status["data"] as? [String: Any])?["source"] as? String == first)
        try settles(world, "--rev", first)
    }

    @Test(.long) func theLastFileOfACommitCanGo() throws {
        let (world, _) = try committed()
        try world.apply("--rev", "HEAD")
        try world.workspace.commitState()
        #expect(try world.run(["plan", "--rev", "HEAD"], 65).stderr.contains("'state' does not exist"))
        try world.apply("--rev", "HEAD", "--allow-empty", "--allow-removed", "1")
        #expect(try world.statuses("d1").isEmpty)
        try settles(world, "--rev", "HEAD", "--allow-empty")
    }

    @Test func everyProblemOfACommitHasItsPlace() throws {
        let workspace = try Workspace()
        try workspace.write("lockstep.json", Self.configuration)
        try workspace.write("state/a/lines.ndjson", "{\"subscriber\":\"a\"}\n{\"subscriber\":\"b\",\"wigets\":{}}\n")
        try workspace.write("state/lfs.json", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
        try workspace.write("state/merge.json", "{\n<<<<<<< HEAD\n}\n")
        try workspace.write("outside.json", "{}")
        try workspace.link("state/out.json", to: "../outside.json")
        try workspace.link("state/abroad.json", to: "/etc/passwd")
        try workspace.link("state/lost.json", to: "nowhere.json")
        try workspace.write("module/state.json", "{}")
        try workspace.git("init", "--quiet", "module")
        try workspace.git("add", ".", in: "module")
        try workspace.git("commit", "--quiet", "-m", "module", in: "module")
        try workspace.git("init", "--quiet")
        try workspace.git("add", "outside.json")
        try workspace.git("submodule", "--quiet", "add", "./module", "state/sub")
        try workspace.commitState()
        try workspace.remove("state")
        let plan = try workspace.run("plan", "--rev", "HEAD")
        #expect(plan.status == 65)
        for line in [
            "state/a/lines.ndjson:2:19: unknown key 'wigets'",
            "state/lfs.json:1:1: this is a pointer of Git LFS",
            "state/merge.json:2:1: '<<<<<<<' marks a merge conflict",
            "state/out.json: this symbolic link leaves the tree, to /outside.json",
            "state/abroad.json: this symbolic link leaves the commit, to '/etc/passwd'",
            "state/lost.json: this symbolic link leads nowhere",
            "state/sub: cannot read: it is a submodule",
        ] { #expect(plan.stderr.contains(line), "\(line)\n\(plan.stderr)") }
    }

    @Test func aLinkInsideTheTreeIsFollowed() throws {
        let workspace = try Workspace()
        try workspace.write("lockstep.json", Self.configuration)
        try workspace.write("state/data/a.txt", #"{"subscriber":"a","widgets":{"W":{"state":1}}}"#)
        try workspace.link("state/a.json", to: "data/../data/a.txt")
        try workspace.commitState()
        try workspace.remove("state")
        let plan = try workspace.run("plan", "--rev", "HEAD")
        #expect(plan.status == 0, "\(plan.stderr)")
        #expect(plan.stdout.contains("+ widget W"))
    }

    static let unusable: [(options: [String], status: Int32, message: String)] = [
        (["--rev", "nowhere"], 65, "there is no revision 'nowhere' in "),
        (["--rev", "HEAD~7"], 65, "there is no revision 'HEAD~7' in "),
        (["--rev", "HEAD:state"], 65, "'HEAD:state' in "),
        (["--rev", "HEAD", "--repo", "shallow"], 65, "is a shallow clone"),
        (["--rev", "HEAD", "--repo", "state"], 65, "there is no Git repository at state"),
        (["--repo", "."], 64, "'--repo' means nothing without --rev"),
        (
            ["--rev", "HEAD", "--config", "elsewhere.json"], 65,
            "cannot find: --rev reads only what is in the repository"
        ),
        (["--rev", "HEAD", "--config", "missing.json"], 65, "'no-state' does not exist"),
    ]

    @Test(arguments: unusable)
    func whatIsNoCommitSaysWhatToDo(options: [String], status: Int32, message: String) throws {
        let workspace = try Workspace()
        try workspace.write("lockstep.json", Self.configuration)
        for (name, state) in [("elsewhere", "../state"), ("missing", "no-state")] {
            let text = Self.configuration.replacing(#""apps""#, with: #""state":["\#(state)"],"apps""#)
            try workspace.write("\(name).json", text)
        }
        try workspace.write("state/a.json", #"{"subscriber":"a"}"#)
        try workspace.commitState()
        try workspace.git("commit", "--quiet", "--allow-empty", "-m", "second")
        try workspace.git("clone", "--quiet", "--depth", "1", "file://\(workspace.url.path)", "shallow")
        let plan = try execute(Checkout.lockstep, ["plan"] + options, in: workspace.url)
        #expect(plan.status == status)
        #expect(plan.stderr.contains(message), "\(plan.stderr)")
    }

    private static let configuration = #"""
        {"apps":{"com.example.courier":{"teamId":"ABCDE12345","keys":{"production":{"keyId":"KEY1234567",
        "key":{"env":"KEY"}}}}}}
        """#
}

extension Scratch {
    /// Makes a symbolic link.
    func link(_ path: String, to target: String) throws {
        let link = url.appending(path: path)
        try FileManager.default.createDirectory(at: link.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: target)
    }
}
