import Foundation
import Testing

/// `lockstep simulate` beside a workspace: it writes reports into the workspace's spool and reads what is published there.
///
/// It stops when its standard input ends, so it cannot outlive the test process.
final class SimulatorProcess {
    /// What the ready file says.
    struct Ready: Decodable {
        let url: String
        let sandboxUrl: String
        let caFile: String
        let config: String
    }

    let ready: Ready
    private let workspace: Workspace
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var unread = Data()

    // The launcher is what runs it, such as `faketime` with its arguments.
    /// Starts it with more options, waits until it accepts connections, and gives the workspace its configuration.
    init(_ workspace: Workspace, _ arguments: [String] = [], launcher: [String] = []) throws {
        self.workspace = workspace
        let (readyFile, directory) = (workspace.url.appending(path: "ready.json"), workspace.url)
        let command =
            launcher + [Checkout.lockstep.path, "simulate", "--until-eof", "--ready-file", readyFile.path]
            + ["--state-dir", directory.appending(path: "simulator").path]
            + ["--spool", directory.appending(path: "reports").path]
            + ["--public", directory.appending(path: "public").path] + arguments
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.standardInput = input
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: workspace.write("simulator.log", ""))
        try process.run()
        ready = try Self.awaitReady(readyFile, process, workspace)
        try workspace.write("lockstep.json", try String(contentsOfFile: ready.config, encoding: .utf8))
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// The ready file appears whole, and is the first thing that tells the port.
    private static func awaitReady(_ file: URL, _ process: Process, _ workspace: Workspace) throws -> Ready {
        while !FileManager.default.fileExists(atPath: file.path) {
            guard process.isRunning else { throw Failure(log: try workspace.text("simulator.log")) }
            usleep(5_000)
        }
        return try JSONDecoder().decode(Ready.self, from: Data(contentsOf: file))
    }

    /// The simulator ended, or refused a command.
    struct Failure: Error, CustomStringConvertible {
        let log: String
        var description: String { "the simulator failed: \(log)" }
    }

    /// Sends a command, and returns its answer once what it caused can be seen.
    @discardableResult
    func send(_ command: String) throws -> [String: Any] {
        try input.fileHandleForWriting.write(contentsOf: Data((command + "\n").utf8))
        let line = try nextLine()
        let answer = try JSONSerialization.jsonObject(with: line) as? [String: Any] ?? [:]
        guard answer["ok"] as? Bool == true else { throw Failure(log: String(decoding: line, as: UTF8.self)) }
        return answer
    }

    private func nextLine() throws -> Data {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread = Data(unread[(end + 1)...]) }
                return unread[..<end]
            }
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw Failure(log: try workspace.text("simulator.log")) }
            unread += more
        }
    }

    /// What every device shows.
    func screens() throws -> [String: Any] {
        try send(#"{"do":"screens"}"#)
        let data = Data(try workspace.text("simulator/screens.json").utf8)
        let screens = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        return try #require(screens?["devices"] as? [String: Any])
    }

    /// What one device shows of one app: `subscriber`, `widgets` by name, and `tiles`.
    func screen(_ device: String, app: String = "com.example.courier") throws -> [String: Any] {
        let screen = try #require(try screens()[device] as? [String: Any])
        let apps = try #require(screen["apps"] as? [String: Any])
        return try #require(apps[app] as? [String: Any])
    }

    /// The tiles that one device shows of one app and that have not ended.
    func tiles(_ device: String, app: String = "com.example.courier") throws -> [[String: Any]] {
        let tiles = try screen(device, app: app)["tiles"] as? [[String: Any]] ?? []
        return tiles.filter { $0["ended"] as? Bool == false }
    }

    /// Every request that it took, in order.
    func requests() throws -> [[String: Any]] {
        try workspace.text("simulator/requests.ndjson").split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }
}
