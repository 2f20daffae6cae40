import Source
import Diff
import Foundation
import JSON
import Reconcile
import TestDeclarations
import Testing

@testable import lockstep

/// What holds for each rendering of a plan, whatever is in it.
@Suite struct RenderingTests {
    /// So many subscribers, each with so many bytes of news that would be Markdown.
    private static func plans(_ subscribers: Int, bytes: Int) -> [OwnerPlan] {
        (0..<subscribers).map { number in
            var plan = OwnerPlan(owner: Owner(subscriber: Text("user_\(number)"), app: "com.example.courier"))
            let value = String(repeating: "é`", count: bytes / 3)
            plan.changes = (0..<3).map {
                .widget(WidgetDeclaration(name: Text("w\($0)"), state: .string(Text(value))), before: nil)
            }
            return plan
        }
    }

    @Test(arguments: [(1, 10), (1, 1_000_000), (3, 30_000), (1_000, 60), (60, 1_500)])
    func aCommentFitsGitHubAndLeavesNoFenceOpen(_ subscribers: Int, _ bytes: Int) {
        let renderer = MarkdownPlanRenderer(verbosity: .normal)
        var summary = Summary()
        for plan in Self.plans(subscribers, bytes: bytes) {
            summary.count(plan)
            #expect(renderer.lines(for: PlanEntry.entries(of: plan)) == [])
        }
        let lines = renderer.lines(for: summary, [])
        let text = lines.joined(separator: "\n")
        #expect(text.utf8.count <= Markdown.limit)
        #expect(lines.first == "**Plan: \(subscribers * 3) to commit, nothing to send; 0 held, 0 blocked.**")
        let (opened, closed) = (lines.count { $0 == "```diff" }, lines.count { $0 == "```" })
        #expect(opened == closed && opened > 0)
        #expect(lines.count { $0.hasPrefix("<details>") } == opened && lines.count { $0 == "</details>" } == opened)
        guard opened < subscribers else { return }
        #expect(text.contains("Not shown: \(subscribers - opened) more subscriber"))
        #expect(text.utf8.count > 40_000)
    }

    @Test func soManyRefusalsOrProblemsFitAComment() {
        let names = (0..<2_000).map { Text("protected_\($0)") }
        let refused = MarkdownPlanRenderer(verbosity: .normal).lines(for: Summary(), [.protected(names: names)])
        #expect(refused.joined(separator: "\n").utf8.count < Markdown.limit)
        var problems = Problems()
        for number in 0..<2_000 { problems.note(.file(Diagnostic("wrong", file: "state/\(number).json"))) }
        let wrong = Markdown.lines(of: problems, "2000 problems in the files")
        #expect(wrong.joined(separator: "\n").utf8.count < Markdown.limit)
        #expect(wrong.last == "> - and 1800 more")
    }

    /// Names and values that would be more than text: in Markdown, in HTML, to a terminal, to a reader.
    private static let nasty = [
        "```\n</details>", "@octocat", "#12", "<img src=x onerror=1>", "| a | b |", "[x](https://example.com)", "**b**",
        "\u{1B}[2J", "\u{9B}31m", "a\u{202E}b", "x\u{2028}y", "~~~", "&#64;octocat", "\\", "</code>",
    ]

    @Test(arguments: nasty)
    func textOfFilesIsOnlyText(_ text: String) throws {
        var plan = OwnerPlan(owner: Owner(subscriber: Text(text), app: "com.example.courier"))
        let widget = WidgetDeclaration(name: Text(text), state: .string(Text(text)))
        plan.changes = [.widget(widget, before: nil)]
        var summary = Summary()
        summary.count(plan)
        let entries = PlanEntry.entries(of: plan)

        let renderer = MarkdownPlanRenderer(verbosity: .normal)
        _ = renderer.lines(for: entries)
        let lines = renderer.lines(for: summary, [.protected(names: [Text(text)])])
        let opening = try #require(lines.firstIndex(of: "```diff"))
        let closing = try #require(lines[opening...].firstIndex(of: "```"))
        #expect(lines[opening + 1..<closing].allSatisfy { $0.hasPrefix("+ ") })
        #expect(lines[closing...] == ["```", "", "</details>"])
        // Outside the fence there is nothing but entities within code.
        let title = try #require(lines[opening - 2].wholeMatch(of: /<details><summary><code>(.*)<\/code><\/summary>/))
        let refusal = try #require(lines.compactMap { $0.wholeMatch(of: /> - <code>(.*)<\/code>/) }.first)
        for escaped in [title.output.1, refusal.output.1] {
            let rest = escaped.replacing(/&#[0-9]+;/, with: "")
            #expect(!rest.contains { "<>&@`*_[]#|\\~!:.".contains($0) })
        }
        for shown in lines + HumanPlanRenderer(verbosity: .normal, hasColor: false).lines(for: entries) {
            #expect(!shown.unicodeScalars.contains { $0.properties.generalCategory == .control })
            #expect(!shown.unicodeScalars.contains { ["\u{202E}", "\u{2028}"].contains($0) })
        }
    }

    @Test func emojiStayWhole() {
        #expect("👩‍🚀 é".visible == "👩‍🚀 é")
        #expect("a\u{7F}\u{202E}".visible == #"a\u007f\u202e"#)
    }

    /// In a process of its own, whose memory no other test shares.
    @Test(.long) func aPlanOfManyActionsNeverStandsInMemory() async {
        await #expect(processExitsWith: .success) {
            let renderers: [any PlanRenderer] = [
                HumanPlanRenderer(verbosity: .normal, hasColor: false), JSONPlanRenderer(),
                MarkdownPlanRenderer(verbosity: .normal),
            ]
            func render(_ number: Int) -> Int {
                var plan = OwnerPlan(owner: Owner(subscriber: Text("user_\(number)"), app: "com.example.courier"))
                plan.actions = (0..<100).map { device in
                    PlanRenderingTests.action(.update, .send, .stateChanged, Text("phone-\(number)-\(device)"))
                }
                let entries = PlanEntry.entries(of: plan)
                return renderers.reduce(0) { $0 + $1.lines(for: entries).count }
            }
            // What the first ones need is what each one needs: by then the comment is full, too.
            let first = (0..<100).reduce(0) { $0 + render($1) }
            let before = try PeakMemory.bytes()
            let lines = (100..<300).reduce(first) { $0 + render($1) }
            let growth = try PeakMemory.bytes() - before
            guard lines > 30_000, growth < 4 << 20 else {
                print("\(lines) lines, \(growth) bytes of memory")
                exit(1)
            }
        }
    }

    @Test func everyRenderingIsOfOneStreamAndShowGivesTheSame() throws {
        let world = try World()
        try world.phone("phone-1", "phone-2")
        var document = Document.order("cooking")
        document.widgets = ["Stats": #"{"state":{"steps":1}}"#]
        try world.declare(document)
        try world.run(["plan", "--out", "change.plan"])
        for format in ["human", "json", "markdown"] {
            let plan = try world.run(["plan", "--format", format])
            let show = try world.run(["show", "change.plan", "--format", format])
            guard format == "json" else {
                #expect(plan.stdout == show.stdout)
                continue
            }
            let version = try plan.items()[0]
            #expect(version["type"] as? String == "version" && version["version"] as? Int == 1)
            // What a saved line stands on is the only thing that the stream does not have.
            let shown = try show.items().map { $0.filter { $0.key != "before" && $0.key != "after" } as NSDictionary }
            #expect(try plan.items().map { $0 as NSDictionary } == shown)
        }
        let markdown = try world.run(["plan", "--format", "markdown"]).lines
        #expect(markdown.first == "**Plan: 2 to start, 2 devices to reload (4 pushes); 0 held, 0 blocked.**")
        try world.apply()
        let nothing = try world.run(["plan", "--format", "markdown"]).lines
        #expect(nothing == ["**No changes. Every target is in step with the files.**"])
        #expect(try world.run(["plan", "--format", "markdown", "--quiet"]).stdout == "")
        try world.settles()
    }

    @Test func aPlanIsTheSameBytesWhereverAndWheneverItIsMade() throws {
        let world = try World()
        try world.phone("phone-1")
        try world.declare(.order("cooking"))
        try world.declare(.steps(1, of: "user_7"))
        try world.apply()
        try world.declare(.order("riding"))
        try world.declare(.steps(2, of: "user_7"))
        let copy = """
            mkdir -p elsewhere/again && cp -r lockstep.* state reports elsewhere/again/ && cd elsewhere/again/state && \
            mv user_42.json zz.json && touch -d 2001-01-01 . *
            """
        let copied = try execute(URL(filePath: "/bin/sh"), ["-c", copy], in: world.workspace.url)
        #expect(copied.status == 0, "\(copied.stderr)")
        for format in ["human", "json", "markdown"] {
            let plans = try ["change", "second", "elsewhere/again/change"].map { name in
                let configuration = name.replacing(/[a-z]+$/, with: "lockstep.json")
                let plan = [
                    "plan", "--verbose", "--config", configuration, "--format", format, "--out", "\(name).plan",
                ]
                let outcome = try world.run(plan)
                let saved = try world.workspace.text("\(name).plan")
                return outcome.stdout + saved.replacing(/"(createdAt|expiresAt)":"[^"]*"/, with: "")
            }
            #expect(plans[0].contains("riding") && plans[0].contains("user_7"))
            #expect(plans[1] == plans[0])
            #expect(plans[2] == plans[0])
        }
    }

    @Test func theDocsHaveEveryReason() throws {
        let page = try Checkout.text("docs/plans.md").split(separator: "\n")
        let rows = Reason.allCases.map { "| `\($0.rawValue)` | \($0.words) |" }
        #expect(rows.filter { row in !page.contains { $0 == row } } == [])
    }

    @Test func aCommentSaysWhyThereIsNoPlan() throws {
        let workspace = try Workspace()
        try workspace.run("init")
        try workspace.write("state/eu.json", #"{"subscriber":"user_42","widgetz":{}}"#)
        let outcome = try workspace.run("plan", "--format", "markdown")
        #expect(outcome.status == 65)
        #expect(
            outcome.lines.first?.hasPrefix("**No plan.** <code>1 problem in the files") == true,
            "\(outcome.stdout)"
        )
        #expect(
            outcome.stdout.contains("did you mean &#39;widgets&#39;")
                || outcome.stdout.contains("did you mean 'widgets'")
        )
    }
}

/// The most memory this process has had.
enum PeakMemory {
    static func bytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(Int(line.split(whereSeparator: \.isWhitespace)[1])) * 1_024
    }
}
