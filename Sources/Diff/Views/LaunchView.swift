public import JSON
public import Time

/// One answer of `launches`.
public enum LaunchView: Hashable, Sendable {
    /// A launch, and its outcome.
    case launch(LaunchStatus)
    /// An activity that blocks launches, because nobody knows to which of them it belongs.
    case unattributed(UnattributedActivity)
}

/// A launch with its start and its history.
public struct LaunchStatus: Hashable, Sendable {
    /// The state of a launch: where its instance is, until it is reconciled.
    public enum Outcome: Hashable, Sendable {
        /// It was not reconciled, and its instance is in this phase.
        case phase(Instance.Phase)
        /// It was reconciled, last in this way.
        case resolved(Resolution)
    }

    /// The owner of the launch, for ever.
    public let owner: Owner
    /// The instance that it became, or is to become, without attributes, content and token.
    public let instance: Instance
    /// Its start; `nil` where there is none.
    public let start: DeliveryView?
    /// Its state.
    public let outcome: Outcome
    /// The time by which the device is to report it; `nil` before its start was sent.
    public let confirmationDueAt: Moment?
    /// The events of its start, then the ways in which it was reconciled, both in the order of happening.
    public let history: [LaunchEvent]
}

/// One event in the life of a launch.
public struct LaunchEvent: Hashable, Sendable {
    /// The kinds of events.
    public enum Kind: Hashable, Sendable {
        /// Its start was queued.
        case queued
        /// Its start was first sent.
        case sent
        /// An attempt to send its start left it in this status.
        case attempted(DeliveryStatus)
        /// Its start was settled.
        case settled(DeliveryStatus)
        /// It was reconciled.
        case resolved(Resolution)
    }

    /// The time of it.
    public let at: Moment
    /// The kind.
    public let kind: Kind
    /// The run that noted it; `nil` where a report did, or nothing notes one.
    public let run: RunID?

    /// An event.
    public init(at: Moment, _ kind: Kind, run: RunID? = nil) {
        self.at = at
        self.kind = kind
        self.run = run
    }
}

/// A launch as the ledger holds it.
public struct LaunchRecord: Hashable, Sendable {
    /// The instance of the launch.
    public var instance: Owned<Instance>
    /// Its start; `nil` where there is none.
    public var start: Delivery?
    /// The lines of the log about attempts to send its start, in the order of happening.
    public var attempts: [LaunchEvent]
    /// The ways in which it was reconciled, in the order of happening.
    public var resolutions: [LaunchEvent]

    /// A launch.
    public init(instance: Owned<Instance>, start: Delivery?, attempts: [LaunchEvent], resolutions: [LaunchEvent]) {
        self.instance = instance
        self.start = start
        self.attempts = attempts
        self.resolutions = resolutions
    }
}

/// An activity whose launch nobody knows.
public struct UnattributedActivity: Hashable, Sendable {
    /// The owner of its launch.
    public let owner: Owner
    /// The instance, without attributes, content and token.
    public let instance: Instance
    /// The time from which on it blocks no launch any more.
    public let blocksUntil: Moment
}

extension LaunchView {
    /// The view of a launch.
    public init(of record: LaunchRecord) {
        let instance = record.instance.row
        let isSent = instance.startExpiresAt > .never
        self = .launch(
            LaunchStatus(
                owner: record.instance.owner,
                instance: instance.withoutContent,
                start: record.start.map { DeliveryView($0) },
                outcome: record.outcome,
                confirmationDueAt: isSent ? instance.startExpiresAt + Expiry.confirmation : nil,
                history: record.transport + record.resolutions
            )
        )
    }

    /// The view of an activity that blocks launches.
    public init(unattributed instance: Owned<Instance>) {
        self = .unattributed(
            UnattributedActivity(
                owner: instance.owner,
                instance: instance.row.withoutContent,
                blocksUntil: instance.row.startedAt + Instance.unknownLaunchHold
            )
        )
    }
}

extension LaunchRecord {
    fileprivate var outcome: LaunchStatus.Outcome {
        if case .resolved(let resolution) = resolutions.last?.kind { return .resolved(resolution) }
        return .phase(instance.row.phase)
    }

    /// The events of its start: queued, sent, the outcomes of its attempts, and its end.
    fileprivate var transport: [LaunchEvent] {
        guard let start else { return [] }
        var events = [LaunchEvent(at: start.createdAt, .queued)]
        if instance.row.startedAt > .never { events.append(LaunchEvent(at: instance.row.startedAt, .sent)) }
        events += attempts
        if let at = start.answer.at, start.status != .unknown, start.status != .queued {
            events.append(LaunchEvent(at: at, .settled(start.status)))
        }
        return events
    }
}

extension LaunchStatus {
    /// The phases of launches that are not reconciled.
    public static let unresolved: [Instance.Phase] = [.queued, .outstanding, .unconfirmed]
}

extension LaunchEvent {
    /// The statuses in which an attempt leaves a start that is not settled, each a line of the log.
    public static let attemptStatuses: [DeliveryStatus] = [.unknown, .queued]
}

extension LaunchStatus.Outcome {
    /// A stable word.
    public var word: Text {
        switch self {
        case .phase(let phase): phase.word
        case .resolved(let resolution): resolution.rawValue
        }
    }
}

extension LaunchEvent.Kind {
    /// A stable word.
    public var word: Text {
        switch self {
        case .queued: "queued"
        case .sent: "sent"
        case .attempted(let status), .settled(let status): Delivery.code(.start, status)
        case .resolved(let resolution): resolution.rawValue
        }
    }

    /// True where a line of the ledger tells of it, which may name a run.
    public var isNoted: Bool {
        switch self {
        case .attempted, .resolved: true
        case .queued, .sent, .settled: false
        }
    }
}

extension UnattributedActivity {
    /// The origins of running instances that block launches.
    public static let origins: [Instance.Origin] = [.unknownLaunch, .ambiguous]

    /// A stable word for the reason that nobody knows its launch.
    public var resolution: Text { instance.origin == .ambiguous ? "ambiguous" : "unknown_launch" }
}

extension Instance {
    /// The instance without what may be sensitive: attributes, content, token and pushes.
    var withoutContent: Instance {
        var instance = self
        (instance.attributes, instance.shown, instance.token, instance.pending) = (nil, nil, nil, [])
        return instance
    }
}
