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
    /// By owner, in the order of the file.
    private let lines: Sorter

    /// Reads a plan and checks that it is whole.
    ///
    /// - Parameter path: The file.
    /// - Throws: ``PlanFileError``, and what the system says.
    public init(_ path: String) throws {
        lines = try Sorter(keyParts: 3)
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
            let owner = entry.owner
            try lines.add(
                [.text(owner.subscriber), .text(owner.app), .integer(Int64(reader.number))],
                value: Text(value.canonical)
            )
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

    /// Hands out the lines of one owner after the other, in owner order.
    ///
    /// - Parameter body: Takes them.
    /// - Throws: The errors of `body`.
    public func each(_ body: ([PlanEntry]) throws -> Void) throws {
        let lines = try cursor()
        while let owner = lines.owner { try body(try lines.take(owner)) }
    }

    /// The lines, owner by owner in byte order.
    func cursor() throws -> SavedLines { try SavedLines(lines.entries()) }

    /// True where it has a line for a delivery.
    func includes(_ due: DueDelivery) throws -> Bool {
        let owner = due.delivery.owner
        let own = try lines.entries(under: [.text(owner.subscriber), .text(owner.app)])
        while try own.next() {
            let entry = try PlanEntry(own.json())
            guard let push = entry.push, entry.name == due.name else { continue }
            if push.kind == due.delivery.kind, push.device == due.delivery.device { return true }
        }
        return false
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
    private let entries: SortedEntries
    /// The first owner that is not taken yet; `nil` at the end.
    private(set) var owner: Owner?

    init(_ entries: SortedEntries) throws {
        self.entries = entries
        try advance()
    }

    private func advance() throws {
        owner = try entries.next() ? Owner(subscriber: entries.text(0), app: entries.text(1)) : nil
    }

    /// Takes the lines of one owner, and passes over those of owners before.
    func take(_ wanted: Owner) throws -> [PlanEntry] {
        var lines: [PlanEntry] = []
        while let next = owner, next <= wanted {
            if next == wanted { lines.append(try PlanEntry(entries.json())) }
            try advance()
        }
        return lines
    }
}
