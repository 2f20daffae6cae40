internal import CLinux
internal import Glibc
public import Time

/// The clock, the chance and the disk that a program runs by: those of this machine, or a test's.
///
/// Whatever asks for the time or for random bytes asks a value of this type, so that a test that moves one moves all.
public struct SystemEnvironment: Sendable {
    /// The time of day; it jumps when somebody sets the clock.
    public var now: @Sendable () -> Moment
    /// The time since some moment in the past, for time-outs; it never jumps.
    public var uptime: @Sendable () -> Span
    /// So many bytes that nobody can foretell.
    ///
    /// - Throws: ``CryptoError`` where the system has none to give.
    public var randomBytes: @Sendable (_ count: Int) throws(CryptoError) -> [UInt8]
    /// The disk that runs write to, beside the ledger.
    public var disk: any Disk

    /// A clock and a source of chance, with the disk of this machine.
    public init(
        now: @escaping @Sendable () -> Moment,
        uptime: @escaping @Sendable () -> Span,
        randomBytes: @escaping @Sendable (_ count: Int) throws(CryptoError) -> [UInt8]
    ) {
        self.now = now
        self.uptime = uptime
        self.randomBytes = randomBytes
        disk = MachineDisk()
    }

    /// Those of this machine: `CLOCK_REALTIME`, `CLOCK_MONOTONIC` and OpenSSL's generator.
    public static let machine = SystemEnvironment(
        now: { Moment(milliseconds: milliseconds(of: CLOCK_REALTIME)) },
        uptime: { Span(milliseconds: milliseconds(of: CLOCK_MONOTONIC)) },
        randomBytes: { count throws(CryptoError) in try Foreign.randomBytes(count) }
    )
}

private func milliseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    // Fails only for a clock that does not exist.
    _ = unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}
