import Foreign
import Foundation
import TestServers
import Testing

struct BuildIDTests {
    @Test func theRunningProgramHasOne() throws {
        let build = try #require(try BuildID())
        #expect(build.bytes.count >= 8)
        #expect(build.description == build.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
        #expect(try BuildID() == build)
    }

    @Test func anotherContentOfTheSameSizeIsAnotherBuild() throws {
        let workspace = try Workspace()
        let build = try #require(try BuildID())
        var program = try Data(contentsOf: URL(filePath: "/proc/self/exe")).prefix(1 << 20)
        // The note comes before the code, which nothing else of the file does.
        let place = try #require(program.firstRange(of: Data(build.bytes)))
        program[place.lowerBound] ^= 1
        try program.write(to: workspace.directory.appending(path: "other"))
        let other = try #require(try BuildID(of: workspace.path("other")))
        #expect(other != build)
        #expect(other.bytes.dropFirst() == build.bytes.dropFirst())
    }

    @Test(arguments: [
        "", "#!/bin/sh\n", "\u{7F}ELF\u{2}\u{1}", "\u{7F}ELF\u{2}\u{1}" + String(repeating: "\0", count: 80),
    ])
    func whatIsNoProgramHasNone(_ text: String) throws {
        let workspace = try Workspace()
        try Data(text.utf8).write(to: workspace.directory.appending(path: "other"))
        #expect(try BuildID(of: workspace.path("other")) == nil)
    }

    @Test func aFileOfRandomBytesIsReadWithoutHarm() throws {
        let workspace = try Workspace()
        let program = Array(try Data(contentsOf: URL(filePath: "/proc/self/exe")).prefix(4096))
        for place in 0..<800 {
            var broken = program
            broken[place] = 0xFF
            try Data(broken).write(to: workspace.directory.appending(path: "other"))
            _ = try BuildID(of: workspace.path("other"))
        }
    }
}
