internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// What the ledger knows of the time, beside the clock of this machine.
///
/// APNs takes a provider token only if it was signed within an hour of its own time, so each accepted push proves the
/// clock right by so much.
extension Ledger {
    private static let confirmedFact: Text = "confirmed"
    /// How far a clock may be off while APNs takes its tokens: 1 hour.
    private static let tolerance = Span.hours(1)

    /// Notes that APNs took a push; part of the transaction that records it.
    func confirmTime(_ now: Moment) throws {
        try set(Self.confirmedFact, Text(String(now.milliseconds)))
    }

    /// Whether what is over by this clock may be recorded as over for good.
    ///
    /// A clock that is hours ahead would end what still runs; until APNs has taken a push by it, each run decides anew. A
    /// clock that went on from a confirmed time without a leap is as good.
    func isCertain(_ now: Moment) throws -> Bool {
        guard let confirmed = try moment(Self.confirmedFact), now <= confirmed + Self.tolerance else { return false }
        try confirmTime(now)
        return true
    }

    /// Whether an instance was over already at the time that was last confirmed, whatever the clock shows now.
    func wasOver(_ id: TargetID) throws -> Bool {
        guard let confirmed = try moment(Self.confirmedFact) else { return false }
        let instance = try database.first("SELECT \(Instance.columns) FROM instances WHERE id = ?", .text(id.text)) {
            try Instance(row: $0, from: 0)
        }
        return instance?.isExpired(at: confirmed - Self.tolerance) ?? false
    }

    /// Refuses a time that lies before one that APNs has confirmed.
    ///
    /// - Throws: ``RunError/clockBehind(now:confirmed:)``.
    func requirePlausible(_ now: Moment) throws {
        // Both times may be off in opposite directions, the second one by little.
        if let confirmed = try moment(Self.confirmedFact), now < confirmed - Self.tolerance - .minutes(5) {
            throw RunError.clockBehind(now: now, confirmed: confirmed)
        }
    }
}
