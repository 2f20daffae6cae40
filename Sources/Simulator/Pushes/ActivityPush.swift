internal import JSON
internal import Time

/// The `aps` dictionary of a Live Activity push, as ActivityKit decodes it.
///
/// From "Starting and updating Live Activities with ActivityKit push notifications".
struct ActivityPush: Equatable {
    /// The reason that a phone can make nothing of it.
    struct Unusable: Error {
        let reason: String
    }

    /// `start`, `update` or `end`.
    let event: Event
    let timestamp: Moment
    /// `content-state`; only an `end` may come without one.
    let state: Value?
    let alert: Value?
    let staleDate: Moment?
    /// Only an `end` heeds it.
    let dismissalDate: Moment?
    let relevanceScore: Value?
    /// `attributes-type` and `attributes` of a start.
    let attributesType: String?
    let attributes: Value?
    /// True where a start asks for an update token (`input-push-token: 1`).
    let asksForToken: Bool
    /// True where a start asks to listen on a broadcast channel.
    let asksForChannel: Bool

    init(aps: Value) throws(Unusable) {
        event = try ActivityPush.event(in: aps)
        timestamp = try ActivityPush.timestamp(in: aps)
        state = try ActivityPush.object("content-state", in: aps)
        guard state != nil || event == .end else { throw Unusable(reason: "'content-state' is missing") }
        alert = try ActivityPush.object("alert", in: aps)
        staleDate = try ActivityPush.date("stale-date", in: aps)
        dismissalDate = try ActivityPush.date("dismissal-date", in: aps)
        relevanceScore = aps["relevance-score"]
        guard relevanceScore == nil || relevanceScore?.double != nil else {
            throw Unusable(reason: "'relevance-score' is not a number")
        }
        attributesType = aps["attributes-type"]?.text?.string
        attributes = try ActivityPush.object("attributes", in: aps)
        asksForToken = aps["input-push-token"] == 1
        asksForChannel = aps["input-push-channel"]?.text != nil
        guard event == .start else { return }
        guard attributesType != nil, attributes != nil else {
            throw Unusable(reason: "a start needs 'attributes-type' and 'attributes'")
        }
        guard let alert, alert["title"] != nil, alert["body"] != nil else {
            throw Unusable(reason: "a start needs an 'alert' with a title and a body")
        }
    }

    /// True where its alert draws the person's attention: a start's only with a sound, since it shows itself anyway.
    var rings: Bool {
        guard let alert else { return false }
        return event != .start || alert["sound"] != nil
    }

    private static func event(in aps: Value) throws(Unusable) -> Event {
        guard let word = aps["event"]?.text?.string, let event = Event(rawValue: word),
            [.start, .update, .end].contains(event)
        else { throw Unusable(reason: "'event' is not start, update or end") }
        return event
    }

    private static func timestamp(in aps: Value) throws(Unusable) -> Moment {
        guard let timestamp = aps["timestamp"]?.integer, timestamp > 0 else {
            throw Unusable(reason: "'timestamp' is not a whole number of seconds")
        }
        guard timestamp < 100_000_000_000 else {
            throw Unusable(reason: "'timestamp' is in milliseconds, not seconds")
        }
        return Moment(seconds: timestamp)
    }

    private static func object(_ key: Text, in aps: Value) throws(Unusable) -> Value? {
        guard let value = aps[key] else { return nil }
        guard value.object != nil else { throw Unusable(reason: "'\(key)' is not a dictionary") }
        return value
    }

    private static func date(_ key: Text, in aps: Value) throws(Unusable) -> Moment? {
        guard let value = aps[key] else { return nil }
        guard let seconds = value.double, abs(seconds) < 1e15 else {
            throw Unusable(reason: "'\(key)' is not a number of seconds")
        }
        return Moment(seconds: Int64(seconds))
    }
}
