import Diff
import JSON
import Source
import TestProjects
import Testing

/// The state files of `Tests/Cases`: inputs on which comparable software has failed its users.
struct LoadCasesTests {
    /// The declaration of a case that has exactly one and no problem.
    private func only(_ name: String) throws -> Declaration {
        let project = try LoadProject()
        try project.add(case: name)
        let loaded = try project.load()
        #expect(loaded.problems == [])
        return try #require(loaded.declarations.first)
    }

    // https://github.com/hashicorp/terraform/issues/27305, https://github.com/octodns/octodns/issues/322
    @Test(arguments: [
        "number-as-real.json", "number-as-exponent.json", "key-order.json", "bom-crlf.json", "escaped.json",
    ])
    func otherSpellingsAreTheSameDeclaration(_ name: String) throws {
        let base = try only("base.json")
        let other = try only(name)
        #expect(other.owner == base.owner)
        #expect(other.content == base.content)
    }

    // https://github.com/hashicorp/terraform/issues/27677
    @Test func bigIntegersKeepTheirDigits() throws {
        let one = try only("big-integer.json").content
        let other = try only("big-integer-minus-one.json").content
        #expect(one != other)
        guard case .widget(let widget) = one else { return #expect(Bool(false)) }
        #expect(widget.state.canonical == #"{"id":9007199254740993}"#)
    }

    static let broken: [(name: String, problems: [String])] = [
        (
            "integer-too-large.json",
            [
                "state/integer-too-large.json:1:65: this integer does not fit 64 bits with a sign; "
                    + "write it as a string"
            ]
        ),
        (
            "deep.json",
            [
                "state/deep.json:1:178: more than 128 arrays and objects inside each other"
            ]
        ),
        // https://github.com/hashicorp/terraform/issues/28727
        (
            "duplicate-key.json",
            [
                "state/duplicate-key.json:4:39: the key \"steps\" is already at 4:27; remove one of the two"
            ]
        ),
        (
            "duplicate-activity.json",
            [
                "state/duplicate-activity.json:5:5: the key \"order-1001\" is already at 4:5; remove one of the two"
            ]
        ),
        (
            "typo.json",
            [
                "state/typo.json:3:3: unknown key 'liveActivites'; did you mean 'liveActivities'?"
            ]
        ),
        // https://github.com/kisimediaDE/capacitor-live-activity/issues/7
        (
            "milliseconds.json",
            [
                "state/milliseconds.json:12:18: 'staleAt': 1746475860808 is not an RFC 3339 date; "
                    + "\"2025-05-05T20:11:00.808Z\" was probably meant"
            ]
        ),
        // https://github.com/pusher/faros/issues/113
        (
            "truncated.json",
            [
                "state/truncated.json:3:48: the text ends where ',' or '}' should follow"
            ]
        ),
        (
            "merge-marker.json",
            [
                "state/merge-marker.json:3:1: '<<<<<<<' marks a merge conflict that nobody has resolved; resolve it"
            ]
        ),
        (
            "lfs-pointer.json",
            [
                "state/lfs-pointer.json:1:1: this is a pointer of Git LFS and not the file itself; run git lfs pull (of a commit, "
                    + "take state files out of .gitattributes)"
            ]
        ),
        (
            "nul-and-controls.ndjson",
            [
                "state/nul-and-controls.ndjson:1:15: a subscriber id cannot hold a control character, and 'a\\u{0}b' holds "
                    + "U+0000",
                "state/nul-and-controls.ndjson:2:15: a subscriber id cannot be empty",
            ]
        ),
    ]

    @Test(arguments: broken)
    func brokenFilesAreErrorsWithTheirPlaces(_ row: (name: String, problems: [String])) throws {
        let project = try LoadProject()
        try project.add(case: row.name)
        #expect(try project.load().problems == row.problems)
    }

    @Test func whatIsRightBesideABadLineIsStillRead() throws {
        let project = try LoadProject()
        try project.add(case: "nul-and-controls.ndjson")
        #expect(try project.load().declarations.map(\.owner.subscriber) == ["ok"])
    }

    // https://github.com/home-assistant/mobile-apps-fcm-push/pull/309
    @Test func zeroFalseNullAndNothingArriveAsWritten() throws {
        guard case .activity(let activity) = try only("relevance.json").content else { return #expect(Bool(false)) }
        #expect(activity.state.canonical == #"{"done":false,"left":0,"name":"","note":null}"#)
        #expect(activity.relevanceScore == 0)
    }

    @Test func blankLinesAreNothingAndALastLineNeedsNoEnd() throws {
        let project = try LoadProject()
        try project.add(case: "blank-lines.ndjson")
        let loaded = try project.load()
        #expect(loaded.problems == [])
        #expect(loaded.declarations.map(\.owner.subscriber) == ["u1", "u2"])
        #expect(loaded.declarations.map(\.source.line) == [2, 5])
    }

    @Test func theErrorIsShownInItsLine() throws {
        let project = try LoadProject()
        try project.add(case: "typo.json")
        let rendered = try #require(try project.load().diagnostics.first).rendered.split(separator: "\n")
        #expect(rendered.dropFirst() == ["    \"liveActivites\": {}", "    ^"])
    }
}
