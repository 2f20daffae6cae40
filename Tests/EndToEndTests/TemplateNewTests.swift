import Foundation
import Testing

/// `lockstep template new`: a first version, from examples.
@Suite struct TemplateNewTests {
    private static let state = #"{"status":"cooking","steps":1,"eta":"2026-11-30T10:00:00Z"}"#

    private func workspace() throws -> Workspace {
        let workspace = try Workspace()
        try workspace.run("init")
        let order = Document.activity("", #""state":\#(Self.state),"template":"delivery@1""#)
        let other = Document.activity("", #""state":{"something":"else"}"#)
        try workspace.write("state/user_42.json", Document(activities: ["order": order, "other": other]).text)
        return workspace
    }

    @Test func itsTemplateTakesTheExamplesAndNothingElse() throws {
        let workspace = try workspace()
        let outcome = try workspace.run("template", "new", "delivery", "--from", "state/user_42.json")
        #expect(outcome.status == 0, "\(outcome.stderr)")
        #expect(outcome.lines.map { $0.hasSuffix("templates/delivery/1.json") } == [true])
        #expect(outcome.stderr.contains("/state/eta looks like a time: add \"format\": \"swift-date\""))
        #expect(try workspace.run("validate").status == 0)
        let text = try workspace.text("templates/delivery/1.json")
        #expect(text.contains(#""required": ["eta", "status", "steps"]"#), "\(text)")
        #expect(!text.contains("something"), "only the declarations that name it count")
        let wrong = try workspace.text("state/user_42.json").replacing("\"steps\":1", with: "\"steps\":\"1\"")
        try workspace.write("state/user_42.json", wrong)
        #expect(try workspace.run("validate").stderr.contains("'/steps' must be a whole number, not a string"))
    }

    @Test func nothingIsOverwritten() throws {
        let workspace = try workspace()
        try workspace.write("templates/delivery/1.json", #"{"state":{}}"#)
        let outcome = try workspace.run(
            "template",
            "new",
            "delivery",
            "--from",
            "state/user_42.json",
            "--format",
            "json"
        )
        #expect(outcome.status == 65)
        let error = try #require(try outcome.json()["error"] as? [String: Any])
        #expect(error["code"] as? String == "file_exists")
        #expect(try workspace.text("templates/delivery/1.json") == #"{"state":{}}"#)
    }

    @Test func plainStatesAreExamplesToo() throws {
        let workspace = try workspace()
        try workspace.write("one.json", Self.state)
        try workspace.write("more.json", #"[{"status":"x","steps":2.5},{"status":"y","steps":3,"note":null}]"#)
        let arguments = ["template", "new", "plain", "--from", "one.json", "--from", "more.json", "--format", "json"]
        let outcome = try execute(Checkout.lockstep, arguments, in: workspace.url)
        let data = try #require(try outcome.json()["data"] as? [String: Any])
        #expect(data["states"] as? Int == 3)
        let text = try workspace.text("templates/plain/1.json")
        #expect(text.contains(#""required": ["status", "steps"]"#), "\(text)")
        #expect(text.contains(#""steps": { "type": "number" }"#), "\(text)")
    }

    static let wrong: [(arguments: [String], status: Int32, message: String)] = [
        (["new", "delivery"], 64, "--from"),
        (["old", "delivery", "--from", "x"], 64, "new NAME"),
        (["new", "../x", "--from", "x"], 64, "a name in letters, digits, '-', '_' and '.'"),
        (["new", "delivery", "--from", "nowhere.json"], 65, "nowhere.json: "),
        (["new", "delivery", "--from", "broken.json"], 65, "broken.json:1:6: "),
        (["new", "delivery", "--from", "empty.json"], 65, "this file holds no state"),
    ]

    @Test(arguments: wrong)
    func whatIsNoExampleWritesNothing(arguments: [String], status: Int32, message: String) throws {
        let workspace = try workspace()
        try workspace.write("broken.json", #"{"a":"#)
        try workspace.write("empty.json", "[]")
        let outcome = try execute(Checkout.lockstep, ["template"] + arguments, in: workspace.url)
        #expect(outcome.status == status)
        #expect(outcome.stderr.contains(message), "\(outcome.stderr)")
        #expect(!workspace.exists("templates"))
    }
}
