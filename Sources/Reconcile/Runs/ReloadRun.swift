public import Diff
internal import Foreign
public import JSON
internal import Ledger
internal import Source
internal import Time

/// The reason that a reload is not done at all.
public enum ReloadError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not 1 to 100 subscribers, or an empty one.
    case subscribers(Int)
    /// The key was used for other subscribers.
    case keyReused(Text)

    /// The fault and the way out.
    public var description: String {
        switch self {
        case .subscribers(let count):
            "reload takes 1 to 100 subscriber ids, none of them empty; \(count) were given"
        case .keyReused(let key):
            "the idempotency key '\(key)' was used for other subscribers; use a new key for a new reload"
        }
    }
}

/// `reload`: reloads the widgets of some subscribers now.
///
/// The caller holds the lock.
public struct ReloadRun {
    private let pipeline: Pipeline
    private let run: RunID

    /// A reload in a project, by the run that the lock names.
    public init(_ pipeline: Pipeline, _ run: RunID) {
        self.pipeline = pipeline
        self.run = run
    }

    /// The outcome of a reload.
    public struct Outcome: Sendable {
        /// One per registered token of the addressed subscribers.
        public var results: [ReloadResult]
        /// True where the results are those of an earlier call with the same key, and nothing was pushed.
        public var isReplayed: Bool
        /// The faults that stopped parts of it.
        public var faults: [SendOutcome.Fault]
    }

    /// Reloads the widgets of some subscribers.
    ///
    /// - Parameters:
    ///   - subscribers: 1 to 100 ids; unknown ones are skipped, aliases and repetitions count once.
    ///   - key: The same key answers with the first call's results and pushes nothing.
    /// - Returns: One result per registered token.
    /// - Throws: ``ReloadError``, ``RunError``, ``LedgerError``.
    public func run(_ subscribers: [Text], key: Text?) throws -> Outcome {
        guard (1...100).contains(subscribers.count), subscribers.allSatisfy({ !$0.string.isEmpty }) else {
            throw ReloadError.subscribers(subscribers.count)
        }
        let environment = pipeline.environment
        let now = environment.now()
        let keys = try Credentials(pipeline.configuration, environment)
        for warning in keys.warnings { try environment.remark(warning) }
        var begun = try pipeline.begin(run, RunRecord.reloadCommand, at: now)
        let ledger = begun.ledger
        try begun.takeIn(pipeline, renewsReservations: false, at: now)
        let request = Value.array(subscribers.map(Value.string))
        if let key, let first = try ledger.reloadRequest(key: key) {
            guard first.subscribers == request else { throw ReloadError.keyReused(key) }
            let entries = try (first.results?.array ?? []).map { try ReloadEntry(value: $0) }
            return Outcome(results: try results(of: entries, in: ledger), isReplayed: true, faults: [])
        }
        try pipeline.renewReservations(in: ledger, at: now)
        if let error = try keys.publisher?.run(ledger).error { throw error }
        var book = try pipeline.quotaBook(in: ledger, at: now)
        let entries = try ledger.step(run, in: environment, book: &book) { step, changes in
            let entries = try queue(subscribers, keys, in: ledger, step: &step, changes: &changes)
            if let key {
                let results = Value.array(entries.map(\.value))
                let kept = ReloadRequestRecord(key: key, subscribers: request, results: results, at: now)
                changes.reloadRequests.append(kept)
            }
            return entries
        }
        let meant = Set(entries.compactMap(\.delivery))
        let send = try Send(ledger, begun.terms(keys, pipeline, since: now)) { meant.contains($0.delivery.id) }
        let sent = try send.sendAll()
        return Outcome(results: try results(of: entries, in: ledger), isReplayed: false, faults: sent.faults)
    }

    /// Queues a push to each registered token, or says why there is none.
    private func queue(
        _ subscribers: [Text],
        _ keys: Credentials,
        in ledger: any Snapshot,
        step: inout StepContext,
        changes: inout LedgerChanges
    ) throws -> [ReloadEntry] {
        let apps = pipeline.configuration.apps.map(\.bundleID)
        let scopes = try ledger.scopes()
        var entries: [ReloadEntry] = []
        for record in try ledger.reloadTargets(of: subscribers, apps: apps) {
            var transition = Transition(record)
            for registration in record.devices.compactMap(\.widgets) {
                let lane = keys.lane(app: record.owner.app, environment: registration.environment)
                let reload = RequestedReload(registration, under: scopes, hasCredential: lane != nil)
                entries.append(reload.queue(in: &transition, &step))
            }
            changes.add(transition)
        }
        return entries
    }

    /// The results of decisions, as the pushes that they queued stand now.
    private func results(of entries: [ReloadEntry], in ledger: any Snapshot) throws -> [ReloadResult] {
        try entries.map { entry in
            ReloadResult(of: entry, try entry.delivery.flatMap { try ledger.deliveries(.id($0)).first })
        }
    }
}

extension Snapshot {
    /// The live widget push tokens of some subscribers, with the reloads that wait for them: each owner once, aliases
    /// resolved.
    func reloadTargets(of subscribers: [Text], apps: [Text]) throws -> [Recorded] {
        var records: [Recorded] = []
        for app in apps {
            var seen: Set<Text> = []
            for subscriber in subscribers {
                let person = try resolve(subscriber, app: app)
                guard seen.insert(person).inserted else { continue }
                records.append(try reloadTargets(of: Owner(subscriber: person, app: app)))
            }
        }
        return records
    }

    private func reloadTargets(of owner: Owner) throws -> Recorded {
        var record = Recorded(owner: owner)
        record.devices = try registrations(.live(owner)).map { Device(id: $0.device, widgets: $0.row) }
        for reload in try deliveries(.openReloads(owner)) { record.attach(reload) }
        return record
    }
}

extension ReloadEntry {
    /// The push that it queued, if it did.
    fileprivate var delivery: DeliveryID? { if case .queued(let id) = decision { id } else { nil } }

    /// The entry as the ledger keeps it.
    fileprivate var value: Value {
        switch decision {
        case .queued(let delivery): ["id": .string(id.text), "delivery": .string(delivery.text)]
        case .refused(let obstacle):
            [
                "id": .string(id.text), "code": .string(obstacle.code.rawValue),
                "reason": obstacle.reason.map(Value.string) ?? .null,
            ]
        }
    }

    /// Reads ``value`` back.
    fileprivate init(value: Value) throws {
        let id = WidgetsID(value["id"]?.text ?? "")
        if let delivery = value["delivery"]?.text {
            self.init(id: id, .queued(DeliveryID(delivery)))
        } else if let code = value["code"]?.text.flatMap(ReloadObstacle.Code.init(rawValue:)) {
            self.init(id: id, .refused(ReloadObstacle(code, value["reason"]?.text)))
        } else {
            throw UnreadableRow(table: "idempotency", detail: value.canonical)
        }
    }
}
