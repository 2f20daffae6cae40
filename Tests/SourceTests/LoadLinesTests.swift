import Diff
import Foundation
import JSON
import TestProjects
import Testing

@testable import Source

/// Files of many documents, one in each line.
struct LoadLinesTests {
    @Test func everyBadLineIsReportedAndTheOthersAreRead() throws {
        let project = try LoadProject([
            "state/a.ndjson": """
            {"subscriber":"a","widgets":{"W":{"state":1}}}\r
            {"subscriber":"b"
            [{"subscriber":"c"}]

            {"subscriber":"d","subscriber":"d","widget":{}}
            {"subscriber":"e","widgets":{"W":{"state":1}}} x
            {"subscriber":"f","widgets":{"W":{"state":1}}}
            """
        ])
        let loaded = try project.load()
        #expect(loaded.declarations.map(\.owner.subscriber) == ["a", "f"])
        #expect(
            loaded.problems == [
                "state/a.ndjson:2:18: the text ends where ',' or '}' should follow",
                "state/a.ndjson:3:1: a subscriber document must be an object, not an array",
                "state/a.ndjson:5:19: the key \"subscriber\" is already at 5:2; remove one of the two",
                "state/a.ndjson:5:36: unknown key 'widget'; did you mean 'widgets'?",
                "state/a.ndjson:6:48: the document ended before this; a file holds one document, an array of them, or is "
                    + ".ndjson",
            ]
        )
    }

    @Test func aConflictAndAPointerAreReportedOnce() throws {
        let project = try LoadProject([
            "state/a.ndjson": """
            {"subscriber":"a"}
            <<<<<<< HEAD
            {"subscriber":"b"}
            =======
            {"subscriber":"c"}
            >>>>>>> feature
            """,
            "state/b.ndjson": """
            version https://git-lfs.github.com/spec/v1
            oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393
            size 12345
            """,
        ])
        #expect(
            try project.load().problems == [
                "state/a.ndjson:2:1: '<<<<<<<' marks a merge conflict that nobody has resolved; resolve it",
                "state/b.ndjson:1:1: this is a pointer of Git LFS and not the file itself; run git lfs pull (of a commit, "
                    + "take state files out of .gitattributes)",
            ]
        )
    }

    @Test func aLineThatIsTooLongIsReportedAndTheNextIsRead() throws {
        let long = String(repeating: "x", count: 5 << 20)
        let project = try LoadProject([
            "state/a.ndjson": #"{"subscriber":"\#(long)"}"# + "\n" + #"{"subscriber":"b","widgets":{"W":{"state":1}}}"#
        ])
        let loaded = try project.load()
        #expect(loaded.declarations.map(\.owner.subscriber) == ["b"])
        #expect(
            loaded.problems == [
                "state/a.ndjson:1:1: the line has more than 4194304 bytes; a document this large belongs in a file of its "
                    + "own"
            ]
        )
    }

    @Test func declarationsKnowWhereTheyAre() throws {
        let project = try LoadProject([
            "state/a.json": """
            [
              { "subscriber": "a", "widgets": { "W": { "state": 1 } } },
              { "subscriber": "b",
                "widgets": { "a/b": { "state": 1 } } }
            ]
            """,
            "state/b.ndjson": """

            {"subscriber":"c","widgets":{"W":{"state":1}}}
            {"subscriber":"b","widgets":{"a/b":{"state":1}}}
            """,
        ])
        let declarations = try project.load().declarations
        let locator = Locator(DiskTree())
        #expect(
            declarations.map { locator.place(of: $0.source)?.description } == ["2:37", "4:18", "2:30", "3:30"]
        )
        for declaration in declarations {
            #expect(SourcePlace(text: declaration.source.text) == declaration.source)
        }
        let duplicate = locator.duplicate(declarations[3], first: declarations[1].source)
        #expect(
            duplicate.rendered.replacing(project.directory + "/", with: "") == """
                state/b.ndjson:3:30: widget 'a/b' of 'b' is declared twice (also state/a.json:4:18); rename or remove one
                    {"subscriber":"b","widgets":{"a/b":{"state":1}}}
                                                 ^
                """
        )
    }

    @Test func idsThatOnlyLookTheSameAreErrorsWithBothSpellings() throws {
        let project = try LoadProject([
            "state/a.json": #"{"subscriber":"é","widgets":{"W":{"state":1}}}"#,
            "state/b.json": "{\"subscriber\":\"e\u{301}\",\"widgets\":{\"W\":{\"state\":1}}}",
            "state/c.json": #"{"subscriber":"u","widgets":{"K":{"state":1}}}"#,
            "state/d.json": "{\"subscriber\":\"u\",\"widgets\":{\"\u{212A}\":{\"state\":1}}}",
            "state/e.json": "{\"subscriber\":\"o\u{308}\",\"widgets\":{\"W\":{\"state\":1}}}",
        ])
        #expect(
            try project.load().problems
                == [
                    #"state/a.json:1:15: the subscriber '\u{00E9}' looks the same as 'e\u{0301}' at "#
                        + "\(project.path("state/b.json")):1:15 and is not; use one spelling",
                    #"state/c.json:1:30: the name of a widget 'K' looks the same as '\u{212A}' at "#
                        + "\(project.path("state/d.json")):1:30 and is not; use one spelling",
                ].map { $0.replacing(project.directory + "/", with: "") }
        )
    }

    @Test func aLongLineIsCutAroundTheCaret() throws {
        let filler = String(repeating: "x", count: 1_000)
        let project = try LoadProject([
            "state/a.json": "\t {\"a\":\"\(filler)\", \"é\": 5, \"\u{7F}b\": \"\(filler)\"}"
        ])
        for diagnostic in try project.load().diagnostics where diagnostic.excerpt != nil {
            let excerpt = try #require(diagnostic.excerpt)
            let column = try #require(diagnostic.place).column
            #expect(excerpt.text.unicodeScalars.count <= 98)
            let shown = Array(excerpt.text.unicodeScalars)[excerpt.caret]
            let line = Array("\t {\"a\":\"\(filler)\", \"é\": 5, \"\u{7F}b\": \"\(filler)\"}".unicodeScalars)
            #expect(shown == line[column - 1])
        }
    }

    /// In a process of its own, whose memory no other test shares.
    @Test func aLargeFileNeverStandsInMemory() async {
        await #expect(processExitsWith: .success) {
            let project = try LoadProject()
            let path = project.path("state.ndjson")
            let size = try Self.write(documents: 600, to: path)
            let configuration = try Configuration.read(project.path("lockstep.json"))
            let before = try Self.peakMemory()
            let summary = try Loader(configuration).load(only: [path]) { _ in
            } problems: { _ in
            }
            let growth = try Self.peakMemory() - before
            guard summary.widgets == 600, size > 50 << 20, growth < 8 << 20 else {
                print("\(summary.widgets) widgets, \(size) bytes of file, \(growth) bytes of memory")
                exit(1)
            }
        }
    }

    private static func write(documents: Int, to path: String) throws -> UInt64 {
        let padding = String(repeating: "x", count: 100_000)
        try Data().write(to: URL(filePath: path))
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        for number in 0..<documents {
            let line = #"{"$comment":"\#(padding)","subscriber":"u\#(number)","widgets":{"W":{"state":1}}}"# + "\n"
            try file.write(contentsOf: Data(line.utf8))
        }
        return try file.offset()
    }

    /// The most memory this process has had, in bytes.
    private static func peakMemory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(Int(line.split(whereSeparator: \.isWhitespace)[1])) * 1_024
    }
}
