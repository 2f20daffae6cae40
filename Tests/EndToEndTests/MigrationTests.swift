import Foundation
import Testing

/// A ledger that the program before this one wrote, with every kind of record and what is rare in them.
@Suite struct MigrationTests {
    /// A project with that ledger.
    private func project() throws -> Workspace {
        let project = try Workspace()
        try project.write(
            "lockstep.json",
            """
            {
              "apps": { "com.example.courier": { "teamId": "ABCDE12345" }, "com.example.rider": { "teamId": "ABCDE12345" } },
              "state": ["state"], "ledger": "lockstep.db", "reports": "reports", "quota": { "dailyPushes": 1000 }
            }
            """
        )
        try sqlite(try Checkout.text("Tests/Golden/ledger-version-2.sql"), in: project)
        return project
    }

    @discardableResult
    private func sqlite(_ sql: String, in project: Workspace) throws -> [String] {
        try project.write("statements.sql", sql)
        let program = URL(filePath: "/usr/bin/sqlite3")
        let outcome = try execute(program, ["-bail", "lockstep.db", ".read statements.sql"], in: project.url)
        try #require(outcome.status == 0, "\(outcome.stderr)")
        return outcome.lines
    }

    /// The dump, in the order of bytes; content of what is settled, which is kept no more, is in neither.
    private func expectSameRecords(_ project: Workspace, but type: String = "none") throws {
        let dump = try project.run("state", "dump", "--show-sensitive", "--show-tokens")
        #expect(dump.status == 0, "\(dump.stderr)")
        let golden = try Checkout.text("Tests/Golden/ledger-version-2.ndjson").split(separator: "\n").map(String.init)
        func wanted(_ lines: [String]) -> Set<String> { Set(lines.filter { !$0.contains(#""type":"\#(type)""#) }) }
        #expect(wanted(dump.lines).symmetricDifference(wanted(golden)).isEmpty)
        #expect(wanted(dump.lines).count > 100)
    }

    @Test func itIsReadAsItIsAndLeftAlone() throws {
        let project = try project()
        let before = try Data(contentsOf: project.url.appending(path: "lockstep.db"))
        try expectSameRecords(project)
        #expect(try Data(contentsOf: project.url.appending(path: "lockstep.db")) == before)
    }

    @Test func theFirstThatWritesBringsItUpToDate() throws {
        let project = try project()
        #expect(try project.run("quota", "use", "0").status == 0)
        #expect(try sqlite("PRAGMA user_version; PRAGMA integrity_check;", in: project) == ["3", "ok"])
        try expectSameRecords(project, but: "sentElsewhere")
        let recounted = """
            SELECT count(*) FROM (SELECT quota_day, status, count(*) FROM all_deliveries WHERE quota_day IS NOT NULL GROUP BY 1, 2
                EXCEPT SELECT day, status, deliveries FROM booked);
            """
        #expect(try sqlite(recounted, in: project) == ["0"])
    }

    /// The views have what the tables of words had, under the names that columns have now.
    @Test func viewsShowItInWords() throws {
        let project = try project()
        try FileManager.default.copyItem(
            at: project.url.appending(path: "lockstep.db"),
            to: project.url.appending(path: "old.db")
        )
        #expect(try project.run("quota", "use", "0").status == 0)
        let views = try sqlite(
            "SELECT name FROM sqlite_schema WHERE type = 'view' AND name LIKE 'v\\_%' ESCAPE '\\';",
            in: project
        )
        #expect(views.count >= 18)
        for view in views {
            let columns = try sqlite("SELECT name FROM pragma_table_info('\(view)');", in: project)
            let former = [
                "changed_step": "changed_commit", "reloaded_step": "reloaded_commit", "step": "commit_number",
            ]
            let old = columns.map { column in
                column == "content" ? "CASE open WHEN 1 THEN content END" : former[column] ?? column
            }.joined(separator: ", ")
            let (new, table) = (columns.joined(separator: ", "), "old.\(view.dropFirst(2))")
            let counts = try sqlite(
                """
                ATTACH 'old.db' AS old;
                SELECT count(*) FROM (SELECT \(old) FROM \(table) EXCEPT SELECT \(new) FROM \(view));
                SELECT count(*) FROM (SELECT \(new) FROM \(view) EXCEPT SELECT \(old) FROM \(table));
                SELECT (SELECT count(*) FROM \(table)) - (SELECT count(*) FROM \(view));
                """,
                in: project
            )
            #expect(counts == ["0", "0", "0"], "\(view)")
        }
    }

    /// A row that could not be kept leaves the ledger as it was.
    @Test func whatCannotBeKeptStopsItBeforeAnythingChanges() throws {
        let project = try project()
        try sqlite("UPDATE devices SET subscriber = 'somebody else' WHERE subscriber IS NOT NULL;", in: project)
        let outcome = try project.run("quota", "use", "0")
        #expect(outcome.status == 1)
        #expect(outcome.stderr.contains("another subscriber than its device"))
        #expect(try sqlite("PRAGMA user_version;", in: project) == ["2"])
        // Nor can it be read, which needs a copy of today's rows.
        #expect(try project.run("state", "dump").stderr.contains("another subscriber than its device"))
    }
}
