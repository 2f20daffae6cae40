import Glibc

/// A moment as the clock on the wall shows it, in the time zone of the process.
public enum ClockTime {
    /// `10:15`, with the date before it where that is not today.
    ///
    /// - Parameters:
    ///   - milliseconds: The moment, since 1970.
    ///   - now: The time now, since 1970.
    /// - Returns: A text for people; programs get RFC 3339.
    public static func text(_ milliseconds: Int64, now: Int64 = systemMilliseconds()) -> String {
        let (then, today) = (local(milliseconds), local(now))
        let time = then.dropFirst(11).prefix(5)
        return String(then.prefix(10) == today.prefix(10) ? time : "\(then.prefix(10)) \(time)")
    }

    /// The moment in RFC 3339 as if the local time were UTC.
    private static func local(_ milliseconds: Int64) -> String {
        var seconds = time_t(milliseconds / 1000)
        var parts = unsafe tm()
        unsafe localtime_r(&seconds, &parts)
        return RFC3339.string(milliseconds: milliseconds + Int64(unsafe parts.tm_gmtoff) * 1000)
    }
}
