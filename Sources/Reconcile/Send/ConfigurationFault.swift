internal import APNs
internal import Diff
internal import JSON

/// One clear message for an app and environment that APNs refuses as a whole.
struct ConfigurationFault: CustomStringConvertible {
    let app: Text
    let environment: PushEnvironment
    let keyID: Text
    let teamID: Text
    let place: String
    let reason: Text

    init(_ lane: SendLane, reason: Text) {
        app = lane.app
        environment = lane.environment
        keyID = lane.credentials.key.keyID
        teamID = lane.credentials.key.teamID
        place =
            lane.credentials.isStandIn
            ? "the endpoint \(lane.credentials.endpoint.authority)"
            : "Apple's \(lane.environment.rawValue) service"
        self.reason = reason
    }

    var description: String {
        "\(app) (\(environment.rawValue)): \(answer); \(remedy). Nothing was removed; this app and environment send "
            + "one probe per run until its key or configuration changes"
    }

    /// A status stands for the reason that was not given, which APNs always gives.
    private var isReasonless: Bool { reason.string.hasPrefix("HTTP ") }

    private var answer: String {
        isReasonless ? "\(place) answered \(reason) and no reason" : "APNs answered \(reason)"
    }

    private var remedy: String {
        switch reason {
        case "BadTopic", "MissingTopic", "TopicDisallowed":
            return
                "key \(keyID) may not send to this app: check that the bundle id is right and that the key is allowed "
                + "for it"
        case "InvalidProviderToken", "MissingProviderToken":
            return
                "key \(keyID) of team \(teamID) was not recognised: check keyId, teamId and the .p8 file, that the "
                + "key was not revoked, and this machine's clock"
        case "ExpiredProviderToken":
            return "a fresh provider token was called expired too: check this machine's clock"
        case "BadEnvironmentKeyIdInToken", "BadEnvironmentKeyInToken":
            return "key \(keyID) is for the other environment: configure the \(environment.rawValue) key"
        case "BadDeviceToken", "DeviceTokenNotForTopic":
            return
                "nearly all tokens were refused at \(place), which a wrong environment, key or endpoint does: check "
                + "that these devices' builds use this environment"
        case _ where isReasonless:
            return "something other than APNs answers there: check endpoints, and what stands in between"
        default:
            return "check key \(keyID), team \(teamID) and \(place)"
        }
    }
}
