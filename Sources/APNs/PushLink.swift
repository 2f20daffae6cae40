internal import Foreign
internal import JSON
internal import Time

/// One HTTP/2 connection, from its first packet to its last, with one provider token for its whole life.
///
/// APNs takes a new token no more than once in 20 minutes on one connection; a link never shows it a second one.
final class PushLink {
    let providerToken: ProviderToken
    /// The outcomes of pushes since the last look.
    var completions: [(id: Text, outcome: PushCompletion.Outcome)] = []
    /// The reason that it takes no new pushes, where that is so; those in flight may still be answered.
    private(set) var problem: PushProblem?
    /// True where APNs called its provider token expired.
    private(set) var sawExpiredToken = false
    /// The number of pushes that were answered.
    private(set) var answers = 0
    /// True where something was submitted that is not written yet.
    private(set) var isDirty = true

    private let host: String
    private let timing: PushTiming
    private let maxStreams: Int
    private let authorization: String
    /// `nil` once the connection is over.
    private var wire: PushWire?
    private var flights = PushFlights()
    private var isFirst = true
    private var isAuthenticated = false
    private var refusals = 0
    /// The limit of the other side; until it tells it, the one that most implementations assume.
    private var peerLimit: UInt32 = 100
    /// The times at which the other side was last heard at all, and last answered, by the clock of waiting.
    private var heardAt: Span
    private var answeredAt = Span.zero
    private let uptime: @Sendable () -> Span

    /// Starts to connect; `token` is its name in the poller.
    init(
        _ surroundings: PushWire.Surroundings,
        providerToken: ProviderToken,
        maxStreams: Int,
        token: UInt64
    ) throws(PushProblem) {
        host = surroundings.endpoint.authority
        timing = surroundings.timing
        uptime = surroundings.uptime
        heardAt = uptime()
        self.providerToken = providerToken
        self.maxStreams = maxStreams
        authorization = "bearer \(providerToken.text)"
        wire = try PushWire(surroundings, token: token)
    }

    /// True where nothing is in flight any more and nothing can follow.
    var isOver: Bool { wire == nil || problem != nil && flights.isEmpty }

    /// The number of pushes that may be submitted now.
    ///
    /// One until APNs has taken the provider token, as it asks for; then what both sides allow.
    var freeStreams: Int {
        guard problem == nil else { return 0 }
        let limit = isAuthenticated ? min(Int(peerLimit), maxStreams) : min(Int(peerLimit), 1)
        return max(0, limit - flights.count)
    }

    /// The latest time for ``advance()``, by the clock of waiting; `nil` while only the other side decides.
    var deadline: Span? {
        guard let wire else { return nil }
        guard let establishedAt = wire.establishedAt else { return wire.deadline }
        if let (_, flight) = flights.oldest { return max(flight.submittedAt, establishedAt) + timing.answer }
        // A host that allows no stream at all is as good as silent.
        return problem == nil && peerLimit == 0 ? heardAt + timing.answer : nil
    }

    /// Queues a push; ``advance()`` writes it.
    func submit(_ request: PushRequest, id: Text) {
        guard freeStreams > 0, let wire else {
            completions.append((id, .notProcessed(problem ?? .noFreeStream(host: host))))
            return
        }
        let headers = request.headers(authority: host, authorization: authorization, isFirst: isFirst)
        do throws(HTTP2Error) {
            let stream = try wire.session.submitRequest(headers, body: request.payload)
            flights.add(stream, id: id, at: uptime())
            isFirst = false
            isDirty = true
        } catch {
            completions.append((id, .notProcessed(.protocolViolation(host: host, error))))
        }
    }

    /// Takes no new pushes from now on; those in flight may still be answered.
    func drain() {
        problem = problem ?? .stopped(host: host)
    }

    /// Says goodbye and gives up what is in flight.
    func close() {
        wire?.close()
        end(.stopped(host: host))
    }

    /// Goes on as far as the socket allows, and looks at the time.
    func advance() {
        guard let wire else { return }
        isDirty = false
        do throws(PushProblem) {
            defer { take(wire.session.takeEvents()) }
            try wire.advance()
        } catch {
            end(error)
        }
        lookAtTheTime()
    }

    // MARK: What arrives

    private func take(_ events: [HTTP2Event]) {
        if !events.isEmpty { heardAt = uptime() }
        for event in events {
            switch event {
            case .headers(let stream, let headers): flights.take(headers, on: stream)
            case .data(let stream, let bytes): flights.take(bytes, on: stream)
            case .endOfStream(let stream): answered(stream)
            case .closed(let stream, let code, let wasSent): closed(stream, code: code, wasSent: wasSent)
            case .goAway(let lastStream, let code, let data): leave(after: lastStream, code: code, data: data)
            case .settings(let limit): peerLimit = limit
            case .ping: break
            }
        }
    }

    private func answered(_ stream: Int32) {
        guard let flight = flights.remove(stream) else { return }
        guard let answer = flight.answer else {
            completions.append((flight.id, .uncertain(.closed(host: host, complaint: "an answer without a status"))))
            return
        }
        answers += 1
        answeredAt = heardAt
        if answer.provesAuthentication { isAuthenticated = true }
        if answer.meaning == .expiredProviderToken { sawExpiredToken = true }
        completions.append((flight.id, .answered(answer)))
    }

    /// A stream is over; one that had its answer is no longer in flight.
    private func closed(_ stream: Int32, code: UInt32, wasSent: Bool) {
        guard let flight = flights.remove(stream) else { return }
        let reason = problem ?? .reset(host: host, code: code)
        let isRefused = code == HTTP2Code.refusedStream
        conclude(flight, wasSent: wasSent && !isRefused, reason)
        guard isRefused, problem == nil else { return }
        refusals += 1
        // A host that only ever refuses would keep its sender busy for ever.
        if refusals >= 20, answers == 0 { end(reason) }
    }

    /// GOAWAY: streams above the last one that the other side names are certainly not processed.
    private func leave(after lastStream: Int32, code: UInt32, data: [UInt8]) {
        let reason = (try? Value(json: data))?["reason"]?.text
        let problem = PushProblem.goAway(host: host, code: code, reason: reason)
        self.problem = problem
        for stream in flights.streams where stream > lastStream {
            if let flight = flights.remove(stream) { conclude(flight, wasSent: false, problem) }
        }
    }

    // MARK: How it ends

    private func lookAtTheTime() {
        let now = uptime()
        guard let wire, wire.establishedAt != nil, let due = deadline, due <= now else { return }
        let problem = PushProblem.silent(host: host, during: .answer, for: timing.answer)
        guard let (_, flight) = flights.oldest, answeredAt >= flight.submittedAt else { return end(problem) }
        // The host answers later pushes: only those that it forgot are given up.
        while let (stream, flight) = flights.oldest, let due = deadline, due <= now {
            _ = flights.remove(stream)
            conclude(flight, wasSent: wire.session.wasSent(stream), problem)
            // Fails only when memory is out; the stream then stays open until the connection closes.
            try? wire.session.reset(stream, code: HTTP2Code.cancel)
            isDirty = true
        }
    }

    private func end(_ problem: PushProblem) {
        guard let wire else { return }
        // The announcement of the other side explains its end better than the end itself does.
        let known = if case .goAway = self.problem { self.problem ?? problem } else { problem }
        self.problem = known
        for stream in flights.streams {
            guard let flight = flights.remove(stream) else { continue }
            conclude(flight, wasSent: wire.session.wasSent(stream), known)
        }
        self.wire = nil
    }

    private func conclude(_ flight: PushFlights.Flight, wasSent: Bool, _ problem: PushProblem) {
        // A status that came before the end is an answer, whatever happened to the rest of it.
        let answer = flight.answer.map { PushCompletion.Outcome.answered($0) }
        completions.append((flight.id, answer ?? (wasSent ? .uncertain(problem) : .notProcessed(problem))))
    }
}
