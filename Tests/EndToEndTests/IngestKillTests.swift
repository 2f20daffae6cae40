import Diff
import Foreign
import Foundation
import JSON
import Testing

@testable import Ledger
@testable import Reconcile

/// Reports survive a run that is killed anywhere between two of their lines.
@Suite struct IngestKillTests {
    @Test func whatAKilledIngestLeftTheNextOneTakes() throws {
        let killed = try project()
        for devices in [1, 700, 1400] { try kill(ingestIn: killed, onceItTook: devices) }
        let last = try killed.run("ingest")
        #expect(last.status == 65, "\(last.stderr)")
        let whole = try project()
        #expect(try whole.run("ingest").status == 65)

        #expect(try Self.tokens(of: killed) == Self.tokens(of: whole))
        #expect(try Self.tokens(of: killed).count == Self.lines)
        for file in ["a", "b"] {
            #expect(!killed.exists("reports/\(file).ndjson"))
            #expect(try killed.text("reports/done/\(file).ndjson") == whole.text("reports/done/\(file).ndjson"))
            #expect(
                try killed.text("reports/rejected/\(file).ndjson") == whole.text("reports/rejected/\(file).ndjson")
            )
        }
    }

    private static let lines = 2000

    /// A project whose spool has two files, each with one line that is no report.
    private func project() throws -> Workspace {
        let project = try Workspace()
        try #require(try project.run("init").status == 0)
        for (file, numbers) in [("a", 0..<Self.lines / 2), ("b", Self.lines / 2..<Self.lines)] {
            let reports = numbers.map { number in
                #"{"type":"widgets.registered","app":"com.example.courier","subscriber":"s\#(number)","#
                    + #""device":"d\#(number)","at":"2026-11-30T09:00:00Z","token":"\#(number + 100_000)","#
                    + #""widgets":["Stats"]}"#
            }
            try project.write("reports/\(file).ndjson", (reports + ["{"]).joined(separator: "\n"))
        }
        return project
    }

    /// Starts `ingest` and kills it as soon as the ledger has so many devices.
    private func kill(ingestIn project: Workspace, onceItTook devices: Int) throws {
        let process = Process()
        process.executableURL = Checkout.lockstep
        process.arguments = ["ingest"]
        process.currentDirectoryURL = project.url
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        while process.isRunning, try Self.tokens(of: project).count < devices { usleep(500) }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// The tokens in the ledger, by device.
    private static func tokens(of project: Workspace) throws -> [String: String] {
        let path = project.url.appending(path: "lockstep.db").path
        var masks = Masks()
        masks.showsTokens = true
        var tokens: [String: String] = [:]
        try LedgerDump(SQLiteStore(path: path), masks: { _ in masks }).each { record in
            guard case .widgetRegistration(let place, let registration) = record else { return }
            tokens[place.device.string] = registration.token?.string
        }
        return tokens
    }
}
