import Foreign
import Foundation
import TestProjects
import Testing
import Time

@testable import Source

/// What tells a file from an earlier one: times alone never do.
struct FileIdentityTests {
    private static let text = #"{"subscriber":"a","widgets":{"W":{"state":1}}}"#
    private let project: LoadProject
    private let tree = DiskTree()
    private var path: String { project.path("state/a.json") }

    init() throws { project = try LoadProject(["state/a.json": Self.text]) }

    /// The file as it is when it was never read.
    private func fresh(_ path: String) throws -> KnownFile {
        try #require(try tree.file(path, knowing: nil, readFrom: .distantPast))
    }

    /// A memory of the file with another identity, which shows whether the file is read.
    private func memory() throws -> KnownFile {
        var known = try fresh(path)
        known.identity = FileIdentity(of: [])
        return known
    }

    /// The time so many seconds after the file was written.
    private func later(_ seconds: Int64) throws -> Moment {
        Moment(milliseconds: try fresh(path).stamp.changed / 1_000_000) + .seconds(seconds)
    }

    @Test func aFileIsNamedByItsBytes() throws {
        #expect(try tree.identity(of: path) == FileIdentity(of: Array(Self.text.utf8)))
        #expect(try tree.identity(of: project.path("state")) == nil)
        #expect(try tree.identity(of: project.path("missing.json")) == nil)
        let large = [UInt8](repeating: 0x20, count: 600_000)
        try project.write("state/large.json", Data(large))
        #expect(try tree.identity(of: project.path("state/large.json")) == FileIdentity(of: large))
    }

    @Test func whatIsOlderThanItsReadingIsNotReadAgain() throws {
        let known = try memory()
        #expect(try tree.file(path, knowing: known, readFrom: later(60)) == known)
    }

    /// Git's "racy" files: written in the very step of the clock in which they were read.
    @Test(arguments: [-1, 0, 1, 2] as [Int64]) func whatIsAsYoungAsItsReadingIsRead(_ seconds: Int64) throws {
        let found = try tree.file(path, knowing: memory(), readFrom: later(seconds))
        #expect(found == (try fresh(path)))
    }

    /// A fresh clone touches everything, and changes nothing.
    @Test func aTouchedOrCopiedFileIsTheSame() throws {
        let known = try fresh(path)
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 9)], ofItemAtPath: path)
        let touched = try tree.file(path, knowing: known, readFrom: later(60))
        #expect(touched?.identity == known.identity)
        #expect(touched?.stamp != known.stamp)
        try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
        try FileManager.default.copyItem(atPath: path + ".old", toPath: path)
        let copied = try tree.file(path, knowing: known, readFrom: later(60))
        #expect(copied?.identity == known.identity)
        #expect(copied?.stamp.inode != known.stamp.inode)
    }

    /// Whoever writes a file can set its time back; the time of that cannot be set.
    @Test func aFileWithItsOldTimeAndSizeIsRead() throws {
        let long = Date(timeIntervalSince1970: 1_000)
        try FileManager.default.setAttributes([.modificationDate: long], ofItemAtPath: path)
        let known = try fresh(path)
        Thread.sleep(forTimeInterval: 0.02)
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        try handle.write(contentsOf: Data(Self.text.replacing("1", with: "2").utf8))
        try handle.close()
        try FileManager.default.setAttributes([.modificationDate: long], ofItemAtPath: path)
        let found = try #require(try tree.file(path, knowing: known, readFrom: later(60)))
        #expect(
            (found.stamp.size, found.stamp.modified, found.stamp.inode) == (
                known.stamp.size, known.stamp.modified, known.stamp.inode
            )
        )
        #expect(found.identity != known.identity)
    }

    @Test func eachLineHasAnIdentityWhereverItStands() throws {
        func lines(_ text: String) throws -> [FileIdentity] {
            var reader = LineReader(Array(text.utf8), of: "a.ndjson")
            var (line, found) = ([UInt8](), [FileIdentity]())
            while try reader.next(into: &line) { found.append(FileIdentity(of: line)) }
            return found
        }
        let before = try lines("{\"a\":1}\n{\"b\":1}\n{\"c\":1}")
        let after = try lines("{\"c\":1}\n{\"b\":2}\n\n{\"a\":1}\n")
        #expect(after[0] == before[2])
        #expect(after[3] == before[0])
        #expect(!after.contains(before[1]))
        #expect(Set(before).count == 3)
    }
}
