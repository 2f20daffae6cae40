internal import Foreign
public import JSON
public import Time

/// One push to one token, checked for what APNs would refuse.
///
/// See Apple's "Sending notification requests to APNs".
public struct PushRequest: Sendable {
    /// The purpose of a push; its raw value is the `apns-push-type`.
    public enum Kind: String, Sendable, CaseIterable {
        /// Starts, updates or ends a Live Activity.
        case liveActivity = "liveactivity"
        /// Reloads the widgets of a device.
        case widgets
    }

    /// The urgency of a push; its raw value is the `apns-priority`.
    public enum Priority: Int, Sendable, CaseIterable {
        /// At a time that the device thinks fit, without using up the app's budget.
        case considerate = 5
        /// At once.
        case immediate = 10
    }

    /// The largest payload that APNs takes, in bytes.
    public static let maximumPayload = 4096
    /// The largest `apns-collapse-id`, in bytes.
    public static let maximumCollapseID = 64

    /// The header fields of a push that a sender chooses.
    public struct Fields: Sendable {
        /// Its purpose.
        public var kind: Kind
        /// Its urgency.
        public var priority: Priority
        /// The moment until which APNs keeps trying, to the second; 1970 for one attempt.
        public var expiration: Moment
        /// The name of pushes of which a later one may take the place of an earlier one.
        public var collapseID: Text?
        /// A canonical lower-case UUID that comes back with the answer; without it APNs makes one.
        public var id: Text?

        /// The fields of a push.
        public init(
            kind: Kind,
            priority: Priority,
            expiration: Moment,
            collapseID: Text? = nil,
            id: Text? = nil
        ) {
            self.kind = kind
            self.priority = priority
            self.expiration = expiration
            self.collapseID = collapseID
            self.id = id
        }
    }

    let path: String
    let topic: String
    let fields: Fields
    let payload: [UInt8]

    /// Builds a request.
    ///
    /// - Parameters:
    ///   - app: The bundle id, without the suffix of a push type.
    ///   - token: The device's token: hexadecimal digits, of any even number.
    ///   - fields: Its header fields.
    ///   - payload: The JSON text.
    /// - Throws: ``PushRequestError`` with the first thing that APNs would refuse.
    public init(
        app: Text,
        token: Text,
        fields: Fields,
        payload: [UInt8]
    ) throws(PushRequestError) {
        let digits = token.string.utf8
        guard !digits.isEmpty, digits.count.isMultiple(of: 2), digits.allSatisfy({ Hex.isDigit($0) }) else {
            throw .badToken(digits: digits.count)
        }
        guard !payload.isEmpty else { throw .emptyPayload }
        guard payload.count <= PushRequest.maximumPayload else { throw .payloadTooLarge(bytes: payload.count) }
        if let bytes = fields.collapseID?.string.utf8.count, bytes > PushRequest.maximumCollapseID || bytes == 0 {
            throw .badCollapseID(bytes: bytes)
        }
        guard fields.expiration.seconds >= 0 else { throw .badExpiration(fields.expiration) }
        path = "/3/device/\(token)"
        topic = "\(app).push-type.\(fields.kind.rawValue)"
        self.fields = fields
        self.payload = payload
    }

    /// The header fields, in Apple's order and with Apple's advice on HPACK.
    ///
    /// Path and authorization stay out of the table; what differs in each push goes in once, for its name.
    func headers(authority: String, authorization: String, isFirst: Bool) -> [HTTP2Header] {
        var headers = [
            HTTP2Header(":method", "POST"),
            HTTP2Header(":scheme", "https"),
            HTTP2Header(":path", path, isIndexed: false),
            HTTP2Header(":authority", authority),
            HTTP2Header("authorization", authorization, isIndexed: false),
            HTTP2Header("apns-topic", topic),
            HTTP2Header("apns-push-type", fields.kind.rawValue),
            HTTP2Header("apns-priority", fields.priority == .immediate ? "10" : "5"),
            HTTP2Header("apns-expiration", String(fields.expiration.seconds), isIndexed: isFirst),
        ]
        for (name, value) in [("apns-collapse-id", fields.collapseID), ("apns-id", fields.id)] {
            if let value { headers.append(HTTP2Header(name, value.string, isIndexed: isFirst)) }
        }
        return headers
    }
}

/// A fault of a push that is found before it is sent.
public enum PushRequestError: Error, Equatable, CustomStringConvertible {
    /// The token is not an even number of hexadecimal digits; how many characters it has.
    case badToken(digits: Int)
    /// There is no payload.
    case emptyPayload
    /// The payload has more bytes than APNs takes.
    case payloadTooLarge(bytes: Int)
    /// The collapse id is empty or has more bytes than APNs takes.
    case badCollapseID(bytes: Int)
    /// The expiration lies before 1970.
    case badExpiration(Moment)

    /// The fault, and its size.
    public var description: String {
        switch self {
        case .badToken(let digits):
            "the token is not an even number of hexadecimal digits (it has \(digits) characters); report it again"
        case .emptyPayload:
            "the payload is empty"
        case .payloadTooLarge(let bytes):
            "the payload has \(bytes) bytes, more than the \(PushRequest.maximumPayload) that APNs takes; shorten the state"
        case .badCollapseID(let bytes):
            "the collapse id has \(bytes) bytes; APNs takes 1 to \(PushRequest.maximumCollapseID)"
        case .badExpiration(let moment):
            "the expiration \(moment.seconds) lies before 1970"
        }
    }
}
