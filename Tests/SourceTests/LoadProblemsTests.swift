import Foundation
import Source
import TestProjects
import Testing

/// What is wrong in documents and configurations, each with the exact message and place: the tables in `Tests/Golden`.
struct LoadProblemsTests {
    @Test func everyProblemOfADocumentComesOutWithItsPlace() throws {
        let project = try LoadProject()
        try checkTable("load-problems.txt") { document in
            try project.write("state/x.json", document)
            return try project.load().problems.map { $0.replacing("state/x.json:", with: "") }
        }
    }

    @Test func everyProblemOfAConfigurationComesOutWithItsPlace() throws {
        let project = try LoadProject()
        try checkTable("configuration-problems.txt") { text in
            try project.write("lockstep.json", text)
            do throws(ConfigurationError) {
                _ = try Configuration.read(project.path("lockstep.json"))
                return []
            } catch {
                return error.diagnostics.map { $0.description.replacing(project.path("lockstep.json:"), with: "") }
            }
        }
    }

    /// Runs each line of a table that is not indented, and holds the problems against the indented ones below it.
    private func checkTable(_ name: String, _ problems: (String) throws -> [String]) throws {
        let golden = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Golden/\(name)")
            .standardized
        let expected = try String(contentsOf: golden, encoding: .utf8).components(separatedBy: "\n")
        var actual: [String] = []
        for line in expected where !line.hasPrefix("    ") {
            actual.append(line)
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            // A line of the table stands for one file, in which ",\n " is the end of a line.
            actual += try problems(line.replacing(#",\n "#, with: ",\n ")).map { "    " + $0 }
        }
        #expect(actual == expected)
        if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
            try actual.joined(separator: "\n").write(to: golden, atomically: true, encoding: .utf8)
            Issue.record("\(name) was rewritten; read what has changed and run again")
        }
    }

    @Test func sizesAreCheckedBeforeAnythingIsSent() throws {
        func problem(_ document: String) throws -> [String] {
            let project = try LoadProject(["state/x.json": document])
            return try project.load().problems
        }
        func text(_ count: Int) -> String { String(repeating: "x", count: count) }
        func widget(_ count: Int) -> String {
            #"{"subscriber":"u","widgets":{"W":{"state":"\#(text(count - 2))"}}}"#
        }
        #expect(try problem(widget(65_536)) == [])
        #expect(
            try problem(widget(65_537)) == [
                "state/x.json:1:43: the state of the widget 'W' has 65537 bytes, 1 more than the 65536 that are published; "
                    + "shorten it"
            ]
        )
        // The start: {"aps":{"alert":{…},"attributes":{"launchRequestId":"lrq_…"},…}} with a state of the size that fits.
        let start =
            #"{"aps":{"alert":{"body":"b","title":"t"},"attributes":{"launchRequestId":"lrq_00000000000000000000000000"},"#
            + #""attributes-type":"T","content-state":{"s":""},"event":"start","input-push-token":1,"timestamp":1796034600}}"#
        let room = 4_096 - start.utf8.count
        func activity(_ count: Int, _ more: String = "") -> String {
            #"{"subscriber":"u","liveActivities":{"A":{"attributesType":"T","state":{"s":"\#(text(count))"}"#
                + #","alert":{"title":"t","body":"b"}\#(more)}}}"#
        }
        #expect(try problem(activity(room)) == [])
        #expect(
            try problem(activity(room + 1)) == [
                "state/x.json:1:37: the Live Activity 'A' is too large: the start would have 4097 bytes, 1 more than the "
                    + "4096 that are allowed; shorten its state or attributes"
            ]
        )
        #expect(
            try problem(activity(room, #","end":{"state":{"s":"\#(text(4_096))"}}"#)).first?
                .contains("the end would have ") == true
        )
        #expect(
            try problem(activity(0, #","start":"app","attributes":{"a":"\#(text(4_096))"}"#)).first?
                .contains("its attributes and state together would have ") == true
        )
    }
}
