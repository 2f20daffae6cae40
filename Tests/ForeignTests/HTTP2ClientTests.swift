import Foreign
import Testing
import TestServers

@Suite struct HTTP2ClientTests {
    let workspace: Workspace
    let certificates: Certificates

    init() throws {
        workspace = try Workspace()
        certificates = try Certificates(in: workspace)
        _ = try workspace.write("", to: "empty")
    }

    private func request(_ path: String, port: UInt16) -> [HTTP2Header] {
        [
            HTTP2Header(":method", "POST"), HTTP2Header(":scheme", "https"),
            HTTP2Header(":path", path, isIndexed: false), HTTP2Header(":authority", "localhost:\(port)"),
            HTTP2Header("authorization", "bearer secret", isIndexed: false), HTTP2Header("apns-topic", "com.example"),
        ]
    }

    @Test func nghttpdTakesAHundredRequestsAndAnswers() throws {
        let server = try Server.nghttpd(in: workspace, certificates, options: ["--echo-upload"])
        let client = try Client(port: server.port, caFile: certificates.caFile)
        var streams: [Int32] = []
        for number in 0..<100 {
            let body = Array(repeating: UInt8(ascii: "a") + UInt8(number % 26), count: number * 41)
            let stream = try client.connection.session.submitRequest(request("/empty", port: server.port), body: body)
            #expect(!client.connection.session.wasSent(stream))
            streams.append(stream)
        }
        try client.run { _ in streams.allSatisfy(client.isClosed) }
        for (number, stream) in streams.enumerated() {
            #expect(client.headers(of: stream)[":status"] == "200")
            #expect(client.body(of: stream).utf8.count == number * 41)
            #expect(client.events.contains(.closed(stream: stream, code: 0, wasSent: true)))
        }
        client.connection.close()
    }

    @Test func nghttpdSeesOurFramesAndNoOthers() throws {
        let server = try Server.nghttpd(in: workspace, certificates, options: ["--max-concurrent-streams=7"])
        let client = try Client(port: server.port, caFile: certificates.caFile)
        for _ in 0..<2 {
            let stream = try client.connection.session.submitRequest(
                request("/empty", port: server.port),
                body: Array("{}".utf8)
            )
            try client.run { _ in client.isClosed(stream) }
        }
        client.connection.close()
        #expect(client.events.contains(.settings(maxConcurrentStreams: 7)))
        #expect(server.prints("recv GOAWAY frame <length=8, flags=0x00, stream_id=0>"))
        let log = server.log
        let fields = [
            "recv (stream_id=1) apns-topic: com.example", "recv (stream_id=3, sensitive) authorization: bearer secret",
        ]
        for field in fields { #expect(log.contains(field)) }
        #expect(log.contains("recv DATA frame <length=2, flags=0x01, stream_id=1>"))
        #expect(log.contains("SETTINGS_ENABLE_PUSH(0x02):0"))
        #expect(!log.contains("recv PRIORITY"))
        // The second request repeats only what may not be indexed: path and authorization.
        let lengths = log.matches(of: /recv HEADERS frame <length=(\d+), flags=0x04/).compactMap { Int($0.1) }
        #expect(lengths.count == 2)
        #expect(lengths.last ?? 0 < (lengths.first ?? 0) - 15)
    }

    @Test func aMissingFileIsAnAnswerToo() throws {
        let server = try Server.nghttpd(in: workspace, certificates)
        let client = try Client(port: server.port, caFile: certificates.caFile)
        let stream = try client.connection.session.submitRequest(
            [
                HTTP2Header(":method", "GET"), HTTP2Header(":scheme", "https"), HTTP2Header(":path", "/none"),
                HTTP2Header(":authority", "localhost"),
            ],
            body: []
        )
        try client.run { _ in client.isClosed(stream) }
        #expect(client.headers(of: stream)[":status"] == "404")
    }
}
