internal import JSON

/// The request of a push's payload to a phone.
enum Push: Equatable {
    /// Reload the widgets.
    case reload
    /// Start, update or end an activity.
    case activity(ActivityPush)
    /// Apple accepts it, but no phone can use it; why.
    case unusable(String)

    /// The word for it in faults, in the request log and in the counters.
    var event: Event {
        switch self {
        case .reload: .reload
        case .activity(let push): push.event
        case .unusable: .unusable
        }
    }

    /// Reads a payload; what Apple does not check makes it unusable.
    init(payload: Value, pushType: PushType) {
        guard let aps = payload["aps"], aps.object != nil else {
            self = .unusable("the payload has no 'aps' dictionary")
            return
        }
        switch pushType {
        case .widgets:
            self = aps["content-changed"] == true ? .reload : .unusable("'content-changed' is not true")
        case .liveactivity:
            do throws(ActivityPush.Unusable) {
                self = .activity(try ActivityPush(aps: aps))
            } catch {
                self = .unusable(error.reason)
            }
        default:
            self = .unusable("the simulated phones show no pushes of type '\(pushType.rawValue)'")
        }
    }
}

/// The kinds of pushes, as commands and the request log name them.
enum Event: String, CaseIterable, Sendable {
    case reload, start, update, end, unusable
}
