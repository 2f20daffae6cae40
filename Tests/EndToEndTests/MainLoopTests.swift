import Foundation
import Testing

/// From a file to a phone's screen over HTTP/2 and TLS, through the built program; each test ends in step.
@Suite struct MainLoopTests {
    static let phone =
        #"{"do":"add","device":"phone-1","subscriber":"user_42","widgets":["Stats"],"#
        + #""attributesTypes":["DeliveryAttributes"]}"#

    /// A document with one widget and one activity.
    static func document(steps: Int = 4210, status: String = "cooking", end: String = "") -> String {
        """
        {
          "subscriber": "user_42",
          "widgets": { "Stats": { "state": { "steps": \(steps) } } },
          "liveActivities": {
            "order-1001": {
              "attributesType": "DeliveryAttributes", "attributes": { "orderId": "1001" },
              "state": { "status": "\(status)" }, \(end)
              "alert": { "title": "Order 1001", "body": "In the kitchen", "sound": "default" }
            }
          }
        }
        """
    }

    /// A workspace in which the document was applied and its start reported.
    private func started() throws -> (Workspace, SimulatorProcess) {
        let workspace = try Workspace()
        let simulator = try SimulatorProcess(workspace)
        try simulator.send(Self.phone)
        try workspace.write("state/user_42.json", Self.document())
        let apply = try workspace.run("apply", "--yes", "--new-ledger")
        try #require(apply.status == 0, "\(apply.stdout)\(apply.stderr)")
        #expect(apply.lines.last == "Applied: 2 committed; 2 accepted, 0 failed, 0 held, 0 unknown.")
        return (workspace, simulator)
    }

    @Test func aFileBecomesWhatThePhoneShows() throws {
        let (workspace, simulator) = try started()
        let tile = try #require(try simulator.tiles("phone-1").first)
        #expect((tile["state"] as? [String: String]) == ["status": "cooking"])
        #expect((tile["launchRequestId"] as? String)?.hasPrefix("lrq_") == true)
        #expect(tile["alertsRung"] as? Int == 1)
        let widgets = try simulator.screen("phone-1")["widgets"] as? [String: [String: Any]]
        #expect((widgets?["Stats"]?["state"] as? [String: Int]) == ["steps": 4210])
        try workspace.assertInStep()
        #expect(try workspace.run("apply", "--yes").lines == ["No changes. Every target is in step with the files."])
    }

    @Test func aChangeIsOneSilentUpdateAndOneReload() throws {
        let (workspace, simulator) = try started()
        let before = try simulator.requests().count
        try workspace.write("state/user_42.json", Self.document(steps: 5000, status: "ready"))
        let apply = try workspace.run("apply", "--yes")
        #expect(apply.status == 0, "\(apply.stderr)")
        let requests = try simulator.requests().dropFirst(before)
        #expect(requests.count == 2)
        let tile = try #require(try simulator.tiles("phone-1").first)
        #expect((tile["state"] as? [String: String]) == ["status": "ready"])
        #expect(tile["alertsRung"] as? Int == 1)
        try workspace.assertInStep()
    }

    @Test func anEndTakesTheTileAway() throws {
        let (workspace, simulator) = try started()
        let end = #""end": { "state": { "status": "delivered" }, "dismissAt": "now" },"#
        try workspace.write("state/user_42.json", Self.document(end: end))
        #expect(try workspace.run("apply", "--yes").status == 0)
        #expect(try simulator.tiles("phone-1").isEmpty)
        try workspace.assertInStep()
    }

    @Test func programsReadReceiptsAndTheOutcome() throws {
        let workspace = try Workspace()
        let simulator = try SimulatorProcess(workspace)
        try simulator.send(Self.phone)
        try workspace.write("state/user_42.json", Self.document())
        let events = try workspace.run("apply", "--yes", "--new-ledger", "--format", "json").items()
        let types = events.compactMap { $0["type"] as? String }
        #expect(Set(types) == ["version", "action", "change_summary", "receipt", "outcome"])
        #expect(events.first?["type"] as? String == "version" && events.first?["version"] as? Int == 1)
        #expect(types.last == "outcome")
        let receipts = events.filter { $0["type"] as? String == "receipt" }
        #expect(receipts.allSatisfy { $0["stateCommitted"] as? Bool == true && $0["revision"] as? Int == 1 })
        #expect(receipts.allSatisfy { ($0["targetId"] as? String)?.hasPrefix("tgt_") == true })
        let start = try #require(receipts.first { $0["launchRequestId"] != nil })
        let operation = try #require((start["operation"] as? [String: String])?["id"])
        #expect(try workspace.run("status", operation).lines.contains("status: accepted"))
        #expect(events.last?["accepted"] as? Int == 2)
    }

    @Test func reloadPushesEachTokenOnceAndTheSameKeyNothing() throws {
        let (workspace, simulator) = try started()
        let before = try simulator.requests().count
        let arguments = ["--idempotency-key", "k1", "--format", "json"]
        func reload() throws -> [[String: Any]] {
            let outcome = try execute(
                Checkout.lockstep,
                ["reload", "user_42", "user_42", "nobody"] + arguments,
                in: workspace.url
            )
            #expect(outcome.status == 0, "\(outcome.stderr)")
            let data = try #require(try outcome.json()["data"] as? [String: Any])
            return try #require(data["results"] as? [[String: Any]])
        }
        let first = try reload()
        #expect(first.count == 1)
        #expect(first[0]["ok"] as? Bool == true)
        #expect((first[0]["id"] as? String)?.hasPrefix("wgt_") == true)
        #expect(try reload().count == 1)
        #expect(try simulator.requests().count == before + 1)
        try workspace.assertInStep()
    }

    @Test func limitsRefuseWithTheOptionThatAllows() throws {
        let (workspace, simulator) = try started()
        try workspace.write("state/user_42.json", #"{ "subscriber": "user_42" }"#)
        for arguments in [["plan"], ["apply", "--yes"]] {
            let refused = try execute(Checkout.lockstep, arguments, in: workspace.url)
            #expect(refused.status == 4)
            #expect(refused.stderr.contains("--allow-removed 1"), "\(refused.stderr)")
        }
        #expect(try simulator.tiles("phone-1").count == 1)
        let allowed = try workspace.run("apply", "--yes", "--allow-empty", "--allow-removed", "1")
        #expect(allowed.status == 0, "\(allowed.stderr)")
        #expect(try simulator.tiles("phone-1").isEmpty)
        try workspace.assertInStep()
    }

    @Test func aQuestionIsAskedOnATerminalAndNoIsNo() throws {
        let (workspace, simulator) = try started()
        try workspace.write("state/user_42.json", Self.document(steps: 5000))
        // script(1) gives the program a terminal and types the answer.
        func answer(_ word: String) throws -> Outcome {
            let command = "printf '\(word)\\n' | script -qec \"'\(Checkout.lockstep.path)' apply\" /dev/null"
            return try execute(URL(filePath: "/bin/bash"), ["-c", "set -o pipefail; \(command)"], in: workspace.url)
        }
        let no = try answer("n")
        #expect(no.status == 1)
        #expect(no.stdout.contains("Apply this plan? [y/N]") && no.stdout.contains("Nothing was applied."))
        #expect(try workspace.run("plan", "--detailed-exitcode").status == 2)
        #expect(try answer("y").status == 0)
        try workspace.assertInStep()
        withExtendedLifetime(simulator) {}
    }

    @Test func onATerminalThePlanIsReadBeforeTheProgress() throws {
        let world = try World()
        try world.phone("d1")
        try world.declare(.order("cooking"))
        let apply = "stty cols 80 && '\(Checkout.lockstep.path)' apply --yes --new-ledger"
        let shown = try execute(
            URL(filePath: "/bin/sh"),
            ["-c", "script -qec \"\(apply)\" /dev/null"],
            in: world.workspace.url
        )
        let bar = try #require(shown.stdout.range(of: "of 1 pushes"), "\(shown.stdout)")
        let plan = try #require(shown.stdout.range(of: "Plan: 1 to start"))
        let outcome = try #require(shown.stdout.range(of: "Applied: 1 committed"))
        #expect(plan.upperBound <= bar.lowerBound && bar.upperBound <= outcome.lowerBound)
    }
}
