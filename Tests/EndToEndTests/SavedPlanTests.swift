import Foundation
import Testing

/// Plans that are saved, reviewed and applied: that and nothing else.
@Suite struct SavedPlanTests {
    private static func id(_ world: World, _ file: String = "change.plan") throws -> String {
        try #require(try header(world, file)["id"] as? String)
    }

    private static func header(_ world: World, _ file: String = "change.plan") throws -> [String: Any] {
        let line = try #require(try world.workspace.text(file).split(separator: "\n").first)
        return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    /// A world with an applied activity on one phone.
    private func cooking() throws -> World {
        let world = try World()
        try world.phone("phone-1")
        try world.declare(.order("cooking"))
        try world.apply()
        _ = try world.pushes()
        return world
    }

    private let wasApplied = " was applied already: nothing was sent."

    @Test func aPlanMadeOnNoLedgerIsAppliedOnce() throws {
        let world = try World()
        try world.phone("phone-1")
        try world.declare(.order("cooking"))
        try world.run(["plan", "--out", "change.plan"])
        #expect(!world.workspace.exists("lockstep.db"))
        #expect(try Self.header(world)["makesLedger"] as? Bool == true)
        #expect(try world.run(["apply", "change.plan"], 4).stderr.contains("--new-ledger"))

        try world.run(["apply", "change.plan", "--new-ledger"])
        #expect(try world.events() == ["start phone-1"])
        let again = try world.run(["apply", "change.plan", "--new-ledger"])
        #expect(again.lines.last == "\(try Self.id(world))\(wasApplied)")
        #expect(try world.events() == [])
        let lineage = try world.workspace.records("ledger").first?["lineage"] as? String
        #expect(try Self.header(world)["lineage"] as? String == lineage)
        try world.settles()
    }

    @Test func aPlanOfAnotherLedgerIsRefused() throws {
        let world = try cooking()
        try world.declare(.order("riding"))
        try world.run(["plan", "--out", "change.plan"])
        for name in ["lockstep.db", "lockstep.db-wal", "lockstep.db-shm"] where world.workspace.exists(name) {
            try world.workspace.remove(name)
        }
        let gone = try world.run(["apply", "change.plan", "--new-ledger"], 5)
        #expect(gone.stderr.contains("was made on another ledger"), "\(gone.stderr)")
        #expect(!world.workspace.exists("lockstep.db"))
        try world.run(["apply", "--yes", "--new-ledger"])
        _ = try world.pushes()
        #expect(try world.run(["apply", "change.plan"], 5).stderr.contains("was made on another ledger"))
        #expect(try world.events() == [])
    }

    @Test func aPlanDoesWhatItShowedAndTheSecondTimeNothing() throws {
        let world = try cooking()
        try world.declare(.order("riding"))
        let plan = try world.run(["plan", "--out", "change.plan"])
        #expect(plan.stderr.contains("'lockstep apply change.plan' carries it out until"))
        #expect(try world.run(["show", "change.plan"]).stdout == plan.stdout)
        let json = try world.run(["plan", "--format", "json"]).items()
        let shown = try world.run(["show", "change.plan", "--format", "json"]).items()
        #expect(json.map { $0["message"] as? String } == shown.map { $0["message"] as? String })

        let applied = try world.run(["apply", "change.plan"])
        #expect(applied.lines.last?.hasPrefix("Applied: 1 committed; 1 accepted") == true, "\(applied.stdout)")
        #expect(try world.events() == ["update phone-1"])
        #expect(try world.run(["apply", "change.plan"]).lines.last == "\(try Self.id(world))\(wasApplied)")
        #expect(try world.events() == [])
        #expect(try world.run(["log", try Self.id(world)]).stdout.contains("was applied"))
        try world.settles()

        // Back and forth: what the plan leads to is declared again, and was undone meanwhile.
        try world.declare(.order("cooking"))
        try world.apply()
        try world.declare(.order("riding"))
        #expect(try world.run(["apply", "change.plan"], 5).stderr.contains("was committed by another apply"))
    }

    @Test func aPlanWhoseRunWasKilledIsAppliedAgain() throws {
        let world = try World(["--streams", "1"])
        let phones = 20
        try world.simulator.send(
            #"{"do":"add","count":\#(phones),"device":"d{n}","subscriber":"u{n}","widgets":["Stats"]}"#
        )
        try world.declare(.steps(0, of: "nobody"))
        try world.apply()
        let documents = (1...phones).map { Document.steps($0, of: "u\($0)").text }
        try world.workspace.write("state/all.ndjson", documents.joined(separator: "\n"))
        try world.run(["plan", "--out", "change.plan"])
        // Another run did a part of it already.
        try world.apply("--only", "u1")
        try world.fault(#""delay":20"#, #""chance":1"#)
        _ = try world.pushes()
        let run = try world.begin(["apply", "change.plan"], until: 5)
        try #require(run.isRunning)
        kill(run.processIdentifier, SIGKILL)
        run.waitUntilExit()

        try world.simulator.send(#"{"do":"clear-faults"}"#)
        try world.run(["apply", "change.plan"])
        for number in 1...phones { #expect(try world.widget("d\(number)") == #"{"steps":\#(number)}"#) }
        try world.settles()
        _ = try world.pushes()
        #expect(try world.run(["apply", "change.plan"]).lines.last == "\(try Self.id(world))\(wasApplied)")
        #expect(try world.events() == [])
    }

    @Test func anUnrelatedChangeLeavesThePlanAsItIs() throws {
        let world = try cooking()
        try world.phone("phone-2", of: "other")
        try world.declare(.order("riding"))
        try world.run(["plan", "--out", "change.plan"])
        // The files change, another run applies something, and a phone comes.
        try world.declare(.steps(1, of: "other"))
        try world.apply("--only", "other")
        try world.declare(.steps(2, of: "other"))
        try world.phone("phone-3")
        _ = try world.pushes()
        let applied = try world.run(["apply", "change.plan"])
        #expect(try world.events() == ["update phone-1"])
        #expect(applied.stderr.contains("3 more changes are due that this plan does not name"), "\(applied.stderr)")
        #expect(try world.widget("phone-2") == #"{"steps":1}"#)
        try world.apply()
        #expect(try world.events() == ["reload phone-2", "start phone-3"])
        try world.settles()
    }

    @Test func whatADeviceMovedIsPassedOverAndShown() throws {
        let world = try World()
        try world.phone("phone-1", "phone-2", "phone-3")
        try world.declare(.order("cooking"))
        try world.apply()
        _ = try world.pushes()
        try world.declare(.order("riding"))
        try world.run(["plan", "--out", "change.plan"])
        try world.on("phone-1", "dismiss")
        try world.on("phone-2", "sign-out")
        let applied = try world.run(["apply", "change.plan"])
        #expect(try world.events() == ["update phone-3"])
        #expect(applied.stderr.contains("update order-1001 on phone-1 is passed over"), "\(applied.stderr)")
        #expect(applied.stderr.contains("update order-1001 on phone-2 is passed over"), "\(applied.stderr)")
        // What the sign-out asks for is no part of the plan, and comes with the next run.
        try world.apply()
        #expect(try world.events() == ["end phone-2"])
        try world.settles()
    }

    @Test func aPlanThatFilesOrAnotherApplyMovedIsRefusedAndNamesIt() throws {
        let world = try cooking()
        var document = Document.order("riding")
        document.widgets = ["Stats": #"{"state":{"steps":1}}"#]
        try world.declare(document)
        try world.run(["plan", "--out", "change.plan"])
        try world.declare(.order("there"))
        let byFiles = try world.run(["apply", "change.plan", "--format", "json"], 5).items()
        let codes = byFiles.compactMap { $0["code"] as? String }
        #expect(codes == ["moved_by_files", "moved_by_files", "plan_stale"])
        #expect(byFiles.compactMap { $0["name"] as? String } == ["Stats", "order-1001"])

        try world.apply()
        try world.declare(document)
        let byApply = try world.run(["apply", "change.plan"], 5).stderr
        #expect(byApply.contains("activity 'order-1001' was committed by another apply since the plan was made"))
        #expect(!byApply.contains("Stats"), "\(byApply)")
        // Nothing of a refused plan is carried out.
        #expect(try world.events() == ["update phone-1"])
        #expect(try world.statuses("phone-1") == ["there"])
        try world.apply()
        try world.settles()
    }

    @Test func anExpiredPlanIsRefused() throws {
        let world = try cooking()
        try world.declare(.order("riding"))
        try world.run(["plan", "--out", "change.plan", "--expires", "0s"])
        let refused = try world.run(["apply", "change.plan"], 5)
        #expect(refused.stderr.contains("expired at") && refused.stderr.contains("--expires"), "\(refused.stderr)")
        #expect(try world.events() == [])
        try world.run(["show", "change.plan"])
        try world.apply()
        try world.settles()
    }

    @Test func thePlanKeepsWhatItWasMadeWith() throws {
        let world = try World()
        try world.phone("phone-1")
        try world.declare(.orders(1...8, "cooking"))
        try world.apply()
        _ = try world.pushes()
        try world.declare(.orders(1...2, "cooking"))
        let refused = try world.run(["plan", "--out", "change.plan"], 4)
        #expect(refused.stderr.contains("change.plan was not written"), "\(refused.stderr)")
        #expect(!world.workspace.exists("change.plan"))
        try world.run(["plan", "--out", "change.plan", "--allow-removed", "6"])
        #expect(
            try world.run(["apply", "change.plan", "--allow-removed", "9"], 64).stderr.contains("belongs to the plan")
        )
        try world.run(["apply", "change.plan"])
        #expect(try world.events() == Array(repeating: "end phone-1", count: 6))
        try world.settles()
    }

    @Test func theSameInputsGiveTheSameBytesButForLedgerAndTimes() throws {
        let world = try World()
        try world.phone("phone-1", "phone-2")
        var document = Document.order("cooking")
        document.widgets = ["Stats": #"{"state":{"steps":1}}"#]
        try world.declare(document)
        var texts: [String] = []
        for _ in 1...2 {
            try world.run(["plan", "--out", "change.plan"])
            let text = try world.workspace.text("change.plan")
            texts.append(text.replacing(/"(createdAt|expiresAt|lineage)":"[^"]*"/, with: ""))
        }
        #expect(texts[0] == texts[1])
        #expect(texts[0].split(separator: "\n").count == 8, "\(texts[0])")
        for token in try world.tokens() { #expect(!texts[0].contains(token)) }
        let json = try world.run(["plan", "--format", "json"]).stdout
        #expect(try world.run(["plan", "--format", "json"]).stdout == json)
    }

    @Test func whatIsNoWholePlanIsRefused() throws {
        let world = try cooking()
        try world.declare(.order("riding"))
        try world.run(["plan", "--out", "change.plan"])
        let text = try world.workspace.text("change.plan")
        let lines = text.split(separator: "\n")
        let cases: [(String, String)] = [
            ("", "this is no saved plan"), ("{}\n", "this is no saved plan"),
            (String(text.dropLast(40)), "the plan is damaged"),
            (lines.dropLast().joined(separator: "\n"), "the plan is damaged or was edited"),
            (text.replacing("riding", with: "eating"), "the plan is damaged or was edited"),
            (text.replacing(#""version":1"#, with: #""version":2"#), "format version 2"),
        ]
        for (text, message) in cases {
            try world.workspace.write("wrong.plan", text)
            for command in ["show", "apply"] {
                let outcome = try world.run([command, "wrong.plan"], 65)
                #expect(outcome.stderr.contains(message), "\(outcome.stderr)")
            }
        }
        #expect(try world.run(["apply", "missing.plan"], 1).stderr.contains("missing.plan: cannot open"))
        #expect(try world.run(["plan", "--out", "/dev/null"], 65).stderr.contains("an ordinary file"))
        #expect(
            try world.run(["plan", "--out", "p", "--expires", "99999999h"], 64).stderr.contains("takes at most 8760h")
        )
        #expect(try world.run(["plan", "--expires", "1h"], 64).stderr.contains("means nothing without --out"))
        try world.apply()
        try world.settles()
    }

    @Test func theFileHasTheModeOfTheUmaskAndNothingLiesBesideIt() throws {
        let world = try cooking()
        for (umask, mode) in [("027", "640"), ("077", "600")] {
            let binary = Checkout.lockstep.path
            let script =
                "umask \(umask); '\(binary)' plan --quiet --out out/change.plan; stat -c %a out/change.plan; ls -A out"
            try FileManager.default.createDirectory(
                at: world.workspace.url.appending(path: "out"),
                withIntermediateDirectories: true
            )
            let outcome = try execute(URL(filePath: "/bin/bash"), ["-c", script], in: world.workspace.url)
            #expect(outcome.lines == [mode, "change.plan"], "\(outcome.stderr)")
            try world.workspace.remove("out/change.plan")
        }
        try world.settles()
    }

    @Test func theDocsHaveEveryKeyOfTheHeader() throws {
        let world = try cooking()
        try world.run(["plan", "--out", "change.plan"])
        let page = try Checkout.text("docs/plans.md")
        for key in try Self.header(world).keys where key != "type" { #expect(page.contains("`\(key)`"), "\(key)") }
        for option in ["--out", "--expires"] { #expect(page.contains(option)) }
    }
}
