public import Foreign
public import JSON
internal import Time

/// The way to send pushes with one key to one service: a connection that is made when the first push comes, and made
/// anew when the service asks for it.
///
/// Ask for ``freeStreams``, mark as many pushes as being sent, ``submit(_:id:)`` them, and take what became of them
/// from ``PushLoop/poll(_:)``.
public final class PushConnection: PushRoute {
    /// Names a connection of a loop.
    public typealias ID = Int

    /// The settings that a connection is made with.
    public struct Configuration {
        /// The service.
        public var endpoint: PushEndpoint
        /// The key that signs provider tokens.
        public var key: ProviderKey
        /// The place where provider tokens are kept.
        public var tokens: ProviderTokens
        /// The proxy to go through.
        public var proxy: Proxy
        /// The most pushes in flight, where the service allows more.
        public var maxStreams = 500
        /// The times to wait, and the number of attempts.
        public var timing = PushTiming()

        /// A configuration with the usual limits.
        public init(endpoint: PushEndpoint, key: ProviderKey, tokens: ProviderTokens, proxy: Proxy = .none) {
            self.endpoint = endpoint
            self.key = key
            self.tokens = tokens
            self.proxy = proxy
        }
    }

    /// Its name in ``PushCompletion/connection``.
    public let id: ID
    /// The reason that no more pushes are taken in this run; `nil` while there is hope.
    ///
    /// Set once, when another attempt is of no use or as many as allowed brought no answer. Pushes that had to be given
    /// up carry the same problem.
    public private(set) var failure: PushProblem?

    private let configuration: Configuration
    private let poller: Poller
    private let uptime: @Sendable () -> Span
    private var context: TLSContext?
    private var current: PushLink?
    /// Links that take no new pushes and wait for their last answers.
    private var draining: [(number: UInt64, link: PushLink)] = []
    private var linkNumber: UInt64 = 0
    /// The number of links in a row that brought no answer, and the time until which the next one waits.
    private var fruitless = 0
    private var pausedUntil = Span.zero
    /// The token that ``renewProviderToken()`` made, where it did.
    private var renewed: ProviderToken?
    private var completions: [PushCompletion] = []

    init(_ configuration: Configuration, id: ID, poller: Poller, _ uptime: @escaping @Sendable () -> Span) {
        self.configuration = configuration
        self.id = id
        self.poller = poller
        self.uptime = uptime
    }

    /// The number of pushes that may be submitted now; 0 while the connection pauses after a failed attempt.
    public var freeStreams: Int {
        guard failure == nil else { return 0 }
        retire()
        if let current { return current.freeStreams }
        return failure == nil && uptime() >= pausedUntil ? 1 : 0
    }

    /// Takes a push, for ``PushLoop/poll(_:)`` to write; more than ``freeStreams`` come back as not processed.
    ///
    /// - Parameters:
    ///   - request: The push.
    ///   - id: Comes back with what became of it.
    public func submit(_ request: PushRequest, id: Text) {
        do throws(PushProblem) {
            if freeStreams > 0, current == nil { current = try makeLink() }
        } catch {
            failure = error
        }
        guard let current else {
            let problem = failure ?? .noFreeStream(host: configuration.endpoint.authority)
            completions.append(PushCompletion(connection: self.id, id: id, outcome: .notProcessed(problem)))
            return
        }
        current.submit(request, id: id)
    }

    /// Makes a new provider token after an answer that called the old one expired; the next push opens a new connection.
    ///
    /// - Returns: True where there is a new token, so that the push is worth sending again; `false` when the new one was
    ///   called expired as well, which a wrong clock or key explains.
    /// - Throws: ``CryptoError`` where the key cannot sign.
    public func renewProviderToken() throws(CryptoError) -> Bool {
        // Answers of an older link say nothing about the token that is in use now.
        guard let current, current.sawExpiredToken else { return true }
        guard current.providerToken != renewed else { return false }
        renewed = try configuration.tokens.token(for: configuration.key, after: current.providerToken)
        current.drain()
        retire()
        return true
    }

    private func makeLink() throws(PushProblem) -> PushLink {
        let context = try trust()
        let token = try described({ .unusableKey($0) }) { () throws(CryptoError) in
            try configuration.tokens.token(for: configuration.key)
        }
        linkNumber += 1
        let surroundings = PushWire.Surroundings(
            endpoint: configuration.endpoint,
            context: context,
            proxy: configuration.proxy,
            timing: configuration.timing,
            poller: poller,
            uptime: uptime
        )
        return try PushLink(
            surroundings,
            providerToken: token,
            maxStreams: configuration.maxStreams,
            token: UInt64(id) << 32 | linkNumber
        )
    }

    /// The certificates to trust, read once.
    private func trust() throws(PushProblem) -> TLSContext {
        if let context { return context }
        let context = try described({ .insecure($0) }) { () throws(TLSError) in
            try TLSContext.client(caFile: configuration.endpoint.caFile)
        }
        self.context = context
        return context
    }

    /// Puts a link aside that takes no new pushes, or whose token is too old for new ones.
    private func retire() {
        guard let link = current else { return }
        if link.problem == nil, !link.providerToken.isUsable(at: configuration.tokens.second) { link.drain() }
        guard let problem = link.problem else { return }
        draining.append((linkNumber, link))
        current = nil
        if case .stopped = problem { return }
        guard link.answers == 0 else {
            fruitless = 0
            return
        }
        let pauses = configuration.timing.pauses
        if problem.isFinal || fruitless >= pauses.count {
            failure = problem
        } else {
            pausedUntil = uptime() + pauses[fruitless]
            fruitless += 1
        }
    }

    // MARK: For the loop

    private var links: [PushLink] { (current.map { [$0] } ?? []) + draining.map(\.link) }

    /// The latest time at which something is due, by the clock of waiting.
    var deadline: Span? {
        let pause = current == nil && pausedUntil > uptime() && failure == nil ? [pausedUntil] : []
        return (links.compactMap(\.deadline) + pause).min()
    }

    /// Goes on with the link that the poller named.
    func advance(link number: UInt64) {
        if number == linkNumber, let current { return current.advance() }
        draining.first { $0.number == number }?.link.advance()
    }

    /// Goes on with the links that have something to write, or whose time has come.
    func advanceWhereDue() {
        let now = uptime()
        for link in links where link.isDirty || link.deadline.map({ $0 <= now }) == true { link.advance() }
    }

    /// The outcomes of pushes since the last call.
    func takeCompletions() -> [PushCompletion] {
        for link in links {
            for (id, outcome) in link.completions {
                completions.append(PushCompletion(connection: self.id, id: id, outcome: outcome))
            }
            link.completions = []
        }
        retire()
        for (_, link) in draining where link.isOver { link.close() }
        draining.removeAll { $0.link.isOver }
        defer { completions = [] }
        return completions
    }

    /// Says goodbye on all links and gives up what is in flight.
    func close() {
        for link in links { link.close() }
    }
}
