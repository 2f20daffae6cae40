import Foreign
import TestServers
import Testing

struct LineReaderTests {
    let workspace: Workspace

    init() throws { workspace = try Workspace() }

    private struct Line: Equatable {
        var number: Int
        var offset: Int
        var text: String
    }

    private func lines(of text: String, limit: Int = 1 << 20) throws -> [Line] {
        let path = try workspace.write(text, to: "lines")
        var reader = try LineReader(path, limit: limit)
        var lines: [Line] = []
        var line: [UInt8] = []
        while true {
            do {
                guard try reader.next(into: &line) else { return lines }
                lines.append(
                    Line(number: reader.number, offset: reader.offset, text: String(decoding: line, as: UTF8.self))
                )
            } catch {
                guard case .lineTooLong(let number, _) = error.reason else { throw error }
                lines.append(Line(number: number, offset: reader.offset, text: "too long"))
            }
        }
    }

    @Test func numbersLinesAndKnowsWhereTheyBegin() throws {
        #expect(
            try lines(of: "a\n\nbc\r\nd") == [
                Line(number: 1, offset: 0, text: "a"), Line(number: 2, offset: 2, text: ""),
                Line(number: 3, offset: 3, text: "bc\r"), Line(number: 4, offset: 7, text: "d"),
            ]
        )
        #expect(try lines(of: "") == [])
        #expect(try lines(of: "\n") == [Line(number: 1, offset: 0, text: "")])
    }

    @Test func goesOnAfterALineThatIsTooLong() throws {
        let long = String(repeating: "x", count: 700_000)
        #expect(
            try lines(of: "a\n\(long)\nb\n\(long)", limit: 600_000) == [
                Line(number: 1, offset: 0, text: "a"), Line(number: 2, offset: 2, text: "too long"),
                Line(number: 3, offset: 700_003, text: "b"), Line(number: 4, offset: 700_005, text: "too long"),
            ]
        )
        #expect(try lines(of: long, limit: 700_000).map(\.text.utf8.count) == [700_000])
    }

    @Test func findsTheSameLinesAtAnyLengthAroundItsBuffer() throws {
        for count in [262_143, 262_144, 262_145, 524_288] {
            let long = String(repeating: "y", count: count)
            #expect(try lines(of: "\(long)\nz").map(\.text) == [long, "z"])
        }
    }

    @Test func startsAtAnyLine() throws {
        let path = try workspace.write("first\nsecond\nthird", to: "lines")
        var reader = try LineReader(path, from: 6)
        var line: [UInt8] = []
        #expect(try reader.next(into: &line))
        #expect(line == Array("second".utf8))
        #expect(reader.offset == 6)
    }
}
