import Foreign
import Foundation
import TestServers
import Testing

struct FilesTests {
    let workspace: Workspace

    init() throws { workspace = try Workspace() }

    private func fill(_ paths: [String]) throws {
        for path in paths {
            try Files.makeDirectory(Files.parent(of: workspace.path(path)))
            _ = try workspace.write("", to: path)
        }
    }

    @Test func readsAWholeFile() throws {
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
        try Files.write(bytes, to: workspace.path("a"))
        #expect(try Files.read(workspace.path("a")) == bytes)
        #expect(try Files.read(workspace.path("a"), limit: 200_000) == bytes)
        #expect(throws: FileError("read", workspace.path("a"), because: .tooLarge(limit: 199_999))) {
            try Files.read(workspace.path("a"), limit: 199_999)
        }
    }

    @Test func readsFilesThatTellNoSize() throws {
        #expect(try Files.read("/proc/self/status").starts(with: "Name:".utf8))
        #expect(throws: FileError("read", "/proc/self/status", because: .tooLarge(limit: 5))) {
            try Files.read("/proc/self/status", limit: 5)
        }
    }

    @Test func errorsSayPathAndReason() throws {
        let missing = workspace.path("missing")
        #expect(throws: FileError("open", missing, because: .system(ENOENT))) { try Files.read(missing) }
        #expect(
            FileError("open", "a/b", because: .system(ENOENT)).description
                == "a/b: cannot open: No such file or directory"
        )
        #expect(FileError("open", "a/b", because: .system(ENOENT)).isMissing)
        let directory = workspace.directory.path
        #expect(throws: FileError("read", directory, because: .system(EISDIR))) { try Files.read(directory) }
        #expect(throws: FileError("open", "a\0b", because: .nulInPath)) { try Files.read("a\0b") }
    }

    @Test func writesAtOnceWithTheModeAndLeavesNothingBeside() throws {
        let path = workspace.path("secret")
        try Files.write(Array("one".utf8), to: path, mode: 0o600)
        try Files.write(Array("two".utf8), to: path, mode: 0o640, durably: false)
        #expect(try Files.read(path) == Array("two".utf8))
        #expect(try Files.facts(path)?.mode == 0o640)
        #expect(try Files.facts(path)?.isReadableByOthers == true)
        #expect(try Files.names(in: workspace.directory.path) == ["secret"])
    }

    /// A process that is killed between writing and renaming leaves its temporary file.
    @Test func whatAKilledProcessLeftIsGoneWithTheNextWrite() throws {
        let path = workspace.path("state.json")
        try Files.write(Array("half, and longer".utf8), to: workspace.path(".state.json.new"), mode: 0o644)
        try Files.write(Array("whole".utf8), to: path, mode: 0o600, isOnlyWriter: true)
        #expect(try Files.read(path) == Array("whole".utf8))
        #expect(try Files.facts(path)?.mode == 0o600)
        #expect(try Files.names(in: workspace.directory.path) == ["state.json"])
    }

    @Test func aWriteThatFailsLeavesNothingBeside() throws {
        try Files.makeDirectory(workspace.path("taken/x"))
        #expect(throws: FileError.self) { try Files.write([1], to: workspace.path("taken")) }
        #expect(try Files.names(in: workspace.directory.path) == ["taken"])
        let missing = workspace.path("no/such/file")
        #expect(throws: FileError("write", missing, because: .system(ENOENT))) { try Files.write([1], to: missing) }
    }

    @Test func makesDirectoriesAboveAndAgain() throws {
        let path = workspace.path("a/b/c")
        try Files.makeDirectory(path)
        try Files.makeDirectory(path)
        #expect(try Files.facts(path)?.kind == .directory)
        _ = try workspace.write("", to: "file")
        #expect(throws: FileError("make the directory", workspace.path("file"), because: .system(EEXIST))) {
            try Files.makeDirectory(workspace.path("file"))
        }
    }

    @Test func renamesAndRemoves() throws {
        _ = try workspace.write("x", to: "a")
        try Files.rename(workspace.path("a"), to: workspace.path("b"))
        #expect(try Files.facts(workspace.path("a")) == nil)
        try Files.remove(workspace.path("b"))
        #expect(try Files.facts(workspace.path("b")) == nil)
        #expect(throws: FileError.self) { try Files.remove(workspace.path("b")) }
    }

    @Test func tellsLinksFromWhatTheyLeadTo() throws {
        _ = try workspace.write("x", to: "file")
        let link = workspace.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "file")
        #expect(try Files.facts(link)?.kind == .link)
        #expect(try Files.facts(following: link)?.kind == .file)
        #expect(try Files.resolve(link) == Files.resolve(workspace.path("file")))
        try Files.remove(workspace.path("file"))
        #expect(try Files.facts(following: link) == nil)
        #expect(throws: FileError.self) { try Files.resolve(link) }
    }

    @Test func walksInTheByteOrderOfWholePaths() throws {
        let paths = ["a/z.json", "a.json", "a-b.json", "a/b/c.json", "B.json", "é.json", ".git/x.json", "a/.hidden"]
        try fill(paths)
        let root = workspace.directory.path
        var visited: [String] = []
        try Files.walk(root) { entry in
            if entry.kind == .file { visited.append(String(entry.path.dropFirst(root.count + 1))) }
            return true
        }
        #expect(visited == ["B.json", "a-b.json", "a.json", "a/b/c.json", "a/z.json", "é.json"])
        #expect(visited == visited.sorted(by: Files.precedes))
    }

    @Test func entersOnlyWhatTheVisitorWants() throws {
        try fill(["a/x", "b/y"])
        var visited: [String] = []
        try Files.walk(workspace.directory.path) { entry in
            visited.append(Files.name(of: entry.path))
            return !entry.path.hasSuffix("/a")
        }
        #expect(visited == ["a", "b", "y"])
    }

    @Test func aMissingDirectoryIsAnError() {
        let missing = workspace.path("missing")
        #expect(throws: FileError("read the directory", missing, because: .system(ENOENT))) {
            try Files.walk(missing) { _ in true }
        }
    }

    @Test func aNameThatIsNotUTF8IsNotPassedOver() throws {
        let path = Array("\(workspace.directory.path)/caf".utf8) + [0xE9, 0]
        let file = open(path.map { CChar(bitPattern: $0) }, O_CREAT | O_WRONLY, 0o644)
        #expect(file >= 0)
        close(file)
        let directory = workspace.directory.path
        #expect(throws: FileError("read the directory", directory, because: .nameNotUTF8("caf\u{FFFD}"))) {
            try Files.names(in: directory)
        }
    }

    @Test(arguments: [
        ("a/b", "a", "b"), ("a", ".", "a"), ("/a", "/", "a"), ("/", "/", ""), ("a/b/", "a", "b"), ("a//b", "a", "b"),
        ("../a", "..", "a"),
    ])
    func splitsPaths(_ path: String, _ parent: String, _ name: String) {
        #expect(Files.parent(of: path) == parent)
        #expect(Files.name(of: path) == name)
    }

    @Test(arguments: [
        ("./a//b/.", "a/b"), ("a/../b", "a/../b"), ("../../a", "../../a"), ("/", "/"), ("//a/./", "/a"), ("./.", "."),
        (".", "."), ("a/", "a"),
    ])
    func simplifiesPaths(_ path: String, _ simple: String) {
        #expect(Files.simplified(path) == simple)
    }
}
