import Foundation
import Testing

/// Commands on a project that sends nothing: what they say, and what they end with.
@Suite struct ProjectTests {
    /// A project as `init` writes it.
    private func project() throws -> Workspace {
        let workspace = try Workspace()
        #expect(try workspace.run("init").status == 0)
        return workspace
    }

    @Test func whatInitWritesIsValidAndPlans() throws {
        let workspace = try project()
        let validate = try workspace.run("validate")
        #expect(validate.status == 0, "\(validate.stderr)")
        #expect(validate.lines == ["1 file, 1 document, 1 widget, 1 activity: all right."])
        let plan = try workspace.run("plan")
        #expect(plan.status == 0, "\(plan.stderr)")
        #expect(plan.lines.first == "user_42 (com.example.courier)")
        #expect(plan.lines.last == "Plan: 2 to commit, nothing to send; 0 held, 0 blocked.")
        #expect(try workspace.run("plan", "--detailed-exitcode").status == 2)
        #expect(try workspace.run("diff").stdout == plan.stdout)
    }

    @Test func theConfigurationIsFoundInADirectoryAbove() throws {
        let workspace = try project()
        let below = workspace.url.appending(path: "state")
        #expect(try execute(Checkout.lockstep, ["validate"], in: below).status == 0)
        #expect(try workspace.run("plan", "--config", "lockstep.json").status == 0)
    }

    @Test(arguments: ["validate", "plan", "status", "ingest"])
    func withoutAConfigurationCommandsSayWhatToDo(_ command: String) throws {
        let outcome = try Workspace().run(command)
        #expect(outcome.status == 65)
        #expect(outcome.stderr.contains("there is no lockstep.json here or in a directory above"))
    }

    @Test func everyProblemOfEveryFileIsShownAndNothingIsPlanned() throws {
        let workspace = try project()
        try workspace.write("state/a.json", "{ \"subscriber\": \"a\", \"wigdets\": {} }\n")
        try workspace.write("state/b.json", "{")
        for command in ["validate", "plan"] {
            let outcome = try workspace.run(command)
            #expect(outcome.status == 65)
            #expect(outcome.stderr.contains("state/a.json:1:22: "), "\(outcome.stderr)")
            #expect(outcome.stderr.contains("did you mean 'widgets'"))
            #expect(outcome.stderr.contains("state/b.json:1:"))
        }
        let events = try workspace.run("validate", "--format", "json").items()
        #expect(events.map { $0["type"] as? String } == ["diagnostic", "diagnostic", "validation_summary"])
        #expect(events.last?["errors"] as? Int == 2)
    }

    @Test func aNameThatIsDeclaredTwiceNamesBothPlaces() throws {
        let workspace = try project()
        try workspace.write("state/z.json", try workspace.text("state/user_42.json"))
        let outcome = try workspace.run("validate")
        #expect(outcome.status == 65)
        #expect(outcome.stderr.contains("state/z.json:") && outcome.stderr.contains("state/user_42.json:"))
    }

    @Test func applyAsksAndWhereNobodyCanAnswerItSaysSo() throws {
        let outcome = try project().run("apply")
        #expect(outcome.status == 64)
        #expect(outcome.stderr.contains("--yes sends without asking"))
    }

    @Test func onlyRestrictsThePlan() throws {
        let workspace = try project()
        let widget = try workspace.run("plan", "--only", "user_42/widget/*")
        #expect(widget.lines.contains("  + widget Stats"))
        #expect(!widget.stdout.contains("order-1001"))
        #expect(try workspace.run("plan", "--only", "user_4").lines.last?.hasPrefix("No changes") == true)
    }

    @Test func quietSaysNothingWhereNothingChanges() throws {
        let workspace = try project()
        // Nothing is recorded yet, and nothing is declared any more.
        try workspace.write("state/user_42.json", "[]")
        let outcome = try workspace.run("plan", "--quiet")
        #expect(outcome.stdout + outcome.stderr == "")
    }

    @Test func reportsAreTakenAndWrongLinesNamed() throws {
        let workspace = try project()
        let good =
            #"{"type":"widgets.registered","app":"com.example.courier","subscriber":"user_42","device":"d1","#
            + #""at":"2026-11-30T09:00:00Z","token":"abab","widgets":["Stats"],"os":"26.0"}"#
        try workspace.write("good.ndjson", good + "\n")
        #expect(try workspace.run("ingest", "good.ndjson").lines == ["1 taken, 0 rejected."])
        let outcome = try workspace.run("ingest", "-", "--format", "json", stdin: good + "\nnonsense")
        #expect(outcome.status == 65)
        let data = try #require(try outcome.json()["data"] as? [String: Any])
        #expect(data["taken"] as? Int == 1)
        let rejections = try #require(data["rejections"] as? [[String: Any]])
        #expect(rejections.map { $0["line"] as? Int } == [2])
        #expect(try workspace.exists(#require(rejections[0]["file"] as? String)))
        #expect(try workspace.run("plan").lines.last == "Plan: 1 device to reload (1 push); 0 held, 0 blocked.")
    }

    @Test func statusShowsSubscribersAndIdsAndNoWholeToken() throws {
        let workspace = try project()
        let token = String(repeating: "ab", count: 40)
        let report =
            #"{"type":"widgets.registered","app":"com.example.courier","subscriber":"user_42","device":"d1","#
            + #""at":"2026-11-30T09:00:00Z","token":"\#(token)","widgets":["Stats"],"os":"26.0"}"#
        try workspace.run("ingest", "-", stdin: report)
        let subscriber = try workspace.run("status", "user_42")
        #expect(subscriber.status == 0)
        #expect(subscriber.lines.contains { $0.contains("published: public/") })
        #expect(subscriber.stdout.contains("abababab…") && !subscriber.stdout.contains(token))
        let id = try #require(subscriber.stdout.firstMatch(of: /wgt_[0-9A-Z]{26}/)).output
        #expect(try workspace.run("status", String(id)).stdout.contains("device: d1"))
        #expect(try workspace.run("status").lines.contains("devices: 1"))
        #expect(try workspace.run("status", "nobody").status == 65)
        #expect(try workspace.run("status", "user_42", "--format", "json").json()["success"] as? Bool == true)
    }

    /// flock(1) of util-linux takes the same lock.
    @Test func aHeldLockStopsApplyAndLetsReportsWait() throws {
        let workspace = try project()
        func whileHeld(_ arguments: String...) throws -> Outcome {
            let words = ["lockstep.db.lock", Checkout.lockstep.path] + arguments
            return try execute(URL(filePath: "/usr/bin/flock"), words, in: workspace.url)
        }
        try workspace.write("r.ndjson", "nonsense\n")
        let apply = try whileHeld("apply", "--yes")
        #expect(apply.status == 75)
        #expect(apply.stderr.contains("lockstep.db.lock is locked by"))
        let ingest = try whileHeld("ingest", "r.ndjson")
        #expect(ingest.status == 0)
        #expect(ingest.stderr.contains("the reports wait in the spool"))
        #expect(try whileHeld("plan").status == 0)
        #expect(try workspace.run("ingest").status == 65)
    }

    @Test func applyMakesNoLedgerUnasked() throws {
        let workspace = try Workspace()
        let simulator = try SimulatorProcess(workspace)
        try workspace.write("state/a.json", #"{ "subscriber": "a", "widgets": { "W": { "state": 1 } } }"#)
        let outcome = try workspace.run("apply", "--yes")
        #expect(outcome.status == 4)
        #expect(outcome.stderr.contains("--new-ledger"))
        #expect(!workspace.exists("lockstep.db"))
        #expect(try workspace.run("apply", "--yes", "--new-ledger").status == 0)
        try workspace.assertInStep()
        #expect(try workspace.run("apply", "--yes", "--new-ledger").status == 1)
        withExtendedLifetime(simulator) {}
    }
}
