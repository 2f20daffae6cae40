import Source
import Foundation
import JSON
import Reconcile
import Testing

@testable import lockstep

/// `lockstep validate` for programs and for workflows: what is wrong, from where to where.
@Suite struct ValidateFormatTests {
    /// Everything that can be wrong in a few files, one of them with a name that needs escapes.
    private func workspace() throws -> Workspace {
        let workspace = try Workspace()
        try workspace.run("init")
        try workspace.remove("state")
        try workspace.write("templates/delivery/1.json", TemplateCasesTests.delivery())
        try workspace.write(
            "state/50%: a, b.json",
            """
            {
              "subscriber": "user_42",
              "widgets": {
                "Stats": { "state": { "status": "50% done" }, "template": "delivery@1" },
                "Other": { "stat": {}, "state": {} },
                "Long": {
                  "state": {
                    "eta": null
                  },
                  "template": "delivery@1"
                },
                "Wrong": { "state": 1, "template": "delivery@2" }
              },
              "liveActivities": {
                "order-1001": [
                  "not an object"
                ]
              }
            }
            """
        )
        try workspace.write("state/broken.json", "{\n  \"subscriber\": nil\n}\n")
        try workspace.write("state/empty.ndjson", "")
        try workspace.write(
            "state/twice.json",
            #"{ "subscriber": "user_42", "widgets": { "Stats": { "state": 1, "state": 2 } } }"#
        )
        return workspace
    }

    @Test(arguments: ["github", "json"])
    func everyProblemHasARangeAndACode(_ format: String) throws {
        let outcome = try workspace().run("validate", "--format", format, environment: ["GITHUB_WORKSPACE": ""])
        #expect(outcome.status == 65)
        let golden = Checkout.root.appending(path: "Tests/Golden/validate.\(format)")
        let expected = (try? String(contentsOf: golden, encoding: .utf8))?.components(separatedBy: "\n") ?? []
        #expect(outcome.lines + [""] == expected)
        guard ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" else { return }
        try outcome.stdout.write(to: golden, atomically: true, encoding: .utf8)
    }

    /// Of a job that works in a directory below, GitHub finds a file by its whole path.
    @Test func inAWorkflowPathsAreWhole() throws {
        let workspace = try workspace()
        let outcome = try workspace.run("validate", "--format", "github", environment: ["GITHUB_WORKSPACE": "/w"])
        let paths = outcome.lines.compactMap { $0.firstMatch(of: /file=([^,]*)/).map { String($0.output.1) } }
        #expect(!paths.isEmpty)
        for path in paths { #expect(path.hasPrefix("/") && path.contains("/state/"), "\(path)") }
    }

    @Test func aConfigurationThatIsWrongIsAnnotatedToo() throws {
        let workspace = try Workspace()
        try workspace.write("lockstep.json", #"{ "apps": {}, "ledgr": "x" }"#)
        let outcome = try workspace.run("validate", "--format", "github", environment: ["GITHUB_WORKSPACE": ""])
        #expect(outcome.status == 65)
        #expect(
            outcome.lines.contains(
                "::error file=lockstep.json,line=1,col=15,endLine=1,endColumn=22,title=unknown_key::unknown key 'ledgr'; did "
                    + "you mean 'ledger'?"
            ),
            "\(outcome.stdout)"
        )
        let none = try Workspace().run("validate", "--format", "github")
        #expect(none.lines.map { $0.hasPrefix("::error title=") } == [true])
    }

    @Test func whatWouldEndAnAnnotationIsAnEscape() {
        var diagnostic = Diagnostic(
            "50%: a,\r\nb",
            .wrongValue,
            file: "50%: a,\nb.json",
            range: Place(line: 2, column: 3)..<Place(line: 4, column: 1),
            excerpt: nil
        )
        diagnostic.severity = .warning
        #expect(
            Annotation(.file(diagnostic), root: nil).text
                == "::warning file=50%25%3A a%2C%0Ab.json,line=2,endLine=4,title=wrong_value::50%25: a,%0D%0Ab"
        )
    }
}
