import Glibc
public import Time

/// A moment as the clock on the wall shows it, in the time zone of the process.
public enum ClockTime {
    /// `10:15`, with the date before it where that is not today.
    ///
    /// - Parameters:
    ///   - moment: The moment.
    ///   - now: The time now.
    /// - Returns: A text for people; programs get RFC 3339.
    public static func text(_ moment: Moment, now: Moment = SystemEnvironment.machine.now()) -> String {
        let (then, today) = (local(moment), local(now))
        let time = then.dropFirst(11).prefix(5)
        return String(then.prefix(10) == today.prefix(10) ? time : "\(then.prefix(10)) \(time)")
    }

    /// The moment in RFC 3339 as if the local time were UTC.
    private static func local(_ moment: Moment) -> String {
        var seconds = time_t(moment.milliseconds / 1000)
        var parts = unsafe tm()
        unsafe localtime_r(&seconds, &parts)
        return RFC3339.string(moment + .seconds(Int64(unsafe parts.tm_gmtoff)))
    }
}
