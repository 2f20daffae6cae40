public import JSON
public import Time

/// One push that the plan wants, has waiting, or cannot send, with the reason.
public struct Action: Hashable, Sendable {
    /// The effect of the push.
    public enum Kind: Text, Hashable, Sendable, CaseIterable {
        /// Starts an activity on a device.
        case start
        /// Updates a running activity.
        case update
        /// Ends a running activity.
        case end
        /// Reloads the widgets of a device.
        case reload
    }

    /// The fate of the push when apply runs now.
    public enum Status: Hashable, Sendable {
        /// It is sent.
        case send
        /// It is due at this time.
        case waiting(until: Moment)
        /// It waits for something else to happen; the reason says what.
        case held
        /// The device, or the configuration, cannot take it; the reason says why.
        case blocked
    }

    /// The write that Commit does for it.
    public enum Write: Hashable, Sendable {
        /// Nothing: it is committed already, or cannot be.
        case none
        /// One delivery of the owner's reload operation; `superseding` is the delivery that it makes pointless.
        case reload(WidgetsID, superseding: DeliveryID?)
        /// A launch on a start target; `replacing` names the instance whose place it takes.
        case launch(StartTargetID, replacing: TargetID?)
        /// An update; `superseding` is the delivery that it makes pointless.
        case update(TargetID, superseding: DeliveryID?)
        /// An end and its cause.
        case end(TargetID, Instance.Closure)
    }

    /// The effect of the push.
    public var kind: Kind
    /// The fate of the push when apply runs now.
    public var status: Status
    /// The reason.
    public var reason: Reason
    /// The activity's name; `nil` for a reload.
    public var name: Text?
    /// The device that receives it.
    public var device: Text
    /// The content that the device shows as far as is known: an activity's, or the changed widgets' states.
    public var before: Value?
    /// The content that it is to show.
    public var after: Value?
    /// Its cost in quota: 0 or 1.
    public var cost: Int
    /// The oldest step whose state it carries; `nil` where this plan commits it.
    public var step: Step?
    /// The APNs priority: 5 or 10.
    public var priority: Int
    /// The time for which APNs keeps trying, where declared.
    public var expiresAfter: Span?
    /// The write that Commit does for it.
    public var write: Write

    /// An action.
    public init(
        kind: Kind,
        status: Status,
        reason: Reason,
        name: Text? = nil,
        device: Text,
        before: Value? = nil,
        after: Value? = nil,
        cost: Int = 1,
        step: Step? = nil,
        priority: Int,
        expiresAfter: Span? = nil,
        write: Write = .none
    ) {
        self.kind = kind
        self.status = status
        self.reason = reason
        self.name = name
        self.device = device
        self.before = before
        self.after = after
        self.cost = cost
        self.step = step
        self.priority = priority
        self.expiresAfter = expiresAfter
        self.write = write
    }
}

extension Action {
    /// Keeps what would be sent, now or later, from being sent.
    mutating func hold(_ reason: Reason) {
        switch status {
        case .send, .waiting: (status, self.reason, write) = (.held, reason, .none)
        case .held, .blocked: break
        }
    }
}

/// The reason that an action is planned, waits, is held or blocked: a stable code, and words.
public enum Reason: Text, Hashable, Sendable, CaseIterable {
    case declared
    case stateChanged = "state_changed"
    case reloadChanged = "reload_changed"
    case ownerChanged = "owner_changed"
    case catchUp = "catch_up"
    case queued
    case resend
    case replacement
    case relaunch
    case restart
    case renewal
    case declaredEnd = "declared_end"
    case removal
    case loggedOut = "logged_out"
    case revocation
    case duplicate
    case replaced
    case launchOutstanding = "launch_outstanding"
    case startUncertain = "start_uncertain"
    case unconfirmed
    case ambiguous
    case startTargetPending = "start_target_pending"
    case minInterval = "min_interval"
    case paused
    case revoked
    case reauthorized
    case earlierEnd = "earlier_end"
    case staleAtPassed = "stale_at_passed"
    case unknownLaunch = "unknown_launch"
    case rejected
    case noStartTarget = "no_start_target"
    case startedByApp = "started_by_app"
    case lifeClosed = "life_closed"
    case osTooOld = "os_too_old"
    case noCredential = "no_credential"
    case templateNotListed = "template_not_listed"
    case templateMismatch = "template_mismatch"
    case restoredLedger = "restored_ledger"
    case overQuota = "over_quota"

    /// The reason as a person reads it, without a full stop.
    public var words: String {
        switch self {
        case .declared: "declared, and not on this device yet"
        case .stateChanged: "the declared state changed"
        case .reloadChanged: "its reload value changed"
        case .ownerChanged: "the device has a new owner, or a reload that was asked for is still due"
        case .catchUp: "the device was not reloaded since the last change"
        case .queued: "committed by an earlier run and not sent yet"
        case .resend: "sent by an earlier run and never answered"
        case .replacement: "its attributes, type or generation changed; the running one ends when this one is confirmed"
        case .relaunch: "the device is back"
        case .restart: "its start was not confirmed in time, and 'restart' allows another"
        case .renewal: "its 8 hours are over, and 'renew' starts a new one"
        case .declaredEnd: "the file declares its end"
        case .removal: "its declaration is gone"
        case .loggedOut: "the device left the subscriber"
        case .revocation: "its scope was revoked"
        case .duplicate: "a second tile of the same declaration"
        case .replaced: "a newer instance took its place"
        case .launchOutstanding: "its start was sent and the device has not reported it yet"
        case .startUncertain:
            "its start may have arrived or not; it is not sent again on a guess, and the device's report settles it"
        case .unconfirmed:
            "its start was not confirmed in time; a new generation, or \"restart\": \"if-unconfirmed\", starts it again"
        case .ambiguous: "the device shows an activity that several launches can have started; its report has no id"
        case .startTargetPending:
            "three starts in a row were not confirmed on this device; it is started again once it registers again"
        case .paused: "it is paused; 'resume' sends the newest state"
        case .revoked: "its scope is revoked; 'reauthorize' opens a new one"
        case .reauthorized: "its scope was opened anew, and the device has to register again"
        case .minInterval: "its minInterval since the last push is not over"
        case .earlierEnd: "the earlier instance on this device has not ended yet"
        case .staleAtPassed: "its staleAt lies in the past"
        case .unknownLaunch: "the device shows an activity whose launch this ledger does not know"
        case .rejected: "APNs refused this state for this token; a new state or a new token report tries again"
        case .noStartTarget: "the device has no push-to-start token for this attributes type"
        case .startedByApp: "only the app starts this activity"
        case .lifeClosed: "this generation was closed on this device or by the person; a new generation starts it again"
        case .osTooOld: "the device's system is too old for this push"
        case .noCredential: "there is no APNs key for the token's environment"
        case .templateNotListed: "the app on this device cannot decode the declared template"
        case .templateMismatch:
            "the declared state does not match the template version that this activity was started with; a state that "
                + "matches, or a new generation, goes on"
        case .restoredLedger:
            "the ledger was restored, so it may be on the device already; --after-restore starts it once devices reported"
        case .overQuota: "the day's quota is used up"
        }
    }
}
