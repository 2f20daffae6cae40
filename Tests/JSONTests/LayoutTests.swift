import TestSeeds
import Testing

@testable import JSON

/// How JSON is laid out for people.
@Suite struct LayoutTests {
    private func laidOut(_ text: String) throws -> [String] {
        let bytes = try Layout().laidOut(Array(text.utf8))
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map(
            String.init
        )
    }

    @Test func theFirstLevelsHaveALineForEachMember() throws {
        #expect(
            try laidOut(#"{"subscriber":"u","widgets":{"A":{"state":{"x":[1,2]}},"B":{}}}"#) == [
                "{",
                #"  "subscriber": "u","#,
                #"  "widgets": {"#,
                #"    "A": { "state": { "x": [1, 2] } },"#,
                #"    "B": {}"#,
                "  }",
                "}",
                "",
            ]
        )
    }

    @Test func whatIsTooLongForALineHasSeveral() throws {
        let long = String(repeating: "x", count: 80)
        #expect(
            try laidOut(#"{"w":{"A":{"one":"\#(long)","two":"\#(long)"}}}"#) == [
                "{",
                #"  "w": {"#,
                #"    "A": {"#,
                #"      "one": "\#(long)","#,
                #"      "two": "\#(long)""#,
                "    }",
                "  }",
                "}",
                "",
            ]
        )
    }

    static let kept = [
        #"[1.0, 1e0, -0, 9007199254740993, 0.10]"#, #"{ "a\u00e9": "\/\ud83d\ude00", "é": "é" }"#, #"[true, null, ""]"#,
        "[]", "{}", "3",
    ]

    @Test(arguments: kept) func tokensStayAsTheyWereWritten(_ text: String) throws {
        #expect(String(decoding: try Layout().onOneLine(Array(text.utf8)), as: UTF8.self) == text)
    }

    @Test(arguments: 0..<200 as Range<UInt64>) func aSecondTimeChangesNothing(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let value = Value.random(using: &random, depth: 5)
        let once = try Layout().laidOut(Array(value.canonical.utf8))
        #expect(try Layout().laidOut(once) == once)
        let line = try Layout().onOneLine(once)
        #expect(try Layout().onOneLine(line) == line)
        let space: Set<UInt8> = [0x20, 0x0A]
        let isPlain = !value.canonical.utf8.contains { space.contains($0) }
        if isPlain { #expect(once.filter { !space.contains($0) } == Array(value.canonical.utf8)) }
    }

    @Test(arguments: ["{", "[1,]", "nul", "{} {}", "\u{FEFF}[1"]) func whatIsNoJSONIsRefused(_ text: String) {
        #expect(throws: ParseError.self) { _ = try Layout().laidOut(Array(text.utf8)) }
    }
}
