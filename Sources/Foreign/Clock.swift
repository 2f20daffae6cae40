internal import Glibc

/// The time of day in milliseconds since 1970, the one clock that decisions are made from.
///
/// - Returns: `CLOCK_REALTIME`; tests move it with `faketime`.
public func systemMilliseconds() -> Int64 {
    milliseconds(of: CLOCK_REALTIME)
}

/// Milliseconds since some moment in the past, for time-outs: it never jumps when the time of day is set.
public func monotonicMilliseconds() -> Int64 {
    milliseconds(of: CLOCK_MONOTONIC)
}

private func milliseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    // Fails only for a clock that does not exist.
    _ = unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}
