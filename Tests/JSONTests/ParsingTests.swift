import Foreign
import JSON
import Testing

struct ParsingTests {
    private func error(_ bytes: [UInt8], limits: JSONLimits = .standard) -> ParseError? {
        do throws(ParseError) {
            _ = try Value(json: bytes, limits: limits)
            return nil
        } catch { return error }
    }

    static let wrong: [(text: String, error: String)] = [
        ("", "1:1: there is nothing here; a document is an object"),
        (" \n ", "2:2: there is nothing here; a document is an object"),
        ("{", "1:2: the text ends where a key in double quotes should follow"),
        (#"{"a""#, "1:5: the text ends where ':' after the key should follow"),
        (#"{"a":"#, "1:6: the text ends where a value should follow"),
        (#"{"a":1"#, "1:7: the text ends where ',' or '}' should follow"),
        (#"{"a":1,"#, "1:8: the text ends where a key in double quotes should follow"),
        ("[1", "1:3: the text ends where ',' or ']' should follow"),
        (#"{"a": "x"#, "1:7: the string that starts here does not end"),
        (#"{"a":1,}"#, "1:7: a comma before '}' is not JSON; remove it"),
        ("[1,]", "1:3: a comma before ']' is not JSON; remove it"),
        ("[,1]", "1:2: expected a value, found ','"),
        (#"{a:1}"#, "1:2: expected a key in double quotes, found 'a'"),
        ("{'a':1}", "1:2: expected a key in double quotes, found '''; JSON strings have double quotes"),
        (#"{"a":1 // one"#, "1:8: expected ',' or '}', found '/'; JSON has no comments, use a \"$comment\" key"),
        (#"{"a" 1}"#, "1:6: expected ':' after the key, found '1'"),
        (#"{"a":True}"#, "1:6: expected a value, found 'T'; JSON writes true and false"),
        ("[NaN]", "1:2: expected a value, found 'N'; JSON knows null, but no None and no NaN"),
        ("[nulL]", "1:2: expected a value, found 'n'"),
        ("[nully]", "1:6: expected the end of 'null', found 'y'"),
        ("[1 2]", "1:4: expected ',' or ']', found '2'"),
        ("{}{}", "1:3: the document ended before this; a file holds one document, an array of them, or is .ndjson"),
        (
            "{}\n\u{7}",
            "2:1: the document ended before this; a file holds one document, an array of them, or is .ndjson"
        ),
        ("[01]", "1:2: a number has no leading zeros"), ("[-01]", "1:2: a number has no leading zeros"),
        ("[+1]", "1:2: expected a value, found '+'"), ("[.5]", "1:2: expected a value, found '.'"),
        ("[1.]", "1:4: expected a digit after the decimal point, found ']'"),
        ("[1e]", "1:4: expected a digit of the exponent, found ']'"), ("[-]", "1:3: expected a digit, found ']'"),
        (
            "[9223372036854775808]",
            "1:2: this integer does not fit 64 bits with a sign; write it as a string"
        ),
        (
            "[-9223372036854775809]",
            "1:2: this integer does not fit 64 bits with a sign; write it as a string"
        ),
        ("[1e400]", "1:2: this number is beyond what a double holds"),
        ("[\"a\nb\"]", "1:4: a string does not go over the end of a line; write \\n, or close it before"),
        ("[\"a\tb\"]", "1:4: the control character U+0009 stands in a string; write it as an escape"),
        (#"["\x"]"#, "1:3: JSON has no escape \\ with 'x'"),
        (#"["\u12G4"]"#, "1:7: expected four hexadecimal digits after \\u, found 'G'"),
        (
            #"["\ud800"]"#,
            "1:3: this escape is half of a surrogate pair; write both halves or the character itself"
        ),
        (
            #"["\udc00\ud800"]"#,
            "1:3: this escape is half of a surrogate pair; write both halves or the character itself"
        ),
        (#"{"a\u0000b": 1}"#, "1:2: a key cannot hold a NUL"),
        (#"{"a":1,"a":2}"#, "1:8: the key \"a\" is already at 1:2; remove one of the two"),
        (#"{"a":1,"\u0061":2}"#, "1:8: the key \"a\" is already at 1:2; remove one of the two"),
        (
            "{\"é\":1,\"e\u{301}\":2}",
            #"1:8: the key "e\u{0301}" looks the same as "\u{00E9}" at 1:2; rename one of the two"#
        ),
        (
            "{\"K\":1,\"\u{212A}\":2}",
            #"1:8: the key "\u{212A}" looks the same as "K" at 1:2; rename one of the two"#
        ),
    ]

    @Test(arguments: wrong)
    func saysWhatIsWrongAndWhere(_ row: (text: String, error: String)) {
        #expect(error(Array(row.text.utf8))?.description == row.error)
    }

    @Test(
        arguments: [
            ([0x22, 0xFF, 0x22], 2), ([0x22, 0x61, 0xC3, 0x28, 0x22], 3), ([0x22, 0xED, 0xA0, 0x80, 0x22], 2),
            ([0x22, 0xC0, 0x80, 0x22], 2), ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 2), ([0xFF], 1),
            ([0x22, 0xE2, 0x82], 1),
        ] as [([UInt8], Int)]
    )
    func refusesWhatIsNotUTF8(_ bytes: [UInt8], _ column: Int) {
        #expect(error(bytes)?.place == Place(line: 1, column: column))
    }

    @Test func columnsCountCharactersAndNotBytes() {
        #expect(error(Array("[\"é😀\",\u{9}x]".utf8))?.place == Place(line: 1, column: 8))
        #expect(error(Array("\u{FEFF}[x]".utf8))?.place == Place(line: 1, column: 2))
        #expect(error(Array("[\r\n\r\n x]".utf8))?.place == Place(line: 3, column: 2))
    }

    @Test(arguments: [129, 2_000, 5_000, 100_000, 1_000_000])
    func refusesDepthWithoutCrashing(_ depth: Int) {
        for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
            let opened = String(repeating: open, count: depth)
            #expect(error(Array(opened.utf8))?.kind == .depth)
            #expect(error(Array((opened + "1" + String(repeating: close, count: depth)).utf8))?.kind == .depth)
        }
    }

    @Test func takesTheDeepestThatIsAllowed() throws {
        let text = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
        #expect(try Value(json: text).canonical == text)
        #expect(
            error(Array("[[1]]".utf8), limits: JSONLimits(bytes: 100, depth: 1))?.place == Place(line: 1, column: 2)
        )
    }

    @Test func refusesMoreBytesThanAreAllowed() {
        let limits = JSONLimits(bytes: 4)
        #expect(error(Array("[12]".utf8), limits: limits) == nil)
        #expect(error(Array("[123]".utf8), limits: limits)?.kind == .size)
    }

    @Test func takesAnyRootAndAByteOrderMark() throws {
        #expect(try Value(json: " 1 ") == 1)
        #expect(try Value(json: "null") == .null)
        #expect(try Value(json: "\u{FEFF}\"a\"") == "a")
    }

    @Test func letsANulThroughInAString() throws {
        #expect(try Value(json: #""a\u0000b""#) == .string("a\0b"))
        #expect(try Value(json: #""a\u0000b""#).canonical == #""a\u0000b""#)
    }

    @Test func looksFurtherIntoATextWithDuplicates() throws {
        let value = try Value(json: Array(#"{"a":1,"a":2,"é":3,"é":4}"#.utf8), duplicates: .lastCounts)
        #expect(value == ["a": 2, "é": 4])
    }
}
