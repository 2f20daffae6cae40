import Foundation
import Testing

/// What a run of the program left.
struct Outcome {
    let status: Int32
    let stdout: String
    let stderr: String

    /// The lines of standard output.
    var lines: [String] {
        let text = stdout.hasSuffix("\n") ? stdout.dropLast() : stdout[...]
        return stdout.isEmpty ? [] : text.components(separatedBy: "\n")
    }

    /// Standard output read as one JSON object.
    func json() throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(stdout.utf8)) as? [String: Any])
    }

    /// Standard output read as one JSON object a line.
    func items() throws -> [[String: Any]] {
        try lines.map { try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
    }
}

/// The programs and folders of this checkout.
enum Checkout {
    /// The root of the repository.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The built program, which lies beside the test bundle.
    static let lockstep: URL = {
        let arguments = CommandLine.arguments
        let bundle = arguments.firstIndex(of: "--test-bundle-path").map { arguments[$0 + 1] } ?? arguments[0]
        let beside = URL(filePath: bundle).deletingLastPathComponent().appending(path: "lockstep")
        let isBeside = FileManager.default.isExecutableFile(atPath: beside.path)
        return isBeside ? beside : root.appending(path: ".build/debug/lockstep")
    }()

    /// The text of a file of the repository.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
}

/// Runs a program to its end.
///
/// What it writes goes to files, so that nothing waits for a full pipe; of `environment`, an empty value removes the
/// test's own variable.
func execute(
    _ program: URL,
    _ arguments: [String],
    in directory: URL,
    stdin: String = "",
    environment: [String: String] = [:]
) throws -> Outcome {
    let scratch = try Scratch()
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = directory
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }.filter { !$1.isEmpty }
    process.standardInput = try FileHandle(forReadingFrom: scratch.write("stdin", stdin))
    process.standardOutput = try FileHandle(forWritingTo: scratch.write("stdout", ""))
    process.standardError = try FileHandle(forWritingTo: scratch.write("stderr", ""))
    try process.run()
    process.waitUntilExit()
    let died = process.terminationReason == .uncaughtSignal
    return Outcome(
        status: died ? 128 + process.terminationStatus : process.terminationStatus,
        stdout: try scratch.text("stdout"),
        stderr: try scratch.text("stderr")
    )
}

/// A directory of its own, gone with the object.
class Scratch {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "lockstep-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes a file, and the directories above it.
    @discardableResult
    func write(_ path: String, _ text: String) throws -> URL {
        let file = url.appending(path: path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return file
    }

    /// The text of a file.
    func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: url.appending(path: path)), as: UTF8.self)
    }

    func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: url.appending(path: path).path) }

    func remove(_ path: String) throws { try FileManager.default.removeItem(at: url.appending(path: path)) }
}

/// A project directory and the program run in it.
final class Workspace: Scratch {
    /// Runs the built program here.
    @discardableResult
    func run(_ arguments: String..., stdin: String = "", environment: [String: String] = [:]) throws -> Outcome {
        try execute(Checkout.lockstep, arguments, in: url, stdin: stdin, environment: environment)
    }

    /// Expects that a plan finds nothing to do.
    func assertInStep(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let plan = try run("plan", "--detailed-exitcode")
        #expect(plan.status == 0, "\(plan.stdout)\(plan.stderr)", sourceLocation: sourceLocation)
        #expect(plan.lines.last?.hasPrefix("No changes") == true, "\(plan.stdout)", sourceLocation: sourceLocation)
    }
}
