import Foundation
import Testing

/// A forge with a repository and a pull request, the host of the ledger with the gate, Apple and a phone.
///
/// The jobs are those of the examples: `Tests/Forge/runner.py` takes them out of the YAML and runs them with the real git,
/// curl, jq and gate. Only the forge's interface, ssh and sudo are stand-ins.
final class Forge {
    /// A pipeline of the examples.
    enum Pipeline: String, CaseIterable, CustomTestStringConvertible {
        case githubBySSH = "github-actions/.github/workflows/lockstep.yml"
        case githubOnTheHost = "github-actions/on-the-host.yml"
        case gitlabBySSH = "gitlab-ci/.gitlab-ci.yml"
        case gitlabOnTheHost = "gitlab-ci/on-the-host.yml"

        var file: URL { Checkout.root.appending(path: "examples/\(rawValue)") }
        var isGitHub: Bool { rawValue.hasPrefix("github") }
        var testDescription: String { rawValue }
    }

    /// What a job left.
    struct Job: Decodable {
        let status: Int32
        let log: String
    }

    static let example = Checkout.root.appending(path: "examples/ssh-ci")
    private static let tools = Checkout.root.appending(path: "Tests/Forge")
    private static let python = Checkout.root.appending(path: ".venv/bin/python3")

    let world: World
    /// `forge.git`, and `clone`, in which a developer works.
    let place: Scratch
    private let pipeline: Pipeline
    private let comments: CommentServer
    private var events = 0

    /// The example's state is on main, and a person has applied it once.
    init(_ pipeline: Pipeline) throws {
        self.pipeline = pipeline
        place = try Scratch()
        comments = try CommentServer(Self.python, Self.tools.appending(path: "api.py"), in: place)
        world = try World()
        try world.phone("ana-iphone", of: "ana")
        try FileManager.default.createDirectory(
            at: place.url.appending(path: "clone"),
            withIntermediateDirectories: true
        )
        for name in ["lockstep.json", "state"] {
            let copy = place.url.appending(path: "clone/\(name)")
            try FileManager.default.copyItem(at: Self.example.appending(path: name), to: copy)
        }
        try place.git("init", "--quiet", "--bare", "forge.git")
        try place.git("init", "--quiet", "clone")
        try place.git("remote", "add", "origin", "../forge.git", in: "clone")
        let first = try commit("the first state")
        try world.workspace.git("clone", "--quiet", "--bare", place.url.appending(path: "forge.git").path, "state.git")
        try world.apply("--rev", first, "--repo", "state.git")
    }

    /// Commits the developer's files, pushes them to a branch, and returns the commit.
    func commit(_ message: String, on branch: String = "main") throws -> String {
        try place.git("checkout", "--quiet", "-B", branch, in: "clone")
        try place.git("add", "--all", in: "clone")
        try place.git("commit", "--quiet", "--allow-empty", "-m", message, in: "clone")
        try place.git("push", "--quiet", "origin", branch, in: "clone")
        return try place.git("rev-parse", "HEAD", in: "clone")
    }

    /// Replaces a text in a file of the developer.
    func edit(_ path: String, _ old: String, _ new: String) throws {
        let text = try place.text("clone/\(path)")
        try #require(text.contains(old))
        try place.write("clone/\(path)", text.replacing(old, with: new))
    }

    /// Merges a branch into main, and returns the merge.
    func merge(_ branch: String) throws -> String {
        try place.git("checkout", "--quiet", "main", in: "clone")
        try place.git("merge", "--quiet", "--no-ff", "-m", "merged", branch, in: "clone")
        try place.git("push", "--quiet", "origin", "main", in: "clone")
        return try place.git("rev-parse", "HEAD", in: "clone")
    }

    /// Runs the jobs of a pull request whose newest commit this is; a fork's come without secrets.
    func opened(_ commit: String, fromFork: Bool = false) throws -> [String: Job] {
        var event = [
            "github.event_name": "pull_request", "github.event.pull_request.number": "7",
            "github.event.pull_request.head.sha": commit,
            "github.event.pull_request.head.repo.full_name": fromFork ? "mallory/state" : "shop/state",
            "CI_PIPELINE_SOURCE": "merge_request_event", "CI_MERGE_REQUEST_IID": "7", "CI_COMMIT_SHA": commit,
            "CI_MERGE_REQUEST_SOURCE_PROJECT_ID": fromFork ? "12" : "11", "CI_MERGE_REQUEST_PROJECT_ID": "11",
        ]
        if !fromFork {
            event["secrets.LOCKSTEP_PLAN_KEY"] = try key("ci-plan")
            event["LOCKSTEP_PLAN_KEY"] = try place.write("plan.key", key("ci-plan") + "\n").path
        }
        return try run(["validate", "plan", "apply"], event)
    }

    /// Runs the jobs of a push to main.
    func merged(_ commit: String) throws -> [String: Job] {
        try run(
            ["validate", "plan", "apply"],
            [
                "github.event_name": "push", "github.sha": commit,
                "CI_PIPELINE_SOURCE": "push", "CI_COMMIT_BRANCH": "main", "CI_COMMIT_SHA": commit,
                "production.secrets.LOCKSTEP_APPLY_KEY": try key("ci-apply"),
                "production.LOCKSTEP_APPLY_KEY": try place.write("apply.key", key("ci-apply") + "\n").path,
            ]
        )
    }

    /// The comments that the jobs have left.
    func shown() throws -> [String] { try comments.ofJobs() }

    /// What authorized_keys knows a key by stands for the key.
    private func key(_ name: String) throws -> String {
        let lines = try String(contentsOf: Self.example.appending(path: "authorized_keys"), encoding: .utf8)
        let line = try #require(lines.split(separator: "\n").first { $0.hasSuffix(" \(name)") })
        return String(try #require(line.split(separator: " ").dropLast().last))
    }

    private func run(_ jobs: [String], _ event: [String: String]) throws -> [String: Job] {
        let api = "http://127.0.0.1:\(comments.port)"
        let always = [
            "clone": place.url.appending(path: "forge.git").path,
            "github.repository": "shop/state", "github.token": CommentServer.token,
            "GITHUB_REPOSITORY": "shop/state", "GITHUB_API_URL": "\(api)/github",
            "CI_DEFAULT_BRANCH": "main", "CI_PROJECT_ID": "11", "CI_API_V4_URL": "\(api)/gitlab",
            "LOCKSTEP_COMMENT_TOKEN": CommentServer.token,
        ]
        let settings = [
            "LOCKSTEP_URL": Checkout.lockstep.absoluteString, "LOCKSTEP_SHA256": try Self.digest.get(),
        ]
        let asked: [String: Any] = ["jobs": jobs, "event": always.merging(event) { $1 }, "settings": settings]
        events += 1
        let outcome = try execute(
            Self.python,
            [
                Self.tools.appending(path: "runner.py").path, pipeline.file.path,
                place.url.appending(path: "\(events)").path,
            ],
            in: place.url,
            stdin: String(decoding: try JSONSerialization.data(withJSONObject: asked), as: UTF8.self),
            environment: [
                "PATH": "\(Self.tools.appending(path: "bin").path):/usr/bin:/bin", "FORGE_EXAMPLE": Self.example.path,
                "FORGE_PROJECT": world.workspace.url.path,
                "FORGE_HOST_PATH": "\(Checkout.lockstep.deletingLastPathComponent().path):/usr/bin:/bin",
            ]
        )
        try #require(outcome.status == 0, "\(outcome.stderr)")
        return try JSONDecoder().decode([String: Job].self, from: Data(outcome.stdout.utf8))
    }

    /// SHA-256 of the program, which the jobs hold what they fetch against.
    private static let digest = Result {
        let program = [Checkout.lockstep.path]
        return String(try execute(URL(filePath: "/usr/bin/sha256sum"), program, in: Checkout.root).stdout.prefix(64))
    }
}
