import Diff
import Foreign
import Foundation
import JSON
import TestProjects
import Testing

@testable import Ledger
@testable import Reconcile

/// The file that the ledger is.
@Suite struct LedgerFileTests {
    /// A run that is killed while it makes the ledger leaves a draft beside it, and no ledger.
    @Test(arguments: ["", "half of a database"])
    func aDraftThatWasLeftBehindIsNoObstacle(draft: String) throws {
        let project = try LoadProject([:])
        let path = project.path("lockstep.db")
        try project.write("lockstep.db.new", draft)
        try project.write("lockstep.db.new-journal", draft)
        let store = SQLiteStore(path: path)
        #expect(throws: LedgerError.missing(path: path)) { _ = try store.lease() }
        try store.make(on: .machine)
        #expect(try store.lease().facts().lineage.string.hasPrefix("ldg_"))
        #expect(throws: LedgerError.exists(path: path)) { try store.make(on: .machine) }
        let names = try FileManager.default.contentsOfDirectory(atPath: project.directory)
        #expect(names.filter { $0.hasPrefix("lockstep.db") } == ["lockstep.db"])
    }

    /// `cp` onto a full disk leaves such a file, and so does a careless redirection.
    @Test func anEmptyFileIsNoLedgerAndNoObstacle() throws {
        let project = try LoadProject(["lockstep.db": ""])
        let path = project.path("lockstep.db")
        let store = SQLiteStore(path: path)
        for access in [SQLiteLedger.Access.read, .write] {
            let error = #expect(throws: LedgerError.self) { try store.open(access) }
            #expect(error == .empty(path: path))
            #expect(error?.description.contains("--new-ledger") == true)
        }
        #expect(try Files.facts(path)?.size == 0)
        try store.make(on: .machine)
        #expect(try store.snapshot().facts().step == .zero)
    }
}
