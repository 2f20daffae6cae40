/// The values of `apns-push-type`, with the topic and the priorities that Apple asks for.
///
/// From "Sending notification requests to APNs".
enum PushType: String, CaseIterable, Sendable {
    case alert, background, complication, controls, fileprovider, liveactivity, location, mdm, pushtotalk, voip, widgets

    /// The part of the topic after the bundle id.
    var topicSuffix: String {
        switch self {
        case .alert, .background, .mdm: ""
        case .complication: ".complication"
        case .controls: ".push-type.controls"
        case .fileprovider: ".pushkit.fileprovider"
        case .liveactivity: ".push-type.liveactivity"
        case .location: ".location-query"
        case .pushtotalk: ".voip-ptt"
        case .voip: ".voip"
        case .widgets: ".push-type.widgets"
        }
    }

    /// The priorities that it takes. (10 is what APNs assumes where none is given.)
    var priorities: [Int] {
        switch self {
        case .background: [1, 5]
        case .liveactivity: [5, 10]
        default: [1, 5, 10]
        }
    }

    /// The longest payload in bytes.
    var payloadLimit: Int { self == .voip ? 5_120 : 4_096 }

    /// The push type whose suffix the topic has; the longest suffix counts.
    static func implied(byTopic topic: String) -> PushType {
        var found = PushType.alert
        for type in bySuffix where type.suffix.count > found.topicSuffix.utf8.count {
            if topic.utf8.suffix(type.suffix.count).elementsEqual(type.suffix) { found = type.pushType }
        }
        return found
    }

    /// Those that have a suffix.
    private static let bySuffix = allCases.filter { !$0.topicSuffix.isEmpty }
        .map { (pushType: $0, suffix: Array($0.topicSuffix.utf8)) }
}
