public import JSON
internal import Time

/// The status of what can be written to, as SC-37 names it, with the generation of its authority; no proof that anything
/// was delivered or is shown.
public struct TargetStatus: Hashable, Sendable {
    /// Readiness for remote operations.
    public enum Standing: Hashable, Sendable {
        /// A push may be sent to it.
        case ready
        /// A device has to report something first.
        case pending(Cause)
        /// It is over, or its authority is not open.
        case disabled(Cause)
        /// No device has a token for it.
        case notConfigured
    }

    /// The reason that something is not ready.
    public enum Cause: Hashable, Sendable {
        /// Its authority was revoked.
        case revoked
        /// Its pushes are paused.
        case paused
        /// Its authority is open again to what registers from now on.
        case reauthorized
        /// Too many launches in a row were not confirmed.
        case missedLaunches
        /// It is to end.
        case ending
        /// It is an instance in this phase.
        case phase(Instance.Phase)
    }

    /// Readiness for remote operations.
    public let standing: Standing
    /// The generation of its authority.
    public let scope: Int64

    /// The status of what is in a standing under a generation of authority.
    init(_ standing: Standing, scope: Int64) {
        (self.standing, self.scope) = (standing, scope)
    }
}

extension TargetStatus.Standing {
    /// The standing of something that a device registers for.
    ///
    /// - Parameters:
    ///   - authority: The authority over it.
    ///   - at: The time of its registration.
    ///   - hasToken: True while it has a live token.
    ///   - missesLaunches: True where its launches go unconfirmed.
    init(under authority: Authority, registeredAt at: Moment, hasToken: Bool, missesLaunches: Bool = false) {
        switch authority.obstacle(registeredAt: at)?.reason {
        case .revoked?: self = .disabled(.revoked)
        case .paused?: self = .disabled(.paused)
        case .reauthorized?: self = .pending(.reauthorized)
        default: self = !hasToken ? .notConfigured : missesLaunches ? .pending(.missedLaunches) : .ready
        }
    }

    /// The standing of one instance: it needs no newer registration, and is disabled once it is ending or over.
    init(of instance: Instance, under authority: Authority) {
        self.init(under: authority, registeredAt: .distantFuture, hasToken: true)
        switch instance.phase {
        case .closed, .failed, .cancelled: self = .disabled(.phase(instance.phase))
        case .running where instance.ending != nil: self = .disabled(.ending)
        case .running: if self == .ready, instance.token == nil { self = .notConfigured }
        case .queued, .outstanding, .unconfirmed: if self == .ready { self = .pending(.phase(instance.phase)) }
        }
    }

    /// One of four words.
    public var word: Text {
        switch self {
        case .ready: "ready"
        case .pending: "pending"
        case .disabled: "disabled"
        case .notConfigured: "notConfigured"
        }
    }

    /// The reason of what is pending or disabled, as a word.
    public var reason: Text? {
        switch self {
        case .pending(let cause), .disabled(let cause): cause.word
        case .ready, .notConfigured: nil
        }
    }
}

extension TargetStatus.Cause {
    /// A stable word; of what is closed, why it is.
    public var word: Text {
        switch self {
        case .revoked: "revoked"
        case .paused: "paused"
        case .reauthorized: "reauthorized"
        case .missedLaunches: "unconfirmed"
        case .ending: "ending"
        case .phase(let phase): phase.closure?.rawValue ?? phase.word
        }
    }
}
