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
        /// An overlay over a file, with a file on top, once so many units were written; the town is made in six.
        case overSQLite(after: Int)
        /// The same in memory.
        case overMemory(after: Int)

        var testDescription: String { "\(self)" }

        /// Every one of them.
        static let all: [Kind] = stores + overlays
        /// Those that are a place of their own.
        static let stores: [Kind] = [.sqlite, .memory]

        /// Everything on top, everything below, and parts of one history in both.
        private static let overlays: [Kind] =
            [0, 4].map(Kind.overSQLite) + [0, 1, 2, 3, 4, 5, 6, 7].map(Kind.overMemory)
    }

    static let lineage: Text = "lin_1"
    static let seal: Text = "a key of digests"

    let store: any Store
    private let directory: Directory
    private let session: any Session
    /// The units that are written before the rest is on top; `nil`: all are.
    private let unitsBelow: Int?
    private var units = 0
    private var overlay: Overlay?

    init(_ kind: Kind) throws {
        directory = try Directory()
        store = Self.store(kind, directory.path("lockstep.db"))
        unitsBelow =
            switch kind {
            case .sqlite, .memory: nil
            case .overSQLite(let count), .overMemory(let count): count
            }
        try store.make(lineage: Self.lineage, seal: Self.seal)
        session = try store.session()
        try lay()
    }

    /// Lays the overlay over what was written, where it is time.
    private func lay() throws {
        guard units == unitsBelow else { return }
        overlay = try Overlay(over: store.snapshot(), on: store.top(in: directory.path("")))
    }

    /// A store where nothing was made yet.
    static func nothing(_ kind: Kind) throws -> any Store { store(kind, try Directory().path("lockstep.db")) }

    private static func store(_ kind: Kind, _ path: String) -> any Store {
        switch kind {
        case .sqlite, .overSQLite: SQLiteStore(path: path)
        case .memory, .overMemory: MemoryStore(path: path)
        }
    }

    /// The ledger, as it is written and asked.
    var ledger: any Session { overlay ?? session }

    /// Writes changes, each in a unit of its own.
    func write(_ all: LedgerChanges...) throws {
        for changes in all {
            try ledger.unit { try ledger.write(changes) }
            units += 1
            try lay()
        }
    }

    /// Writes one group of changes.
    func write(_ fill: (inout LedgerChanges) throws -> Void) throws {
        var changes = LedgerChanges()
        try fill(&changes)
        try write(changes)
    }
}

/// A temporary directory, removed with the last reference; in memory where there is such a place, because waiting for a disk
/// shows nothing here.
final class Directory {
    private let url: URL

    init() throws {
        let memory = URL(filePath: "/dev/shm")
        let hasMemory = FileManager.default.isWritableFile(atPath: memory.path)
        let place = hasMemory ? memory : FileManager.default.temporaryDirectory
        url = place.appending(path: "ledger-\(UUID().uuidString)")
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
