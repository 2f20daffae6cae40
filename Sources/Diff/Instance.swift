public import JSON
public import Time

/// One Activity on one device, from the moment its launch is committed, or that the device reported by itself.
public struct Instance: Hashable, Sendable {
    /// The way in which Lockstep came to know it.
    public enum Origin: Text, Hashable, Sendable {
        /// Lockstep launched it.
        case remote
        /// The app started it and named its declaration.
        case app
        /// It carries a `launchRequestId` that this ledger does not know.
        case unknownLaunch
        /// It carries neither an id of ours nor a name, and no launch of ours can be meant.
        case unattributed
        /// It carries neither an id of ours nor a name, and several launches of ours can be meant.
        case ambiguous
    }

    /// Its place in its life.
    public enum Phase: Hashable, Sendable {
        /// The phases of what is, or may be, on a device.
        public static let onDevice: [Phase] = [.outstanding, .unconfirmed, .running]
        /// The phases of what is not over.
        public static let open: [Phase] = [.queued] + onDevice

        /// Its start is committed and certainly not processed.
        case queued
        /// Its start was sent; the device has not reported it.
        case outstanding
        /// Its start was sent, and the device has not reported it in time.
        case unconfirmed
        /// The device reported it.
        case running
        /// It is over.
        case closed(Closure)
        /// Its start was refused.
        case failed
        /// Its start was taken back before it was sent.
        case cancelled
    }

    /// The cause by which a life ended; the first one counts.
    public enum Closure: Text, Hashable, Sendable {
        /// The person dismissed it, or it was ended on the device.
        case person
        /// The file declared its end.
        case declaredEnd = "declared_end"
        /// Its 8 hours were over.
        case expired
        /// Its update token was answered invalid.
        case gone
        /// The device left the subscriber.
        case logout
        /// Its scope was revoked.
        case revoked
        /// Its declaration was removed.
        case removal
        /// Another instance of the same declaration was kept.
        case duplicate
        /// A newer instance took its place.
        case replaced
    }

    /// The target id, allocated when the launch was committed or the report taken.
    public var id: TargetID
    /// The `launchRequestId`, of a remote start.
    public var launch: LaunchID?
    /// The name of its declaration; empty where none is known.
    public var name: Text
    /// The device it is on.
    public var device: Text
    /// The way in which Lockstep came to know it.
    public var origin: Origin
    /// The Swift name of the `ActivityAttributes` type.
    public var attributesType: Text
    /// The attributes it was started with; `nil` where the app started it and no declaration was met yet.
    public var attributes: Value?
    /// The template version it was started with.
    public var template: Text?
    /// True where that version does not take what is declared now; no record, but found out before each diff.
    public var isMismatched = false
    /// The life of its declaration that it belongs to.
    public var life: Int64
    /// The order of launches.
    public var sequence: Int64
    /// The instance it takes the place of, if any.
    public var replaces: TargetID?
    /// The start target of its remote start.
    public var startTarget: StartTargetID?
    /// Its place in its life.
    public var phase: Phase
    /// The cause by which it is to end, once that is decided.
    public var ending: Closure?
    /// ActivityKit's own id, once reported.
    public var activityID: Text?
    /// Its update token, lower-case hex, once reported.
    public var token: Text?
    /// The `at` of that token.
    public var tokenAt: Moment
    /// The environment in which the token is valid.
    public var environment: PushEnvironment
    /// The device's system, where reported.
    public var os: OSVersion?
    /// The time at which its start was first sent, or it was reported where the app started it.
    public var startedAt: Moment
    /// The time at which APNs stops trying to deliver its start.
    public var startExpiresAt: Moment
    /// The time at which the device reported it.
    public var registeredAt: Moment
    /// True where its launch was told from the device and type alone, because the report carried no id.
    public var isInferred: Bool
    /// The time of its last update.
    public var updatedAt: Moment
    /// Counts its committed states.
    public var revision: Int64
    /// The content that was last accepted or is uncertain; `nil` where nothing was sent.
    public var shown: ActivityContent?
    /// The `timestamp` of its last push, to the second; the next one is higher.
    public var lastTimestamp: Moment
    /// The refusal that holds it, if any.
    public var rejection: Rejection?
    /// Its deliveries that are not settled: at most one of a kind.
    public var pending: [Delivery]

    /// An instance; what is left out is not known yet.
    public init(
        id: TargetID,
        launch: LaunchID? = nil,
        name: Text,
        device: Text,
        origin: Origin,
        attributesType: Text,
        attributes: Value? = nil,
        template: Text? = nil,
        life: Int64,
        sequence: Int64 = 0,
        replaces: TargetID? = nil,
        startTarget: StartTargetID? = nil,
        phase: Phase,
        ending: Closure? = nil,
        activityID: Text? = nil,
        token: Text? = nil,
        tokenAt: Moment = .never,
        environment: PushEnvironment = .production,
        os: OSVersion? = nil,
        startedAt: Moment = .never,
        startExpiresAt: Moment = .never,
        registeredAt: Moment = .never,
        isInferred: Bool = false,
        updatedAt: Moment = .never,
        revision: Int64 = 1,
        shown: ActivityContent? = nil,
        lastTimestamp: Moment = .never,
        rejection: Rejection? = nil,
        pending: [Delivery] = []
    ) {
        self.id = id
        self.launch = launch
        self.name = name
        self.device = device
        self.origin = origin
        self.attributesType = attributesType
        self.attributes = attributes
        self.template = template
        self.life = life
        self.sequence = sequence
        self.replaces = replaces
        self.startTarget = startTarget
        self.phase = phase
        self.ending = ending
        self.activityID = activityID
        self.token = token
        self.tokenAt = tokenAt
        self.environment = environment
        self.os = os
        self.startedAt = startedAt
        self.startExpiresAt = startExpiresAt
        self.registeredAt = registeredAt
        self.isInferred = isInferred
        self.updatedAt = updatedAt
        self.revision = revision
        self.shown = shown
        self.lastTimestamp = lastTimestamp
        self.rejection = rejection
        self.pending = pending
    }

    /// Its delivery of one kind that is not settled, if any.
    public func pending(_ kind: Action.Kind) -> Delivery? {
        pending.first { $0.kind == kind }
    }

    /// True where it cannot be on the device any more at `now`: its 8 hours are over, or the 12 for which one
    /// whose launch is not known may still be shown; or the device never reported it, 12 hours after its start expired.
    public func isExpired(at now: Moment) -> Bool {
        switch phase {
        case .running:
            let isOurs = origin != .unknownLaunch && origin != .ambiguous
            return startedAt > .never && now - startedAt >= (isOurs ? Instance.lifetime : Instance.unknownLaunchHold)
        case .outstanding, .unconfirmed: return now >= startExpiresAt + Expiry.unreported
        case .queued, .closed, .failed, .cancelled: return false
        }
    }

    /// True where the device should have reported its launch by `now`, which is not noted yet.
    public func isOverdue(at now: Moment) -> Bool {
        phase == .outstanding && isMissed(at: now)
    }

    /// True where the time in which its launch should have been reported is over at `now`.
    func isMissed(at now: Moment) -> Bool { now >= startExpiresAt + Expiry.confirmation }

    /// The time for which iOS keeps an activity alive: 8 hours.
    public static let lifetime = Span.hours(8)
    /// Ended on the device at this age or more, it expired and was not closed by the person: 7 h 55 min.
    public static let nearlyExpired = lifetime - Span.minutes(5)
    /// The time for which an activity of an unknown launch blocks launches: 12 hours.
    public static let unknownLaunchHold = Span.hours(12)
    /// After so many launches in a row that were not confirmed, a start target is not used until it registers again.
    public static let missedLaunches = 3
}

/// The content of one update: two contents are equal when no push is needed between them.
public struct ActivityContent: Hashable, Sendable {
    /// The content state.
    public var state: Value
    /// To the second.
    public var staleAt: Moment?
    /// A number.
    public var relevanceScore: Value?
    /// `title`, `body` and perhaps `sound`.
    public var alert: Value?

    /// The content of an update.
    public init(state: Value, staleAt: Moment? = nil, relevanceScore: Value? = nil, alert: Value? = nil) {
        self.state = state
        self.staleAt = staleAt
        self.relevanceScore = relevanceScore
        self.alert = alert
    }

    /// As one JSON object, absent members left out; what the plan's state diff is taken of.
    public var value: Value {
        var object = Object()
        object["state"] = state
        object["staleAt"] = staleAt.map(Value.seconds)
        object["relevanceScore"] = relevanceScore
        object["alert"] = alert
        return .object(object)
    }

    /// The content as a state file has it.
    public var document: Value {
        var object = Object()
        object["state"] = state
        object["staleAt"] = staleAt.map { .string(Text(RFC3339.string($0))) }
        object["relevanceScore"] = relevanceScore
        object["alert"] = alert
        return .object(object)
    }

    /// Reads ``value`` back; `nil` where it has no state.
    public init?(_ value: Value) {
        guard let state = value["state"] else { return nil }
        self.init(
            state: state,
            staleAt: value["staleAt"]?.moment,
            relevanceScore: value["relevanceScore"],
            alert: value["alert"]
        )
    }
}

extension ActivityDeclaration {
    /// The content of an update to this declaration.
    public var content: ActivityContent {
        ActivityContent(state: state, staleAt: staleAt, relevanceScore: relevanceScore, alert: alert)
    }
}
