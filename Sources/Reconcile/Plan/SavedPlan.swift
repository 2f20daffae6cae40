public import Diff
internal import Foreign
internal import JSON
internal import Ledger

/// A saved plan as it was read, all of it once; its lines lie in a temporary file, so that memory stays flat.
public final class SavedPlan {
    /// Its first line.
    public let header: PlanHeader
    /// Its counts.
    public let summary: Summary
    private let database: Database

    /// Reads a plan and checks that it is whole.
    ///
    /// - Parameter path: The file.
    /// - Throws: ``PlanFileError``, and what the system says.
    public init(_ path: String) throws {
        database = try Database.scratch(
            """
            CREATE TABLE lines (
                subscriber TEXT NOT NULL, app TEXT NOT NULL, number INTEGER NOT NULL, action TEXT NOT NULL, name TEXT,
                device TEXT, body TEXT NOT NULL, PRIMARY KEY (subscriber, app, number)
            ) STRICT, WITHOUT ROWID;
            """
        )
        var reader = try LineReader(path, limit: 64 << 20)
        var line: [UInt8] = []
        let header = try Self.header(path, try reader.next(into: &line) ? line : [])
        var digest = try PlanDigest(header)
        var summary: Summary?
        while try reader.next(into: &line) {
            guard summary == nil, let value = try? Value(json: line) else {
                throw PlanFileError.damaged(path: path, line: reader.number)
            }
            digest.take(line)
            summary = Summary(value)
            guard summary == nil else { continue }
            guard let entry = try? PlanEntry(value) else {
                throw PlanFileError.damaged(path: path, line: reader.number)
            }
            try Self.add(entry, number: reader.number, value, to: database)
        }
        guard let summary, digest.id() == header.id else { throw PlanFileError.damaged(path: path, line: nil) }
        self.header = header
        self.summary = summary
    }

    private static func header(_ path: String, _ line: [UInt8]) throws(PlanFileError) -> PlanHeader {
        guard let value = try? Value(json: line), value["type"] == "plan" else { throw .foreign(path: path) }
        let version = value["version"]?.integer ?? 0
        guard version <= PlanHeader.version else { throw .newer(path: path, version: version) }
        guard version > 0, let header = PlanHeader(value) else { throw .damaged(path: path, line: 1) }
        return header
    }

    private static func add(_ entry: PlanEntry, number: Int, _ value: Value, to database: Database) throws {
        try database.run(
            "INSERT INTO lines (subscriber, app, number, action, name, device, body) VALUES (?, ?, ?, ?, ?, ?, ?)",
            .text(entry.owner.subscriber),
            .text(entry.owner.app),
            .integer(Int64(number)),
            .text(entry.push?.kind.rawValue ?? "commit"),
            SQLiteValue(entry.name),
            SQLiteValue(entry.push?.device),
            SQLiteValue(json: value)
        )
    }

    /// Hands out the lines of one owner after the other, in owner order.
    ///
    /// - Parameter body: Takes them.
    /// - Throws: The errors of `body`.
    public func each(_ body: ([PlanEntry]) throws -> Void) throws {
        let lines = try cursor()
        while let owner = lines.owner { try body(try lines.take(owner)) }
    }

    /// The lines, owner by owner in byte order.
    func cursor() throws -> SavedLines {
        let statement = try database.prepare("SELECT subscriber, app, body FROM lines ORDER BY subscriber, app, number")
        return try SavedLines(statement)
    }

    /// True where it has a line for a delivery.
    func includes(_ due: DueDelivery) throws -> Bool {
        try database.first(
            """
            SELECT 1 FROM lines WHERE subscriber = ? AND app = ? AND action = ? AND device = ? AND name IS ?
            """,
            .text(due.delivery.owner.subscriber),
            .text(due.delivery.owner.app),
            .text(due.delivery.kind.rawValue),
            .text(due.delivery.device),
            SQLiteValue(due.name)
        ) { _ in true } ?? false
    }
}

/// A file that cannot be used as a saved plan.
public enum PlanFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It is something else.
    case foreign(path: String)
    /// A newer version of this program wrote it.
    case newer(path: String, version: Int64)
    /// A line is wrong, or the lines are not those that its id was derived from.
    case damaged(path: String, line: Int?)
    /// A plan cannot be written in the place of a device or a directory.
    case notOrdinary(path: String)

    /// The problem, and what to do about it.
    public var description: String {
        switch self {
        case .foreign(let path):
            "\(path): this is no saved plan; 'lockstep plan --out FILE' writes one"
        case .newer(let path, let version):
            "\(path): the plan has format version \(version) and this lockstep knows \(PlanHeader.version); "
                + "use the lockstep that made it"
        case .damaged(let path, let line):
            "\(path)\(line.map { ":\($0)" } ?? ""): the plan is damaged or was edited; make a new one with "
                + "'lockstep plan --out FILE'"
        case .notOrdinary(let path):
            "\(path): a plan is written to an ordinary file; name one, or leave out --out to see it on standard output"
        }
    }
}

/// The lines of a saved plan, owner by owner in byte order.
final class SavedLines {
    private let statement: Statement
    /// The first owner that is not taken yet; `nil` at the end.
    private(set) var owner: Owner?

    init(_ statement: Statement) throws {
        self.statement = statement
        try advance()
    }

    private func advance() throws {
        owner = try statement.step() ? Owner(subscriber: statement.text(0), app: statement.text(1)) : nil
    }

    /// Takes the lines of one owner, and passes over those of owners before.
    func take(_ wanted: Owner) throws -> [PlanEntry] {
        var lines: [PlanEntry] = []
        while let next = owner, next <= wanted {
            if next == wanted { lines.append(try PlanEntry(try statement.json(2))) }
            try advance()
        }
        return lines
    }
}
