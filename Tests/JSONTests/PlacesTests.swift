import Foreign
import JSON
import TestSeeds
import Testing

struct PlacesTests {
    static let text = """
        {
          "a": [1, { "b/c": "é", "d": null }],
        \t"é": {}, "f": 2
        }
        """

    @Test(arguments: [
        ("", 1, 1, 1, 1), ("/a", 2, 3, 2, 8), ("/a/0", 2, 9, 2, 9), ("/a/1", 2, 12, 2, 12),
        ("/a/1/b~1c", 2, 14, 2, 21), ("/a/1/d", 2, 26, 2, 31), ("/é", 3, 2, 3, 7), ("/f", 3, 11, 3, 16),
    ])
    func findsKeysAndValues(_ pointer: String, _ keyLine: Int, _ keyColumn: Int, _ line: Int, _ column: Int) throws {
        let pointer = try #require(Pointer(pointer))
        let places = Places(Array(Self.text.utf8))
        #expect(places.error == nil)
        #expect(places.place(of: pointer, .key) == Place(line: keyLine, column: keyColumn))
        #expect(places.place(of: pointer) == Place(line: line, column: column))
    }

    @Test(arguments: [
        ("", "{", "}", "{", "}"), ("/a", "\"", "\"", "[", "]"), ("/a/0", "1", "1", "1", "1"),
        ("/a/1", "{", "}", "{", "}"), ("/a/1/b~1c", "\"", "\"", "\"", "\""), ("/é", "\"", "\"", "{", "}"),
    ])
    func aRangeIsFromTheFirstCharacterUpToThePlaceBehindTheLast(
        _ pointer: String,
        _ keyFirst: String,
        _ keyLast: String,
        _ first: String,
        _ last: String
    ) throws {
        let pointer = try #require(Pointer(pointer))
        let places = Places(Array(Self.text.utf8))
        let lines = Self.text.split(separator: "\n").map { Array($0.unicodeScalars) }
        for (part, first, last) in [(Places.Part.key, keyFirst, keyLast), (.value, first, last)] {
            let range = try #require(places.range(of: pointer, part))
            #expect(range.lowerBound == places.place(of: pointer, part))
            #expect(String(lines[range.lowerBound.line - 1][range.lowerBound.column - 1]) == first)
            #expect(String(lines[range.upperBound.line - 1][range.upperBound.column - 2]) == last)
        }
    }

    @Test(arguments: [
        (#"  "a\"é\\" : 1"#, 3, 11), (#"  "open"#, 3, 8), ("  nulll,", 3, 8), ("  -1.5e3]", 3, 9), ("  }}", 3, 4),
        ("  ", 3, 3),
        ("  é😀,", 3, 5), ("  <<<", 3, 4),
    ])
    func withoutAValueTheRangeIsTheWordOrTheCharacter(_ text: String, _ column: Int, _ end: Int) {
        let range = Places(Array(text.utf8)).range(at: Place(line: 1, column: column))
        #expect(range == Place(line: 1, column: column)..<Place(line: 1, column: end))
    }

    @Test(arguments: ["/x", "/a/2", "/a/b", "/f/0", "/a/1/b"])
    func knowsNoPlaceOfWhatIsNotThere(_ pointer: String) throws {
        #expect(Places(Array(Self.text.utf8)).place(of: try #require(Pointer(pointer))) == nil)
    }

    @Test func countsLinesFromWhereTheTextBegins() {
        let places = Places(Array(#"{"a": 1}"#.utf8), firstLine: 41)
        #expect(places.place(of: Pointer(["a"])) == Place(line: 41, column: 7))
        #expect(String(decoding: places.line(41), as: UTF8.self) == #"{"a": 1}"#)
        #expect(places.line(40).isEmpty)
        #expect(places.line(42).isEmpty)
    }

    @Test func findsAllDuplicatesInOrder() {
        let text = """
            {"x": {"b": 1, "b": 2, "\\u0062": 3},
             "y": [{"é": 1, "e\u{301}": 2}, {"a": 1, "A": 1}],
             "x": 0}
            """
        let duplicates = Places(Array(text.utf8)).duplicates()
        #expect(duplicates.map(\.object.description) == ["", "/x", "/y/0"])
        #expect(duplicates.map(\.keys) == [["x", "x"], ["b", "b", "b"], ["é", "e\u{301}"]])
        #expect(duplicates.map { Set($0.keys).count > 1 } == [false, false, true])
        #expect(duplicates[0].places == [Place(line: 1, column: 2), Place(line: 3, column: 2)])
        #expect(duplicates[1].places.map(\.column) == [8, 16, 24])
    }

    @Test func findsEveryPlaceOfAnyDocument() throws {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<500 {
            let value = Value.random(using: &generator)
            let text = Array(value.spaced(using: &generator).utf8)
            #expect(try Value(json: text) == value)
            let places = Places(text)
            for (pointer, part) in value.parts() {
                let place = try #require(places.place(of: pointer))
                let line = Array(String(decoding: places.line(place.line), as: UTF8.self).unicodeScalars)
                let rest = String(String.UnicodeScalarView(line[(place.column - 1)...]))
                #expect(rest.utf8.starts(with: part.canonical.utf8.prefix(1)))
                let range = try #require(places.range(of: pointer))
                #expect(try Value(json: Array(places.text(in: range).utf8)) == part)
            }
        }
    }

    @Test func agreesWithTheParserOnWhatIsJSON() {
        var generator = SeededGenerator(seed: 6)
        for _ in 0..<20_000 {
            let text = Value.random(using: &generator).spaced(using: &generator).damaged(using: &generator)
            var isTaken = true
            do throws(ParseError) { _ = try Value(json: text) } catch { isTaken = false }
            let places = Places(text)
            #expect(isTaken == (places.error == nil && places.duplicates().isEmpty), "\(text)")
        }
    }
}

extension Places {
    /// What stands in a range.
    fileprivate func text(in range: Range<Place>) -> String {
        let (start, end) = (range.lowerBound, range.upperBound)
        let lines = (start.line...end.line).map { number in
            var line = Array(String(decoding: line(number), as: UTF8.self).unicodeScalars)
            if number == end.line { line.removeLast(line.count - end.column + 1) }
            if number == start.line { line.removeFirst(start.column - 1) }
            return String(String.UnicodeScalarView(line))
        }
        return lines.joined(separator: "\n")
    }
}
