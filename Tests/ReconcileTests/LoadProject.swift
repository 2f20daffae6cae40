import Foundation
import Reconcile

/// A project in a temporary directory, which goes when this does.
final class LoadProject {
    let directory: String

    static let configuration = #"""
        {
          "apps": { "com.example.courier": { "teamId": "ABCDE12345", "keys": {} } },
          "state": ["state"]
        }
        """#

    /// Files by their paths; a `lockstep.json` with one app unless one is among them.
    init(_ files: [String: String] = [:]) throws {
        let unique = FileManager.default.temporaryDirectory.appending(path: "load-\(UUID().uuidString)")
        directory = unique.path
        try FileManager.default.createDirectory(at: unique, withIntermediateDirectories: true)
        try write("lockstep.json", files["lockstep.json"] ?? Self.configuration)
        for (path, text) in files { try write(path, text) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: directory)
    }

    func path(_ relative: String) -> String { "\(directory)/\(relative)" }

    func write(_ path: String, _ text: String) throws {
        try write(path, Data(text.utf8))
    }

    func write(_ path: String, _ data: Data) throws {
        let url = URL(filePath: self.path(path))
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: url)
    }

    func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: self.path(path), withDestinationPath: target)
    }

    /// Puts a file of `Tests/Cases` in.
    func add(case name: String, as path: String? = nil) throws {
        let cases = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Cases")
        try write(path ?? "state/\(name)", Data(contentsOf: cases.appending(path: name)))
    }

    /// What a run reads, with the project's own directory cut off every path.
    func load(only paths: [String] = [], allowsMissing: Bool = false) throws -> Loaded {
        let configuration = try Configuration.read(path("lockstep.json"))
        var loaded = Loaded()
        loaded.summary = try Loader(configuration, allowsMissing: allowsMissing).load(only: paths) { declaration in
            loaded.declarations.append(declaration)
        } problems: { problem in
            loaded.diagnostics.append(problem)
        }
        loaded.problems = loaded.diagnostics.map { $0.description.replacing(directory + "/", with: "") }
        return loaded
    }

    struct Loaded {
        var declarations: [Declaration] = []
        var diagnostics: [Diagnostic] = []
        var problems: [String] = []
        var summary = Loader.Summary()
    }
}
