import Foundation
import Testing

/// State files that users of comparable programs stumbled over, from file to phone.
@Suite struct StateFileCasesTests {
    /// A world in which `base.json` was applied.
    private func base() throws -> World {
        let world = try World()
        try world.phone("d1")
        try world.copy("base.json")
        try world.apply()
        #expect(try world.events() == ["start d1"])
        return world
    }

    /// From hashicorp/terraform#27305, octodns/octodns#322, rust-lang/cargo#6529.
    @Test(.long) func anotherSpellingOfTheSameFileIsNoChange() throws {
        let world = try base()
        let files = ["number-as-real", "number-as-exponent", "key-order", "bom-crlf", "escaped", "base"]
        for file in files {
            try world.copy("\(file).json")
            try world.settles()
            #expect(try world.apply().lines == ["No changes. Every target is in step with the files."], "\(file)")
        }
        // A fresh clone: every file is new, and in another place.
        try world.copy("base.json", to: "state/deeper/renamed.json")
        try world.workspace.remove("state/user_42.json")
        try world.settles()
        #expect(try world.events().isEmpty)
    }

    /// From hashicorp/terraform#27677.
    @Test func bigIntegersKeepTheirDigits() throws {
        let world = try World()
        try world.phone("d1")
        try world.copy("big-integer.json")
        try world.apply()
        #expect(try world.events() == ["reload d1"])
        #expect(try world.widget("d1") == #"{"id":9007199254740993}"#)
        try world.copy("big-integer-minus-one.json")
        try world.apply()
        #expect(try world.events() == ["reload d1"])
        #expect(try world.widget("d1") == #"{"id":9007199254740992}"#)
        try world.settles()
    }

    static let wrong: [(file: String, messages: [String])] = [
        ("integer-too-large.json", ["state/x.json:1:65: ", "18446744073709551616"]),
        ("deep.json", ["state/x.json:1:", "inside each other"]),
        ("duplicate-key.json", ["state/x.json:4:39: ", "\"steps\"", "4:27"]),
        ("duplicate-activity.json", ["state/x.json:5:5: ", "\"order-1001\"", "4:5"]),
        ("typo.json", ["state/x.json:3:3: ", "did you mean 'liveActivities'"]),
        ("milliseconds.json", ["state/x.json:12:18: ", "RFC 3339", "2025-05-05T20:11:00.808Z"]),
        ("truncated.json", ["state/x.json:"]),
        ("merge-marker.json", ["state/x.json:3:1: ", "merge"]),
        ("lfs-pointer.json", ["state/x.json:1:1: ", "LFS"]),
    ]

    /// From pusher/faros#113, kisimediaDE/capacitor-live-activity#7, hashicorp/terraform#28727.
    @Test(.long) func aWrongFileBesideOrInPlaceOfTheRightOneStopsEverything() throws {
        let world = try base()
        for isReplaced in [false, true] {
            if isReplaced { try world.workspace.remove("state/user_42.json") }
            for (file, messages) in Self.wrong {
                try world.copy(file, to: "state/x.json")
                for arguments in [["plan"], ["apply", "--yes"], ["validate"]] {
                    let outcome = try world.run(arguments, 65)
                    for message in messages {
                        #expect(outcome.stderr.contains(message), "\(file): \(outcome.stderr)")
                    }
                }
            }
        }
        #expect(try world.events().isEmpty)
        #expect(try world.statuses("d1") == ["cooking"])
        try world.workspace.remove("state/x.json")
        try world.copy("base.json")
        try world.settles()
    }

    /// From argoproj/argo-cd#10987.
    @Test func anEmptiedMissingOrUnreadableDirectoryEndsNothing() throws {
        let world = try base()
        try world.workspace.remove("state/user_42.json")
        for arguments in [["plan"], ["apply", "--yes"], ["apply", "--yes", "--allow-empty"]] {
            let outcome = try world.run(arguments, 4)
            #expect(
                outcome.stderr.contains(
                    "the files declare nothing while 1 activity is running or outstanding; if that is meant, "
                        + "--allow-empty --allow-removed 1 ends it"
                ),
                "\(outcome.stderr)"
            )
        }
        // Root reads everything: a directory that cannot be read is one that is a file.
        try world.workspace.remove("state")
        for makeUnreadable in [{}, { _ = try world.workspace.write("state", "") }] {
            try makeUnreadable()
            #expect(try world.run(["plan"], 65).stderr.contains("state"))
            #expect(try world.run(["apply", "--yes"], 65).stderr.contains("state"))
        }
        #expect(try world.events().isEmpty)
        try world.workspace.remove("state")
        try world.apply("--allow-empty", "--allow-removed", "1")
        #expect(try world.events() == ["end d1"])
        #expect(try world.statuses("d1").isEmpty)
    }

    /// octoDNS switches its guard off below 10.
    @Test func fewActivitiesAreProtectedAsWell() throws {
        let world = try World()
        try world.phone("d1")
        try world.declare(.orders(1...9, "cooking"))
        try world.apply()
        try world.declare(.orders(1...1, "cooking"))
        let outcome = try world.apply(status: 4)
        #expect(
            outcome.stderr.contains(
                "8 of 9 activities would end because their declarations are gone (limit 30 %); "
                    + "--allow-removed 8 or safety.maxRemovedPercent allows it"
            ),
            "\(outcome.stderr)"
        )
        #expect(try world.statuses("d1").count == 9)
        try world.apply("--allow-removed", "8")
        #expect(try world.statuses("d1").count == 1)
        try world.settles()
    }

    @Test func endsThatTheFilesDeclareAreNoRemovals() throws {
        let world = try World()
        try world.phone("d1")
        try world.declare(.orders(1...20, "cooking"))
        try world.apply()
        try world.declare(.orders(1...20, "cooking", #""end":{"state":{"status":"delivered"}}"#))
        #expect(try world.apply().lines.last?.hasPrefix("Applied: 20 committed; 20 accepted") == true)
        #expect(try world.statuses("d1").isEmpty)
        try world.settles()
    }

    @Test(.long) func aRemovedDeclarationThatComesBackIsKeptOrStartedAnew() throws {
        let world = try base()
        let other = Document.steps(1, of: "other")
        try world.declare(other)
        try world.declare(nil)
        // Before the end was dispatched: Apple cannot be reached, so the end stays queued.
        try world.cutOff { try world.apply(status: 3) }
        try world.copy("base.json")
        try world.apply()
        try world.settles()
        #expect(try world.events().isEmpty)
        #expect(try world.statuses("d1") == ["cooking"])
        // After it: a new life.
        try world.declare(nil)
        try world.apply()
        try world.copy("base.json")
        try world.apply()
        #expect(try world.events() == ["end d1", "start d1"])
        #expect(try world.statuses("d1") == ["cooking"])
        try world.settles()
    }

    /// From home-assistant/mobile-apps-fcm-push#309.
    @Test func valuesThatLookLikeNothingArriveAsWritten() throws {
        let world = try World()
        try world.phone("d1")
        try world.copy("relevance.json")
        try world.apply()
        let aps = try #require(try world.pushes().first).aps
        let state = try JSONSerialization.data(withJSONObject: aps["content-state"] ?? "", options: .sortedKeys)
        #expect(String(decoding: state, as: UTF8.self) == #"{"done":false,"left":0,"name":"","note":null}"#)
        #expect(aps["relevance-score"] as? Int == 0)
        try world.settles()
    }

    @Test func everyWrongLineIsNamedAndBlankLinesAreNothing() throws {
        let world = try World()
        try world.phone("d1", of: "u1")
        try world.phone("d2", of: "u2")
        try world.copy("nul-and-controls.ndjson", to: "state/x.ndjson")
        let wrong = try world.run(["validate"], 65)
        #expect(wrong.stderr.contains("state/x.ndjson:1:") && wrong.stderr.contains("state/x.ndjson:2:"))
        #expect(!wrong.stderr.contains("state/x.ndjson:3:"))
        try world.copy("blank-lines.ndjson", to: "state/x.ndjson")
        try world.apply()
        #expect(try world.events() == ["reload d1", "reload d2"])
        #expect(try world.widget("d2") == #"{"n":2}"#)
        try world.settles()
    }

    @Test func nothingThatComesFromOutsideActsOnATerminal() throws {
        let workspace = try Workspace()
        try workspace.write("lockstep.json", #"{"apps":{"com.example.courier":{"teamId":"ABCDE12345"}}}"#)
        try workspace.write("state/a.json", #"{"subscriber":"u","widgets":{"W":{"state":"a\u001b[31m\u0007"}}}"#)
        try workspace.write("state/b\u{1B}[2J\nc.json", "{")
        for arguments in [["validate"], ["status", "x\u{1B}[31m\r"], ["plan"], ["plan", "--only", "\u{1B}c"]] {
            let outcome = try execute(Checkout.lockstep, arguments, in: workspace.url)
            let text = outcome.stdout + outcome.stderr
            #expect(
                !text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" },
                "\(text.debugDescription)"
            )
        }
        let validate = try execute(Checkout.lockstep, ["validate"], in: workspace.url)
        #expect(validate.stderr.contains(#"state/b\u001b[2J\nc.json:1:"#), "\(validate.stderr)")
    }

    @Test func aNameThatIsNotUTF8HidesNoOtherProblem() throws {
        let workspace = try Workspace()
        try workspace.write("lockstep.json", #"{"apps":{"com.example.courier":{"teamId":"ABCDE12345"}}}"#)
        try workspace.write("state/wrong.json", "{")
        let path =
            Array(workspace.url.appending(path: "state/bad").path.utf8CString.dropLast()) + [CChar(bitPattern: 0xFF)]
        let file = try #require(fopen(path + Array(".json".utf8CString), "w"))
        fclose(file)
        let validate = try execute(Checkout.lockstep, ["validate"], in: workspace.url)
        #expect(validate.status == 65)
        #expect(validate.stderr.contains("state/wrong.json:1:"), "\(validate.stderr)")
        #expect(validate.stderr.contains("UTF-8"), "\(validate.stderr)")
    }
}
