import Diff
import Foreign
import Foundation
import JSON
import Source
import TestProjects
import Testing

/// Which files are read, in which order, and that none is passed over in silence.
struct StateFilesTests {
    private static func document(_ subscriber: String) -> String {
        #"{"subscriber":"\#(subscriber)","widgets":{"W":{"state":1}}}"#
    }

    private static func configuration(_ state: String) -> String {
        #"{"apps":{"com.example.courier":{"teamId":"ABCDE12345"}},"state":\#(state)}"#
    }

    @Test func filesComeInTheByteOrderOfTheirPathsOnceEach() throws {
        var files = ["lockstep.json": Self.configuration(#"["state/eu", "state", "more/*.json", "state/**/b.json"]"#)]
        for path in ["state/z.json", "state/eu/b.json", "state/eu.json", "state/.x.json", "more/a.json", "more/a.txt"] {
            files[path] = Self.document(path)
        }
        let loaded = try LoadProject(files).load()
        #expect(loaded.problems == [])
        #expect(
            loaded.declarations.map(\.owner.subscriber.string) == [
                "more/a.json", "state/eu.json", "state/eu/b.json", "state/z.json",
            ]
        )
        #expect(loaded.summary.files == 4)
        #expect(loaded.summary.documents == 4)
        #expect(loaded.summary.widgets == 4)
    }

    @Test func aGlobReadsOnlyWhatItMatches() throws {
        let project = try LoadProject([
            "lockstep.json": Self.configuration(#"["state/*/live.json"]"#),
            "state/eu/live.json": Self.document("eu"), "state/us/live.json": Self.document("us"),
            "state/us/draft.json": "not read",
        ])
        #expect(try project.load().declarations.map(\.owner.subscriber) == ["eu", "us"])
    }

    @Test func onlyTheNamedPathsAreRead() throws {
        let project = try LoadProject(["state/a.json": Self.document("a"), "state/b.json": "broken"])
        let loaded = try project.load(only: [project.path("state/a.json")])
        #expect(loaded.problems == [])
        #expect(loaded.declarations.map(\.owner.subscriber) == ["a"])
    }

    @Test func whatIsMissingIsAnErrorWhereItIsNamed() throws {
        let project = try LoadProject([
            "lockstep.json": Self.configuration(#"["state", "state/*.json", "a.json"]"#)
        ])
        #expect(
            try project.load().problems == [
                "lockstep.json:1:66: 'state' does not exist; create it, or correct the path; --allow-empty takes it for empty",
                "lockstep.json:1:91: 'a.json' does not exist; create it, or correct the path; --allow-empty takes it for empty",
                "lockstep.json:1:75: 'state/*.json' matches no .json or .ndjson file; correct or remove it",
            ]
        )
    }

    @Test func aMissingDirectoryMayCountAsEmpty() throws {
        let project = try LoadProject()
        #expect(try project.load().problems.count == 1)
        let loaded = try project.load(allowsMissing: true)
        #expect(loaded.problems == [])
        #expect(loaded.declarations.isEmpty)
    }

    @Test func anEmptyDirectoryIsNoError() throws {
        let project = try LoadProject()
        try Files.makeDirectory(project.path("state/eu"))
        #expect(try project.load().problems == [])
    }

    @Test func linksAreFollowedInsideTheTreeAndNeverOutOfIt() throws {
        let project = try LoadProject(["state/.data/a.json": Self.document("a"), "outside.json": Self.document("o")])
        try project.link("state/a.json", to: ".data/a.json")
        try project.link("state/b.json", to: "../outside.json")
        try project.link("state/c.json", to: "nowhere.json")
        try project.link("state/d", to: ".data")
        let loaded = try project.load()
        #expect(loaded.declarations.map(\.owner.subscriber) == ["a"])
        #expect(
            loaded.problems == [
                "state/b.json: this symbolic link leaves the tree, to outside.json; put the file here, or name its "
                    + "directory in \"state\"",
                "state/c.json: this symbolic link leads nowhere; remove it",
                "state/d: this symbolic link would read the directory state/.data twice; remove it",
            ]
        )
    }

    @Test func theStateDirectoryItselfMayBeALink() throws {
        let project = try LoadProject(["elsewhere/a.json": Self.document("a")])
        try project.link("state", to: "elsewhere")
        let loaded = try project.load()
        #expect(loaded.problems == [])
        #expect(loaded.declarations.count == 1)
    }

    @Test func whatOnlyLooksLikeStateIsAWarning() throws {
        let project = try LoadProject([
            "state/a.jsonl": "", "state/b.JSON": "", "state/c.yaml": "", "state/README.md": "", "state/d.json.bak": "",
        ])
        let loaded = try project.load()
        #expect(
            loaded.problems
                == ["a.jsonl", "b.JSON", "c.yaml"].map {
                    "state/\($0): warning: not read: state files end in .json or .ndjson"
                }
        )
        #expect(loaded.summary.warnings == 3)
        #expect(loaded.summary.errors == 0)
    }

    @Test func whatIsNoFileIsNotOpened() throws {
        let project = try LoadProject(["state/b.json": Self.document("b")])
        #expect(mkfifo(project.path("state/a.json"), 0o644) == 0)
        let loaded = try project.load()
        #expect(
            loaded.problems == ["state/a.json: this is no file but a pipe, a socket or a device; remove it"]
        )
        #expect(loaded.declarations.count == 1)
    }

    /// In a process of its own, which gives up the rights of root where it has them.
    @Test func whatCannotBeReadIsAnError() async {
        await #expect(processExitsWith: .success) {
            let project = try LoadProject([
                "state/a.json": Self.document("a"), "state/b.json": Self.document("b"), "state/eu/c.json": "",
            ])
            chmod(project.path("state/a.json"), 0)
            chmod(project.path("state/eu"), 0)
            if geteuid() == 0 { try #require(seteuid(65_534) == 0) }
            let loaded = try project.load()
            if getuid() == 0 { try #require(seteuid(0) == 0) }
            chmod(project.path("state/eu"), 0o755)
            try #require(
                loaded.problems == [
                    "state/a.json: cannot open: Permission denied",
                    "state/eu: cannot read the directory: Permission denied",
                ]
            )
            try #require(loaded.declarations.map(\.owner.subscriber) == ["b"])
        }
    }

    @Test func aStateDirectoryThatCannotBeReadIsAnError() async {
        await #expect(processExitsWith: .success) {
            let project = try LoadProject(["state/a.json": Self.document("a")])
            chmod(project.path("state"), 0)
            if geteuid() == 0 { try #require(seteuid(65_534) == 0) }
            let problems = try project.load(allowsMissing: true).problems
            if getuid() == 0 { try #require(seteuid(0) == 0) }
            chmod(project.path("state"), 0o755)
            try #require(problems == ["state: cannot read the directory: Permission denied"])
        }
    }

    @Test func anEmptyFileIsNotAnEmptyDeclaration() throws {
        let project = try LoadProject(["state/a.json": "", "state/b.ndjson": "\n \n", "state/c.json": "[]"])
        #expect(
            try project.load().problems == [
                "state/a.json:1:1: there is nothing here; a document is an object",
                "state/b.ndjson: warning: this file holds no document; write [] into a .json file where that is meant",
            ]
        )
    }
}
