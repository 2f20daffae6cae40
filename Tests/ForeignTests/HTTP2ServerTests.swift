import Foreign
import Foundation
import Testing
import TestServers
import Time

/// The server side of our frames against clients that we did not write.
@Suite struct HTTP2ServerTests {
    let workspace: Workspace
    let certificates: Certificates

    init() throws {
        workspace = try Workspace()
        certificates = try Certificates(in: workspace)
    }

    /// Serves one connection while `command` runs, and returns the command's output.
    private func serve(
        limit: UInt32 = 100,
        _ command: (String) -> [String],
        answer: (HTTP2Session, HTTP2Event) throws -> Void
    ) throws -> String {
        let context = try TLSContext.server(
            certificates: workspace.read("server.pem"),
            key: workspace.read("server.key")
        )
        let listener = try ListeningSocket(port: 0)
        let client = try workspace.start(command("https://127.0.0.1:\(listener.port)/"))
        let poller = try Poller()
        try poller.add(listener.descriptor, for: .read, token: 1)
        _ = try poller.wait(.seconds(20))
        let stream = try TLSStream(over: #require(try listener.accept()), context: context, host: "the client")
        let connection = HTTP2Connection(
            stream: stream,
            session: try HTTP2Session(.server(maxConcurrentStreams: limit))
        )
        try poller.add(stream.socket.descriptor, for: [.read, .write], token: 2)
        while case .open(let interest) = (try? connection.advance()) ?? .finished {
            let events = connection.session.takeEvents()
            for event in events { try answer(connection.session, event) }
            guard events.isEmpty else { continue }
            try poller.change(stream.socket.descriptor, to: interest, token: 2)
            try #require(try !poller.wait(.seconds(20)).isEmpty, "the client is silent")
        }
        return try client.output()
    }

    private func ok(_ session: HTTP2Session, _ event: HTTP2Event) throws {
        guard case .endOfStream(let stream) = event else { return }
        try session.submitResponse([HTTP2Header(":status", "200")], body: [], on: stream)
    }

    @Test func curlSeesStatusHeadersAndBody() throws {
        let body = String(repeating: "0123456789", count: 20_000)
        var received = ""
        let ca = certificates.caFile
        let output = try serve { url in
            ["curl", "--silent", "--include", "--http2", "--cacert", ca, "--data", "question", url]
        } answer: { session, event in
            if case .data(_, let bytes) = event { received += String(decoding: bytes, as: UTF8.self) }
            guard case .endOfStream(let stream) = event else { return }
            let headers = [HTTP2Header(":status", "403"), HTTP2Header("apns-id", "an-id")]
            try session.submitResponse(headers, body: Array(body.utf8), on: stream)
        }
        #expect(received == "question")
        #expect(output.hasPrefix("HTTP/2 403"))
        #expect(output.contains("apns-id: an-id"))
        #expect(output.hasSuffix(body))
    }

    @Test func h2loadCountsTenThousandAnswers() throws {
        let output = try serve { url in
            ["h2load", "-n", "10000", "-c", "1", "-m", "100", url]
        } answer: { session, event in
            try ok(session, event)
        }
        #expect(output.contains("10000 succeeded, 0 failed, 0 errored, 0 timeout"))
    }

    @Test func aResetStreamIsRefused() throws {
        let output = try serve { url in
            ["nghttp", "--verbose", "--no-verify-peer", url]
        } answer: { session, event in
            guard case .endOfStream(let stream) = event else { return }
            try session.reset(stream, code: HTTP2Code.refusedStream)
        }
        #expect(output.contains("error_code=REFUSED_STREAM(0x07)"))
    }

    @Test func goAwayCarriesItsReason() throws {
        let output = try serve(limit: 1) { url in
            ["nghttp", "--verbose", "--no-verify-peer", url]
        } answer: { session, event in
            guard case .endOfStream(let stream) = event else { return }
            try session.allow(maxConcurrentStreams: 500)
            try session.goAway(lastStream: stream, code: 0, debugData: Array(#"{"reason":"Shutdown"}"#.utf8))
            try ok(session, event)
        }
        #expect(output.contains("SETTINGS_MAX_CONCURRENT_STREAMS(0x03):1]"))
        #expect(output.contains("SETTINGS_MAX_CONCURRENT_STREAMS(0x03):500]"))
        #expect(output.contains("error_code=NO_ERROR(0x00), opaque_data(21)"))
        #expect(output.contains("reason"))
    }
}
