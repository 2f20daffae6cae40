internal import Foreign
internal import JSON
internal import Time

/// Writes the devices' reports where the app's backend would: `*.tmp` first, then renamed to `*.ndjson`.
struct Spool {
    /// The most reports in one file.
    private static let longest = 50_000

    private let directory: String
    /// Keeps the names of two simulators apart.
    private let run: String
    private var lines: [UInt8] = []
    private var waiting = 0
    private var files = 0
    /// The number of reports that were written.
    private(set) var written = 0

    init(directory: String, run: String) {
        self.directory = directory
        self.run = run
    }

    /// Adds a report; it is in the spool after the next ``flush()``.
    mutating func add(_ report: Report) throws(FileError) {
        report.value.appendCanonical(to: &lines)
        lines.append(UInt8(ascii: "\n"))
        waiting += 1
        if waiting == Self.longest { try flush() }
    }

    /// Puts what was added into the spool as one file.
    mutating func flush() throws(FileError) {
        guard waiting > 0 else { return }
        files += 1
        let number = String(files)
        let name = "\(directory)/\(run)-" + String(repeating: "0", count: max(0, 8 - number.count)) + number
        try Files.write(lines, to: "\(name).tmp", durably: false)
        try Files.rename("\(name).tmp", to: "\(name).ndjson")
        written += waiting
        waiting = 0
        lines.removeAll(keepingCapacity: true)
    }
}

extension Report {
    /// The report as a line of the spool says it.
    var value: Value {
        var members = details
        members.append(Object.Member(key: "type", value: .string(Text(kind.rawValue))))
        members.append(Object.Member(key: "app", value: .string(Text(app))))
        members.append(Object.Member(key: "subscriber", value: .string(Text(subscriber))))
        members.append(Object.Member(key: "device", value: .string(Text(device))))
        members.append(Object.Member(key: "at", value: .string(Text(RFC3339.string(at)))))
        return .object(Object(members))
    }
}
