internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// All waiting report lines in the order in which they count: by time, then by canonical text.
///
/// They wait in a temporary file, so that memory stays flat however many there are.
final class ReportQueue {
    /// Lines by time and canonical text: one that comes twice is one.
    private let reports: Sorter
    /// Lines that are no reports, by file and number.
    private let rejections: Sorter
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
        reports = try Sorter(keyParts: 2)
        rejections = try Sorter(keyParts: 2)
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
                try reports.add([.moment(at), .text(Text(canonical))])
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
        let entry: Value = .object(
            Object([
                Object.Member(key: "line", value: .integer(Int64(number))),
                Object.Member(key: "reason", value: .string(Text(reason))),
                Object.Member(key: "report", value: .string(Text(String(decoding: line, as: UTF8.self)))),
            ])
        )
        try rejections.add([.text(Text(name)), .integer(Int64(number))], value: Text(entry.canonical))
        rejected += 1
    }

    /// Calls `body` for each report in order.
    func each(_ body: (Report) throws -> Void) throws {
        let entries = try reports.entries()
        while try entries.next() {
            var report = try parser.report(canonical: entries.bytes(1))
            report.at = Moment(milliseconds: entries.integer(0))
            try body(report)
        }
    }

    /// The lines of a file that were not taken, as they are kept in `rejected/`: place, reason and text.
    func rejections(of name: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        let entries = try rejections.entries(under: [.text(Text(name))])
        while try entries.next() {
            bytes += entries.value.string.utf8
            bytes.append(0x0A)
        }
        return bytes
    }

    /// The first of the lines that were not taken, for people: `file:line: reason`, without the line itself, which may
    /// hold a token.
    func firstRejections(_ limit: Int) throws -> [RejectedLine] {
        var lines: [RejectedLine] = []
        let entries = try rejections.entries()
        while lines.count < limit, try entries.next() {
            let reason = try entries.json()["reason"]?.text ?? ""
            let (file, line) = (entries.text(0).string, Int(entries.integer(1)))
            lines.append(RejectedLine(file: file, line: line, reason: reason.string))
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
