public import Diff
public import Foreign
public import JSON

/// The last step of a ledger, in a file beside it that backups leave out: a ledger that is behind its mark was restored.
///
/// A mark is moved up after what it counts is on the disk and before anything is sent on the strength of it, so it is never
/// ahead of its ledger, wherever a run is killed.
public struct LedgerMark: Equatable {
    /// The lineage of its ledger: the mark of another one says nothing.
    public var lineage: Text
    /// The last step of the ledger: ``Ledger/lastStep()``.
    public var step: Step

    /// The file beside a ledger, as it reads.
    public enum Reading: Equatable {
        /// Nothing.
        case missing
        /// The mark.
        case mark(LedgerMark)
        /// Something that is no mark, and why.
        case unreadable(String)
    }

    /// The path of the mark of a ledger.
    public static func path(of ledger: String) -> String { ledger + ".mark" }

    /// Reads the mark of a ledger.
    public static func read(besideLedger ledger: String) -> Reading {
        let path = path(of: ledger)
        do {
            guard try Files.facts(following: path) != nil else { return .missing }
            let value = try Value(json: Files.read(path, limit: 4096))
            guard let lineage = value["lineage"]?.text, let step = value["commit"]?.integer else {
                return .unreadable("it names no ledger and commit")
            }
            return .mark(LedgerMark(lineage: lineage, step: Step(step)))
        } catch let error as FileError {
            return .unreadable(error.words)
        } catch {
            return .unreadable("\(error)")
        }
    }

    /// Puts it beside its ledger, whose run holds the lock.
    public func write(besideLedger ledger: String) throws(FileError) {
        let value: Value = ["lineage": .string(lineage), "commit": .integer(step.number)]
        let bytes = value.canonicalBytes + [0x0A]
        try Files.write(bytes, to: LedgerMark.path(of: ledger), mode: 0o600, isOnlyWriter: true)
    }
}
