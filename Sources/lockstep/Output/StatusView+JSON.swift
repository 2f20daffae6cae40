import Diff
import JSON
import Reconcile
import Time

extension StatusView {
    /// For programs; people read its outline.
    var value: Value {
        switch self {
        case .overview(let overview): overview.value
        case .subscriber(let owners): .array(owners.map(\.value))
        case .widget(let widget):
            widget.row.value.adding(widget.owner.members).adding([
                ("kind", "widget"), ("changedCommit", .integer(widget.row.changedStep.number)),
            ])
        case .instance(let instance, let deliveries):
            instance.row.value.adding(instance.owner.members).adding([("deliveries", .array(deliveries.map(\.value)))])
        case .widgetRegistration(let place): place.row.value.adding(place.members)
        case .startTarget(let place): place.row.value.adding(place.members)
        case .operation(let operation, let status, let deliveries):
            operation.value.adding([
                ("status", .ifAny(status?.rawValue)), ("deliveries", .array(deliveries.map(\.value))),
            ])
        case .delivery(let delivery): delivery.value
        case .run(let run): run.value
        }
    }
}

extension Value {
    static func ifAny(_ text: Text?) -> Value { text.map(Value.string) ?? .null }
    static func ifAny(_ number: Int64?) -> Value { number.map(Value.integer) ?? .null }
    static func ifAny<Kind>(_ id: Identifier<Kind>?) -> Value { ifAny(id?.text) }

    /// A moment; `null` where it has not come.
    static func ifAny(_ moment: Moment?) -> Value {
        ifAny(moment.flatMap { $0 == .never ? nil : Text(RFC3339.string($0)) })
    }

    /// An object with more members.
    fileprivate func adding(_ members: [(Text, Value)]) -> Value {
        var object = object ?? Object()
        for (key, value) in members { object[key] = value }
        return .object(object)
    }
}

extension Owner {
    fileprivate var members: [(Text, Value)] { [("subscriber", .string(subscriber)), ("app", .string(app))] }
}

extension OnDevice {
    fileprivate var members: [(Text, Value)] {
        [("app", .string(app)), ("device", .string(device)), ("subscriber", .ifAny(subscriber))]
    }
}

extension StatusOverview {
    fileprivate var value: Value {
        var object = Object()
        object["lineage"] = lineage.map(Value.string)
        object["commit"] = .integer(step.number)
        object["source"] = appliedCommit.map(Value.string)
        object["devices"] = .integer(Int64(devices))
        object["widgets"] = .integer(Int64(widgets))
        object["activities"] = .integer(Int64(activities))
        for phase in [Instance.Phase.running, .outstanding, .unconfirmed] {
            object[phase.word] = .integer(Int64(instances[phase] ?? 0))
        }
        for status in [DeliveryStatus.queued, .unknown] {
            object[status.rawValue] = .integer(Int64(deliveries[status] ?? 0))
        }
        object["faults"] = .array(faults.map(\.value))
        object["restoredSince"] = restoredSince.map { .string(Text(RFC3339.string($0))) }
        object["lastRun"] = lastRun?.value
        return .object(object)
    }
}

extension Fault {
    fileprivate var value: Value {
        [
            "app": .string(app), "environment": .string(environment.rawValue), "reason": .string(reason),
            "since": .ifAny(since),
        ]
    }
}

extension OwnerStatus {
    fileprivate var value: Value {
        var object = Object()
        object["subscriber"] = .string(owner.subscriber)
        object["app"] = .string(owner.app)
        object["published"] = publishedPath.map(Value.string)
        object["scope"] = .integer(scope.number)
        object["paused"] = .bool(scope.isPaused)
        object["revoked"] = .bool(scope.isRevoked)
        object["widgets"] = .array(widgets.map(\.value))
        object["activities"] = .array(activities.map(\.value))
        object["devices"] = .array(devices.map(\.value))
        object["instances"] = .array(instances.map(\.value))
        return .object(object)
    }
}

extension TargetStatus {
    fileprivate func write(to object: inout Object) {
        object["status"] = .string(standing.word)
        object["statusReason"] = standing.reason.map(Value.string)
        object["scope"] = .integer(scope)
    }
}

extension WidgetStatus {
    fileprivate var value: Value {
        var object = Object()
        object["id"] = .string(id.text)
        object["name"] = .string(name)
        object["state"] = state
        object["template"] = template.map(Value.string)
        object["revision"] = .integer(revision)
        object["changedAt"] = .ifAny(changedAt)
        status.write(to: &object)
        return .object(object)
    }
}

extension ActivityStatus {
    fileprivate var value: Value {
        var object = Object()
        object["name"] = .string(name)
        object["attributesType"] = .string(attributesType)
        object["template"] = template.map(Value.string)
        object["state"] = state
        object["revision"] = .integer(revision)
        object["life"] = .integer(life)
        object["removed"] = .bool(isRemoved)
        return .object(object)
    }
}

extension DeviceStatus {
    fileprivate var value: Value {
        [
            "id": .string(id), "widgets": widgets?.value ?? .null,
            "startTargets": .array(startTargets.map(\.value)),
        ]
    }
}

extension WidgetRegistrationStatus {
    fileprivate var value: Value {
        var object = Object()
        object["id"] = .string(registration.id.text)
        object["token"] = .ifAny(registration.token)
        object["environment"] = .string(registration.environment.rawValue)
        object["widgets"] = .array(registration.kinds.map(Value.string))
        object["os"] = .ifAny(registration.os?.text)
        object["at"] = .ifAny(registration.at)
        object["reloadedCommit"] = .integer(registration.reloadedStep.number)
        object["canReload"] = .bool(canReload)
        status.write(to: &object)
        return .object(object)
    }
}

extension StartTargetStatus {
    fileprivate var value: Value {
        var object = Object()
        object["id"] = .string(target.id.text)
        object["attributesType"] = .string(target.attributesType)
        object["token"] = .ifAny(target.token)
        object["environment"] = .string(target.environment.rawValue)
        object["os"] = .ifAny(target.os?.text)
        object["at"] = .ifAny(target.at)
        object["frequentPushes"] = target.frequentPushes.map(Value.bool) ?? .null
        object["templates"] = target.templates.map { .array($0.map(Value.string)) } ?? .null
        object["canStart"] = .bool(canStart)
        status.write(to: &object)
        return .object(object)
    }
}

extension InstanceStatus {
    fileprivate var value: Value {
        var object = Object()
        object["id"] = .string(instance.id.text)
        object["kind"] = "activity"
        object["launchRequestId"] = .ifAny(instance.launch)
        object["name"] = .string(instance.name)
        object["device"] = .string(instance.device)
        object["attributesType"] = .string(instance.attributesType)
        object["template"] = instance.template.map(Value.string)
        object["phase"] = .string(instance.phase.word)
        object["closure"] = .ifAny(instance.phase.closure?.rawValue)
        object["ending"] = .ifAny(instance.ending?.rawValue)
        object["activityId"] = .ifAny(instance.activityID)
        object["token"] = .ifAny(instance.token)
        object["revision"] = .integer(instance.revision)
        object["startedAt"] = .ifAny(instance.startedAt)
        object["registeredAt"] = .ifAny(instance.registeredAt)
        object["shown"] = shown ?? .null
        status.write(to: &object)
        return .object(object)
    }
}

extension Operation {
    fileprivate var value: Value {
        [
            "id": .string(id.text), "kind": .string(kind.rawValue), "subscriber": .string(owner.subscriber),
            "app": .string(owner.app), "run": .string(run.text), "commit": .integer(step.number),
            "createdAt": .ifAny(createdAt),
        ]
    }
}

extension DeliveryView {
    fileprivate var value: Value {
        [
            "id": .string(delivery.id.text), "operation": .string(delivery.operation.text),
            "kind": .string(delivery.kind.rawValue), "device": .string(delivery.device),
            "status": .string(delivery.status.rawValue), "createdAt": .ifAny(delivery.createdAt),
            "dispatchedAt": .ifAny(delivery.dispatchedAt), "attempts": .integer(delivery.attempts),
            "apnsId": .ifAny(delivery.answer.id), "apnsStatus": .ifAny(delivery.answer.status),
            "reason": .ifAny(delivery.answer.reason), "note": .ifAny(delivery.answer.note),
            "answeredAt": .ifAny(delivery.answer.at), "cost": .integer(Int64(delivery.cost)),
            "quotaDay": .ifAny(delivery.quotaDay.map { Text($0.text) }),
        ]
    }
}

extension RunRecord {
    fileprivate var value: Value {
        [
            "id": .string(id.text), "command": .string(command), "host": .string(host), "user": .string(user),
            "pid": .integer(pid), "startedAt": .ifAny(startedAt), "endedAt": .ifAny(endedAt),
            "exitStatus": .ifAny(exitStatus), "source": .ifAny(sourceCommit),
        ]
    }
}
