public import Diff
internal import Foreign
public import JSON
internal import Time
internal import Source

/// Why a reload is not done at all.
public enum ReloadError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not 1 to 100 subscribers, or an empty one.
    case subscribers(Int)
    /// The key was used for other subscribers.
    case keyReused(Text)

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .subscribers(let count):
            "reload takes 1 to 100 subscriber ids, none of them empty; \(count) were given"
        case .keyReused(let key):
            "the idempotency key '\(key)' was used for other subscribers; use a new key for a new reload"
        }
    }
}

extension Pipeline {
    /// What `reload` came to.
    public struct ReloadOutcome: Sendable {
        /// One per registered token of the addressed subscribers.
        public var results: [ReloadResult]
        /// Whether the results are those of an earlier call with the same key, and nothing was pushed.
        public var isReplayed: Bool
        /// What stopped parts of it.
        public var faults: [SendOutcome.Fault]
    }

    /// Reloads the widgets of some subscribers now.
    ///
    /// The caller holds the lock.
    ///
    /// - Parameters:
    ///   - run: The run, as the lock names it.
    ///   - subscribers: 1 to 100 ids; unknown ones are skipped, aliases and repetitions count once.
    ///   - key: The same key answers with the first call's results and pushes nothing.
    /// - Returns: One result per registered token.
    /// - Throws: ``ReloadError``, ``RunError``, ``LedgerError``.
    public func reload(run: RunID, _ subscribers: [Text], key: Text?) throws -> ReloadOutcome {
        guard (1...100).contains(subscribers.count), subscribers.allSatisfy({ !$0.string.isEmpty }) else {
            throw ReloadError.subscribers(subscribers.count)
        }
        let now = environment.now()
        let keys = try Credentials(configuration, environment)
        let ledger = try openLedger(.write)
        try begin(run, "reload", ledger, at: now)
        _ = try ledger.recover(run: run, at: now)
        _ = try ingest(at: now).run(into: ledger)
        let reader = ReloadReader(ledger)
        if let key, let first = try reader.request(key: key) {
            guard first.subscribers == subscribers else { throw ReloadError.keyReused(key) }
            return ReloadOutcome(results: try reader.results(of: first.entries), isReplayed: true, faults: [])
        }
        try renewReservations(in: ledger, at: now)
        if let error = try keys.publisher?.run(ledger).error { throw error }
        var meant: Set<DeliveryID> = []
        var book = try quotaBook(in: ledger, at: now)
        let entries = try ledger.step(run, at: now, book: &book) { step in
            let targets = try reader.records(of: subscribers, apps: configuration.apps.map(\.bundleID))
            let scopes = try ledger.scopes()
            var changes = LedgerChanges()
            var entries: [ReloadEntry] = []
            for record in targets {
                var transition = Transition(record)
                for registration in record.devices.compactMap(\.widgets) {
                    let lane = keys.lane(app: record.owner.app, environment: registration.environment)
                    let entry = transition.reload(registration, under: scopes, hasCredential: lane != nil, in: &step)
                    if case .queued(let delivery) = entry.decision { meant.insert(delivery) }
                    entries.append(entry)
                }
                changes.add(transition)
            }
            try ledger.write(changes)
            if let key { try reader.keep(ReloadRequest(subscribers: subscribers, entries: entries), key: key, at: now) }
            return entries
        }
        let send = try Send(
            ledger: ledger,
            run: run,
            keys: keys,
            environment: environment,
            quota: configuration.quota,
            since: now
        ) { meant.contains($0.delivery.id) }
        let sent = try send.sendAll()
        return ReloadOutcome(results: try reader.results(of: entries), isReplayed: false, faults: sent.faults)
    }
}
