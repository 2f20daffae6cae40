public import JSON
public import Time

/// One push to one token, from the commit that queues it until it is settled.
public struct Delivery: Hashable, Sendable {
    /// Its id.
    public var id: DeliveryID
    /// The operation that it is part of.
    public var operation: OperationID
    /// Its kind of push.
    public var kind: Action.Kind
    /// The owner that it was addressed to.
    public var owner: Owner
    /// The device that receives it.
    public var device: Text
    /// The instance that it is for; `nil` for a reload.
    public var target: TargetID?
    /// The registration that it goes to: `wgt_…` of a reload, `stt_…` of a start; `nil` for an update or end.
    public var registration: Text?
    /// The environment of its token.
    public var environment: PushEnvironment
    /// Its state.
    public var state: DeliveryState
    /// Its place in the order of sending, see ``Action/rank``; higher by 4 each time that its token was a suspect.
    public var rank: Int64
    /// The step that queued it.
    public var step: Step
    /// The revision of its instance that it was made for, or last carried; of a reload, the number of the step.
    public var revision: Int64
    /// Its count in the quota: 0 or 1.
    public var cost: Int
    /// The day whose capacity it holds; `nil` where it is free, or there is no quota.
    public var quotaDay: UTCDay?
    /// The time at which it was queued.
    public var createdAt: Moment
    /// The declared time for which APNs keeps trying.
    public var expiresAfter: Span?
    /// Not to be sent (again) before; ``Moment/never``: at once.
    public var notBefore: Moment
    /// The time at which it was first sent.
    public var dispatchedAt: Moment?
    /// Counts the times that it was marked to be sent.
    public var attempts: Int64
    /// The content of the last attempt, as ``ActivityContent/value``.
    public var content: Value?
    /// The answer to the last attempt.
    public var answer: DeliveryAnswer

    /// A delivery; what is left out is as in one that was just queued.
    public init(
        id: DeliveryID,
        operation: OperationID = OperationID(""),
        kind: Action.Kind,
        owner: Owner,
        device: Text,
        target: TargetID? = nil,
        registration: Text? = nil,
        environment: PushEnvironment = .production,
        state: DeliveryState = .queued,
        rank: Int64 = 0,
        step: Step = Step(0),
        revision: Int64,
        cost: Int = 1,
        quotaDay: UTCDay? = nil,
        createdAt: Moment,
        expiresAfter: Span? = nil,
        notBefore: Moment = .never,
        dispatchedAt: Moment? = nil,
        attempts: Int64 = 0,
        content: Value? = nil,
        answer: DeliveryAnswer = DeliveryAnswer()
    ) {
        self.id = id
        self.operation = operation
        self.kind = kind
        self.owner = owner
        self.device = device
        self.target = target
        self.registration = registration
        self.environment = environment
        self.state = state
        self.rank = rank
        self.step = step
        self.revision = revision
        self.cost = cost
        self.quotaDay = quotaDay
        self.createdAt = createdAt
        self.expiresAfter = expiresAfter
        self.notBefore = notBefore
        self.dispatchedAt = dispatchedAt
        self.attempts = attempts
        self.content = content
        self.answer = answer
    }

    /// Its state, as people and receipts name it.
    public var status: DeliveryStatus { state.status }

    /// The time at which it was first sent; while it waits, that of its commit.
    public var since: Moment { dispatchedAt ?? createdAt }

    /// True where its time is over at `now`, so that it need not wait for a retry that would be too late.
    func isExpired(at now: Moment, staleAt: Moment? = nil, startedAt: Moment = .never) -> Bool {
        guard status != .dispatching, notBefore <= now else { return false }
        return now
            >= Expiry.time(of: kind, since: since, expiresAfter: expiresAfter, staleAt: staleAt, startedAt: startedAt)
    }
}

/// The answer to an attempt to send a delivery, or why there is none.
public struct DeliveryAnswer: Hashable, Sendable {
    /// The HTTP status.
    public var status: Int64?
    /// APNs's reason.
    public var reason: Text?
    /// The `apns-id`.
    public var id: Text?
    /// The reason for not being accepted, where APNs gave none.
    public var note: Text?
    /// The time of the last move of the delivery.
    public var at: Moment?

    /// An answer; without arguments, none yet.
    public init(status: Int64? = nil, reason: Text? = nil, id: Text? = nil, note: Text? = nil, at: Moment? = nil) {
        self.status = status
        self.reason = reason
        self.id = id
        self.note = note
        self.at = at
    }

    /// For people: `503 ServiceUnavailable`, or why there was no answer.
    public var words: String {
        let answer = [status.map(String.init), reason?.string].compactMap(\.self).joined(separator: " ")
        return answer.isEmpty ? note?.string ?? "no answer" : answer
    }
}

/// The transport of one write: one delivery to each device that receives it.
public struct Operation: Hashable, Sendable {
    /// Its id.
    public var id: OperationID
    /// The kind of its deliveries.
    public var kind: Action.Kind
    /// The owner that it was addressed to.
    public var owner: Owner
    /// The run that made it.
    public var run: RunID
    /// The step that it is part of.
    public var step: Step
    /// The time at which it was made.
    public var createdAt: Moment

    /// The transport of one write.
    public init(id: OperationID, kind: Action.Kind, owner: Owner, run: RunID, step: Step, createdAt: Moment) {
        self.id = id
        self.kind = kind
        self.owner = owner
        self.run = run
        self.step = step
        self.createdAt = createdAt
    }
}

extension Delivery {
    /// Moves it on, and notes when.
    mutating func move(_ move: DeliveryMove, note: Text? = nil, at now: Moment) throws(IllegalMove) {
        let next = try state.after(move, of: kind)
        // The first reason for being unknown stays true, whatever is done about it later.
        let isExplained = status == .unknown && next.status == .unknown
        if let note, !isExplained { answer.note = note }
        state = next
        answer.at = now
        guard move == .adopt else { return }
        // Earlier answers are in the log; the report is the one that settled it.
        answer.status = nil
        answer.reason = nil
        answer.note = "the device reported its launch"
    }
}
