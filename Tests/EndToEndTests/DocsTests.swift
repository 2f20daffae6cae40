import Source
import Foundation
import Reconcile
import Testing

/// What the documentation shows is what the program takes.
@Suite struct DocsTests {
    private static let types: Set<String> = [
        "widgets.registered", "widgets.unregistered", "start.registered", "start.unregistered", "activity.registered",
        "activity.dismissed", "activity.ended", "subscriber.identified", "subscriber.loggedOut",
    ]

    private func blocks(_ path: String, _ language: String) throws -> [String] {
        let found = try Readme(path).blocks(language)
        try #require(!found.isEmpty)
        return found
    }

    @Test func everyReportOfTheDocsIsTaken() throws {
        let workspace = try Workspace()
        try workspace.run("init")
        let lines = try blocks("docs/reports.md", "json report").joined()
        let outcome = try workspace.run("ingest", "-", stdin: lines)
        #expect(outcome.status == 0, "\(outcome.stderr)")
        #expect(outcome.lines == ["\(lines.split(separator: "\n").count) taken, 0 rejected."])
    }

    @Test func everyReportTypeIsInTheDocs() throws {
        let lines = try blocks("docs/reports.md", "json report").joined().split(separator: "\n")
        let types = try lines.map { line in
            let report = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return try #require(report?["type"] as? String)
        }
        #expect(Set(types) == Self.types)
        // What a report type nobody knows is told is that it is none of these.
        let workspace = try Workspace()
        try workspace.run("init")
        for type in Self.types {
            let typo = #"{"type":"\#(type)x","app":"com.example.courier","subscriber":"s","device":"d","at":"now"}"#
            let outcome = try workspace.run("ingest", "-", stdin: typo)
            #expect(outcome.stderr.contains("did you mean '\(type)'"), "\(outcome.stderr)")
        }
    }

    @Test func theFilesOfTheDocsAreValid() throws {
        let workspace = try Workspace()
        try workspace.write("lockstep.json", try #require(try blocks("docs/files.md", "json configuration").first))
        try workspace.write("state/user.json", try #require(try blocks("docs/files.md", "json document").first))
        let outcome = try workspace.run("validate")
        #expect(outcome.status == 0, "\(outcome.stderr)")
        #expect(outcome.lines == ["1 file, 1 document, 1 widget, 1 activity: all right."])
    }

    @Test func everyCodeOfAProblemIsInTheDocs() throws {
        let page = try Checkout.text("docs/files.md").split(separator: "\n")
        let rows = Diagnostic.Code.allCases.map { "| `\($0.rawValue)` | \($0.words) |" }
        #expect(rows.filter { row in !page.contains { $0 == row } } == [])
    }

    /// The page's example is carried out: the template, the declaration, and what it is told.
    @Test func theTemplateOfTheDocsSaysWhatThePageSays() throws {
        let workspace = try Workspace()
        try workspace.run("init")
        try workspace.write(
            "templates/delivery/3.json",
            try #require(try blocks("docs/templates.md", "json template").first)
        )
        let declaration = try #require(try blocks("docs/templates.md", "json declaration").first)
        let key = #"{"subscriber":"u","widgets":{"Stats":"#
        try workspace.write("state/orders.json", "\(key)\n\(declaration)}}")
        let outcome = try workspace.run("validate")
        #expect(outcome.status == 65)
        let page = try Checkout.text("docs/templates.md")
        let problems = outcome.stderr.split(separator: "\n").filter { $0.hasPrefix("state/") }
        #expect(problems.count == 2)
        for problem in problems { #expect(page.contains(problem), "\(problem)") }
    }

    /// Every key that the example documents use is explained below them.
    @Test func everyKeyOfTheDocsIsExplained() throws {
        let page = try Checkout.text("docs/files.md")
        let tables = page.split(separator: "\n").filter { $0.hasPrefix("|") }.joined(separator: "\n")
        for language in ["json configuration", "json document"] {
            let block = try #require(try blocks("docs/files.md", language).first)
            let keys = block.matches(of: /"([A-Za-z][A-Za-z-]*)":/).map { String($0.output.1) }
            #expect(keys.count > 10)
            for key in keys where !["Stats", "steps", "orderId", "status", "progress"].contains(key) {
                #expect(tables.contains("`\(key)`") || tables.contains(".\(key)`"), "\(key) is not explained")
            }
        }
    }

    /// A page that names tests names ones that there are.
    @Test func everyTestThatThePageOfComparisonsNamesExists() throws {
        let page = try Checkout.text("docs/compared.md")
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| [") || $0.hasPrefix("| octoDNS") }
        #expect(rows.count > 15)
        let directory = Checkout.root.appending(path: "Tests")
        let files = try #require(FileManager.default.enumerator(at: directory, includingPropertiesForKeys: nil))
        var sources = ""
        for case let file as URL in files where file.pathExtension == "swift" {
            sources += try String(contentsOf: file, encoding: .utf8)
        }
        for row in rows {
            let names = row.split(separator: "|").last?.matches(of: /`([A-Za-z]+)`/).map { String($0.output.1) } ?? []
            #expect(!names.isEmpty, "\(row)")
            for name in names { #expect(sources.contains("func \(name)("), "\(name)") }
        }
    }
}
