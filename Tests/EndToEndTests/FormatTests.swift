import Foundation
import Testing

/// `lockstep fmt`, through the front door.
@Suite struct FormatTests {
    private let messy =
        #"{"subscriber":"user_42",  "widgets":{"Stats":{"state":{"steps":1.0,"big":9007199254740993}}}}"#
    private let neat = """
        {
          "subscriber": "user_42",
          "widgets": {
            "Stats": { "state": { "steps": 1.0, "big": 9007199254740993 } }
          }
        }

        """

    private func project() throws -> Workspace {
        let workspace = try Workspace()
        try workspace.run("init")
        try workspace.write("state/user_42.json", messy)
        return workspace
    }

    @Test func itLaysOutWhatIsNotAndNamesIt() throws {
        let workspace = try project()
        try workspace.run("fmt", "state")
        try workspace.write("state/user_42.json", messy)
        let outcome = try workspace.run("fmt")
        #expect(outcome.status == 0)
        #expect(outcome.lines.count == 1 && outcome.lines[0].hasSuffix("state/user_42.json"))
        #expect(try workspace.text("state/user_42.json") == neat)
        #expect(try workspace.run("fmt").stdout == "")
    }

    @Test func checkNamesAndChangesNothing() throws {
        let workspace = try project()
        let outcome = try workspace.run("fmt", "--check", "state/user_42.json")
        #expect(outcome.status == 1)
        #expect(outcome.lines == ["state/user_42.json"])
        #expect(try workspace.text("state/user_42.json") == messy)
        try workspace.run("fmt")
        #expect(try workspace.run("fmt", "--check").status == 0)
    }

    /// patch(1) makes of the difference what fmt makes of the file.
    @Test func theDifferenceIsOneThatPatchTakes() throws {
        let workspace = try project()
        var lines = (1...40).map { #"  "key\#($0)": \#($0),"# }
        lines[5] = #"  "key6" : 6,"#
        lines[30] = #"      "key31": 31,"#
        try workspace.write("state/user_42.json", "{\n" + lines.joined(separator: "\n") + "\n  \"last\": 1\n}\n")
        let difference = try workspace.run("fmt", "--diff", "state/user_42.json")
        #expect(difference.status == 1)
        #expect(difference.lines.filter { $0.hasPrefix("@@") } == ["@@ -4,7 +4,7 @@", "@@ -29,7 +29,7 @@"])
        try workspace.write("change.patch", difference.stdout)
        let patched = try execute(
            URL(filePath: "/usr/bin/env"),
            ["patch", "-p0", "-i", "change.patch"],
            in: workspace.url
        )
        #expect(patched.status == 0, "\(patched.stdout)\(patched.stderr)")
        #expect(try workspace.run("fmt", "--check", "state/user_42.json").status == 0)
    }

    @Test func aStreamKeepsADocumentALine() throws {
        let workspace = try project()
        try workspace.write(
            "state/many.ndjson",
            "\n{\"subscriber\":\"a\",\"widgets\":{}}\r\n\n  {\"subscriber\":\"b\"}"
        )
        try workspace.run("fmt")
        #expect(
            try workspace.text("state/many.ndjson")
                == "{ \"subscriber\": \"a\", \"widgets\": {} }\n{ \"subscriber\": \"b\" }\n"
        )
    }

    @Test func whatIsNoJSONIsSaidWithItsPlaceAndStaysAsItIs() throws {
        let workspace = try project()
        try workspace.write("state/broken.json", "{\n  \"a\": nul\n}")
        let outcome = try workspace.run("fmt")
        #expect(outcome.status == 65)
        #expect(outcome.stderr.contains("state/broken.json:2:8: "))
        #expect(try workspace.text("state/broken.json") == "{\n  \"a\": nul\n}")
        #expect(try workspace.text("state/user_42.json") == neat)
    }
}
