import Foreign
import Foundation
import JSON
import TestSeeds
import Testing

/// Thousands of generated documents, judged by implementations that are not ours: Python's json and jsonpatch.
///
/// They need `.venv` in the root of the repository, which `script/bootstrap` makes, and fail without it.
struct JudgeTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

    /// Writes the cases as NDJSON, has them judged, and returns what the judge prints.
    private func judge(_ kind: String, _ cases: [Value]) throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: "judge-\(UUID().uuidString).ndjson")
        defer { try? FileManager.default.removeItem(at: file) }
        var bytes: [UInt8] = []
        for value in cases {
            value.appendCanonical(to: &bytes)
            bytes.append(UInt8(ascii: "\n"))
        }
        try Data(bytes).write(to: file)
        let process = Process()
        process.executableURL = Self.root.appending(path: ".venv/bin/python3")
        process.arguments = [Self.root.appending(path: "Tests/Judges/json_judge.py").path, kind, file.path]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    @Test func jsonpatchAppliesOurPatches() throws {
        var generator = SeededGenerator(seed: 7)
        let cases = (0..<5_000).map { _ -> Value in
            let old = Value.random(using: &generator)
            let new = old.changed(using: &generator)
            return ["old": old, "new": new, "patch": Patch(from: old, to: new).value]
        }
        #expect(try judge("patches", cases) == "judged 5000\n")
    }

    @Test func pythonTakesTheSameTextsWithTheSameValues() throws {
        var generator = SeededGenerator(seed: 8)
        let cases = (0..<20_000).map { _ -> Value in
            let text = Value.random(using: &generator).spaced(using: &generator).damaged(using: &generator)
            let hex = text.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            guard let value = try? Value(json: text) else { return ["hex": .string(Text(hex)), "taken": false] }
            return ["hex": .string(Text(hex)), "taken": true, "canonical": .string(Text(value.canonical))]
        }
        #expect(try judge("texts", cases) == "judged 20000\n")
    }
}
