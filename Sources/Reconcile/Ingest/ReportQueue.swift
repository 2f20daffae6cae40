internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// All waiting report lines in the order in which they count: by time, then by canonical text.
///
/// They wait in a temporary file, so that memory stays flat however many there are.
final class ReportQueue {
    private let database: Database
    private let parser: ReportParser
    private let now: Moment
    /// The number of lines that are reports.
    private(set) var count = 0
    /// The number of lines that are none.
    private(set) var rejected = 0

    /// A time this far ahead of the clock counts as the moment of its first ingestion: 5 minutes.
    static let tolerance = Span.minutes(5)

    init(apps: Set<Text>, now: Moment) throws {
        parser = ReportParser(apps: apps)
        self.now = now
        database = try Database.scratch(
            """
            CREATE TABLE reports (at INTEGER NOT NULL, line TEXT NOT NULL, PRIMARY KEY (at, line)) STRICT, WITHOUT ROWID;
            CREATE TABLE rejected (file TEXT NOT NULL, line INTEGER NOT NULL, reason TEXT NOT NULL, text TEXT NOT NULL,
                PRIMARY KEY (file, line)) STRICT, WITHOUT ROWID;
            """
        )
    }

    /// Reads a file line by line; `firstSeen` says as of when a line counts whose time lies ahead.
    func add(_ spool: Spool, _ name: String, firstSeen: (String) throws -> Moment) throws {
        var reader = try LineReader(spool.path(name))
        var line: [UInt8] = []
        while true {
            do {
                guard try reader.next(into: &line) else { return }
                guard line.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { continue }
                let (report, canonical) = try parser.parse(line)
                let at = report.at > now + Self.tolerance ? try firstSeen(canonical) : report.at
                try database.run(
                    "INSERT OR IGNORE INTO reports (at, line) VALUES (?, ?)",
                    .moment(at),
                    .text(Text(canonical))
                )
                count += 1
            } catch let error as RejectedReport {
                try reject(line, of: name, number: reader.number, because: error.reasons.joined(separator: "; "))
            } catch let error as FileError {
                guard case .lineTooLong(let number, _) = error.reason else { throw error }
                // Only the file itself keeps a line of this length.
                try reject([], of: name, number: number, because: error.words)
            }
        }
    }

    private func reject(_ line: [UInt8], of name: String, number: Int, because reason: String) throws {
        try database.run(
            "INSERT INTO rejected (file, line, reason, text) VALUES (?, ?, ?, ?)",
            .text(Text(name)),
            .integer(Int64(number)),
            .text(Text(reason)),
            .text(Text(String(decoding: line, as: UTF8.self)))
        )
        rejected += 1
    }

    /// Calls `body` for each report in order.
    func each(_ body: (Report) throws -> Void) throws {
        try database.each("SELECT at, line FROM reports ORDER BY at, line") { row in
            var report = try parser.report(canonical: row.bytes(1))
            report.at = row.moment(0)
            try body(report)
        }
    }

    /// The lines of a file that were not taken, as they are kept in `rejected/`: place, reason and text.
    func rejections(of name: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try database.each("SELECT line, reason, text FROM rejected WHERE file = ? ORDER BY line", .text(Text(name))) {
            let entry: Value = .object(
                Object([
                    Object.Member(key: "line", value: .integer($0.integer(0))),
                    Object.Member(key: "reason", value: .string($0.text(1))),
                    Object.Member(key: "report", value: .string($0.text(2))),
                ])
            )
            entry.appendCanonical(to: &bytes)
            bytes.append(0x0A)
        }
        return bytes
    }

    /// The first of the lines that were not taken, for people: `file:line: reason`, without the line itself, which may
    /// hold a token.
    func firstRejections(_ limit: Int) throws -> [RejectedLine] {
        var lines: [RejectedLine] = []
        try database.each("SELECT file, line, reason FROM rejected ORDER BY file, line LIMIT ?", .integer(Int64(limit)))
        {
            lines.append(RejectedLine(file: $0.text(0).string, line: Int($0.integer(1)), reason: $0.text(2).string))
        }
        return lines
    }
}

/// A report line that was not taken.
public struct RejectedLine: Hashable, Sendable, CustomStringConvertible {
    /// The name of the file in the spool.
    public var file: String
    /// The line, from 1.
    public var line: Int
    /// Everything that is wrong with it.
    public var reason: String

    /// One line for a message: `file:line: reason`.
    public var description: String { "\(file):\(line): \(reason)" }
}
