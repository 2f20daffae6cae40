internal import JSON
internal import Time

/// One activity as the lock screen shows it.
struct Tile {
    /// The time that iOS lets an activity run.
    static let longestRun = Span.hours(8)
    /// The time that an ended activity may stay on the lock screen.
    static let longestStay = Span.hours(4)

    let activityID: String
    let launchRequestID: String?
    /// The name the app gave an activity that it started itself.
    let name: String?
    let attributesType: String
    let attributes: Value
    var state: Value
    let startedAt: Moment
    /// The `timestamp` of the newest push that it shows; older ones are dropped.
    var timestamp: Moment
    /// From then on it is shown as stale.
    var staleDate: Moment?
    var relevanceScore: Value?
    /// The last alert that came with a push.
    var alert: Value?
    /// The number of times that an alert drew the person's attention.
    var alertsRung = 0
    /// `nil` while it runs.
    var endedAt: Moment?
    /// The moment at which an ended tile leaves the lock screen.
    var leavesAt: Moment?
    var token: PushToken?

    /// Ends it at `time`; it leaves the lock screen at `dismissal`, at the latest 4 hours later.
    mutating func end(at time: Moment, dismissal: Moment?) {
        endedAt = time
        leavesAt = min(dismissal ?? .distantFuture, time + Tile.longestStay)
    }

    /// True where the state is older than it should be.
    func isStale(at now: Moment) -> Bool {
        guard let staleDate else { return false }
        return staleDate <= now
    }

    /// The next moment at which the tile looks different by itself.
    func nextChange(after now: Moment) -> Moment {
        if let leavesAt { return leavesAt }
        let limit = startedAt + Tile.longestRun
        guard let staleDate, !isStale(at: now), staleDate < limit else { return limit }
        return staleDate
    }
}

/// An activity that the app starts itself.
struct ActivityByApp: Equatable {
    var name: String?
    var attributesType: String
    var attributes: Value
    var state: Value
}
