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
    /// - Parameters:
    ///   - attributesType: The name of the `ActivityAttributes` structure.
    ///   - attributes: Its members; `launchRequestId` is added to them.
    ///   - launchRequestID: The launch, by which the device's report is recognised.
    ///   - state: The first content state.
    ///   - alert: Title, body and perhaps `sound`; iOS starts nothing without one.
    ///   - isSilent: Leaves out the sound, which is what a silent start is.
    ///   - timestamp: The time at which the state was current.
    ///   - staleDate: The time at which the state is out of date.
    ///   - relevanceScore: A number that orders the activities of one app.
    ///   - asksForToken: True where iOS 18 shall make an update token.
    /// - Returns: The payload.
    public static func start(
        attributesType: Text,
        attributes: Object,
        launchRequestID: Text,
        state: Value,
        alert: Value,
        isSilent: Bool,
        timestamp: Moment,
        staleDate: Moment? = nil,
        relevanceScore: Value? = nil,
        asksForToken: Bool
    ) -> [UInt8] {
        var attributes = attributes
        attributes["launchRequestId"] = .string(launchRequestID)
        var aps = content(
            of: "start",
            state: state,
            at: timestamp,
            staleDate: staleDate,
            relevanceScore: relevanceScore
        )
        aps["attributes-type"] = .string(attributesType)
        aps["attributes"] = .object(attributes)
        aps["alert"] = isSilent ? withoutSound(alert) : alert
        if asksForToken { aps["input-push-token"] = 1 }
        return payload(aps)
    }

    /// Updates a Live Activity.
    ///
    /// - Parameters:
    ///   - state: The content state.
    ///   - alert: Title, body and perhaps `sound`; `nil` changes the display only.
    ///   - timestamp: The time at which the state was current; iOS drops one that is older than the last.
    ///   - staleDate: The time at which the state is out of date; to be repeated with every update.
    ///   - relevanceScore: A number that orders the activities of one app.
    /// - Returns: The payload.
    public static func update(
        state: Value,
        alert: Value? = nil,
        timestamp: Moment,
        staleDate: Moment? = nil,
        relevanceScore: Value? = nil
    ) -> [UInt8] {
        var aps = content(
            of: "update",
            state: state,
            at: timestamp,
            staleDate: staleDate,
            relevanceScore: relevanceScore
        )
        aps["alert"] = alert
        return payload(aps)
    }

    /// Ends a Live Activity.
    ///
    /// - Parameters:
    ///   - state: The last content state, which stays on the screen until the dismissal.
    ///   - alert: Title, body and perhaps `sound`.
    ///   - timestamp: The time at which the state was current; iOS drops one that is older than the last.
    ///   - dismissalDate: The time at which it leaves the screen; a past one means at once, `nil` within 4 hours.
    /// - Returns: The payload.
    public static func end(
        state: Value,
        alert: Value? = nil,
        timestamp: Moment,
        dismissalDate: Moment? = nil
    ) -> [UInt8] {
        var aps = content(of: "end", state: state, at: timestamp, staleDate: nil, relevanceScore: nil)
        aps["alert"] = alert
        aps["dismissal-date"] = dismissalDate.map { .integer($0.seconds) }
        return payload(aps)
    }

    private static func content(
        of event: Text,
        state: Value,
        at timestamp: Moment,
        staleDate: Moment?,
        relevanceScore: Value?
    ) -> Object {
        var aps = Object()
        aps["event"] = .string(event)
        aps["content-state"] = state
        aps["timestamp"] = .integer(timestamp.seconds)
        aps["stale-date"] = staleDate.map { .integer($0.seconds) }
        aps["relevance-score"] = relevanceScore
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
