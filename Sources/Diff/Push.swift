public import JSON
public import Time

/// A push as it goes out: made when its delivery is marked, of the newest committed state, for the newest token.
public struct Push: Hashable, Sendable {
    /// The content of a push.
    public enum Content: Hashable, Sendable {
        /// Nothing: the widgets fetch what is published.
        case reload
        /// A launch.
        case start(Start)
        /// The content of a running activity; it rings where it is to.
        case update(ActivityContent, rings: Bool)
        /// The final state, and when the tile leaves the Lock Screen; `nil`: iOS decides.
        case end(state: Value, dismissAt: Moment?)
    }

    /// The start of an activity.
    public struct Start: Hashable, Sendable {
        /// The Swift name of the `ActivityAttributes` type.
        public var attributesType: Text
        /// The attributes.
        public var attributes: Value
        /// The `launchRequestId`.
        public var launch: LaunchID
        /// The first content.
        public var content: ActivityContent
        /// The start makes a sound.
        public var rings: Bool
        /// The device has to be asked for an update token.
        public var asksForToken: Bool

        /// A start.
        public init(
            attributesType: Text,
            attributes: Value,
            launch: LaunchID,
            content: ActivityContent,
            rings: Bool,
            asksForToken: Bool
        ) {
            self.attributesType = attributesType
            self.attributes = attributes
            self.launch = launch
            self.content = content
            self.rings = rings
            self.asksForToken = asksForToken
        }
    }

    /// Its delivery as it is recorded now.
    public var delivery: Delivery
    /// The token that it goes to.
    public let token: Text
    /// The time at which the token was reported.
    public let tokenAt: Moment
    /// Its content.
    public let content: Content
    /// The APNs priority: 5 or 10.
    public let priority: Int
    /// `aps.timestamp`, to the second; higher than that of the instance's push before.
    public let timestamp: Moment
    /// `apns-expiration`, to the second.
    public let expiration: Moment
    /// The template version that its instance runs with, which says how values are spelled; `nil` where there is none.
    public let template: Text?

    /// True where the device reported its token again after APNs had found it dead (`nil`: found so now).
    public func isNewer(thanDeathAt deadAt: Moment?) -> Bool { deadAt.map { $0 < tokenAt } ?? false }
}
