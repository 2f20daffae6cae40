internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// The status of what can be written to, as SC-37 names it: registered for remote operations, or why not; no proof that
/// anything was delivered or is shown.
struct TargetStatus {
    /// One of four.
    enum Word: Text {
        case ready
        case pending
        case disabled
        case notConfigured
    }

    var word: Word
    /// Why it is disabled or pending.
    var reason: Text?
    /// The generation of its authority.
    var scope: Int64

    /// The status of something that has a live token (or has not), under some authority.
    init(isRegistered: Bool, at: Moment, isPending: Bool = false, _ authority: Authority, scope: Int64) {
        self.scope = scope
        switch authority.obstacle(registeredAt: at)?.reason {
        case .revoked?: (word, reason) = (.disabled, "revoked")
        case .paused?: (word, reason) = (.disabled, "paused")
        case .reauthorized?: (word, reason) = (.pending, "reauthorized")
        default:
            if !isRegistered {
                word = .notConfigured
            } else if isPending {
                (word, reason) = (.pending, "unconfirmed")
            } else {
                word = .ready
            }
        }
    }

    /// The status of one instance: what is ending or over is disabled.
    init(_ instance: Instance, _ authority: Authority, scope: Int64) {
        self.init(isRegistered: true, at: .distantFuture, authority, scope: scope)
        switch instance.phase {
        case .closed, .failed, .cancelled:
            (word, reason) = (.disabled, instance.phase.closure?.rawValue ?? instance.phase.word)
        case .running where instance.ending != nil: (word, reason) = (.disabled, "ending")
        case .running where word == .ready && instance.token == nil: word = .notConfigured
        case .queued, .outstanding, .unconfirmed: if word == .ready { (word, reason) = (.pending, instance.phase.word) }
        case .running: break
        }
    }

    /// Puts it into the object that shows the target.
    func write(into object: inout Object) {
        object["status"] = .string(word.rawValue)
        object["statusReason"] = reason.map(Value.string)
        object["scope"] = .integer(scope)
    }
}

/// What one owner's targets are shown with.
struct StatusContext {
    var owner: Owner
    var scopes: Scopes
    var pending: Set<StartTargetID> = []

    private var subscriber: ScopeSubject { .subscriber(owner.subscriber) }

    func value(of widget: RecordedWidget, on devices: [Device]) -> Value {
        var object = Object()
        object["id"] = .string(widget.id.text)
        object["name"] = .string(widget.declaration.name)
        object["state"] = widget.declaration.state
        object["template"] = widget.declaration.template.map(Value.string)
        object["revision"] = .integer(widget.revision)
        object["changedAt"] = .time(widget.changedAt)
        let scope = ScopeSubject.widget(owner, name: widget.declaration.name)
        let listing = devices.compactMap(\.widgets).filter {
            $0.token != nil && $0.kinds.contains(widget.declaration.name)
        }
        TargetStatus(
            isRegistered: !listing.isEmpty,
            at: listing.map(\.at).max() ?? .distantFuture,
            scopes.authority(over: subscriber, scope),
            scope: scopes[scope].number
        ).write(into: &object)
        return .object(object)
    }

    func value(of device: Device) -> Value {
        [
            "id": .string(device.id), "widgets": device.widgets.map(value) ?? .null,
            "startTargets": .array(device.startTargets.map(value)),
        ]
    }

    func value(of registration: WidgetRegistration) -> Value {
        var object = Object()
        object["id"] = .string(registration.id.text)
        object["token"] = .token(registration.token)
        object["environment"] = .string(registration.environment.rawValue)
        object["widgets"] = .array(registration.kinds.map(Value.string))
        object["os"] = registration.os.map { .string($0.text) } ?? .null
        object["at"] = .time(registration.at)
        object["reloadedCommit"] = .integer(registration.reloadedStep.number)
        object["canReload"] = .bool(registration.token != nil && registration.os.map { $0 >= .widgetPushes } ?? true)
        let scope = ScopeSubject.widgets(registration.id)
        TargetStatus(
            isRegistered: registration.token != nil,
            at: registration.at,
            scopes.authority(over: subscriber, scope),
            scope: scopes[scope].number
        ).write(into: &object)
        return .object(object)
    }

    func value(of target: StartTarget) -> Value {
        var object = Object()
        object["id"] = .string(target.id.text)
        object["attributesType"] = .string(target.attributesType)
        object["token"] = .token(target.token)
        object["environment"] = .string(target.environment.rawValue)
        object["os"] = target.os.map { .string($0.text) } ?? .null
        object["at"] = .time(target.at)
        object["frequentPushes"] = target.frequentPushes.map(Value.bool) ?? .null
        object["templates"] = target.templates.map { .array($0.map(Value.string)) } ?? .null
        object["canStart"] = .bool(target.token != nil && target.os.map { $0 >= .remoteStarts } ?? true)
        let scope = ScopeSubject.startTarget(target.id)
        TargetStatus(
            isRegistered: target.token != nil,
            at: target.at,
            isPending: pending.contains(target.id),
            scopes.authority(over: subscriber, scope),
            scope: scopes[scope].number
        ).write(into: &object)
        return .object(object)
    }

    func value(of instance: Instance) -> Value {
        var object = Object()
        object["id"] = .string(instance.id.text)
        object["kind"] = "activity"
        object["launchRequestId"] = instance.launch.map { .string($0.text) } ?? .null
        object["name"] = .string(instance.name)
        object["device"] = .string(instance.device)
        object["attributesType"] = .string(instance.attributesType)
        object["template"] = instance.template.map(Value.string)
        object["phase"] = .string(instance.phase.word)
        object["closure"] = instance.phase.closure.map { .string($0.rawValue) } ?? .null
        object["ending"] = instance.ending.map { .string($0.rawValue) } ?? .null
        object["activityId"] = instance.activityID.map(Value.string) ?? .null
        object["token"] = .token(instance.token)
        object["revision"] = .integer(instance.revision)
        object["startedAt"] = .time(instance.startedAt)
        object["registeredAt"] = .time(instance.registeredAt)
        object["shown"] = instance.shown?.value ?? .null
        let scope = ScopeSubject.activity(owner, name: instance.name, device: instance.device)
        TargetStatus(
            instance,
            scopes.authority(over: subscriber, scope),
            scope: scopes[scope].number
        ).write(into: &object)
        return .object(object)
    }
}
