import Foundation

/// A temporary directory of one test, removed with the last reference.
package final class Workspace {
    package let directory: URL

    package init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "lockstep-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    /// The path of a file in the directory.
    package func path(_ name: String) -> String {
        directory.appending(path: name).path
    }

    /// Writes a file and returns its path.
    package func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: directory.appending(path: name))
        return path(name)
    }

    /// The bytes of a file.
    package func read(_ name: String) throws -> [UInt8] {
        try Array(Data(contentsOf: directory.appending(path: name)))
    }

    /// Runs a command to its end and returns its standard output; fails where its exit status is not 0.
    package func run(_ command: String...) throws -> String {
        try run(command)
    }

    /// The same with the words in an array.
    package func run(_ command: [String]) throws -> String {
        try start(command).output()
    }

    /// Starts a command in the directory.
    package func start(_ command: [String]) throws -> RunningCommand {
        try RunningCommand(command, in: directory)
    }
}

/// A command that runs beside the test.
package final class RunningCommand {
    private let process = Process()
    private let command: [String]
    private let outputs: URL
    private let errors: URL

    init(_ command: [String], in directory: URL) throws {
        self.command = command
        let name = UUID().uuidString
        outputs = directory.appending(path: "\(name).out")
        errors = directory.appending(path: "\(name).err")
        try Data().write(to: outputs)
        try Data().write(to: errors)
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardOutput = try FileHandle(forWritingTo: outputs)
        process.standardError = try FileHandle(forWritingTo: errors)
        process.standardInput = FileHandle.nullDevice
        process.currentDirectoryURL = directory
        try process.run()
    }

    /// Waits for its end and returns its standard output; fails where its exit status is not 0.
    package func output() throws -> String {
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw CommandFailure(command: command, errors: try String(contentsOf: errors, encoding: .utf8))
        }
        return try String(decoding: Data(contentsOf: outputs), as: UTF8.self)
    }
}

/// A command that a test needs and that failed or is missing.
package struct CommandFailure: Error, CustomStringConvertible {
    package let command: [String]
    package let errors: String
    package var description: String { "\(command.joined(separator: " ")): \(errors)" }
}
