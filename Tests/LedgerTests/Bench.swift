import Diff
import Foundation
import JSON
import Ledger
import Testing

/// A new ledger of one kind, which a test fills and asks.
final class Bench {
    /// The stores that the suite runs over.
    enum Kind: Hashable, Sendable, CustomTestStringConvertible {
        /// A file.
        case sqlite
        /// The twin in memory.
        case memory

        var testDescription: String { "\(self)" }

        /// Every one of them.
        static let all: [Kind] = [.sqlite, .memory]
    }

    static let lineage: Text = "lin_1"
    static let seal: Text = "a key of digests"

    let store: any Store
    private let directory: Directory
    private let session: any Session

    init(_ kind: Kind) throws {
        directory = try Directory()
        store = Self.store(kind, in: directory)
        try store.make(lineage: Self.lineage, seal: Self.seal)
        session = try store.session()
    }

    /// A store where nothing was made yet.
    static func nothing(_ kind: Kind) throws -> any Store { store(kind, in: try Directory()) }

    private static func store(_ kind: Kind, in directory: Directory) -> any Store {
        let path = directory.path("lockstep.db")
        return switch kind {
        case .sqlite: SQLiteStore(path: path)
        case .memory: MemoryStore(path: path)
        }
    }

    /// The ledger, as it is written and asked.
    var ledger: any Session { session }

    /// Writes changes, each in a unit of its own.
    func write(_ all: LedgerChanges...) throws {
        for changes in all { try ledger.unit { try ledger.write(changes) } }
    }

    /// Writes one group of changes.
    func write(_ fill: (inout LedgerChanges) throws -> Void) throws {
        var changes = LedgerChanges()
        try fill(&changes)
        try write(changes)
    }
}

/// A temporary directory, removed with the last reference.
final class Directory {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "ledger-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path }
}

/// Rows that are new.
func new<Row>(_ rows: Row...) -> [RowChange<Row>] { rows.map { RowChange(before: nil, after: $0) } }

/// A row that becomes another one.
func change<Row>(_ row: Row, _ body: (inout Row) -> Void) -> RowChange<Row> {
    var after = row
    body(&after)
    return RowChange(before: row, after: after)
}

/// A row that goes.
func gone<Row>(_ row: Row) -> RowChange<Row> { RowChange(before: row, after: nil) }
