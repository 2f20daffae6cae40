internal import Foreign
internal import JSON
internal import Time

/// The service itself: takes a request, and says what becomes of it.
final class Apple {
    let world: World
    var faults: Faults
    private(set) var counters = Counters()
    private let inspector: Inspector

    init(world: World, faults: Faults, inspector: Inspector) {
        self.world = world
        self.faults = faults
        self.inspector = inspector
    }

    /// Lets a sender connect.
    ///
    /// - Returns: The fault that keeps it from sending, if one does.
    func connect(to environment: APNsEnvironment) -> Fault.Effect? {
        counters.connections += 1
        return faults.happens(toConnectionIn: environment)
    }

    /// Deals with one request.
    ///
    /// - Parameters:
    ///   - entry: The request; gains what is to be logged about it.
    ///   - provider: Apple's memory of its connection.
    ///   - now: The present.
    /// - Returns: The task of the connection.
    func receive(_ entry: inout RequestLog.Entry, provider: inout ProviderSession, at now: Moment) -> SimulatedOutcome {
        let outcome: SimulatedOutcome
        do throws(Refusal) {
            let accepted = try inspector.inspect(
                entry.request,
                payload: entry.payload,
                environment: entry.environment,
                session: &provider,
                at: now
            )
            entry.device = accepted.record.phone.id
            entry.event = accepted.push.event
            outcome = carryOut(accepted, &entry, at: now)
        } catch {
            entry.device = (try? Inspector.token(inPath: entry.request.path)).flatMap { world.tokens[$0]?.phone.id }
            outcome = .answer(
                answer(
                    to: entry,
                    status: error.reason.status,
                    reason: error.reason.rawValue,
                    timestamp: error.timestamp
                )
            )
        }
        entry.answer = outcome.answer
        counters.count(
            status: entry.answer?.status ?? 0,
            reason: entry.answer?.reason,
            event: entry.event,
            effect: entry.effect
        )
        return outcome
    }

    /// Lets an accepted push reach its phone, unless a fault keeps it from that.
    private func carryOut(_ accepted: AcceptedPush, _ entry: inout RequestLog.Entry, at now: Moment) -> SimulatedOutcome
    {
        let record = accepted.record
        let fault = faults.happens(
            toRequest: FaultContext(
                token: accepted.token.hex,
                device: record.phone.id,
                subscriber: record.phone.app(record.app)?.subscriber,
                app: record.app,
                environment: record.environment,
                event: accepted.push.event
            )
        )
        entry.fault = fault?.word
        if fault?.processes ?? true {
            entry.effect = world.accept(accepted.push, for: accepted.token, record, expires: accepted.expires, at: now)
        }
        let success = answer(to: entry, status: 200)
        switch fault {
        case nil, .loseReport, .doubleReport, .delayReport, .refuseConnection, .dismissConnection:
            return .answer(success)
        case .answer(let status, let reason, let timestamp, _):
            let time = timestamp ?? (status == 410 ? now : nil)
            return .answer(answer(to: entry, status: status, reason: reason.isEmpty ? nil : reason, timestamp: time))
        case .delay(let span): return .answerLater(success, after: span)
        case .goAway(let reason, let processed): return .goAway(reason: reason, processed ? success : nil)
        case .reset(let code): return .reset(code: code)
        case .cut: return .cut
        case .silence: return .silence
        case .streams(let limit): return .answerAllowing(success, streams: limit)
        }
    }

    private func answer(
        to entry: RequestLog.Entry,
        status: Int,
        reason: String? = nil,
        timestamp: Moment? = nil
    ) -> SimulatedAnswer {
        let sent = entry.request.header("apns-id").flatMap { Inspector.isUUID($0) ? $0 : nil }
        return SimulatedAnswer(
            status: status,
            reason: reason,
            apnsID: sent ?? world.random.uuid(),
            uniqueID: entry.environment == .sandbox ? world.random.uuid() : nil,
            timestamp: timestamp
        )
    }
}

extension Fault.Effect {
    /// True where the push reaches the phone all the same.
    var processes: Bool {
        switch self {
        case .answer(_, _, _, let processed), .goAway(_, let processed), .cut(let processed), .silence(let processed):
            processed
        case .reset, .refuseConnection, .dismissConnection: false
        case .delay, .streams, .loseReport, .doubleReport, .delayReport: true
        }
    }

    /// The word for it in the request log.
    var word: String {
        switch self {
        case .answer: "answer"
        case .delay: "delay"
        case .goAway: "goaway"
        case .reset: "reset"
        case .cut(let processed): processed ? "cut after" : "cut before"
        case .silence(let processed): processed ? "silence after" : "silence before"
        case .streams: "streams"
        case .refuseConnection: "connect cut"
        case .dismissConnection: "connect goaway"
        case .loseReport: "report lost"
        case .doubleReport: "report doubled"
        case .delayReport: "report late"
        }
    }
}
