import Foundation
import Testing

/// What one connection of the Python package `h2` saw, in order: each an array of a word and its facts.
///
/// The requests are sent all at once, as soon as the settings allow so many streams, and get the odd streams in order;
/// `first` goes alone before them, so that more than one stream is allowed. It stops once the streams `until` have an
/// answer or a reset, else when the connection ends.
func h2(
    _ simulator: RunningSimulator,
    _ requests: [CurlRequest],
    first: CurlRequest? = nil,
    until: [Int] = []
) throws -> [[String]] {
    let all = (first.map { [$0] } ?? []) + requests
    let list = all.map { request in
        [
            "headers": [":method": request.method, ":path": request.path].merging(request.headers) { $1 },
            "body": request.body,
        ] as [String: Any]
    }
    let json = String(decoding: try JSONSerialization.data(withJSONObject: list), as: UTF8.self)
    let streams = until.map(String.init).joined(separator: ",")
    let output = try python(
        program,
        [simulator.url, simulator.caFile, json, first == nil ? "0" : "1", streams]
    )
    return output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
}

private let program = """
    import json, socket, ssl, sys, urllib.parse
    import h2.connection, h2.config, h2.events, h2.settings
    url, ca, requests = urllib.parse.urlparse(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])
    alone, until = int(sys.argv[4]), {int(s) for s in sys.argv[5].split(",") if s}
    context = ssl.create_default_context(cafile=ca)
    context.set_alpn_protocols(["h2"])
    sock = context.wrap_socket(socket.create_connection((url.hostname, url.port), 30), server_hostname=url.hostname)
    sock.settimeout(30)
    connection = h2.connection.H2Connection(h2.config.H2Configuration(header_encoding="utf-8"))
    connection.initiate_connection()
    def send(request):
        stream = connection.get_next_available_stream_id()
        head = [(k, v) for k, v in request["headers"].items() if k.startswith(":")]
        head += [(":scheme", "https"), (":authority", url.netloc)]
        head += [(k, v) for k, v in request["headers"].items() if not k.startswith(":")]
        connection.send_headers(stream, head)
        connection.send_data(stream, request["body"].encode(), end_stream=True)
    sent, answered, done, allowed, gone = 0, 0, set(), 0, False
    sock.sendall(connection.data_to_send())
    while not gone and not (until and until <= done):
        try: data = sock.recv(65536)
        except (ssl.SSLError, ConnectionError): data = b""
        if not data: print("closed"); break
        for event in connection.receive_data(data):
            match event:
                case h2.events.RemoteSettingsChanged():
                    change = event.changed_settings.get(h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS)
                    if change: allowed = change.new_value; print("streams", allowed)
                case h2.events.ResponseReceived():
                    answered += 1; print("answer", event.stream_id, dict(event.headers)[":status"])
                case h2.events.StreamEnded(): done.add(event.stream_id)
                case h2.events.StreamReset():
                    done.add(event.stream_id); print("reset", event.stream_id, int(event.error_code))
                case h2.events.ConnectionTerminated():
                    extra = (event.additional_data or b"").decode()
                    print("goaway", event.last_stream_id, int(event.error_code), extra); gone = not until
        if not gone:
            limit = alone if answered < alone else len(requests)
            if sent < limit and allowed >= limit - sent:
                while sent < limit: send(requests[sent]); sent += 1
            sock.sendall(connection.data_to_send())
    """
