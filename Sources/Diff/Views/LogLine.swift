public import JSON
public import Time

/// One line of what happened.
public struct LogLine: Hashable, Sendable {
    /// The moment it happened.
    public var at: Moment
    /// The run; `nil` where a report did it.
    public var run: RunID?
    /// A stable snake_case code.
    public var kind: Text
    /// The subscriber that it is about, if any.
    public var subscriber: Text?
    /// The app that it is about, if any.
    public var app: Text?
    /// The id that it is about, if any.
    public var subject: Text?
    /// For people.
    public var text: Text

    /// A line of the log.
    public init(at: Moment, run: RunID?, kind: Text, subscriber: Text?, app: Text?, subject: Text?, text: Text) {
        self.at = at
        self.run = run
        self.kind = kind
        self.subscriber = subscriber
        self.app = app
        self.subject = subject
        self.text = text
    }
}

/// One push as the log tells of it: as it was settled, or stands.
public struct LoggedPush: Hashable, Sendable {
    /// The push.
    public var kind: Action.Kind
    /// Its status.
    public var status: DeliveryStatus
    /// The owner that it was addressed to.
    public var owner: Owner
    /// The device that receives it.
    public var device: Text
    /// The launch, the instance or the registration that it is for.
    public var subject: Text?
    /// The run that committed it.
    public var run: RunID
    /// The answer to its last attempt; the time is that of its last move.
    public var answer: DeliveryAnswer

    /// A push.
    public init(
        kind: Action.Kind,
        status: DeliveryStatus,
        owner: Owner,
        device: Text,
        subject: Text?,
        run: RunID,
        answer: DeliveryAnswer
    ) {
        self.kind = kind
        self.status = status
        self.owner = owner
        self.device = device
        self.subject = subject
        self.run = run
        self.answer = answer
    }
}

extension LogLine {
    /// The line of a push: `on device d1: accepted (200)`, `on device d1: failed (400 PayloadEmpty)`.
    public init(of push: LoggedPush) {
        let answer = [push.answer.status.map(String.init), push.answer.reason?.string].compactMap(\.self)
        let said = answer.isEmpty ? "" : " (\(answer.joined(separator: " ")))"
        let note = push.answer.note.map { ": \($0)" } ?? ""
        self.init(
            at: push.answer.at ?? .never,
            run: push.run,
            kind: Delivery.code(push.kind, push.status),
            subscriber: push.owner.subscriber,
            app: push.owner.app,
            subject: push.subject,
            text: Text("on device \(push.device): \(push.status.rawValue)\(said)\(note)")
        )
    }
}

extension Delivery {
    /// The stable code of a line of the log about a push of a kind in a status.
    public static func code(_ kind: Action.Kind, _ status: DeliveryStatus) -> Text {
        Text("\(kind.rawValue)_\(status.rawValue)")
    }
}
