import Diff
import Foreign
import Foundation
import JSON
import TestProjects
import Testing

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
        #expect(throws: LedgerError.missing(path: path)) { try Ledger(path: path, access: .write, system: .machine) }
        do {
            let ledger = try Ledger(path: path, access: .create, system: .machine)
            #expect(try ledger.fact("lineage")?.string.hasPrefix("ldg_") == true)
        }
        #expect(throws: LedgerError.exists(path: path)) { try Ledger(path: path, access: .create, system: .machine) }
        let names = try FileManager.default.contentsOfDirectory(atPath: project.directory)
        #expect(names.filter { $0.hasPrefix("lockstep.db") } == ["lockstep.db"])
    }

    /// `cp` onto a full disk leaves such a file, and so does a careless redirection.
    @Test func anEmptyFileIsNoLedgerAndNoObstacle() throws {
        let project = try LoadProject(["lockstep.db": ""])
        let path = project.path("lockstep.db")
        for access in [Ledger.Access.read, .write] {
            let error = #expect(throws: LedgerError.self) { try Ledger(path: path, access: access, system: .machine) }
            #expect(error == .empty(path: path))
            #expect(error?.description.contains("--new-ledger") == true)
        }
        #expect(try Files.facts(path)?.size == 0)
        _ = try Ledger(path: path, access: .create, system: .machine)
        #expect(try Ledger(path: path, access: .read, system: .machine).lastStep() == .zero)
    }
}
