internal import Foreign
internal import JSON
internal import Time

/// One line per request in `requests.ndjson`; tokens only with their first 8 digits, and no provider tokens.
struct RequestLog: ~Copyable {
    /// A request that has been dealt with.
    struct Entry {
        let request: SimulatedRequest
        let payload: Value?
        let environment: APNsEnvironment
        let connection: UInt64
        let stream: Int32
        var answer: SimulatedAnswer?
        var device: String?
        var event: Event?
        var effect: Effect?
        /// The fault that was made on purpose.
        var fault: String?
    }

    private let file: AppendingFile
    private var lines: [UInt8] = []

    init(path: String) throws(FileError) {
        file = try AppendingFile(path)
    }

    /// Adds a line; it is in the file after the next ``flush()``.
    mutating func add(_ entry: Entry, at now: Moment) {
        var object = Object()
        object["at"] = .string(Text(RFC3339.string(now)))
        object["environment"] = .string(Text(entry.environment.rawValue))
        object["connection"] = .integer(Int64(clamping: entry.connection))
        object["stream"] = .integer(Int64(entry.stream))
        object["method"] = .string(Text(entry.request.method))
        object["path"] = .string(Text(RequestLog.shortened(entry.request.path)))
        object["headers"] = RequestLog.headers(of: entry.request)
        object["payload"] = entry.payload ?? .string(Text(String(decoding: entry.request.body, as: UTF8.self)))
        object["status"] = entry.answer.map { .integer(Int64($0.status)) } ?? .null
        object["reason"] = entry.answer?.reason.map { .string(Text($0)) }
        object["apnsId"] = entry.answer.map { .string(Text($0.apnsID)) }
        object["device"] = entry.device.map { .string(Text($0)) }
        object["event"] = entry.event.map { .string(Text($0.rawValue)) }
        object["effect"] = entry.effect.map { .string(Text($0.word)) }
        object["why"] = entry.effect?.why.map { .string(Text($0)) }
        object["fault"] = entry.fault.map { .string(Text($0)) }
        Value.object(object).appendCanonical(to: &lines)
        lines.append(UInt8(ascii: "\n"))
    }

    /// Writes the lines that were added.
    mutating func flush() throws(FileError) {
        guard !lines.isEmpty else { return }
        try file.append(lines)
        lines.removeAll(keepingCapacity: true)
    }

    private static func headers(of request: SimulatedRequest) -> Value {
        var object = Object()
        for header in request.headers where header.name != "authorization" {
            object[Text(header.name)] = .string(Text(header.value))
        }
        return .object(object)
    }

    /// A path with the first 8 digits of its token.
    private static func shortened(_ path: String) -> String {
        let prefix = "/3/device/"
        guard path.hasPrefix(prefix), path.utf8.count > prefix.utf8.count + 8 else { return path }
        return path.prefix(prefix.count + 8) + "…"
    }
}
