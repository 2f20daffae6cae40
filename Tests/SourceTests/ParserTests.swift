import Foreign
import Foundation
import JSON
import TestSeeds
import Testing

@testable import Source

/// The parser is a function of bytes: what was read before, or is read beside, changes nothing.
struct ParserTests {
    /// One text with its place, and the parser of its project.
    private struct Input: Sendable {
        var parser: Parser
        var bytes: [UInt8]
        var source: SourcePlace

        func parse() -> Parser.Parsed { parser.parse(bytes, at: source) }
    }

    /// The state files of an example.
    private static func example(_ name: String) throws -> [Input] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../examples/\(name)")
        let configuration = try Configuration.read(root.standardizedFileURL.path + "/lockstep.json")
        let tree = DiskTree(directory: configuration.directory)
        let templates = try Templates(in: tree) { Issue.record("\($0)") }
        let parser = Parser(apps: configuration.apps.map(\.bundleID), templates: templates)
        var inputs: [Input] = []
        try Files.walk(tree.path("state")) { entry in
            let bytes = entry.kind == .file ? try tree.read(entry.path, limit: .max) : []
            switch StateFormat(of: entry.path) {
            case .json: inputs.append(Input(parser: parser, bytes: bytes, source: SourcePlace(file: entry.path)))
            case .ndjson:
                for (index, line) in bytes.split(separator: 0x0A).enumerated() {
                    let source = SourcePlace(file: entry.path, line: index + 1, offset: line.startIndex)
                    inputs.append(Input(parser: parser, bytes: Array(line), source: source))
                }
            case nil: break
            }
            return true
        }
        return inputs
    }

    /// The text with some damage.
    private static func damaged(_ input: Input, _ random: inout SeededGenerator) -> Input {
        var input = input
        for _ in 0...Int.random(in: 0...2, using: &random) {
            guard let index = input.bytes.indices.randomElement(using: &random) else { continue }
            switch Int.random(in: 0..<4, using: &random) {
            case 0: input.bytes[index] = UInt8.random(in: 0...255, using: &random)
            case 1: input.bytes.remove(at: index)
            case 2: input.bytes.removeSubrange(index..<min(input.bytes.count, index + 30))
            default: input.bytes.insert(input.bytes[index], at: index)
            }
        }
        return input
    }

    @Test func manyAtOnceReadWhatOneAfterTheOtherReads() async throws {
        let examples = try ["courier", "departures", "fitness"].flatMap(Self.example)
        var random = SeededGenerator(seed: 4)
        var inputs = examples
        for _ in 0..<(runsLongProofs ? 600 : 300) {
            if let input = examples.randomElement(using: &random) { inputs.append(Self.damaged(input, &random)) }
            let bytes = Value.random(using: &random, depth: 4).canonicalBytes
            inputs.append(Input(parser: examples[0].parser, bytes: bytes, source: SourcePlace(file: "random.json")))
        }
        let alone = inputs.map { $0.parse() }
        #expect(alone.prefix(examples.count).allSatisfy { $0.flaws + $0.problems == [] && !$0.declarations.isEmpty })
        #expect(alone.contains { $0.problems.contains { $0.code == .stateMismatch } })
        #expect(alone.contains { $0.flaws.contains { $0.code == .notJSON } })
        let all = inputs
        try await withThrowingTaskGroup(of: [Parser.Parsed].self) { group in
            for task in 0..<8 {
                group.addTask {
                    // Each begins somewhere else, so that different texts are read beside each other.
                    let start = task * all.count / 8
                    let parsed = (all[start...] + all[..<start]).map { $0.parse() }
                    return Array(parsed[(all.count - start)...] + parsed[..<(all.count - start)])
                }
            }
            for try await parsed in group { #expect(parsed == alone) }
        }
    }
}
