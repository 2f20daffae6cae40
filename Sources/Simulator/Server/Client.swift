internal import Foreign
internal import JSON

/// One connection of a sender.
final class Client {
    let id: UInt64
    let environment: APNsEnvironment
    let connection: HTTP2Connection
    var provider = ProviderSession()
    /// True where more than the one first stream was allowed.
    var hasRaisedStreams = false
    /// True where it is to be cut once the answers before the cut are written.
    var isCut = false
    /// The events that the poller waits for, and those that it should wait for.
    var watched: Poller.Interest = .read
    private(set) var wanted: Poller.Interest = .read
    private var isLost = false
    /// The one frame that it gets instead of HTTP/2, and whether that was written.
    private var dismissal: (frame: [UInt8], isWritten: Bool)?
    /// Requests above this stream came too late for a GOAWAY that was sent.
    private var lastStream = Int32.max
    private var arriving: [Int32: (headers: [HTTP2Header], body: [UInt8])] = [:]
    private var arrived: [(stream: Int32, request: SimulatedRequest)] = []
    private var position = 0

    init(id: UInt64, environment: APNsEnvironment, connection: HTTP2Connection) {
        self.id = id
        self.environment = environment
        self.connection = connection
    }

    /// True where nothing more can come of it.
    var isOver: Bool { isLost || isCut }

    /// True where requests have arrived that were not served yet.
    var hasRequests: Bool { position < arrived.count && !isOver }

    /// The next request that has arrived whole.
    func nextRequest() -> (stream: Int32, request: SimulatedRequest)? {
        while hasRequests {
            let next = arrived[position]
            position += 1
            if next.stream <= lastStream { return next }
        }
        arrived.removeAll(keepingCapacity: true)
        position = 0
        return nil
    }

    /// Reads and writes as far as the socket allows.
    func advance() {
        do {
            if dismissal != nil { return try advanceDismissed() }
            switch try connection.advance() {
            case .open(let interest): wanted = interest
            case .finished: isLost = true
            }
        } catch {
            // The sender has gone, or speaks no HTTP/2 over TLS: nothing that it could be told.
            isLost = true
        }
        takeEvents()
    }

    /// Submits something; a session that takes no more is over.
    func attempt(_ submit: (HTTP2Session) throws(HTTP2Error) -> Void) {
        do throws(HTTP2Error) { try submit(connection.session) } catch { isLost = true }
    }

    /// Says GOAWAY.
    ///
    /// - Parameters:
    ///   - last: The last stream that is processed; `nil` for the last one that came.
    ///   - reason: The reason that Apple gives in the frame.
    func sayGoodbye(lastStream last: Int32?, reason: String?) {
        let data = reason.map { Value.object(Object([.init(key: "reason", value: .string(Text($0)))])).canonicalBytes }
        if let last { lastStream = min(lastStream, last) }
        attempt { session throws(HTTP2Error) in try session.goAway(lastStream: last, debugData: data ?? []) }
    }

    /// From the start, this connection gets a GOAWAY with last stream 0 and this reason, and neither SETTINGS nor answers.
    func dismiss(reason: String) {
        let data = Value.object(Object([.init(key: "reason", value: .string(Text(reason)))])).canonicalBytes
        // RFC 9113, 4.1 and 6.8: length, type 7, no flags, stream 0; last stream 0, no error.
        let length = UInt8(clamping: 8 + data.count)
        dismissal = ([0, 0, length, 7, 0, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 8) + data.prefix(247), false)
    }

    /// Makes the handshake, writes the one frame, and reads on until the sender leaves: a socket that is closed with
    /// unread bytes would take the frame back.
    private func advanceDismissed() throws {
        if let interest = try connection.stream.handshake() {
            wanted = interest
            return
        }
        wanted = .read
        if let frame = dismissal?.frame, dismissal?.isWritten == false {
            guard case .bytes = try connection.stream.write(frame.span) else { return wanted = .write }
            dismissal?.isWritten = true
        }
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            switch try connection.stream.read(into: &buffer) {
            case .bytes: continue
            case .wouldBlock: return
            case .closed: return isLost = true
            }
        }
    }

    private func takeEvents() {
        for event in connection.session.takeEvents() {
            switch event {
            case .headers(let stream, let headers) where arriving[stream] == nil:
                arriving[stream] = (headers, [])
            case .data(let stream, let bytes):
                arriving[stream]?.body.append(contentsOf: bytes)
            case .endOfStream(let stream):
                guard let whole = arriving.removeValue(forKey: stream) else { continue }
                arrived.append((stream, SimulatedRequest(whole.headers, body: whole.body)))
            case .closed(let stream, _, _):
                arriving[stream] = nil
            default:
                break
            }
        }
    }
}

extension SimulatedRequest {
    fileprivate init(_ fields: [HTTP2Header], body: [UInt8]) {
        var (method, path) = ("", "")
        var headers: [(name: String, value: String)] = []
        headers.reserveCapacity(fields.count)
        for field in fields {
            switch field.name {
            case ":method": method = field.value
            case ":path": path = field.value
            case let name where name.utf8.first == UInt8(ascii: ":"): break
            case let name: headers.append((name, field.value))
            }
        }
        self.init(method: method, path: path, headers: headers, body: body)
    }
}

extension SimulatedAnswer {
    /// The fields of the response.
    var fields: [HTTP2Header] {
        var fields = [HTTP2Header(":status", String(status)), HTTP2Header("apns-id", apnsID, isIndexed: false)]
        if let uniqueID { fields.append(HTTP2Header("apns-unique-id", uniqueID, isIndexed: false)) }
        if !body.isEmpty { fields.append(HTTP2Header("content-type", "application/json")) }
        return fields
    }
}
