"""An HTTP/2 server on the Python h2 package that behaves as a test wants, one JSON object on the command line.

    {"maxStreams": 100, "connections": [RULES, ...]}    the last RULES serve all further connections

RULES maps the number of a request on its connection (1, 2, ...), "accept" or "*" to what is done, a list of:

    {"status": 410, "reason": "Unregistered", "timestamp": 1}   answers (the default is {"status": 200})
    {"answer": 1, ...}         answers an earlier request, by its number
    {"reset": 7}               resets the stream
    {"goAway": 2, "reason"}    announces that requests above this number are not processed; "first" does it before the
                               SETTINGS frame, for "accept"
    {"maxStreams": 5}          changes the limit
    {"wait": true}             says nothing
    {"close": true}            closes the connection, without a word of TLS

Each request is a line of JSON on standard output.
"""

import json
import os
import socket
import ssl
import sys
import threading

import h2.config
import h2.connection
import h2.events
import h2.settings

port, certificate, key, scenario = int(sys.argv[1]), sys.argv[2], sys.argv[3], json.loads(sys.argv[4])
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
context.set_alpn_protocols(["h2"])


class Closed(Exception):
    pass


class Connection:
    def __init__(self, number, channel, rules):
        self.number, self.channel, self.rules = number, channel, rules
        self.http = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
        self.requests, self.headers, self.bodies = [], {}, {}

    def serve(self):
        limit = h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS
        self.http.local_settings = h2.settings.Settings(False, {limit: scenario.get("maxStreams", 100)})
        self.http.initiate_connection()
        if "accept" in self.rules:
            for step in self.rules["accept"]:
                self.act(step, None)
        self.flush()
        while data := self.channel.recv(65536):
            for event in self.http.receive_data(data):
                self.handle(event)
            self.flush()

    def flush(self):
        if data := self.http.data_to_send():
            self.channel.sendall(data)

    def handle(self, event):
        if isinstance(event, h2.events.RequestReceived):
            self.requests.append(event.stream_id)
            self.headers[event.stream_id] = [(name.decode(), value.decode()) for name, value in event.headers]
            self.bodies[event.stream_id] = b""
        elif isinstance(event, h2.events.DataReceived):
            self.bodies[event.stream_id] += event.data
            self.http.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        elif isinstance(event, h2.events.StreamEnded):
            number = self.requests.index(event.stream_id) + 1
            line = json.dumps({
                "connection": self.number, "request": number, "headers": self.headers[event.stream_id],
                "body": self.bodies[event.stream_id].decode(),
            })
            # One write, newline included: print() makes two, between which another connection's line can fall.
            os.write(1, f"{line}\n".encode())
            for step in self.rules.get(str(number), self.rules.get("*", [{"status": 200}])):
                self.act(step, event.stream_id)

    def act(self, step, stream):
        if "answer" in step:
            stream = self.requests[step["answer"] - 1]
        if "status" in step or "answer" in step:
            self.answer(step, stream)
        elif "reset" in step:
            self.http.reset_stream(stream, step["reset"])
        elif "goAway" in step:
            body = {"reason": step["reason"]} if "reason" in step else None
            last = 2 * step["goAway"] - 1 if step["goAway"] else 0
            # Not close_connection: streams at or below the last one still get their answers.
            frame = h2.connection.GoAwayFrame(
                0, last_stream_id=last, error_code=0, additional_data=json.dumps(body).encode() if body else b"")
            if not step.get("first"):
                self.flush()
            self.channel.sendall(frame.serialize())
        elif "maxStreams" in step:
            self.http.update_settings({h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS: step["maxStreams"]})
        elif "close" in step:
            self.flush()
            raise Closed

    def answer(self, step, stream):
        status = step.get("status", 200)
        body = {name: step[name] for name in ("reason", "timestamp") if name in step}
        headers = [(":status", str(status)), ("apns-id", f"id-{self.number}-{stream}")]
        self.http.send_headers(stream, headers, end_stream=not body)
        if body:
            self.http.send_data(stream, json.dumps(body).encode(), end_stream=True)


def run(number, raw):
    rules = scenario["connections"]
    channel = None
    try:
        channel = context.wrap_socket(raw, server_side=True)
        Connection(number, channel, rules[min(number, len(rules)) - 1]).serve()
    except (Closed, OSError):
        pass
    finally:
        (channel or raw).close()


listener = socket.create_server(("127.0.0.1", port), backlog=64)
count = 0
while True:
    raw, _ = listener.accept()
    # The probe that waits for this server closes without a byte; a TLS client speaks first.
    if not raw.recv(1, socket.MSG_PEEK):
        raw.close()
        continue
    count += 1
    threading.Thread(target=run, args=(count, raw), daemon=True).start()
