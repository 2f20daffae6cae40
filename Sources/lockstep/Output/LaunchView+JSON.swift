import Diff
import JSON

extension LaunchView {
    /// For programs.
    var value: Value {
        switch self {
        case .launch(let launch): launch.value
        case .unattributed(let activity): activity.value
        }
    }
}

extension LaunchStatus {
    fileprivate var value: Value {
        let start = start?.delivery
        return [
            "launchRequestId": .ifAny(instance.launch), "targetId": .string(instance.id.text),
            "subscriber": .string(owner.subscriber), "app": .string(owner.app), "name": .string(instance.name),
            "device": .string(instance.device), "resolution": .string(outcome.word),
            "closure": .ifAny(instance.phase.closure?.rawValue),
            "start": [
                "status": .ifAny(start?.status.rawValue), "apnsStatus": .ifAny(start?.answer.status),
                "reason": .ifAny(start?.answer.reason), "note": .ifAny(start?.answer.note),
                "attempts": .ifAny(start?.attempts), "sentAt": .ifAny(start?.dispatchedAt),
            ],
            "confirmationDueAt": .ifAny(confirmationDueAt), "reportedAt": .ifAny(instance.registeredAt),
            "isInferred": .bool(instance.isInferred), "activityId": .ifAny(instance.activityID),
            "history": .array(history.map(\.value)),
        ]
    }
}

extension LaunchEvent {
    fileprivate var value: Value {
        var object = Object()
        object["at"] = .ifAny(at)
        object["event"] = .string(kind.word)
        if kind.isNoted { object["run"] = .ifAny(run) }
        return .object(object)
    }
}

extension UnattributedActivity {
    fileprivate var value: Value {
        [
            "launchRequestId": .ifAny(instance.launch), "targetId": .string(instance.id.text),
            "subscriber": .string(owner.subscriber), "app": .string(owner.app), "name": .null,
            "device": .string(instance.device), "attributesType": .string(instance.attributesType),
            "resolution": .string(resolution), "activityId": .ifAny(instance.activityID),
            "reportedAt": .ifAny(instance.registeredAt), "blocksUntil": .ifAny(blocksUntil),
        ]
    }
}
