import Foreign
import Testing
import Time

/// A client that makes one connection and waits for what a test expects, for at most 20 seconds.
final class Client {
    let connection: HTTP2Connection
    private let poller = try? Poller()
    private(set) var events: [HTTP2Event] = []

    init(host: String = "localhost", port: UInt16, caFile: String? = nil, proxy: Proxy = .none) throws {
        let socket = try Client.connect(host: host, port: port, proxy: proxy)
        let stream = try TLSStream(over: socket, context: .client(caFile: caFile), host: host)
        connection = HTTP2Connection(stream: stream, session: try HTTP2Session(.client))
    }

    static func connect(host: String, port: UInt16, proxy: Proxy = .none, timeout: Span = .seconds(20)) throws -> Socket
    {
        let poller = try Poller()
        let connector = try Connector(
            to: Connector.Destination(host: host, port: port, proxy: proxy),
            timeout: timeout,
            by: SystemEnvironment.machine.uptime,
            poller: poller,
            token: 1
        )
        while true {
            if let socket = try connector.advance() { return socket }
            _ = try poller.wait(connector.deadline - SystemEnvironment.machine.uptime())
        }
    }

    /// Goes on until the events so far are enough; fails when the connection ends or the time is over.
    func run(until isEnough: ([HTTP2Event]) -> Bool) throws {
        let poller = try #require(poller)
        let descriptor = connection.stream.socket.descriptor
        try poller.add(descriptor, for: [.read, .write], token: 1)
        defer { poller.remove(descriptor) }
        let deadline = SystemEnvironment.machine.uptime() + .seconds(20)
        while true {
            let status = try connection.advance()
            events += connection.session.takeEvents()
            if isEnough(events) { return }
            guard case .open(let interest) = status else { break }
            try #require(SystemEnvironment.machine.uptime() < deadline, "no answer in time: \(events)")
            try poller.change(descriptor, to: interest, token: 1)
            _ = try poller.wait(.seconds(1))
        }
        Issue.record("the connection ended: \(events) \(connection.session.complaint ?? "")")
    }

    func isClosed(_ stream: Int32) -> Bool {
        events.contains { if case .closed(stream, _, _) = $0 { true } else { false } }
    }

    func headers(of stream: Int32) -> [String: String] {
        for case .headers(stream, let headers) in events {
            return Dictionary(headers.map { ($0.name, $0.value) }, uniquingKeysWith: { $0 + "," + $1 })
        }
        return [:]
    }

    func body(of stream: Int32) -> String {
        var bytes: [UInt8] = []
        for case .data(stream, let data) in events { bytes += data }
        return String(decoding: bytes, as: UTF8.self)
    }
}
