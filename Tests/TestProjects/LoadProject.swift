public import Foundation

/// A project in a temporary directory, which goes when this does.
public final class LoadProject {
    /// The directory, without a slash at its end.
    public let directory: String

    /// A configuration with one app.
    public static let configuration = #"""
        {
          "apps": { "com.example.courier": { "teamId": "ABCDE12345", "keys": {} } },
          "state": ["state"]
        }
        """#

    /// Files by their paths; a `lockstep.json` with one app unless one is among them.
    public init(_ files: [String: String] = [:]) throws {
        let unique = FileManager.default.temporaryDirectory.appending(path: "load-\(UUID().uuidString)")
        directory = unique.path
        try FileManager.default.createDirectory(at: unique, withIntermediateDirectories: true)
        try write("lockstep.json", files["lockstep.json"] ?? Self.configuration)
        for (path, text) in files { try write(path, text) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// The path of one of its files.
    public func path(_ relative: String) -> String { "\(directory)/\(relative)" }

    /// Writes a file, and the directories that lead to it.
    public func write(_ path: String, _ text: String) throws {
        try write(path, Data(text.utf8))
    }

    /// Writes a file, and the directories that lead to it.
    public func write(_ path: String, _ data: Data) throws {
        let url = URL(filePath: self.path(path))
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: url)
    }

    /// Makes a symbolic link.
    public func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: self.path(path), withDestinationPath: target)
    }

    /// Puts a file of `Tests/Cases` in.
    public func add(case name: String, as path: String? = nil) throws {
        let cases = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Cases")
        try write(path ?? "state/\(name)", Data(contentsOf: cases.appending(path: name)))
    }
}
