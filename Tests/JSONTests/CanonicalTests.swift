import Foreign
import JSON
import TestSeeds
import Testing

/// RFC 8785, JSON Canonicalization Scheme.
struct CanonicalTests {
    /// Appendix B: the bits of a double and its serialisation.
    static let numbers: [(bits: UInt64, text: String)] = [
        (0x0000_0000_0000_0000, "0"),
        (0x8000_0000_0000_0000, "0"),
        (0x0000_0000_0000_0001, "5e-324"),
        (0x8000_0000_0000_0001, "-5e-324"),
        (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
        (0xffef_ffff_ffff_ffff, "-1.7976931348623157e+308"),
        (0x4340_0000_0000_0000, "9007199254740992"),
        (0xc340_0000_0000_0000, "-9007199254740992"),
        (0x4430_0000_0000_0000, "295147905179352830000"),
        (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"),
        (0x44b5_2d02_c7e1_4af6, "1e+23"),
        (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"),
        (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
        (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"),
        (0x444b_1ae4_d6e2_ef50, "1e+21"),
        (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"),
        (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
        (0x41b3_de43_5555_5553, "333333333.3333332"),
        (0x41b3_de43_5555_5554, "333333333.33333325"),
        (0x41b3_de43_5555_5555, "333333333.3333333"),
        (0x41b3_de43_5555_5556, "333333333.3333334"),
        (0x41b3_de43_5555_5557, "333333333.33333343"),
        (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
        (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
    ]

    /// The numbers of the table from 2^63 up to 10^21: RFC 8785 writes all their digits, we keep the exponent.
    static let exceptions = [
        "295147905179352830000": "2.9514790517935283e+20",
        "999999999999999700000": "9.999999999999997e+20",
        "999999999999999900000": "9.999999999999999e+20",
    ]

    @Test(arguments: numbers)
    func numbersFollowAppendixB(_ row: (bits: UInt64, text: String)) throws {
        let value = Value.number(Double(bitPattern: row.bits))
        #expect(value.canonical == Self.exceptions[row.text] ?? row.text)
        #expect(try Value(json: value.canonical) == value)
    }

    @Test func serialisesTheExampleOfSection322() throws {
        let value = try Value(
            json: #"""
                {
                  "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
                  "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
                  "literals": [null, true, false]
                }
                """#
        )
        let expected = #"""
            {"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}
            """#
        #expect(value.canonical == expected)
        // Section 3.2.4 gives the bytes.
        let bytes =
            "7b226c69746572616c73223a5b6e756c6c2c747275652c66616c73655d2c226e756d62657273223a5b3333333333333333332e333333"
            + "333333332c31652b33302c342e352c302e3030322c31652d32375d2c22737472696e67223a22e282ac245c75303030665c6e4127"
            + "425c225c5c5c5c5c222f227d"
        #expect(value.canonicalBytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == bytes)
    }

    @Test func sortsKeysAsSection323Shows() throws {
        let value = try Value(
            json: #"""
                { "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh",
                  "1": "One", "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control",
                  "\u00f6": "Latin Small Letter O With Diaeresis" }
                """#
        )
        let names = value.object?.members.map(\.value)
        #expect(
            names == [
                "Carriage Return", "One", "Control", "Latin Small Letter O With Diaeresis", "Euro Sign",
                "Emoji: Grinning Face", "Hebrew Letter Dalet With Dagesh",
            ]
        )
    }

    @Test func keysSortByUTF16WhateverTheirBytes() {
        var generator = SeededGenerator(seed: 1)
        let alphabet: [Unicode.Scalar] = [
            "a", "\u{7F}", "\u{80}", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}",
        ]
        func word() -> String {
            var text = ""
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                text.unicodeScalars.append(alphabet[Int.random(in: 0..<alphabet.count, using: &generator)])
            }
            return text
        }
        for _ in 0..<500 {
            let words = (0..<8).map { _ in word() }
            let object = Object(words.map { Object.Member(key: Text($0), value: .null) })
            let unique = Set(words.map { Text($0) }).map(\.string)
            #expect(
                object.members.map(\.key)
                    == unique.sorted { $0.utf16.lexicographicallyPrecedes($1.utf16) }.map { Text($0) }
            )
        }
    }

    @Test func ofAKeyThatComesTwiceTheLastCounts() {
        let object = Object([
            .init(key: "b", value: 1), .init(key: "a", value: 2), .init(key: "b", value: 3), .init(key: "a", value: 4),
        ])
        #expect(Value.object(object).canonical == #"{"a":4,"b":3}"#)
    }

    @Test func integersKeepAllTheirDigits() throws {
        for text in ["9007199254740993", "9223372036854775807", "-9223372036854775808"] {
            #expect(try Value(json: text).canonical == text)
        }
    }

    @Test func equalNumbersHaveOneForm() throws {
        for text in ["1", "1.0", "1e0", "10E-1", "0.1e1", "100000e-5"] { #expect(try Value(json: text) == 1) }
        for text in ["0", "-0", "0.0", "-0.0", "0e5", "-0e-5"] { #expect(try Value(json: text) == 0) }
    }

    @Test func escapesOnlyWhatJSONDemands() {
        var text = ""
        for code in 0..<0x20 as Range<UInt32> { text.unicodeScalars.append(Unicode.Scalar(UInt8(code))) }
        text += "\u{7F}\u{2028}/é😀"
        #expect(
            Text(text).canonical
                == #""\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f\u0010\u0011\u0012"#
                + #"\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f"#
                + "\u{7F}\u{2028}/é😀\""
        )
    }

    @Test func readingTheCanonicalFormGivesTheSameValue() throws {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<5_000 {
            let value = Value.random(using: &generator)
            #expect(try Value(json: value.canonicalBytes) == value)
        }
    }

    @Test func realsOfAnyBitsReadBack() throws {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<20_000 {
            let real = Double(bitPattern: generator.next())
            guard real.isFinite else { continue }
            #expect(try Value(json: Value.number(real).canonicalBytes) == Value.number(real))
        }
    }
}
