public import JSON
public import Time

/// The JSON texts of pushes, in canonical form.
///
/// The keys are those of Apple's "Starting and updating Live Activities with ActivityKit push notifications" and
/// "Updating widgets with WidgetKit push notifications". Times go out as seconds since 1970.
public enum Payload {
    /// Tells a device to reload its widgets.
    public static let reload: [UInt8] = payload(["content-changed": true])

    /// Starts a Live Activity.
    ///
    /// The launch becomes one of the attributes, by which the device's report is recognised. iOS starts nothing without an
    /// alert; a silent start has one without a sound.
    ///
    /// - Parameters:
    ///   - start: The start, its values as the app reads them.
    ///   - timestamp: The time at which the state was current.
    /// - Returns: The payload.
    public static func start(_ start: Push.Start, at timestamp: Moment) -> [UInt8] {
        var attributes = start.attributes.object ?? Object()
        attributes["launchRequestId"] = .string(start.launch.text)
        var aps = event("start", start.content, at: timestamp)
        aps["attributes-type"] = .string(start.attributesType)
        aps["attributes"] = .object(attributes)
        let alert = start.content.alert ?? .object(Object())
        aps["alert"] = start.rings ? alert : withoutSound(alert)
        if start.asksForToken { aps["input-push-token"] = 1 }
        return payload(aps)
    }

    /// Updates a Live Activity.
    ///
    /// - Parameters:
    ///   - content: The content; its stale date is to be repeated with every update.
    ///   - rings: True where its alert goes out; else it changes the display only.
    ///   - timestamp: The time at which the state was current; iOS drops one that is older than the last.
    /// - Returns: The payload.
    public static func update(_ content: ActivityContent, rings: Bool, at timestamp: Moment) -> [UInt8] {
        var aps = event("update", content, at: timestamp)
        if rings { aps["alert"] = content.alert }
        return payload(aps)
    }

    /// Ends a Live Activity.
    ///
    /// - Parameters:
    ///   - state: The last content state, which stays on the screen until the dismissal.
    ///   - timestamp: The time at which the state was current; iOS drops one that is older than the last.
    ///   - dismissalDate: The time at which it leaves the screen; a past one means at once, `nil` within 4 hours.
    /// - Returns: The payload.
    public static func end(state: Value, at timestamp: Moment, dismissalDate: Moment? = nil) -> [UInt8] {
        var aps = event("end", ActivityContent(state: state), at: timestamp)
        aps["dismissal-date"] = dismissalDate.map { .integer($0.seconds) }
        return payload(aps)
    }

    private static func event(_ event: Text, _ content: ActivityContent, at timestamp: Moment) -> Object {
        var aps = Object()
        aps["event"] = .string(event)
        aps["content-state"] = content.state
        aps["timestamp"] = .integer(timestamp.seconds)
        aps["stale-date"] = content.staleAt.map { .integer($0.seconds) }
        aps["relevance-score"] = content.relevanceScore
        return aps
    }

    private static func withoutSound(_ alert: Value) -> Value {
        guard case .object(var members) = alert else { return alert }
        members["sound"] = nil
        return .object(members)
    }

    private static func payload(_ aps: Object) -> [UInt8] {
        Value.object(Object([Object.Member(key: "aps", value: .object(aps))])).canonicalBytes
    }

    private static func payload(_ aps: Value) -> [UInt8] {
        aps.object.map { payload($0) } ?? []
    }
}
