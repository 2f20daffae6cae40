public import Diff
internal import Foreign
public import JSON
internal import Time
internal import Source

/// One result of `reload`: what became of the push to one registered token.
public struct ReloadResult: Hashable, Sendable {
    /// The registration.
    public var id: WidgetsID
    /// Whether APNs took the push; that is not proof that a widget was redrawn.
    public var isAccepted: Bool
    /// A stable snake_case code where it did not: `no_credential`, `invalid_endpoint`, `invalid_credential`,
    /// `rate_limited`, `provider_unavailable`, `unsupported`, `revoked`, `rejected`, `quota_exceeded`, `unknown`, `held`.
    public var code: Text?
    /// The reason in words, or APNs's own.
    public var reason: Text?
}

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
        let request = Text(Value.array(subscribers.map(Value.string)).canonical)
        if let key, let first = try ledger.reloadRequest(key: key) {
            guard first.request == request else { throw ReloadError.keyReused(key) }
            return ReloadOutcome(results: try results(first.entries, ledger), isReplayed: true, faults: [])
        }
        try renewReservations(in: ledger, at: now)
        if let error = try keys.publisher?.run(ledger).error { throw error }
        var meant: Set<DeliveryID> = []
        var book = try quotaBook(in: ledger, at: now)
        let entries = try ledger.step(run, at: now, book: &book) { step in
            let targets = try ledger.reloadTargets(of: subscribers, apps: configuration.apps.map(\.bundleID))
            let scopes = try ledger.scopes()
            var changes = LedgerChanges()
            var entries: [Value] = []
            for record in targets {
                var transition = Transition(record)
                for registration in record.devices.compactMap(\.widgets) {
                    let id = Value.string(registration.id.text)
                    if let (code, reason) = obstacle(registration, of: record.owner, under: scopes, keys) {
                        entries.append(["id": id, "code": code, "reason": reason])
                    } else if let delivery = transition.queueReload(of: registration, in: &step) {
                        meant.insert(delivery.id)
                        entries.append(["id": id, "delivery": .string(delivery.id.text)])
                    } else {
                        entries.append(["id": id, "code": "quota_exceeded", "reason": exceeded(at: now)])
                    }
                }
                changes.add(transition)
            }
            try ledger.write(changes)
            if let key { try ledger.keepReloadRequest(key: key, request: request, entries: .array(entries), at: now) }
            return Value.array(entries)
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
        return ReloadOutcome(results: try results(entries, ledger), isReplayed: false, faults: sent.faults)
    }

    private func exceeded(at now: Moment) -> Value {
        let again = RFC3339.string(UTCDay(at: now).end)
        return .string(Text("\(Reason.overQuota.words); there is room again at \(again)"))
    }

    /// Why a token cannot be pushed to, as code and reason.
    private func obstacle(
        _ registration: WidgetRegistration,
        of owner: Owner,
        under scopes: Scopes,
        _ keys: Credentials
    ) -> (code: Value, reason: Value)? {
        let authority = scopes.authority(over: .subscriber(owner.subscriber), .widgets(registration.id))
        if let reason = authority.obstacle(registeredAt: registration.at)?.reason {
            return (reason == .revoked ? "revoked" : "held", .string(Text(reason.words)))
        }
        let environment = registration.environment
        if keys.lane(app: owner.app, environment: environment) == nil {
            return ("no_credential", .string(Text("No \(environment.rawValue) APNs credential configured")))
        }
        if let os = registration.os, os < .widgetPushes {
            return ("unsupported", .string(Text("Widget pushes need iOS 26; the device has \(os.text)")))
        }
        return nil
    }

    private func results(_ entries: Value, _ ledger: Ledger) throws -> [ReloadResult] {
        try (entries.array ?? []).map { entry in
            var result = ReloadResult(
                id: WidgetsID(entry["id"]?.text ?? ""),
                isAccepted: false,
                code: entry["code"]?.text,
                reason: entry["reason"]?.text
            )
            guard let delivery = entry["delivery"]?.text else { return result }
            let standing = try ledger.standing(of: DeliveryID(delivery))
            result.isAccepted = standing?.status == "accepted"
            if !result.isAccepted {
                result.code = Self.code(standing?.status ?? "unknown", standing?.apnsStatus, standing?.reason)
                result.reason = standing?.reason ?? standing?.note
            }
            return result
        }
    }

    private static func code(_ status: Text, _ apnsStatus: Int64?, _ reason: Text?) -> Text {
        switch (status, apnsStatus, reason) {
        case ("failed", 410, _), ("failed", _, "BadDeviceToken"), ("failed", _, "DeviceTokenNotForTopic"):
            "invalid_endpoint"
        case ("unknown", _, _), ("dispatching", _, _): "unknown"
        case (_, 403, _), (_, _, "TopicDisallowed"), (_, _, "BadTopic"), (_, _, "MissingTopic"): "invalid_credential"
        case (_, 429, _): "rate_limited"
        case (_, .some(500...), _): "provider_unavailable"
        case ("failed", _, _): "rejected"
        default: "held"
        }
    }
}
