import Diff
import Foreign
import JSON
internal import Ledger
import Reconcile
import Time

extension LedgerRecord {
    /// A line of `state dump`: `type` and the members of the record; what is absent is left out.
    var value: Value {
        var line = Line()
        line["type"] = .string(type)
        write(to: &line)
        return .object(line.object)
    }

    private var type: Text {
        switch self {
        case .ledger: "ledger"
        case .run: "run"
        case .template: "template"
        case .alias: "alias"
        case .device: "device"
        case .widgetRegistration: "widgetRegistration"
        case .startTarget: "startTarget"
        case .widget: "widget"
        case .activity: "activity"
        case .instance: "instance"
        case .resolution: "resolution"
        case .closedEarly: "closedEarly"
        case .deadToken: "deadToken"
        case .earlyReport: "earlyReport"
        case .operation: "operation"
        case .delivery: "delivery"
        case .sentElsewhere: "sentElsewhere"
        case .scope: "scope"
        case .fault: "fault"
        case .reloadRequest: "reloadRequest"
        case .event: "event"
        case .unpublished: "unpublished"
        case .touched: "touched"
        }
    }

    private func write(to line: inout Line) {
        switch self {
        case .ledger(let facts): facts.write(to: &line)
        case .run(let run): run.write(to: &line)
        case .template(let template): template.write(to: &line)
        case .alias(let app, let anonymous, let subscriber):
            line["app"] = .string(app)
            line["anonymous"] = .string(anonymous)
            line["subscriber"] = .string(subscriber)
        case .device(let place, let ownerSince, let lastReportAt):
            line.put(place)
            line.put("ownerSince", ownerSince)
            line.put("lastReportAt", lastReportAt)
        case .widgetRegistration(let place, let registration):
            line.put(place)
            registration.write(to: &line)
        case .startTarget(let place, let target):
            line.put(place)
            target.write(to: &line)
        case .widget(let widget): widget.write(to: &line)
        case .activity(let activity): activity.write(to: &line)
        case .instance(let instance): instance.write(to: &line)
        case .resolution(let resolution): resolution.write(to: &line)
        case .closedEarly(let app, let device, let id):
            line["app"] = .string(app)
            line["device"] = .string(device)
            line["id"] = .string(id)
        case .deadToken(let token, let at):
            line["token"] = .string(token)
            line.put("at", at)
        case .earlyReport(let digest, let at):
            line["digest"] = .string(digest)
            line.put("at", at)
        case .operation(let operation): operation.write(to: &line)
        case .delivery(let delivery): delivery.write(to: &line)
        case .sentElsewhere(let day, let pushes):
            line.put("day", day)
            line["pushes"] = .integer(pushes)
        case .scope(let subject, let scope): scope.write(of: subject, to: &line)
        case .fault(let fault): fault.write(to: &line)
        case .reloadRequest(let request): request.write(to: &line)
        case .event(let number, let event):
            line["number"] = .integer(number)
            event.write(to: &line)
        case .unpublished(let owner), .touched(let owner): line.put(owner)
        }
    }
}

/// The members of one line.
private struct Line {
    var object = Object()

    subscript(key: Text) -> Value? {
        get { object[key] }
        set { object[key] = newValue }
    }

    mutating func put(_ key: Text, _ text: Text?) { self[key] = text.map(Value.string) }
    mutating func put(_ key: Text, _ number: Int64?) { self[key] = number.map(Value.integer) }
    mutating func put(_ key: Text, _ step: Step) { put(key, step.number) }
    mutating func put(_ key: Text, _ day: UTCDay?) { self[key] = day.map { .string(Text($0.text)) } }
    mutating func put<Kind>(_ key: Text, _ id: Identifier<Kind>?) { self[key] = id.map { .string($0.text) } }

    mutating func put(_ key: Text, _ moment: Moment?) {
        self[key] = moment.map { .string(Text(RFC3339.string($0))) }
    }

    /// A moment that may not have come.
    mutating func put(_ key: Text, unlessNever moment: Moment) { put(key, moment == .never ? nil : moment) }

    mutating func put(_ owner: Owner) {
        self["subscriber"] = .string(owner.subscriber)
        self["app"] = .string(owner.app)
    }

    mutating func put(_ place: DevicePlace) {
        self["app"] = .string(place.app)
        self["device"] = .string(place.device)
        put("subscriber", place.subscriber)
    }

    /// A refusal of a revision, or, of a reload, of a step.
    mutating func put(_ rejection: Rejection?, of number: Text) {
        guard let rejection else { return }
        var refused = Line()
        refused.put(number, rejection.revision)
        refused.put("tokenAt", unlessNever: rejection.tokenAt)
        self["refused"] = .object(refused.object)
    }
}

extension LedgerFacts {
    fileprivate func write(to line: inout Line) {
        line.put("lineage", lineage)
        line.put("step", step)
        line.put("launchSequence", launchSequence)
        line.put("restoredAt", restoredAt)
        line.put("confirmedAt", confirmedAt)
        line.put("appliedCommit", appliedCommit)
        line.put("index", index)
        line.put("publishedPlace", publishedPlace)
    }
}

extension RunRecord {
    fileprivate func write(to line: inout Line) {
        line.put("id", id)
        line.put("command", command)
        line.put("host", host)
        line.put("user", user)
        line.put("pid", pid)
        line.put("sourceCommit", sourceCommit)
        line.put("startedAt", startedAt)
        line.put("endedAt", endedAt)
        line.put("exitStatus", exitStatus)
    }
}

extension TemplateRecord {
    fileprivate func write(to line: inout Line) {
        line.put("name", name)
        line.put("digest", digest)
        line["document"] = document
        line.put("appliedAt", appliedAt)
    }
}

extension WidgetRegistration {
    fileprivate func write(to line: inout Line) {
        line.put("id", id)
        line.put("token", token)
        line.put("environment", environment.rawValue)
        line["widgets"] = .array(kinds.map(Value.string))
        line.put("os", os?.text)
        line.put("reportedAt", unlessNever: at)
        line.put("reloadedStep", reloadedStep)
        line.put("reloadedAt", unlessNever: reloadedAt)
        line["owesReload"] = .bool(owesReload)
        line.put(rejection, of: "step")
    }
}

extension StartTarget {
    fileprivate func write(to line: inout Line) {
        line.put("id", id)
        line.put("attributesType", attributesType)
        line.put("token", token)
        line.put("environment", environment.rawValue)
        line.put("os", os?.text)
        line.put("reportedAt", unlessNever: at)
        line["frequentPushes"] = frequentPushes.map(Value.bool)
        line["templates"] = templates.map { .array($0.map(Value.string)) }
    }
}

extension WidgetRecord {
    fileprivate func write(to line: inout Line) {
        line.put(owner)
        line.put("id", id)
        line.put("name", name)
        line["declaration"] = declaration
        line.put("revision", revision)
        line.put("changedStep", changedStep)
        line.put("changedAt", changedAt)
    }
}

extension ActivityRecord {
    fileprivate func write(to line: inout Line) {
        line.put(owner)
        line.put("name", name)
        line["declaration"] = declaration
        line.put("life", life)
        line.put("revision", revision)
        line.put("changedStep", changedStep)
        line["removed"] = .bool(isRemoved)
        line.put("adoptedLife", adoptedLife)
        line.put("alertAt", alertAt)
    }
}

extension InstanceRecord {
    fileprivate func write(to line: inout Line) {
        line.put(owner)
        line.put("startTargetId", startTarget)
        line["shown"] = shown
        line.put("lastTimestamp", lastTimestamp)
        instance.write(to: &line)
    }
}

extension Instance {
    fileprivate func write(to line: inout Line) {
        line.put("id", id)
        line.put("launchRequestId", launch)
        line.put("name", name.string.isEmpty ? nil : name)
        line.put("device", device)
        line.put("origin", origin.rawValue)
        line.put("attributesType", attributesType)
        line["attributes"] = attributes
        line.put("template", template)
        line.put("life", life)
        line.put("launchSequence", sequence == 0 ? nil : sequence)
        line.put("replaces", replaces)
        line.put("phase", phase.word)
        line.put("closedBy", phase.closure?.rawValue)
        line.put("endsBecause", ending?.rawValue)
        line.put("activityId", activityID)
        line.put("token", token)
        line.put("tokenAt", unlessNever: tokenAt)
        line.put("environment", environment.rawValue)
        line.put("os", os?.text)
        line.put("startedAt", unlessNever: startedAt)
        line.put("startExpiresAt", unlessNever: startExpiresAt)
        line.put("registeredAt", unlessNever: registeredAt)
        line["inferred"] = .bool(isInferred)
        line.put("updatedAt", unlessNever: updatedAt)
        line.put("revision", revision)
        line.put(rejection, of: "revision")
    }
}

extension ResolutionRecord {
    fileprivate func write(to line: inout Line) {
        line.put("number", number)
        line.put("launchRequestId", launch)
        line.put("resolution", resolution)
        line.put("targetId", target)
        line.put("at", at)
        line.put("runId", run)
    }
}

extension Operation {
    fileprivate func write(to line: inout Line) {
        line.put("id", id)
        line.put("kind", kind.rawValue)
        line.put(owner)
        line.put("runId", run)
        line.put("step", step)
        line.put("createdAt", createdAt)
    }
}

extension Delivery {
    fileprivate func write(to line: inout Line) {
        line.put("id", id)
        line.put("operationId", operation)
        line.put("kind", kind.rawValue)
        line.put(owner)
        line.put("device", device)
        line.put("targetId", target)
        line.put("registrationId", registration)
        line.put("environment", environment.rawValue)
        line.put("status", status.rawValue)
        line["open"] = .bool(state.isOpen)
        line.put(kind == .reload ? "upToStep" : "revision", revision)
        line.put("rank", rank)
        line.put("step", step)
        line.put("createdAt", createdAt)
        line["expiresAfter"] = expiresAfter.map { .string(Text(DurationText.text($0))) }
        line.put("notBefore", unlessNever: notBefore)
        line.put("cost", Int64(cost))
        line.put("quotaDay", quotaDay)
        line.put("dispatchedAt", dispatchedAt)
        line.put("attempts", attempts)
        line.put("apnsId", answer.id)
        line.put("apnsStatus", answer.status)
        line.put("reason", answer.reason)
        line.put("note", answer.note)
        line.put("answeredAt", answer.at)
        line["content"] = content
    }
}

extension Scope {
    fileprivate func write(of subject: ScopeSubject, to line: inout Line) {
        switch subject {
        case .subscriber(let subscriber):
            line["kind"] = "subscriber"
            line.put("subscriber", subscriber)
        case .widget(let owner, let name):
            line["kind"] = "widget"
            line.put(owner)
            line.put("name", name)
        case .activity(let owner, let name, let device):
            line["kind"] = "activity"
            line.put(owner)
            line.put("name", name)
            line.put("device", device)
        case .startTarget(let id):
            line["kind"] = "startTarget"
            line.put("id", id)
        case .widgets(let id):
            line["kind"] = "widgets"
            line.put("id", id)
        }
        line.put("number", number)
        line["paused"] = .bool(isPaused)
        line["revoked"] = .bool(isRevoked)
        line.put("openedAt", unlessNever: openedAt)
    }
}

extension Fault {
    fileprivate func write(to line: inout Line) {
        line.put("app", app)
        line.put("environment", environment.rawValue)
        line.put("reason", reason)
        line.put("fingerprint", fingerprint)
        line.put("since", since)
    }
}

extension ReloadRequestRecord {
    fileprivate func write(to line: inout Line) {
        line.put("key", key)
        line["subscribers"] = subscribers
        line["results"] = results
        line.put("at", at)
    }
}

extension LogLine {
    fileprivate func write(to line: inout Line) {
        line.put("at", at)
        line.put("runId", run)
        line.put("kind", kind)
        line.put("subscriber", subscriber)
        line.put("app", app)
        line.put("about", subject)
        line.put("text", text)
    }
}
