import Foreign
import JSON
import Testing

/// RFC 6901, JSON Pointer.
struct PointerTests {
    /// The document of section 5.
    static let document = #"""
        { "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8 }
        """#

    @Test(
        arguments: [
            ("", document), ("/foo", #"["bar","baz"]"#), ("/foo/0", #""bar""#), ("/", "0"), ("/a~1b", "1"),
            ("/c%d", "2"), ("/e^f", "3"), ("/g|h", "4"), (#"/i\j"#, "5"), (#"/k"l"#, "6"), ("/ ", "7"), ("/m~0n", "8"),
        ])
    func leadsWhereSection5Says(_ pointer: String, _ expected: String) throws {
        let parsed = try #require(Pointer(pointer))
        #expect(parsed.description == pointer)
        #expect(try Value(json: Self.document)[parsed] == Value(json: expected))
    }

    @Test(arguments: ["foo", "/~", "/a~2b", "~0", "/a~"])
    func refusesWhatIsNoPointer(_ text: String) {
        #expect(Pointer(text) == nil)
    }

    @Test(arguments: ["/foo/2", "/foo/-", "/foo/00", "/foo/+1", "/foo/0/x", "/bar", "/foo/99999999999999999999"])
    func findsNothingWhereNothingIs(_ text: String) throws {
        let pointer = try #require(Pointer(text))
        #expect(try Value(json: Self.document)[pointer] == nil)
    }

    @Test func tildeOneIsNotResolvedTwice() throws {
        // Section 4: ~01 is ~1 and never /.
        #expect(Pointer("/~01")?.tokens == ["~1"])
        #expect(Pointer(["~1"]).description == "/~01")
    }
}
