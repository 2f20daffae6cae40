import Diff
import Foreign
import JSON
import Testing

@testable import Ledger
@testable import Reconcile

@Suite struct LedgerDumpTests {
    /// Of two tables nothing is in a dump: one has the texts of numbers, the other counts what stands elsewhere.
    @Test func everyColumnOfEveryTableIsRead() throws {
        let project = try LedgerProject()
        _ = try project.store.lease()
        let ledger = try project.ledger()
        try LedgerDump(ledger, masks: Masks()).each { _ in }
        let read = ledger.database.cachedStatements
        let tables = try texts("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name", ledger)
            .filter { !["words", "booked"].contains($0) }
        #expect(tables.count > 20)
        for table in tables {
            let columns = try texts("SELECT name FROM pragma_table_info('\(table)') ORDER BY cid", ledger)
            for column in columns {
                let isRead = read.contains { $0.words.contains(table) && $0.words.contains(column) }
                #expect(isRead, "\(table).\(column)")
            }
        }
    }

    @Test func theKeyOfSavedPlansIsInNoDump() throws {
        let project = try LedgerProject()
        let key = try #require(try project.ledger().sealKey())
        #expect(!"\(try project.records())".contains(String(decoding: key, as: UTF8.self)))
    }

    private func texts(_ sql: String, _ ledger: SQLiteLedger) throws -> [String] {
        var texts: [String] = []
        let statement = try ledger.database.prepare(sql)
        while try statement.step() { texts.append(statement.text(0).string) }
        return texts
    }
}

extension String {
    /// The names in a statement.
    fileprivate var words: Set<String> {
        Set(split { !($0.isLetter || $0 == "_") }.map(String.init))
    }
}
