internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// The reasons that a report line is not taken: everything that is wrong with it.
struct RejectedReport: Error {
    var reasons: [String]
}

/// Reads one line of a report file into a ``Report``, or says everything that is wrong with it.
struct ReportParser {
    /// The apps of the configuration.
    let apps: Set<Text>

    /// Reads the bytes of one line.
    func parse(_ line: [UInt8]) throws(RejectedReport) -> (report: Report, canonical: String) {
        let value = try value(line)
        return (try report(value), value.canonical)
    }

    /// Reads the canonical form of a line that was read before.
    func report(canonical line: [UInt8]) throws(RejectedReport) -> Report {
        try report(try value(line))
    }

    private func value(_ line: [UInt8]) throws(RejectedReport) -> Value {
        let value: Value
        do {
            value = try Value(json: line)
        } catch {
            throw RejectedReport(reasons: ["it is no JSON: \(error)"])
        }
        guard value.object != nil else { throw RejectedReport(reasons: ["a report is a JSON object"]) }
        return value
    }

    private func report(_ value: Value) throws(RejectedReport) -> Report {
        var reader = ReportReader(value: value)
        let report = reader.report(apps: apps)
        guard let report, reader.problems.isEmpty else { throw RejectedReport(reasons: reader.problems) }
        return report
    }
}

/// Reads the members of one report, collecting what is wrong.
private struct ReportReader {
    let value: Value
    var problems: [String] = []

    init(value: Value) {
        self.value = value
    }

    mutating func report(apps: Set<Text>) -> Report? {
        let app = id("app")
        if let app, !apps.contains(app) { problems.append("'app' \(app) is not in the configuration") }
        let subscriber = id("subscriber")
        let device = id("device")
        let at = time("at")
        let event = event(subscriber)
        guard let app, let subscriber, let device, let at, let event else { return nil }
        return Report(app: app, subscriber: subscriber, device: device, at: at, event: event)
    }

    private static let types = [
        "widgets.registered", "widgets.unregistered", "start.registered", "start.unregistered", "activity.registered",
        "activity.ended", "activity.dismissed", "subscriber.identified", "subscriber.loggedOut",
    ]

    private mutating func event(_ subscriber: Text?) -> Report.Event? {
        guard let type = id("type") else { return nil }
        switch type.string {
        case "widgets.registered": return widgetsRegistered()
        case "widgets.unregistered": return .widgetsUnregistered
        case "start.registered": return startRegistered()
        case "start.unregistered":
            return id("attributesType", limit: 128).map { .startUnregistered(attributesType: $0) }
        case "activity.registered": return activityRegistered()
        case "activity.ended", "activity.dismissed": return activityClosed(dismissed: type == "activity.dismissed")
        case "subscriber.identified": return identified(subscriber)
        case "subscriber.loggedOut": return .loggedOut
        default:
            let hint = closest(to: type.string, in: Self.types).map { "; did you mean '\($0)'?" } ?? ""
            problems.append("'type' \(type) is not known\(hint)")
            return nil
        }
    }

    private mutating func widgetsRegistered() -> Report.Event? {
        let kinds = texts("widgets") ?? []
        let environment = environment()
        let os = os()
        guard let token = token(isNeeded: !kinds.isEmpty), let environment else { return nil }
        return .widgetsRegistered(token: token, environment: environment, kinds: kinds, os: os)
    }

    private mutating func startRegistered() -> Report.Event? {
        let type = id("attributesType", limit: 128)
        let token = token()
        let environment = environment()
        let os = os()
        let templates = texts("templates")
        var frequentPushes: Bool?
        if let value = value["frequentPushes"] {
            frequentPushes = value.bool
            if frequentPushes == nil { problems.append("'frequentPushes' is true or false") }
        }
        guard let type, let token, let environment else { return nil }
        return .startRegistered(
            attributesType: type,
            token: token,
            environment: environment,
            os: os,
            frequentPushes: frequentPushes,
            templates: templates
        )
    }

    private mutating func activityRegistered() -> Report.Event? {
        let activityID = id("activityId", limit: 128)
        let type = id("attributesType", limit: 128)
        let token = token()
        let environment = environment()
        let os = os()
        let launch = value["launchRequestId"] == nil ? nil : id("launchRequestId", limit: 64)
        let name = value["name"] == nil ? nil : id("name")
        guard let activityID, let type, let token, let environment else { return nil }
        return .activityRegistered(
            activityID: activityID,
            attributesType: type,
            token: token,
            environment: environment,
            os: os,
            launch: launch.map { LaunchID($0) },
            name: name
        )
    }

    private mutating func activityClosed(dismissed: Bool) -> Report.Event? {
        let activityID = value["activityId"] == nil ? nil : id("activityId", limit: 128)
        let launch = value["launchRequestId"] == nil ? nil : id("launchRequestId", limit: 64)
        if value["activityId"] == nil, value["launchRequestId"] == nil {
            problems.append("'activityId' or 'launchRequestId' is missing")
        }
        guard activityID != nil || launch != nil else { return nil }
        return .activityClosed(activityID: activityID, launch: launch.map { LaunchID($0) }, dismissed: dismissed)
    }

    private mutating func identified(_ subscriber: Text?) -> Report.Event? {
        guard let anonymous = id("anonymous") else { return nil }
        if !anonymous.isAnonymous { problems.append("'anonymous' is an id that begins with anon_") }
        if let subscriber, subscriber.isAnonymous {
            problems.append("'subscriber' is the person that was identified, not another anonymous id")
        }
        return .identified(anonymous: anonymous)
    }

    // MARK: - Members

    /// A string of 1 to `limit` bytes without control characters.
    private mutating func id(_ key: Text, limit: Int = 256) -> Text? {
        guard let member = value[key] else {
            problems.append("'\(key)' is missing")
            return nil
        }
        guard let text = member.text, (1...limit).contains(text.string.utf8.count),
            !text.string.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
        else {
            problems.append("'\(key)' is a string of 1 to \(limit) bytes without control characters")
            return nil
        }
        return text
    }

    private mutating func texts(_ key: Text) -> [Text]? {
        guard let member = value[key] else { return nil }
        guard let array = member.array, array.allSatisfy({ $0.text != nil }) else {
            problems.append("'\(key)' is an array of strings")
            return nil
        }
        return array.compactMap(\.text)
    }

    private mutating func time(_ key: Text) -> Moment? {
        guard let member = value[key] else {
            problems.append("'\(key)' is missing: the time at which the backend received the report")
            return nil
        }
        guard let text = member.text else {
            problems.append("'\(key)' is an RFC 3339 time with an offset, such as 2026-11-30T09:00:00Z, not a number")
            return nil
        }
        do {
            return try RFC3339.moment(of: text.string)
        } catch {
            problems.append("'\(key)' \(text): \(error)")
            return nil
        }
    }

    /// Hex of any even length, in lower case; a token is never shown whole.
    private mutating func token(isNeeded: Bool = true) -> Text? {
        guard let member = value["token"] else {
            if isNeeded { problems.append("'token' is missing") }
            return isNeeded ? nil : ""
        }
        let digits = member.text?.string.utf8 ?? "".utf8
        let isHex = digits.allSatisfy { Hex.isDigit($0) }
        guard !digits.isEmpty, isHex, digits.count.isMultiple(of: 2), digits.count <= 1024 else {
            let reason = !isHex || digits.isEmpty ? "it is no hexadecimal string" : "it has \(digits.count) digits"
            problems.append("'token' is an even number of hexadecimal digits, at most 1,024: \(reason)")
            return nil
        }
        return Text(member.text?.string.lowercased() ?? "")
    }

    private mutating func environment() -> PushEnvironment? {
        guard let member = value["environment"] else { return .production }
        guard let environment = member.text.flatMap(PushEnvironment.init(rawValue:)) else {
            problems.append("'environment' is \"production\" or \"sandbox\"")
            return nil
        }
        return environment
    }

    private mutating func os() -> OSVersion? {
        guard let member = value["os"] else { return nil }
        guard let version = member.text.flatMap({ OSVersion($0.string) }) else {
            problems.append("'os' is a version such as \"26.0\"")
            return nil
        }
        return version
    }
}
