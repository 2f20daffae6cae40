internal import CNGHTTP2

/// The state that nghttp2's callbacks work on; ``HTTP2Session`` owns it and lends nghttp2 an unowned reference.
final class HTTP2State {
    /// One open stream, from the submission of its request or the arrival of its header block until it closes.
    struct Stream {
        /// The body of this side and how much of it was framed.
        var body: [UInt8] = []
        var framed = 0
        /// The position, in all bytes of this side, of the first byte of its first header block once it is framed.
        var headersPosition: UInt64?
    }

    var streams: [Int32: Stream] = [:]
    var events: [HTTP2Event] = []
    /// The header block that is arriving; blocks never interleave.
    var arriving: [HTTP2Header] = []
    /// The number of bytes that nghttp2 framed so far, and of those that the socket took.
    var framed: UInt64 = 0
    var written: UInt64 = 0
    /// The fault that nghttp2 found in the other side's frames.
    var complaint: String?

    func wasSent(_ stream: Int32) -> Bool {
        guard let position = streams[stream]?.headersPosition else { return false }
        return position < written
    }

    func close(_ stream: Int32, code: UInt32) {
        guard streams[stream] != nil else { return }
        events.append(.closed(stream: stream, code: code, wasSent: wasSent(stream)))
        streams[stream] = nil
    }

    func received(_ frame: nghttp2_frame, from session: OpaquePointer?) {
        let stream = unsafe frame.hd.stream_id
        switch nghttp2_frame_type(UInt32(unsafe frame.hd.type)) {
        case NGHTTP2_HEADERS:
            events.append(.headers(stream: stream, arriving))
            arriving = []
            if unsafe frame.hd.has(NGHTTP2_FLAG_END_STREAM) { events.append(.endOfStream(stream)) }
        case NGHTTP2_DATA:
            if unsafe frame.hd.has(NGHTTP2_FLAG_END_STREAM) { events.append(.endOfStream(stream)) }
        case NGHTTP2_SETTINGS:
            guard unsafe !frame.hd.has(NGHTTP2_FLAG_ACK) else { return }
            let limit = unsafe nghttp2_session_get_remote_settings(session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS)
            events.append(.settings(maxConcurrentStreams: limit))
        case NGHTTP2_PING:
            events.append(.ping(isAnswer: unsafe frame.hd.has(NGHTTP2_FLAG_ACK)))
        case NGHTTP2_GOAWAY:
            let goAway = unsafe frame.goaway
            let data = unsafe Array(UnsafeBufferPointer(start: goAway.opaque_data, count: goAway.opaque_data_len))
            events.append(unsafe .goAway(lastStream: goAway.last_stream_id, code: goAway.error_code, debugData: data))
        default:
            break
        }
    }

    /// Copies the next piece of a stream's body into nghttp2's frame.
    ///
    /// - Returns: The number of bytes that were copied; true where they were the last ones.
    func frameBody(of stream: Int32, into buffer: UnsafeMutableRawBufferPointer) -> (count: Int, isLast: Bool) {
        guard let index = streams.index(forKey: stream) else { return (0, true) }
        let count = min(buffer.count, streams.values[index].body.count - streams.values[index].framed)
        let start = streams.values[index].framed
        unsafe streams.values[index].body.withUnsafeBytes { body in
            unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: body[start..<start + count]))
        }
        streams.values[index].framed += count
        return (count, streams.values[index].framed == streams.values[index].body.count)
    }
}

extension nghttp2_frame_hd {
    func has(_ flag: nghttp2_flag) -> Bool { UInt32(flags) & flag.rawValue != 0 }
}
