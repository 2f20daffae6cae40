internal import JSON
internal import Time

/// The reports of all apps on their way to the backend.
struct Reports {
    /// Reports that have not been collected yet.
    private var arrived: [Report] = []

    /// Tells the app's backend something; a phone out of reach tells it later, a signed-out app never.
    mutating func send(
        _ kind: Report.Kind,
        from phone: Phone,
        in app: InstalledApp,
        at now: Moment,
        _ details: [Object.Member] = []
    ) {
        guard let subscriber = app.subscriber else { return }
        let report = Report(
            kind: kind,
            app: app.bundle,
            subscriber: subscriber,
            device: phone.id,
            at: now,
            details: details
        )
        if phone.isReachable { arrived.append(report) } else { phone.unsentReports.append(report) }
    }

    /// Sends what the apps could not report while out of reach; the backend receives it now, one after the other.
    mutating func sendWaiting(of phone: Phone, at now: Moment) {
        for (number, var waiting) in phone.unsentReports.enumerated() {
            waiting.at = now + .milliseconds(Int64(number))
            arrived.append(waiting)
        }
        phone.unsentReports = []
    }

    /// Hands over what was reported since the last call.
    mutating func take() -> [Report] {
        defer { arrived = [] }
        return arrived
    }
}

extension InstalledApp {
    /// The members of a report that name a token of the app, and the phone that it reaches.
    func address(of token: PushToken, on phone: Phone) -> [Object.Member] {
        [
            Object.Member(key: "token", value: .string(Text(token.hex))),
            Object.Member(key: "environment", value: .string(Text(environment.rawValue))),
            Object.Member(key: "os", value: .string(Text(phone.os.description))),
        ]
    }

    /// The members of a report that register the app for starts of one type.
    func startRegistration(of type: String) -> [Object.Member] {
        var members = [Object.Member(key: "attributesType", value: .string(Text(type)))]
        if let frequentPushes { members.append(Object.Member(key: "frequentPushes", value: .bool(frequentPushes))) }
        if !templates.isEmpty {
            let names = templates.map { Value.string(Text($0)) }
            members.append(Object.Member(key: "templates", value: .array(names)))
        }
        return members
    }
}

extension Tile {
    /// The members of a report that register the activity.
    var registration: [Object.Member] {
        var members = [
            Object.Member(key: "activityId", value: .string(Text(activityID))),
            Object.Member(key: "attributesType", value: .string(Text(attributesType))),
        ]
        if let launchRequestID {
            members.append(Object.Member(key: "launchRequestId", value: .string(Text(launchRequestID))))
        } else if let name {
            members.append(Object.Member(key: "name", value: .string(Text(name))))
        }
        return members
    }

    /// The members of a report that name the activity.
    var identity: [Object.Member] {
        var members = [Object.Member(key: "activityId", value: .string(Text(activityID)))]
        if let launchRequestID {
            members.append(Object.Member(key: "launchRequestId", value: .string(Text(launchRequestID))))
        }
        return members
    }
}
