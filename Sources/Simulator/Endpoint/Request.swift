internal import JSON
internal import Time

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
    /// The death of the token; only with status 410.
    var timestamp: Moment?
}

/// Apple's refusal of a request.
struct Refusal: Error, Equatable {
    let reason: Reason
    /// The death of the token, with status 410.
    var timestamp: Moment?

    init(_ reason: Reason, timestamp: Moment? = nil) {
        self.reason = reason
        self.timestamp = timestamp
    }
}

extension Answer {
    /// The body: empty with success, else JSON with the reason.
    var body: [UInt8] {
        guard status != 200, let reason else { return [] }
        var body: Value = ["reason": .string(Text(reason))]
        if let timestamp { body = ["reason": .string(Text(reason)), "timestamp": .integer(timestamp.milliseconds)] }
        return body.canonicalBytes
    }
}
