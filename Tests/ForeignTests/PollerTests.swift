import Foreign
import Foundation
import Testing
import TestServers
import Time

@Suite struct PollerTests {
    @Test func aRegularFileIsAlwaysReady() throws {
        let workspace = try Workspace()
        let file = try #require(FileHandle(forReadingAtPath: workspace.write("commands\n", to: "input")))
        let poller = try Poller()
        try poller.add(file.fileDescriptor, for: .read, token: 3)
        #expect(try poller.wait(nil).map(\.token) == [3])
        poller.remove(file.fileDescriptor)
        #expect(try poller.wait(.zero) == [])
    }

    @Test func aPipeIsReadyWhenItHoldsBytesOrEnds() throws {
        let pipe = Pipe()
        let poller = try Poller()
        try poller.add(pipe.fileHandleForReading.fileDescriptor, for: .read, token: 4)
        #expect(try poller.wait(.zero) == [])
        try pipe.fileHandleForWriting.write(contentsOf: Data("x".utf8))
        #expect(try poller.wait(.seconds(20)).map(\.token) == [4])
        _ = try pipe.fileHandleForReading.read(upToCount: 1)
        #expect(try poller.wait(.zero) == [])
        try pipe.fileHandleForWriting.close()
        #expect(try poller.wait(.seconds(20)).map(\.token) == [4])
    }

    @Test func anOccupiedPortIsAnErrorThatNamesIt() throws {
        let listener = try ListeningSocket(port: 0)
        #expect {
            try ListeningSocket(port: listener.port)
        } throws: { error in
            "\(error)" == "cannot listen on 127.0.0.1:\(listener.port): Address already in use"
        }
        #expect(try listener.accept() == nil)
    }
}
