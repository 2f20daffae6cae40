internal import APNs
internal import Diff
internal import Foreign
internal import JSON
internal import Ledger
internal import Source
internal import Time

/// Sends what is queued, in the order of the ledger, over one route per key.
///
/// Each delivery is marked before a byte of it is written and settled as its answer comes; a run that dies in between
/// leaves marks, and the next one knows that these may have arrived.
final class Send {
    private let ledger: any Lease
    private let terms: Terms
    private let templates: TemplateBook
    private let environment: RunEnvironment
    private let isSelected: ((DueDelivery) throws -> Bool)?
    private let isReady: (DueDelivery) throws -> Bool
    /// The day of UTC whose capacity is reserved.
    private var day: UTCDay
    private let transport: any PushTransport
    private var lanes: [SendLane] = []
    private var pushes: [Text: InFlight] = [:]
    /// Faults and facts that are not written yet.
    private var changes = LedgerChanges()
    private var outcome = SendOutcome()
    private var total = 0
    private var settled = 0

    /// The terms on which a run sends.
    struct Terms {
        /// The run.
        var run: RunID
        /// The keys and endpoints.
        var keys: Credentials
        /// The quota, if there is one.
        var quota: Quota?
        /// The moment whose day the reservations hold for.
        var start: Moment
        /// True where no start may be sent, because the ledger was restored from a backup.
        var isRestored: Bool
        /// The clock, the request to stop, and who takes the events.
        var environment: RunEnvironment
        /// The provider tokens of earlier runs.
        var tokens: ProviderTokens
    }

    private struct InFlight {
        var lane: SendLane
        var push: Push
    }

    /// The most deliveries that are marked in one transaction.
    private static let batch = 500

    /// Sends what a ledger has queued, with these keys; `isSelected` says which deliveries are meant, all where it is left
    /// out, and `isReady` which of them wait for nothing else.
    ///
    /// Reservations hold for the day of `start`.
    init(
        _ ledger: any Lease,
        _ terms: Terms,
        isSelected: ((DueDelivery) throws -> Bool)?,
        isReady: @escaping (DueDelivery) throws -> Bool = { _ in true }
    ) throws {
        self.ledger = ledger
        self.terms = terms
        templates = TemplateBook(try ledger.templates())
        environment = terms.environment
        self.isSelected = isSelected
        self.isReady = isReady
        day = UTCDay(at: terms.start)
        transport = try environment.transport(environment.system, environment.interrupt())
        var routes: [Text: any PushRoute] = [:]
        let faults = try ledger.faults()
        for name in try ledger.lanes(at: environment.now()).map(\.name) {
            guard let credentials = terms.keys.lane(app: name.app, environment: name.environment) else { continue }
            // Apps that share key, team and endpoint share the route.
            let route = routes[credentials.fingerprint] ?? transport.route(credentials.connection(terms.tokens))
            routes[credentials.fingerprint] = route
            let lane = SendLane(name, credentials: credentials, route: route)
            lane.fault = faults.first { $0.app == name.app && $0.environment == name.environment }
            if let fault = lane.fault {
                lane.mode = .probing
                if fault.fingerprint != credentials.fingerprint { try write { clearFault(of: lane) } }
            }
            lanes.append(lane)
        }
        total = try dueCount()
    }

    /// Sends until nothing is left that can be sent now.
    func sendAll() throws -> SendOutcome {
        while true {
            outcome.stopped = outcome.stopped ?? environment.stopped()
            if outcome.stopped == nil {
                for lane in lanes { try fill(lane) }
            }
            guard !pushes.isEmpty || outcome.stopped == nil && lanes.contains(where: \.isWaiting) else { break }
            try settle(transport.poll(.seconds(1)))
            try environment.events(.sending(settled: settled, total: total))
        }
        for lane in lanes { try judge(lane, isLast: true) }
        try settle(transport.close())
        outcome.held = try dueCount()
        return outcome
    }

    /// The number of meant deliveries that could be sent now.
    private func dueCount() throws -> Int {
        var count = 0
        for lane in try ledger.lanes(at: environment.now()) {
            guard let isSelected else {
                count += lane.count
                continue
            }
            var place = SendingPlace.start
            while true {
                let due = try ledger.due(lane.name, after: place, at: environment.now(), limit: 2 * Self.batch)
                guard let last = due.last else { break }
                count += try due.count(where: isSelected)
                place = last.delivery.place
            }
        }
        return count
    }

    /// Writes the settlements that `body` makes, as one.
    private func write(_ body: () throws -> Void) throws {
        try ledger.unit {
            try body()
            try ledger.write(changes)
        }
        changes = LedgerChanges()
    }

    // MARK: - Out

    /// Marks and submits as many of a lane's deliveries as there are free streams.
    private func fill(_ lane: SendLane) throws {
        while lane.isWaiting {
            if lane.mode == .probing, lane.hasProbed, lane.again.isEmpty {
                return lane.inFlight == 0 ? try stopProbing(lane) : ()
            }
            if let failure = lane.route.failure { return stop(lane, "unreachable", for: "\(failure)") }
            let free = min(lane.route.freeStreams, lane.mode == .probing ? 1 : Self.batch)
            guard free > 0 else { return }
            let now = environment.now()
            try renewReservations(at: now)
            let pushes = try ledger.unit {
                let batch = try take(free, of: lane, at: now)
                return try ledger.dispatch(batch, templates, within: terms.quota, isRestored: terms.isRestored, at: now)
            }
            for push in pushes {
                if lane.mode == .probing { lane.hasProbed = true }
                try submit(push, lane)
            }
        }
    }

    /// Makes the reservations of what is not sent yet anew once the day of UTC has changed.
    private func renewReservations(at now: Moment) throws {
        guard let quota = terms.quota, UTCDay(at: now) != day else { return }
        day = UTCDay(at: now)
        outcome.deferred += try ledger.renewReservations(quota, at: now)
    }

    private func take(_ limit: Int, of lane: SendLane, at now: Moment) throws -> [Delivery] {
        if !lane.again.isEmpty {
            let batch = lane.again.prefix(limit)
            lane.again.removeFirst(batch.count)
            return try ledger.due(Array(batch)).map(\.delivery)
        }
        let due = try ledger.due(lane.name, after: lane.place, at: now, limit: limit)
        guard let last = due.last else {
            lane.isExhausted = true
            return []
        }
        lane.place = last.delivery.place
        return try due.filter { try isSelected?($0) ?? true && isReady($0) }.map(\.delivery)
    }

    private func submit(_ push: Push, _ lane: SendLane) throws {
        let id = push.delivery.id.text
        let template = try templates.template(push.template)
        do throws(PushRequestError) {
            let request = try push.request(template)
            pushes[id] = InFlight(lane: lane, push: push)
            lane.inFlight += 1
            lane.route.submit(request, id: id)
        } catch {
            try write { try settle(push, as: .rejected, answer: DeliveryAnswer(note: Text("\(error)"))) }
            outcome.failed += 1
        }
    }

    // MARK: - In

    private func settle(_ completions: [PushCompletion]) throws {
        guard !completions.isEmpty else { return }
        try write {
            let accepted = outcome.accepted
            for completion in completions {
                guard let (lane, push) = pushes.removeValue(forKey: completion.id).map({ ($0.lane, $0.push) }) else {
                    continue
                }
                lane.inFlight -= 1
                try take(completion.outcome, of: push, in: lane)
            }
            if outcome.accepted > accepted { try confirmTime() }
        }
        for lane in lanes { try judge(lane, isLast: false) }
    }

    /// Adds that APNs took a push, which proves the clock right.
    private func confirmTime() throws {
        let now = environment.now()
        changes.change(try ledger.facts()) { $0.confirmedAt = now }
    }

    private func take(_ result: PushCompletion.Outcome, of push: Push, in lane: SendLane) throws {
        switch result {
        case .answered(let answer):
            lane.answers += 1
            try take(answer, to: push, in: lane)
        case .notProcessed(let problem):
            try requeue(push, note: problem.description)
            guard lane.mayRetry(push.delivery.id) else {
                return stop(lane, "refused", for: "\(problem) (tried \(SendLane.attempts) times)")
            }
            lane.again.append(push.delivery.id)
        case .uncertain(let problem):
            try settle(
                push,
                as: .unanswered(at: environment.now()),
                answer: DeliveryAnswer(note: Text(problem.description))
            )
            outcome.unknown += 1
            settled += 1
        }
    }

    private func take(_ answer: Answer, to push: Push, in lane: SendLane) throws {
        let record = DeliveryAnswer(status: Int64(answer.status), reason: answer.reason, id: answer.id)
        switch answer.meaning {
        case .accepted:
            lane.accepted += 1
            try settle(push, as: .accepted, answer: record)
            outcome.accepted += 1
        case .deadToken(let since):
            try settle(push, as: .invalidEndpoint(at: since), answer: record)
            // A token that was reported again since is held, not removed.
            if push.isNewer(thanDeathAt: since) { outcome.failed += 1 } else { outcome.invalidEndpoints += 1 }
        case .suspectToken:
            // Not believed yet: see judge.
            let push = try requeue(push, note: answer.reason?.string ?? "")
            lane.suspects.append(SendLane.Suspect(push: push, answer: record))
            return
        case .retryLater:
            let settlement = Settlement.later(push, status: Int64(answer.status), at: environment.now())
            try settle(push, as: settlement, answer: record)
            if case .unknown = settlement { outcome.unknown += 1 } else { outcome.failed += 1 }
        case .expiredProviderToken:
            try requeue(push, note: "the provider token expired")
            if try lane.route.renewProviderToken() {
                lane.again.append(push.delivery.id)
            } else {
                stopForConfiguration(lane, reason: answer.reason ?? "ExpiredProviderToken")
            }
            return
        case .configuration:
            try settle(push, as: .requeued(notBefore: .never), answer: record)
            return stopForConfiguration(lane, reason: answer.reason ?? Text("HTTP \(answer.status)"))
        case .rejected:
            try settle(push, as: .rejected, answer: record)
            outcome.failed += 1
        }
        settled += 1
        clearFault(of: lane)
    }

    /// Settles an attempt; part of a ``write(_:)``.
    ///
    /// - Returns: The push with its delivery as it is now.
    @discardableResult
    private func settle(_ push: Push, as settlement: Settlement, answer: DeliveryAnswer) throws -> Push {
        let attempt = Attempt(push, settlement, answer: answer, run: terms.run, at: environment.now())
        var transition = Transition(try ledger.record(of: attempt))
        var push = push
        push.delivery = try attempt.settle(in: &transition)
        try ledger.write(transition)
        return push
    }

    @discardableResult
    private func requeue(_ push: Push, note: String) throws -> Push {
        try settle(push, as: .requeued(notBefore: .never), answer: DeliveryAnswer(note: Text(note)))
    }

    // MARK: - Faults

    /// A push came through, or was refused for itself: the configuration is not (any more) at fault.
    private func clearFault(of lane: SendLane) {
        guard lane.mode == .probing else { return }
        lane.mode = .open
        if let fault = lane.fault { changes.clear(fault, run: terms.run, at: environment.now()) }
        lane.fault = nil
    }

    /// The one push of this run changed nothing: what stopped this app and environment before is still so.
    private func stopProbing(_ lane: SendLane) throws {
        let reason = lane.suspects.last?.answer.reason ?? lane.fault?.reason ?? "configuration"
        try stopForConfiguration(lane, suspecting: reason)
    }

    /// Stops a lane for a problem on the way, which the next run may not have.
    private func stop(_ lane: SendLane, _ code: String, for problem: String) {
        let message =
            "\(lane.app) (\(lane.environment.rawValue)): \(problem); what was not sent stays queued, and the next run "
            + "sends it"
        stop(lane, code: code, message: message)
    }

    private func stop(_ lane: SendLane, code: String, message: String) {
        guard lane.mode != .stopped else { return }
        lane.mode = .stopped
        lane.again = []
        outcome.faults.append(SendOutcome.Fault(code: code, message: message))
    }

    private func stopForConfiguration(_ lane: SendLane, reason: Text) {
        guard lane.mode != .stopped else { return }
        let now = environment.now()
        let fault = Fault(
            app: lane.app,
            environment: lane.environment,
            reason: reason,
            fingerprint: lane.credentials.fingerprint,
            since: now
        )
        lane.fault = changes.stop(for: fault, over: lane.fault, run: terms.run, at: now)
        stop(lane, code: "configuration", message: ConfigurationFault(lane, reason: reason).description)
    }

    /// Keeps the tokens that were called bad, and sends to them last from now on: the next probe is another one.
    private func stopForConfiguration(_ lane: SendLane, suspecting reason: Text) throws {
        try write {
            for suspect in lane.suspects {
                var transition = Transition(Recorded(owner: suspect.push.delivery.owner))
                try suspect.push.delivery.suspect(in: &transition)
                try ledger.write(transition)
            }
            stopForConfiguration(lane, reason: reason)
        }
        lane.suspects = []
    }

    /// Decides whether bad tokens are dead or the configuration is wrong.
    private func judge(_ lane: SendLane, isLast: Bool) throws {
        switch lane.verdict(isLast: isLast && lane.inFlight == 0) {
        case .open:
            break
        case .dead:
            try write {
                for suspect in lane.suspects {
                    try settle(suspect.push, as: .invalidEndpoint(at: nil), answer: suspect.answer)
                    outcome.invalidEndpoints += 1
                    settled += 1
                }
                clearFault(of: lane)
            }
            lane.suspects = []
        case .configuration:
            try stopForConfiguration(lane, suspecting: lane.suspects.last?.answer.reason ?? "BadDeviceToken")
        }
    }
}
