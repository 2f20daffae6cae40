@testable import APNs
import Foreign
import JSON
import Simulator
import TestSeeds
import Time

/// One request on its way, as whoever judges it sees it.
struct SeenRequest {
    /// The push.
    var request: PushRequest
    /// The number of the ledger's unit that it was marked in.
    var unit: Int
    /// The fate of it.
    var receipt: SimulatedReceipt
    /// The time of the service.
    var at: Moment
}

/// The twin of the network: brings pushes to a simulated service without a socket, and loses what a network loses.
///
/// Pushes are written when the run polls, in any number; answers come in any order.
final class InProcessTransport: PushTransport {
    /// The hooks of the world.
    struct World {
        /// An effect is about to happen; throws where the run is dead.
        var effect: (Effect) throws -> Void
        /// The number of the ledger's unit that began last.
        var unit: () -> Int
        /// Takes what Apple saw.
        var see: (SeenRequest) -> Void
    }

    let service: SimulatedService
    let time: VirtualTime
    let world: World
    fileprivate var dice: SeededGenerator
    private var routes: [InProcessRoute] = []
    fileprivate(set) var completions: [PushCompletion] = []
    /// Completions that come later, by the clock of waiting.
    fileprivate var later: [(at: Span, route: InProcessRoute, id: Text, outcome: PushCompletion.Outcome)] = []

    init(_ service: SimulatedService, _ time: VirtualTime, dice: SeededGenerator, world: World) {
        self.service = service
        self.time = time
        self.dice = dice
        self.world = world
    }

    func route(_ configuration: PushConnection.Configuration) -> any PushRoute {
        let route = InProcessRoute(configuration, id: routes.count + 1, self)
        routes.append(route)
        return route
    }

    func poll(_ limit: Span?) throws -> [PushCompletion] {
        try world.effect(.poll)
        for route in routes { route.write(upTo: Int.random(in: 1...8, using: &dice)) }
        let end = time.uptime + (limit ?? .hours(1))
        if completions.isEmpty { takeLater(before: end) }
        if completions.isEmpty { time.pass(end - time.uptime) } else { time.pass(.milliseconds(3)) }
        defer { completions = [] }
        return completions.shuffled(using: &dice)
    }

    func close() -> [PushCompletion] {
        for route in routes { route.end(.stopped(host: route.host), isClosing: true) }
        defer { completions = [] }
        return completions
    }

    /// The run is killed: what it had queued may have been written, in order, as far as chance had it.
    func die() {
        for route in routes { route.write(upTo: Int.random(in: 0...8, using: &dice)) }
    }

    private func takeLater(before end: Span) {
        guard let first = later.map(\.at).min(), first <= end else { return }
        if first > time.uptime { time.pass(first - time.uptime) }
        let due = later.filter { $0.at <= time.uptime }
        later.removeAll { $0.at <= time.uptime }
        for item in due where item.route.inFlight.contains(item.id) {
            item.route.complete(item.id, item.outcome)
            if case .uncertain(let problem) = item.outcome { item.route.end(problem, isClosing: false) }
        }
    }

    fileprivate func random(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &dice) }
}

/// A way to the simulated service that behaves as a connection does: one stream at first, made anew where it broke.
final class InProcessRoute: PushRoute {
    private(set) var failure: PushProblem?
    let host: String
    private let configuration: PushConnection.Configuration
    private let id: Int
    private unowned let transport: InProcessTransport
    private var connection: SimulatedConnection?
    private var token: ProviderToken?
    private var renewed: ProviderToken?
    private var sawExpiredToken = false
    private var isAuthenticated = false
    private var answers = 0
    private var fruitless = 0
    private var pausedUntil = Span.zero
    private var streams: Int
    private var queue: [(id: Text, request: PushRequest, unit: Int)] = []
    /// Pushes that were written and have no end yet.
    private(set) var inFlight: Set<Text> = []

    init(_ configuration: PushConnection.Configuration, id: Int, _ transport: InProcessTransport) {
        self.configuration = configuration
        self.id = id
        self.transport = transport
        host = configuration.endpoint.authority
        streams = transport.random(1...6)
    }

    var freeStreams: Int {
        guard failure == nil else { return 0 }
        if connection == nil { return transport.time.uptime >= pausedUntil ? 1 : 0 }
        return max(0, (isAuthenticated ? streams : 1) - queue.count - inFlight.count)
    }

    func submit(_ request: PushRequest, id: Text) {
        // The run that died here has written nothing of this push.
        guard (try? transport.world.effect(.submit)) != nil else { return }
        if connection == nil { connect() }
        guard connection != nil else {
            return finish(id, .notProcessed(failure ?? .closed(host: host, complaint: nil)))
        }
        queue.append((id, request, transport.world.unit()))
    }

    func renewProviderToken() throws(CryptoError) -> Bool {
        guard let token, sawExpiredToken else { return true }
        guard token != renewed else { return false }
        renewed = try configuration.tokens.token(for: configuration.key, after: token)
        end(.stopped(host: host), isClosing: false)
        return true
    }

    private func connect() {
        do {
            token = try configuration.tokens.token(for: configuration.key)
        } catch {
            failure = .unusableKey(error)
            return
        }
        let connection = transport.service.connect(
            to: configuration.endpoint == .sandbox ? .sandbox : .production
        )
        (isAuthenticated, sawExpiredToken, answers) = (false, false, 0)
        switch connection.beginning {
        case .open: self.connection = connection
        case .refused: retire(.closed(host: host, complaint: nil))
        case .dismissed(let reason): retire(.goAway(host: host, code: 0, reason: Text(reason)))
        }
    }

    /// Brings so many of the queued pushes to the service.
    func write(upTo count: Int) {
        for _ in 0..<count {
            guard let connection, let token, !queue.isEmpty else { return }
            let next = queue.removeFirst()
            let request = next.request
            let headers = request.headers(authority: host, authorization: "bearer \(token.text)", isFirst: false)
            let simulated = SimulatedRequest(
                method: "POST",
                path: request.path,
                headers: headers.filter { !$0.name.hasPrefix(":") }.map { ($0.name, $0.value) },
                body: request.payload
            )
            let now = transport.time.now
            let receipt = transport.service.receive(simulated, over: connection, at: now)
            transport.world.see(SeenRequest(request: request, unit: next.unit, receipt: receipt, at: now))
            inFlight.insert(next.id)
            take(receipt.outcome, of: next.id)
        }
    }

    private func take(_ outcome: SimulatedOutcome, of id: Text) {
        let uptime = transport.time.uptime
        switch outcome {
        case .answer(let answer), .answerAllowing(let answer, _):
            complete(id, .answered(Answer(answer)))
        case .answerLater(let answer, let span):
            transport.later.append((uptime + span, self, id, .answered(Answer(answer))))
        case .silence:
            let span = configuration.timing.answer
            let problem = PushProblem.silent(host: host, during: .answer, for: span)
            transport.later.append((uptime + span, self, id, .uncertain(problem)))
        case .reset(let code):
            let problem = PushProblem.reset(host: host, code: code)
            complete(id, code == HTTP2Code.refusedStream ? .notProcessed(problem) : .uncertain(problem))
        case .cut:
            end(.closed(host: host, complaint: nil), isClosing: false)
        case .goAway(let reason, let answer):
            let problem = PushProblem.goAway(host: host, code: 0, reason: reason.map { Text($0) })
            complete(id, answer.map { .answered(Answer($0)) } ?? .notProcessed(problem))
            end(problem, isClosing: false)
        }
    }

    /// A push has its end.
    func complete(_ id: Text, _ outcome: PushCompletion.Outcome) {
        inFlight.remove(id)
        if case .answered(let answer) = outcome {
            answers += 1
            if answer.provesAuthentication { isAuthenticated = true }
            if answer.meaning == .expiredProviderToken { sawExpiredToken = true }
        }
        finish(id, outcome)
    }

    private func finish(_ id: Text, _ outcome: PushCompletion.Outcome) {
        transport.completions.append(PushCompletion(connection: self.id, id: id, outcome: outcome))
    }

    /// The connection is over: what was written is uncertain, what was not was certainly not processed.
    func end(_ problem: PushProblem, isClosing: Bool) {
        for id in inFlight.sorted() { finish(id, .uncertain(problem)) }
        inFlight = []
        for item in queue { finish(item.id, .notProcessed(problem)) }
        queue = []
        if connection != nil { retire(problem) }
    }

    private func retire(_ problem: PushProblem) {
        connection = nil
        if case .stopped = problem { return }
        guard answers == 0 else {
            fruitless = 0
            return
        }
        let pauses = configuration.timing.pauses
        if problem.isFinal || fruitless >= pauses.count {
            failure = problem
        } else {
            pausedUntil = transport.time.uptime + pauses[fruitless]
            fruitless += 1
        }
    }
}

extension Answer {
    fileprivate init(_ answer: SimulatedAnswer) {
        self.init(
            status: answer.status,
            reason: answer.status == 200 ? nil : answer.reason.map { Text($0) },
            id: Text(answer.apnsID),
            timestamp: answer.timestamp
        )
    }
}
