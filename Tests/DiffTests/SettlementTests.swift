import Diff
import JSON
import Testing
import Time

/// How long what could not be taken waits, and what stops an app and environment.
struct SettlementTests {
    @Test func whatCannotBeTakenNowWaits() throws {
        func minutes(_ kind: [any Record], _ status: Int64, attempts: Int64 = 1) throws -> Span? {
            var (push, _) = try AnswerTests.sent(recorded(kind))
            push.delivery.attempts = attempts
            guard case .requeued(let later) = Settlement.later(push, status: status, at: now) else { return nil }
            return later - now
        }
        #expect(
            try (1...8).map { try minutes(AnswerTests.updated(), 429, attempts: $0) }
                == [1, 2, 4, 8, 16, 32, 60, 60].map { Span.minutes($0) }
        )
        #expect(try minutes(AnswerTests.updated(), 500) == .minutes(15))
        #expect(try minutes(AnswerTests.updated(), 503) == .minutes(15))
        #expect(try minutes(AnswerTests.launched(), 503) == .minutes(15))
        #expect(try minutes(AnswerTests.launched(), 500) == nil)
        let (push, _) = try AnswerTests.sent(recorded(AnswerTests.launched()))
        #expect(Settlement.later(push, status: 500, at: now) == .unknown(notBefore: .never))
    }

    @Test func aFaultKeepsTheTimeAtWhichItWasFoundFirst() {
        var changes = LedgerChanges()
        let first = Fault(app: "app", environment: .sandbox, reason: "BadTopic", fingerprint: "a", since: now)
        let second = Fault(app: "app", environment: .sandbox, reason: "Other", fingerprint: "b", since: now + hour)
        let run = RunID("run")
        let known = changes.stop(for: first, over: nil, run: run, at: now)
        let recorded = changes.stop(for: second, over: known, run: run, at: now)
        #expect(recorded.since == now && recorded.reason == "Other" && recorded.fingerprint == "b")
        changes.clear(recorded, run: run, at: now)
        #expect(changes.faults.map { $0.after } == [first, recorded, nil])
        let words: [Text] = changes.history.compactMap { if case .event(let event) = $0 { event.text } else { nil } }
        #expect(
            words == [
                "app (sandbox): stopped: APNs answered BadTopic", "app (sandbox): stopped: APNs answered Other",
                "app (sandbox): pushes go out again",
            ]
        )
    }
}
