/// One header field of a request or response; the pseudo fields (`:status`) count as fields.
public struct HTTP2Header: Equatable, Sendable {
    /// The name, in lower case.
    public var name: String
    /// The value.
    public var value: String
    /// True where HPACK may put it into its table, so that a repeated one costs a single byte.
    public var isIndexed: Bool

    /// A field; leave `isIndexed` false for values that are secret or never come again.
    public init(_ name: String, _ value: String, isIndexed: Bool = true) {
        self.name = name
        self.value = value
        self.isIndexed = isIndexed
    }
}

/// An act of the other side; events come in the order in which they happened.
public enum HTTP2Event: Equatable, Sendable {
    /// A whole block of header fields arrived: of a request, a response, an interim response or a trailer.
    case headers(stream: Int32, [HTTP2Header])
    /// A piece of a body arrived.
    case data(stream: Int32, [UInt8])
    /// The other side will send nothing more on this stream.
    case endOfStream(Int32)
    /// The stream is over. `wasSent`: whether a byte of this side's header block was written to the socket.
    case closed(stream: Int32, code: UInt32, wasSent: Bool)
    /// The other side takes no new streams and will not process those above `lastStream`.
    case goAway(lastStream: Int32, code: UInt32, debugData: [UInt8])
    /// The other side's settings changed, and now allow so many open streams.
    case settings(maxConcurrentStreams: UInt32)
    /// A ping arrived (it is answered by itself), or the answer to one.
    case ping(isAnswer: Bool)
}

/// The error codes of HTTP/2 (RFC 9113, section 7) that decide something here.
public enum HTTP2Code {
    /// The stream was not processed, so its request may be made again.
    public static let refusedStream: UInt32 = 7
    /// The stream is no longer needed.
    public static let cancel: UInt32 = 8

    /// The name of a code in the standard: `REFUSED_STREAM`.
    public static func name(_ code: UInt32) -> String {
        let names = [
            "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
            "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
            "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
        ]
        return Int(exactly: code).flatMap { $0 < names.count ? names[$0] : nil } ?? "error code \(code)"
    }
}

/// The end of an HTTP/2 session that cannot go on, in nghttp2's words.
public struct HTTP2Error: Error, Equatable, CustomStringConvertible {
    /// The step that failed.
    public let step: String
    /// nghttp2's words.
    public let reason: String

    /// The step that failed, and the reason.
    public var description: String { "HTTP/2: cannot \(step): \(reason)" }
}
