internal import Diff
internal import Foreign
internal import JSON
internal import Time

/// The time that APNs confirmed, beside the clock of this machine.
extension Ledger {
    private static let confirmedFact: Text = "confirmed"

    /// Notes that APNs took a push; part of the transaction that records it.
    func confirmTime(_ now: Moment) throws {
        try set(Self.confirmedFact, Text(String(now.milliseconds)))
    }

    /// The time that APNs confirmed last.
    func confirmedTime() throws -> ConfirmedTime { ConfirmedTime(try moment(Self.confirmedFact)) }

    /// The confirmed time as of `now`; a clock that went on from it without a leap confirms itself.
    func confirmClock(_ now: Moment) throws -> ConfirmedTime {
        let confirmed = try confirmedTime()
        guard confirmed.isCertain(now) else { return confirmed }
        try confirmTime(now)
        return ConfirmedTime(now)
    }

    /// Refuses a time that lies before one that APNs has confirmed.
    ///
    /// - Throws: ``RunError/clockBehind(now:confirmed:)``.
    func requirePlausible(_ now: Moment) throws {
        let confirmed = try confirmedTime()
        guard let at = confirmed.at, confirmed.isBehind(now) else { return }
        throw RunError.clockBehind(now: now, confirmed: at)
    }
}
