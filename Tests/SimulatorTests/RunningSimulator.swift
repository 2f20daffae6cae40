import Foundation
import Testing

/// `lockstep simulate` as a process of its own, in a directory of its own; both go with the object.
///
/// It is spoken to as anybody would: commands on its standard input, answers on its standard output, HTTP/2 on its ports.
final class RunningSimulator {
    /// The root of the repository.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    let directory: URL
    /// The production service.
    let url: String
    let sandboxURL: String
    let caFile: String
    let configuration: [String: Any]
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var buffer = Data()

    /// Starts it and waits until it is ready.
    init(_ arguments: [String] = [], commands: [String] = [], environment: [String: String] = [:]) throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "simulator-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let file = directory.appending(path: "commands.ndjson")
        try Data(commands.map { $0 + "\n" }.joined().utf8).write(to: file)
        process.executableURL = try RunningSimulator.program
        process.arguments =
            [
                "simulate", "--ready-file", "ready.json", "--state-dir", "apple", "--spool", "reports", "--public",
                "public", "--commands", "commands.ndjson", "--until-eof",
            ] + arguments
        process.currentDirectoryURL = directory
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        // Its answer to a first command says that it is ready, or the end of its output that it never will be.
        try input.fileHandleForWriting.write(contentsOf: Data("{\"do\":\"counters\"}\n".utf8))
        let isReady = RunningSimulator.line(from: output, &buffer) != nil
        try #require(isReady, "the simulator did not start")
        let ready = try RunningSimulator.json(directory.appending(path: "ready.json"))
        url = try #require(ready["url"] as? String)
        sandboxURL = try #require(ready["sandboxUrl"] as? String)
        caFile = try #require(ready["caFile"] as? String)
        configuration = try RunningSimulator.json(URL(filePath: try #require(ready["config"] as? String)))
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: directory)
    }

    /// Ends it and waits for that.
    ///
    /// - Returns: Its exit status.
    @discardableResult
    func stop() -> Int32 {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Asks it to end as the system would.
    func terminate() { process.terminate() }

    /// Gives a command, waits for its answer and expects that it was carried out.
    @discardableResult
    func tell(_ command: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> [String: Any] {
        let answer = try ask(command)
        #expect(answer["ok"] as? Bool == true, "\(answer)", sourceLocation: sourceLocation)
        return answer
    }

    /// Gives a command and waits for its answer.
    func ask(_ command: String) throws -> [String: Any] {
        try input.fileHandleForWriting.write(contentsOf: Data((command + "\n").utf8))
        let line = try #require(RunningSimulator.line(from: output, &buffer))
        return try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
    }

    // MARK: What it left

    /// A phone in `screens.json`, once that is written.
    func screen(_ device: String) throws -> [String: Any] {
        try tell(#"{"do":"screens"}"#)
        let screens = try RunningSimulator.json(directory.appending(path: "apple/screens.json"))
        return try #require((screens["devices"] as? [String: Any])?[device] as? [String: Any])
    }

    /// The tiles of the courier app on a phone.
    func tiles(_ device: String) throws -> [[String: Any]] {
        let apps = try #require(try screen(device)["apps"] as? [String: [String: Any]])
        return try #require(apps["com.example.courier"]?["tiles"] as? [[String: Any]])
    }

    /// The reports in the spool, in the order in which they were written.
    func reports(_ type: String? = nil) throws -> [[String: Any]] {
        let spool = directory.appending(path: "reports")
        let names = try FileManager.default.contentsOfDirectory(atPath: spool.path)
        #expect(names.allSatisfy { $0.hasSuffix(".ndjson") })
        let lines = try names.sorted().flatMap {
            try String(contentsOf: spool.appending(path: $0), encoding: .utf8).split(separator: "\n")
        }
        let reports = try lines.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        return reports.filter { type == nil || $0["type"] as? String == type }
    }

    /// The last token that a device reported with this type.
    func token(_ device: String, _ type: String) throws -> String {
        try #require(try reports(type).last { $0["device"] as? String == device }?["token"] as? String)
    }

    /// The lines of the request log.
    func requests() throws -> [[String: Any]] {
        let text = try String(contentsOf: directory.appending(path: "apple/requests.ndjson"), encoding: .utf8)
        return try text.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    // MARK: Parts

    private static var program: URL {
        get throws {
            let arguments = CommandLine.arguments
            let bundle = arguments.firstIndex(of: "--test-bundle-path").map { arguments[$0 + 1] } ?? arguments[0]
            let beside = URL(filePath: bundle).deletingLastPathComponent().appending(path: "lockstep")
            try #require(FileManager.default.isExecutableFile(atPath: beside.path), "build the whole package first")
            return beside
        }
    }

    static func json(_ file: URL) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    }

    /// The next line that it writes; `nil` where it has ended.
    private static func line(from pipe: Pipe, _ buffer: inout Data) -> Data? {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                defer { buffer = Data(buffer[(end + 1)...]) }
                return Data(buffer[..<end])
            }
            let more = pipe.fileHandleForReading.availableData
            guard !more.isEmpty else { return nil }
            buffer.append(more)
        }
    }
}
