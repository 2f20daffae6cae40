internal import JSON

/// One activity as the lock screen shows it.
struct Tile {
    /// How long iOS lets an activity run, in milliseconds.
    static let longestRun: Int64 = 8 * 3_600_000
    /// How long an ended activity may stay on the lock screen, in milliseconds.
    static let longestStay: Int64 = 4 * 3_600_000

    let activityID: String
    let launchRequestID: String?
    /// The name the app gave an activity that it started itself.
    let name: String?
    let attributesType: String
    let attributes: Value
    var state: Value
    /// When it started, in milliseconds since 1970.
    let startedAt: Int64
    /// The `timestamp` of the newest push that it shows, in seconds; older ones are dropped.
    var timestamp: Int64
    /// From when on it is shown as stale, in seconds.
    var staleDate: Int64?
    var relevanceScore: Value?
    /// The last alert that came with a push.
    var alert: Value?
    /// How often an alert drew the person's attention.
    var alertsRung = 0
    /// When it ended, in milliseconds; `nil` while it runs.
    var endedAt: Int64?
    /// When an ended tile leaves the lock screen, in milliseconds.
    var leavesAt: Int64?
    var token: PushToken?

    /// Ends it at `time`; it leaves the lock screen at `dismissal`, at the latest 4 hours later.
    mutating func end(at time: Int64, dismissal: Int64?) {
        endedAt = time
        leavesAt = min(dismissal ?? .max, time + Tile.longestStay)
    }

    /// Whether the state is older than it should be.
    func isStale(at now: Int64) -> Bool {
        guard let staleDate else { return false }
        return staleDate <= now / 1000
    }

    /// The next moment at which the tile looks different by itself.
    func nextChange(after now: Int64) -> Int64 {
        if let leavesAt { return leavesAt }
        let limit = startedAt + Tile.longestRun
        guard let staleDate, !isStale(at: now), staleDate < limit / 1000 else { return limit }
        return staleDate * 1000
    }
}
