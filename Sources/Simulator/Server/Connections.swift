internal import Foreign
internal import JSON
internal import Time

/// The connections of senders: takes their requests to ``Apple`` and brings its answers back.
final class Connections {
    let apple: Apple
    private let poller: Poller
    private let environment: SystemEnvironment
    private let tls: TLSContext
    private var log: RequestLog?
    /// The most open streams of a connection after its first authenticated request.
    private var streams: UInt32
    /// The most before that.
    private let firstStreams: UInt32
    private var listeners: [UInt64: (socket: ListeningSocket, environment: APNsEnvironment)] = [:]
    private var clients: [UInt64: Client] = [:]
    /// The last name that was given at the poller; those before belong to the simulator itself.
    private var lastName: UInt64 = 2
    /// Those that have something to write, or that may be over.
    private var touched: Set<UInt64> = []
    /// Those with requests that arrived while answers were written.
    private var waiting: Set<UInt64> = []
    private var lateAnswers = Deadlines<Span, (client: UInt64, stream: Int32, answer: SimulatedAnswer)>()

    /// Serves nobody yet; `log` may be nowhere.
    init(
        apple: Apple,
        poller: Poller,
        environment: SystemEnvironment,
        tls: TLSContext,
        log: consuming RequestLog?,
        streams: UInt32,
        firstStreams: UInt32
    ) {
        self.apple = apple
        self.poller = poller
        self.environment = environment
        self.tls = tls
        self.log = log
        self.streams = streams
        self.firstStreams = firstStreams
    }

    /// Listens on a port of this machine.
    ///
    /// - Returns: The port, which the system chose where 0 was asked for.
    func listen(port: UInt16, for environment: APNsEnvironment) throws(SocketError) -> UInt16 {
        let socket = try ListeningSocket(port: port)
        lastName += 1
        listeners[lastName] = (socket, environment)
        try poller.add(socket.descriptor, for: .read, token: lastName)
        return socket.port
    }

    /// The uptime at which the next late answer is due; zero where requests wait.
    var nextDue: Span? { waiting.isEmpty ? lateAnswers.next : .zero }

    // MARK: A turn of the loop

    /// Takes in what is ready under a name.
    func handle(_ event: Poller.Event, at now: Moment) throws {
        if let listener = listeners[event.token] {
            while let socket = try listener.socket.accept() { try open(socket, listener.environment) }
        } else if let client = clients[event.token] {
            advance(client)
            serve(client, at: now)
        }
    }

    /// Serves what arrived while answers were written, and sends the answers that are due.
    func handleWaiting(at now: Moment) throws {
        for id in waiting.sorted() {
            if let client = clients[id] { serve(client, at: now) }
        }
        waiting = []
        while let (_, late) = lateAnswers.popDue(at: environment.uptime()) {
            guard let client = clients[late.client] else { continue }
            send(late.answer, on: late.stream, of: client)
        }
    }

    /// Writes the log, then the answers of this turn.
    func finishTurn() throws {
        try log?.flush()
        for id in touched.sorted() {
            guard let client = clients[id] else { continue }
            advance(client)
            if client.isOver { drop(client) } else { try watch(client) }
            if client.hasRequests { waiting.insert(id) }
        }
        touched = []
    }

    private func open(_ socket: Socket, _ environment: APNsEnvironment) throws {
        let fault = apple.connect(to: environment)
        // The socket closes with its last reference.
        if fault == .refuseConnection { return }
        lastName += 1
        let session = try HTTP2Session(.server(maxConcurrentStreams: min(firstStreams, streams)))
        let stream = try TLSStream(over: socket, context: tls, host: "a sender")
        let connection = HTTP2Connection(stream: stream, session: session)
        let client = Client(id: lastName, environment: environment, connection: connection)
        if case .dismissConnection(let reason) = fault { client.dismiss(reason: reason) }
        clients[lastName] = client
        try poller.add(socket.descriptor, for: .read, token: lastName)
    }

    private func watch(_ client: Client) throws(SocketError) {
        guard client.wanted != client.watched else { return }
        client.watched = client.wanted
        try poller.change(client.connection.stream.socket.descriptor, to: client.wanted, token: client.id)
    }

    private func drop(_ client: Client) {
        poller.remove(client.connection.stream.socket.descriptor)
        clients[client.id] = nil
    }

    /// Reads and writes as far as the socket allows.
    private func advance(_ client: Client) {
        touched.insert(client.id)
        client.advance()
    }

    // MARK: Requests

    private func serve(_ client: Client, at now: Moment) {
        // Not each outcome is an answer, and each has something to write.
        touched.insert(client.id)
        while let (stream, request) = client.nextRequest() {
            var entry = RequestLog.Entry(
                request: request,
                payload: try? Value(json: request.body),
                environment: client.environment,
                connection: client.id,
                stream: stream
            )
            let outcome = apple.receive(&entry, provider: &client.provider, at: now)
            log?.add(entry, at: now)
            carryOut(outcome, on: stream, of: client)
            if client.provider.isAuthenticated, !client.hasRaisedStreams {
                client.hasRaisedStreams = true
                client.attempt { session throws(HTTP2Error) in try session.allow(maxConcurrentStreams: streams) }
            }
        }
    }

    private func carryOut(_ outcome: SimulatedOutcome, on stream: Int32, of client: Client) {
        switch outcome {
        case .answer(let answer):
            send(answer, on: stream, of: client)
        case .answerLater(let answer, let span):
            lateAnswers.add((client.id, stream, answer), at: environment.uptime() + span)
        case .answerAllowing(let answer, let limit):
            client.hasRaisedStreams = true
            client.attempt { session throws(HTTP2Error) in try session.allow(maxConcurrentStreams: limit) }
            send(answer, on: stream, of: client)
        case .silence:
            break
        case .reset(let code):
            client.attempt { session throws(HTTP2Error) in try session.reset(stream, code: code) }
        case .cut:
            client.isCut = true
        case .goAway(let reason, let answer):
            client.sayGoodbye(lastStream: answer == nil ? max(stream - 2, 0) : stream, reason: reason)
            if let answer { send(answer, on: stream, of: client) }
        }
    }

    private func send(_ answer: SimulatedAnswer, on stream: Int32, of client: Client) {
        touched.insert(client.id)
        client.attempt { session throws(HTTP2Error) in
            try session.submitResponse(answer.fields, body: answer.body, on: stream)
        }
    }

    // MARK: Commands

    /// Changes how many streams each connection may have open, now and later.
    func allow(streams limit: UInt32) {
        streams = limit
        for client in clients.values where client.hasRaisedStreams {
            touched.insert(client.id)
            client.attempt { session throws(HTTP2Error) in try session.allow(maxConcurrentStreams: limit) }
        }
    }

    /// Says GOAWAY on every connection; what has arrived is still answered.
    func sayGoodbye(reason: String?) {
        for client in clients.values {
            touched.insert(client.id)
            client.sayGoodbye(lastStream: nil, reason: reason)
        }
    }

    /// Cuts every connection.
    func cutAll() {
        for client in Array(clients.values) { drop(client) }
    }

    /// Says goodbye to everybody, for the end.
    func closeAll() {
        for client in Array(clients.values) {
            client.connection.close()
            drop(client)
        }
    }
}
