internal import JSON

/// One HTTP/2 request as it arrived.
struct Request {
    let method: String
    let path: String
    /// All headers but the pseudo-headers, names in lower case, in the order of arrival.
    let headers: [(name: String, value: String)]
    let body: [UInt8]

    /// The first value of a header.
    func header(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }
}

/// Apple's answer to a request.
struct Answer: Equatable {
    let status: Int
    var reason: String?
    /// The `apns-id` header.
    let apnsID: String
    /// The `apns-unique-id` header, which only the sandbox sends.
    var uniqueID: String?
    /// Milliseconds since 1970; only with status 410.
    var timestamp: Int64?
}

/// Apple's refusal of a request.
struct Refusal: Error, Equatable {
    let reason: Reason
    /// With status 410: when the token died, in milliseconds since 1970.
    var timestamp: Int64?

    init(_ reason: Reason, timestamp: Int64? = nil) {
        self.reason = reason
        self.timestamp = timestamp
    }
}

extension Answer {
    /// The body: empty with success, else JSON with the reason.
    var body: [UInt8] {
        guard status != 200, let reason else { return [] }
        var body: Value = ["reason": .string(Text(reason))]
        if let timestamp { body = ["reason": .string(Text(reason)), "timestamp": .integer(timestamp)] }
        return body.canonicalBytes
    }
}
