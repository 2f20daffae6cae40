public import JSON
public import Time

/// One result of `reload`: the outcome of the push to one registered token.
public struct ReloadResult: Hashable, Sendable {
    /// The registration.
    public let id: WidgetsID
    /// The reason that APNs did not take the push; `nil` where it did, which is no proof that a widget was redrawn.
    public let obstacle: ReloadObstacle?
}

/// The reason that a token was not reloaded.
public struct ReloadObstacle: Hashable, Sendable {
    /// The stable codes.
    public enum Code: Text, Hashable, Sendable {
        /// No credential of the token's app and environment is configured.
        case noCredential = "no_credential"
        /// APNs knows no such token.
        case invalidEndpoint = "invalid_endpoint"
        /// APNs did not accept the credential.
        case invalidCredential = "invalid_credential"
        /// APNs had too many pushes.
        case rateLimited = "rate_limited"
        /// APNs was not able to answer.
        case providerUnavailable = "provider_unavailable"
        /// The device's system has no widget pushes.
        case unsupported
        /// The authority was revoked.
        case revoked
        /// APNs refused the push itself.
        case rejected
        /// The day's quota has no room.
        case quotaExceeded = "quota_exceeded"
        /// Nobody knows what became of the push.
        case unknown
        /// The push waits.
        case held
    }

    /// A stable code.
    public let code: Code
    /// The reason in words, or APNs's own.
    public let reason: Text?

    /// An obstacle.
    public init(_ code: Code, _ reason: Text?) {
        self.code = code
        self.reason = reason
    }
}

/// The decision about one token of a reload, which an idempotency key keeps.
public struct ReloadEntry: Hashable, Sendable {
    /// The decision.
    public enum Decision: Hashable, Sendable {
        /// A push is queued.
        case queued(DeliveryID)
        /// None is.
        case refused(ReloadObstacle)
    }

    /// The registration.
    public let id: WidgetsID
    /// The decision.
    public let decision: Decision

    /// A decision about a token.
    public init(id: WidgetsID, _ decision: Decision) {
        self.id = id
        self.decision = decision
    }
}

extension ReloadResult {
    /// The result of a decision.
    ///
    /// - Parameters:
    ///   - entry: The decision.
    ///   - delivery: The push as it stands, where one was queued and the ledger still has it.
    public init(of entry: ReloadEntry, _ delivery: Delivery?) {
        id = entry.id
        switch (entry.decision, delivery) {
        case (.refused(let obstacle), _): self.obstacle = obstacle
        case (.queued, let delivery?): obstacle = ReloadObstacle(of: delivery)
        case (.queued, nil): obstacle = ReloadObstacle(.unknown, nil)
        }
    }
}

extension ReloadObstacle {
    /// The obstacle to a reload that is not queued yet, as far as the device and the authority over it are concerned.
    ///
    /// - Parameters:
    ///   - registration: The token.
    ///   - owner: The owner.
    ///   - scopes: The scopes of the ledger.
    ///   - hasCredential: True where pushes to its app and environment can be signed.
    public init?(to registration: WidgetRegistration, of owner: Owner, under scopes: Scopes, hasCredential: Bool) {
        let authority = scopes.authority(over: .subscriber(owner.subscriber), .widgets(registration.id))
        if let reason = authority.obstacle(registeredAt: registration.at)?.reason {
            self.init(reason == .revoked ? .revoked : .held, Text(reason.words))
        } else if !hasCredential {
            self.init(.noCredential, Text("No \(registration.environment.rawValue) APNs credential configured"))
        } else if let os = registration.os, os < .widgetPushes {
            self.init(.unsupported, Text("Widget pushes need iOS 26; the device has \(os.text)"))
        } else {
            return nil
        }
    }

    /// The obstacle to a reload for which the day's quota has no room.
    public static func overQuota(at now: Moment) -> ReloadObstacle {
        let again = RFC3339.string(UTCDay(at: now).end)
        return ReloadObstacle(.quotaExceeded, Text("\(Reason.overQuota.words); there is room again at \(again)"))
    }

    /// The obstacle that a push met; `nil` where APNs took it.
    fileprivate init?(of delivery: Delivery) {
        guard delivery.status != .accepted else { return nil }
        let code: Code =
            switch (delivery.status, delivery.answer.status, delivery.answer.reason) {
            case (.failed, 410, _), (.failed, _, "BadDeviceToken"), (.failed, _, "DeviceTokenNotForTopic"):
                .invalidEndpoint
            case (.unknown, _, _), (.dispatching, _, _): .unknown
            case (_, 403, _), (_, _, "TopicDisallowed"), (_, _, "BadTopic"), (_, _, "MissingTopic"): .invalidCredential
            case (_, 429, _): .rateLimited
            case (_, .some(500...), _): .providerUnavailable
            case (.failed, _, _): .rejected
            default: .held
            }
        self.init(code, delivery.answer.reason ?? delivery.answer.note)
    }
}
