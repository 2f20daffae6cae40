/// One request of a sender, as HTTP/2 brings it.
public struct SimulatedRequest: Sendable {
    let method: String
    let path: String
    /// All headers but the pseudo-headers, names in lower case, in the order of arrival.
    let headers: [(name: String, value: String)]
    let body: [UInt8]

    /// A request.
    ///
    /// - Parameters:
    ///   - method: `POST` for a push.
    ///   - path: `/3/device/` and a token.
    ///   - headers: All headers but the pseudo-headers, names in lower case.
    ///   - body: The payload.
    public init(method: String, path: String, headers: [(name: String, value: String)], body: [UInt8]) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
    }

    /// The first value of a header.
    func header(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }
}
