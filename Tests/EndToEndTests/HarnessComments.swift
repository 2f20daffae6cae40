import Foundation
import Testing

/// The comments of the pull request, behind the interfaces of both forges.
final class CommentServer {
    static let token = "forge-token"
    let port: Int
    private let place: Scratch
    private let process = Process()
    private let input = Pipe()

    /// Starts it; it ends with its standard input, so it cannot outlive the test process.
    init(_ python: URL, _ program: URL, in place: Scratch) throws {
        self.place = place
        let output = Pipe()
        process.executableURL = python
        process.arguments = [program.path, place.url.appending(path: "comments.json").path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let more = output.fileHandleForReading.availableData
            try #require(!more.isEmpty, "the comment server ended")
            line += more
        }
        port = try #require(Int(String(decoding: line.dropLast(), as: UTF8.self)))
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// What the jobs wrote; nobody else's comment may have changed.
    func ofJobs() throws -> [String] {
        struct Comment: Decodable {
            let id: Int
            let author: String
            let body: String
        }
        let all = try JSONDecoder().decode([Comment].self, from: Data(place.text("comments.json").utf8))
        for other in all where other.author == "mallory" {
            #expect(other.body == "<!-- lockstep plan -->\n\(other.id)")
        }
        return all.filter { $0.author != "mallory" }.map(\.body)
    }
}
