import JSON
import TestSeeds
import Testing

@testable import Foreign

/// The reader of plain texts, held against the parser of record: what it takes, both read as the same.
@Suite struct PlainReaderTests {
    private func plain(_ text: [UInt8]) -> Value? { Value(plain: text.span, depth: JSONLimits.standard.depth) }

    private func recorded(_ text: [UInt8]) -> Value? {
        try? Value(jansson: text.span, .standard, .refused)
    }

    @Test func itTakesNothingThatTheOtherReadsOtherwise() {
        var generator = SeededGenerator(seed: 21)
        var (taken, refused) = (0, 0)
        for _ in 0..<40_000 {
            let value = Value.random(using: &generator)
            for text in [value.canonicalBytes, value.spaced(using: &generator).damaged(using: &generator)] {
                guard let plain = plain(text) else {
                    refused += 1
                    continue
                }
                taken += 1
                #expect(plain == recorded(text), "\(String(decoding: text, as: UTF8.self))")
            }
        }
        // It is of use, and it gives way.
        #expect(taken > 10_000)
        #expect(refused > 1_000)
    }

    @Test(arguments: [
        #"{"a":1,"b":[true,false,null,"x"],"c":{}}"#, " [ 1 , -2 ]\n", "0", "-7", "123456789012345678", "1.0", "0.25",
        "-0.5e-3",
        "1E2", "1e+2", #""""#, #""é ✓""#, #"{"b":1,"a":2}"#, #"{"a":"é"}"#, "[]", "{}", "100.00",
    ])
    func theseArePlain(text: String) {
        let bytes = Array(text.utf8)
        #expect(plain(bytes) != nil)
        #expect(plain(bytes) == recorded(bytes))
    }

    @Test(arguments: [
        "", " ", "01", "-", "-01", "1.", ".5", "1e", "1e+", "+1", "1 2", "[1,]", "[,1]", "{,}", #"{"a"}"#, #"{"a":}"#,
        #"{"a":1,}"#,
        "tru", "truex", "nul", "NaN", "Infinity", #""a"#, #""a\n""#, "\"a\u{0}\"", "\"a\tb\"", #"{"a":1,"a":2}"#,
        #"{"é":1}"#,
        "-0", "-0.0e", "1e999", "1234567890123456789", "\u{FEFF}1", "[1", "{\"a\":1", "/**/1", "'a'", "1\u{0}",
    ])
    func theseAreLeftToTheOther(text: String) {
        #expect(plain(Array(text.utf8)) == nil)
    }

    @Test func bytesThatAreNoUTF8AreLeftToTheOther() {
        for bad: [UInt8] in [[0x80], [0xC3], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80]] {
            #expect(plain([UInt8(ascii: "\"")] + bad + [UInt8(ascii: "\"")]) == nil)
        }
    }

    @Test func depthIsLimited() {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(plain(nested(128)) == recorded(nested(128)))
        #expect(plain(nested(129)) == nil)
        #expect(plain(Array(repeating: UInt8(ascii: "["), count: 100_000)) == nil)
    }
}
