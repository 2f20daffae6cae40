internal import CNGHTTP2

/// The frames of one HTTP/2 connection (RFC 9113), without any I/O: bytes in, bytes and events out.
///
/// Feed what was read to ``receive(_:)`` and look at ``takeEvents()``; write what ``withOutput(_:)`` shows and report it
/// with ``didWrite(_:)``. Settings, pings and window updates are answered by themselves.
@safe
public final class HTTP2Session {
    /// The side that a session takes.
    public enum Role: Sendable {
        /// Makes requests.
        case client
        /// Answers them; allows so many open streams.
        case server(maxConcurrentStreams: UInt32)
    }

    private let session: OpaquePointer
    private let state = HTTP2State()
    private let provider: nghttp2_data_provider
    /// Framed bytes; those before `written` are on the socket.
    private var output: [UInt8] = []
    private var written = 0
    /// The first bytes of a server, while they are too few to tell which frame they begin; `nil` once that is known.
    private var opening: [UInt8]?
    /// Reused for each submission: all names and values in one piece.
    private var names: [UInt8] = []

    /// A session whose first bytes (preface and settings) wait in its output.
    ///
    /// - Throws: ``HTTP2Error`` where nghttp2 cannot.
    public init(_ role: Role) throws(HTTP2Error) {
        unsafe session = try HTTP2Session.make(role, state)
        unsafe provider = unsafe bodyProvider()
        switch role {
        case .client:
            opening = []
            try submit([(NGHTTP2_SETTINGS_ENABLE_PUSH, 0)])
        case .server(let limit): try submit([(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, limit)])
        }
    }

    deinit {
        unsafe nghttp2_session_del(session)
    }

    private static func make(_ role: Role, _ state: HTTP2State) throws(HTTP2Error) -> OpaquePointer {
        var callbacks: OpaquePointer?
        var options: OpaquePointer?
        var session: OpaquePointer?
        unsafe nghttp2_session_callbacks_new(&callbacks)
        unsafe nghttp2_option_new(&options)
        defer {
            unsafe nghttp2_session_callbacks_del(callbacks)
            unsafe nghttp2_option_del(options)
        }
        guard let callbacks = unsafe callbacks, let options = unsafe options else {
            throw HTTP2Error(step: "start a session", reason: "out of memory")
        }
        unsafe register(callbacks)
        // Closed streams are only kept for priorities, which nobody uses here.
        unsafe nghttp2_option_set_no_closed_streams(options, 1)
        // The limit is the other side's to say; until then the caller decides how many streams to open.
        unsafe nghttp2_option_set_peer_max_concurrent_streams(options, UInt32(Int32.max))
        let user = unsafe Unmanaged.passUnretained(state).toOpaque()
        let status: Int32 =
            switch role {
            case .client: unsafe nghttp2_session_client_new2(&session, callbacks, user, options)
            case .server: unsafe nghttp2_session_server_new2(&session, callbacks, user, options)
            }
        try checkNGHTTP2(status, "start a session")
        guard let session = unsafe session else { throw HTTP2Error(step: "start a session", reason: "out of memory") }
        return unsafe session
    }

    // MARK: Bytes

    /// Takes in bytes that were read from the connection.
    ///
    /// - Throws: ``HTTP2Error`` where they cannot be HTTP/2; lesser faults of the other side become a GOAWAY in the
    ///   output, after which ``isFinished`` holds.
    public func receive(_ bytes: Span<UInt8>) throws(HTTP2Error) {
        guard var first = opening else { return try feed(bytes) }
        for index in bytes.indices { first.append(bytes[index]) }
        opening = first
        // Three bytes of length, then the type.
        guard first.count > 3 else { return }
        opening = nil
        // APNs refuses some connections by a GOAWAY that comes before its settings; nghttp2 would take it for a breach of
        // protocol and never show its reason, nor that no stream was processed.
        if first[3] == UInt8(NGHTTP2_GOAWAY.rawValue) { try feed(HTTP2Session.emptySettings.span) }
        try feed(first.span)
    }

    /// A SETTINGS frame that says nothing (RFC 9113, 6.5): no length, the type, no flags, stream 0.
    private static let emptySettings: [UInt8] = [0, 0, 0, UInt8(NGHTTP2_SETTINGS.rawValue), 0, 0, 0, 0, 0]

    private func feed(_ bytes: Span<UInt8>) throws(HTTP2Error) {
        let count = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe nghttp2_session_mem_recv(session, buffer.baseAddress, buffer.count)
        }
        try checkNGHTTP2(Int32(clamping: count), "understand the other side")
    }

    /// The events since the last call.
    public func takeEvents() -> [HTTP2Event] {
        defer { state.events.removeAll(keepingCapacity: true) }
        return state.events
    }

    /// Shows the bytes that wait to be written; empty where there are none.
    ///
    /// - Throws: ``HTTP2Error`` where nghttp2 cannot frame them, or what `body` throws.
    public func withOutput<Failure: Error>(_ body: (Span<UInt8>) throws(Failure) -> Void) throws {
        try frameOutput()
        let output = output
        try body(output.span.extracting(droppingFirst: written))
    }

    /// Takes note that the first `count` bytes of the output are on the socket.
    public func didWrite(_ count: Int) {
        written += count
        state.written += UInt64(count)
        // A peer that reads slowly must not make the buffer grow; moving what waits is only worth it now and then.
        guard written == output.count || written > 256 * 1024 else { return }
        output.removeSubrange(..<written)
        written = 0
    }

    /// Frames what was submitted, up to about four TLS records.
    private func frameOutput() throws(HTTP2Error) {
        while output.count - written < 64 * 1024 {
            var start: UnsafePointer<UInt8>?
            let count = unsafe nghttp2_session_mem_send(session, &start)
            try checkNGHTTP2(Int32(clamping: count), "frame a message")
            guard count > 0 else { return }
            unsafe output.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
            state.framed += UInt64(count)
        }
    }

    /// True once neither side has anything more to say.
    public var isFinished: Bool {
        unsafe written == output.count && nghttp2_session_want_read(session) == 0
            && nghttp2_session_want_write(session) == 0
    }

    /// The fault in the other side's frames, where there was one.
    public var complaint: String? { state.complaint }

    // MARK: Messages

    /// Queues a request.
    ///
    /// - Parameters:
    ///   - headers: The fields, the pseudo fields first.
    ///   - body: The body; empty for none.
    /// - Returns: The stream that it will be made on.
    /// - Throws: ``HTTP2Error`` where the session takes no more requests.
    public func submitRequest(_ headers: [HTTP2Header], body: [UInt8]) throws(HTTP2Error) -> Int32 {
        let stream = unsafe withFields(headers) { fields in
            unsafe withUnsafePointer(to: provider) { provider in
                unsafe nghttp2_submit_request(
                    session,
                    nil,
                    fields.baseAddress,
                    fields.count,
                    body.isEmpty ? nil : provider,
                    nil
                )
            }
        }
        try checkNGHTTP2(stream, "make a request")
        state.streams[stream] = HTTP2State.Stream(body: body)
        return stream
    }

    /// Queues the whole answer to a request.
    ///
    /// - Throws: ``HTTP2Error`` where the stream was answered already; a stream that is gone is no error.
    public func submitResponse(_ headers: [HTTP2Header], body: [UInt8], on stream: Int32) throws(HTTP2Error) {
        guard state.streams[stream] != nil else { return }
        state.streams[stream]?.body = body
        let status = unsafe withFields(headers) { fields in
            unsafe withUnsafePointer(to: provider) { provider in
                unsafe nghttp2_submit_response(
                    session,
                    stream,
                    fields.baseAddress,
                    fields.count,
                    body.isEmpty ? nil : provider
                )
            }
        }
        try checkNGHTTP2(status, "answer a request")
    }

    /// True once a byte of this side's header block on an open stream was written to the socket.
    public func wasSent(_ stream: Int32) -> Bool { state.wasSent(stream) }

    /// Gives up one stream (RST_STREAM).
    public func reset(_ stream: Int32, code: UInt32) throws(HTTP2Error) {
        let status = unsafe nghttp2_submit_rst_stream(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, code)
        try checkNGHTTP2(status, "reset a stream")
    }

    /// Announces that no stream above `lastStream` will be processed; `nil` stands for the last one that came.
    public func goAway(lastStream: Int32? = nil, code: UInt32 = 0, debugData: [UInt8] = []) throws(HTTP2Error) {
        let last = unsafe lastStream ?? nghttp2_session_get_last_proc_stream_id(session)
        let flags = UInt8(NGHTTP2_FLAG_NONE.rawValue)
        let status = unsafe nghttp2_submit_goaway(session, flags, last, code, debugData, debugData.count)
        try checkNGHTTP2(status, "say goodbye")
    }

    /// Changes how many streams the other side may have open.
    public func allow(maxConcurrentStreams limit: UInt32) throws(HTTP2Error) {
        try submit([(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, limit)])
    }

    private func submit(_ settings: [(nghttp2_settings_id, UInt32)]) throws(HTTP2Error) {
        let entries = settings.map { nghttp2_settings_entry(settings_id: Int32($0.0.rawValue), value: $0.1) }
        let flags = UInt8(NGHTTP2_FLAG_NONE.rawValue)
        try checkNGHTTP2(unsafe nghttp2_submit_settings(session, flags, entries, entries.count), "change the settings")
    }

    /// Lays the fields out as nghttp2 wants them; nghttp2 copies them before `body` returns.
    private func withFields(_ headers: [HTTP2Header], _ body: (UnsafeBufferPointer<nghttp2_nv>) -> Int32) -> Int32 {
        names.removeAll(keepingCapacity: true)
        for header in headers {
            names.append(contentsOf: header.name.utf8)
            names.append(contentsOf: header.value.utf8)
        }
        return unsafe names.withUnsafeMutableBufferPointer { bytes in
            unsafe withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: headers.count) { fields in
                var start = bytes.baseAddress
                for (index, header) in headers.enumerated() {
                    let counts = (name: header.name.utf8.count, value: header.value.utf8.count)
                    let flag = header.isIndexed ? NGHTTP2_NV_FLAG_NONE : NGHTTP2_NV_FLAG_NO_INDEX
                    unsafe fields.initializeElement(
                        at: index,
                        to: nghttp2_nv(
                            name: start,
                            value: start.map { unsafe $0 + counts.name },
                            namelen: counts.name,
                            valuelen: counts.value,
                            flags: UInt8(flag.rawValue)
                        )
                    )
                    unsafe start = unsafe start.map { unsafe $0 + counts.name + counts.value }
                }
                return unsafe body(UnsafeBufferPointer(fields))
            }
        }
    }
}

/// Passes what nghttp2 returns for success (0 or more) and turns anything else into an error with its words.
private func checkNGHTTP2(_ status: Int32, _ step: String) throws(HTTP2Error) {
    guard status < 0 else { return }
    throw HTTP2Error(step: step, reason: unsafe String(cString: nghttp2_strerror(status)))
}
