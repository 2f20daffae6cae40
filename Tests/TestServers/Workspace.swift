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
        let output = Pipe()
        let errors = directory.appending(path: "errors-\(UUID().uuidString)")
        try Data().write(to: errors)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        process.standardInput = FileHandle.nullDevice
        process.currentDirectoryURL = directory
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw CommandFailure(command: command, errors: (try? String(contentsOf: errors, encoding: .utf8)) ?? "")
        }
        return String(decoding: data, as: UTF8.self)
    }
}

/// A command that a test needs and that failed or is missing.
package struct CommandFailure: Error, CustomStringConvertible {
    package let command: [String]
    package let errors: String
    package var description: String { "\(command.joined(separator: " ")): \(errors)" }
}
