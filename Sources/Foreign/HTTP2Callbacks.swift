internal import CNGHTTP2

/// The state that nghttp2 hands back to each callback.
private func state(_ userData: UnsafeMutableRawPointer?) -> HTTP2State? {
    unsafe userData.map { unsafe Unmanaged<HTTP2State>.fromOpaque($0).takeUnretainedValue() }
}

private func string(_ start: UnsafePointer<UInt8>?, _ count: Int) -> String {
    unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
}

/// Tells nghttp2 which functions to call; `callbacks` may be freed once a session was made with it.
func register(_ callbacks: OpaquePointer) {
    unsafe registerReceiving(callbacks)
    unsafe registerSending(callbacks)
    unsafe nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, stream, code, userData in
        unsafe state(userData)?.close(stream, code: code)
        return 0
    }
}

private func registerReceiving(_ callbacks: OpaquePointer) {
    unsafe nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, userData in
        guard let state = unsafe state(userData), let stream = unsafe frame?.pointee.hd.stream_id else { return 0 }
        state.arriving = []
        if state.streams[stream] == nil { state.streams[stream] = HTTP2State.Stream() }
        return 0
    }
    unsafe nghttp2_session_callbacks_set_on_header_callback(callbacks) {
        _,
        _,
        name,
        nameCount,
        value,
        valueCount,
        _,
        userData in
        let header = unsafe HTTP2Header(string(name, nameCount), string(value, valueCount))
        unsafe state(userData)?.arriving.append(header)
        return 0
    }
    unsafe nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) {
        _,
        _,
        stream,
        bytes,
        count,
        userData in
        let data = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
        unsafe state(userData)?.events.append(.data(stream: stream, data))
        return 0
    }
    unsafe nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { session, frame, userData in
        if let frame = unsafe frame { unsafe state(userData)?.received(frame.pointee, from: session) }
        return 0
    }
    unsafe nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks) { _, _, code, userData in
        unsafe state(userData)?.complaint = String(cString: nghttp2_strerror(code))
        return 0
    }
}

private func registerSending(_ callbacks: OpaquePointer) {
    unsafe nghttp2_session_callbacks_set_before_frame_send_callback(callbacks) { _, frame, userData in
        guard let state = unsafe state(userData), let header = unsafe frame?.pointee.hd,
            UInt32(header.type) == NGHTTP2_HEADERS.rawValue, let index = state.streams.index(forKey: header.stream_id),
            state.streams.values[index].headersPosition == nil
        else { return 0 }
        state.streams.values[index].headersPosition = state.framed
        return 0
    }
    // A request that may no longer be sent, for example after GOAWAY.
    unsafe nghttp2_session_callbacks_set_on_frame_not_send_callback(callbacks) { _, frame, _, userData in
        guard let header = unsafe frame?.pointee.hd, UInt32(header.type) == NGHTTP2_HEADERS.rawValue else { return 0 }
        unsafe state(userData)?.close(header.stream_id, code: HTTP2Code.refusedStream)
        return 0
    }
}

/// The source of a body that ``HTTP2State`` holds.
func bodyProvider() -> nghttp2_data_provider {
    unsafe nghttp2_data_provider(source: nghttp2_data_source()) { _, stream, buffer, count, flags, _, userData in
        guard let state = unsafe state(userData) else { return 0 }
        let target = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: count)
        let piece = unsafe state.frameBody(of: stream, into: target)
        if piece.isLast { unsafe flags?.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
        return piece.count
    }
}
