public import JSON
public import Time

/// The JSON texts of pushes, in canonical form.
///
/// The keys are those of Apple's "Starting and updating Live Activities with ActivityKit push notifications" and
/// "Updating widgets with WidgetKit push notifications". Times go out as seconds since 1970.
public enum Payload {
    /// Tells a device to reload its widgets.
    public static let reload: [UInt8] = payload(["content-changed": true])

    /// The content that a push brings to a Live Activity.
    public struct Content {
        /// The content state.
        public var state: Value
        /// Title, body and perhaps `sound`; `nil` changes the display only.
        public var alert: Value?
        /// The time at which the state was current; iOS drops one that is older than the last.
        public var timestamp: Moment
        /// The time at which the state is out of date; to be repeated with every update.
        public var staleDate: Moment?
        /// A number that orders the activities of one app.
        public var relevanceScore: Value?

        /// Content.
        public init(
            state: Value,
            alert: Value? = nil,
            timestamp: Moment,
            staleDate: Moment? = nil,
            relevanceScore: Value? = nil
        ) {
            self.state = state
            self.alert = alert
            self.timestamp = timestamp
            self.staleDate = staleDate
            self.relevanceScore = relevanceScore
        }

        fileprivate func aps(_ event: Text) -> Object {
            var aps = Object()
            aps["event"] = .string(event)
            aps["content-state"] = state
            aps["alert"] = alert
            aps["timestamp"] = .integer(timestamp.seconds)
            aps["stale-date"] = staleDate.map { .integer($0.seconds) }
            aps["relevance-score"] = relevanceScore
            return aps
        }
    }

    /// The constants of a Live Activity that a push starts.
    public struct Constants {
        /// The name of the `ActivityAttributes` structure.
        public var attributesType: Text
        /// Its members; `launchRequestId` is added to them.
        public var attributes: Object
        /// The launch, by which the device's report is recognised.
        public var launchRequestID: Text

        /// Constants.
        public init(attributesType: Text, attributes: Object, launchRequestID: Text) {
            self.attributesType = attributesType
            self.attributes = attributes
            self.launchRequestID = launchRequestID
        }
    }

    /// Starts a Live Activity.
    ///
    /// - Parameters:
    ///   - constants: Its type and its attributes.
    ///   - content: Its first content; iOS starts nothing without an alert.
    ///   - isSilent: Leaves out the sound, which is what a silent start is.
    ///   - asksForToken: True where iOS 18 shall make an update token.
    /// - Returns: The payload.
    public static func start(
        _ constants: Constants,
        _ content: Content,
        isSilent: Bool,
        asksForToken: Bool
    ) -> [UInt8] {
        var attributes = constants.attributes
        attributes["launchRequestId"] = .string(constants.launchRequestID)
        var aps = content.aps("start")
        aps["attributes-type"] = .string(constants.attributesType)
        aps["attributes"] = .object(attributes)
        if isSilent { aps["alert"] = content.alert.map(withoutSound) }
        if asksForToken { aps["input-push-token"] = 1 }
        return payload(aps)
    }

    /// Updates a Live Activity.
    ///
    /// - Parameter content: Its new content.
    /// - Returns: The payload.
    public static func update(_ content: Content) -> [UInt8] { payload(content.aps("update")) }

    /// Ends a Live Activity.
    ///
    /// - Parameters:
    ///   - content: Its last content, which stays on the screen until the dismissal.
    ///   - dismissalDate: The time at which it leaves the screen; a past one means at once, `nil` within 4 hours.
    /// - Returns: The payload.
    public static func end(_ content: Content, dismissalDate: Moment? = nil) -> [UInt8] {
        var aps = content.aps("end")
        aps["dismissal-date"] = dismissalDate.map { .integer($0.seconds) }
        return payload(aps)
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
