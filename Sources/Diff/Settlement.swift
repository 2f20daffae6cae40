public import Time

/// The outcome of one attempt to send a push, as the ledger records it.
public enum Settlement: Hashable, Sendable {
    /// APNs took it.
    case accepted
    /// The token is dead: its registration goes, unless it was reported after APNs found it dead.
    case invalidEndpoint(at: Moment?)
    /// It was certainly not processed and is sent again, not before this time (``Time/Moment/never``: by the next run).
    case requeued(notBefore: Moment)
    /// It was sent and nobody knows what became of it.
    case unknown(notBefore: Moment)
    /// APNs refused it for good.
    case rejected
}

extension Settlement {
    /// The settlement of a push that was written and not answered: it is sent again after a minute.
    ///
    /// - Parameter now: The time.
    /// - Returns: The settlement.
    public static func unanswered(at now: Moment) -> Settlement { .unknown(notBefore: now + .minutes(1)) }

    /// The settlement of a push that APNs could not take now.
    ///
    /// 429 backs off; 500 and 503 wait 15 minutes; a start that was answered with 500 may have been processed.
    ///
    /// - Parameters:
    ///   - push: The push.
    ///   - status: The HTTP status of the answer.
    ///   - now: The time.
    /// - Returns: The settlement.
    public static func later(_ push: Push, status: Int64, at now: Moment) -> Settlement {
        if push.delivery.kind == .start, status >= 500, status != 503 { return .unknown(notBefore: .never) }
        let earlier = max(push.delivery.attempts - 1, 0)
        let minutes: Int64 = status == 429 ? min(1 << min(earlier, 6), 60) : 15
        return .requeued(notBefore: now + .minutes(minutes))
    }
}

/// One attempt to send a push that is over.
public struct Attempt: Hashable, Sendable {
    /// The push, its delivery as it is recorded now.
    public let push: Push
    /// The outcome.
    public let settlement: Settlement
    /// The answer, or why there is none.
    public let answer: DeliveryAnswer
    /// The run that sent it.
    public let run: RunID
    /// The time of the outcome.
    public let now: Moment

    /// An attempt that is over.
    public init(_ push: Push, _ settlement: Settlement, answer: DeliveryAnswer, run: RunID, at now: Moment) {
        self.push = push
        self.settlement = settlement
        self.answer = answer
        self.run = run
        self.now = now
    }
}
