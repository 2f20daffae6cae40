import Foreign
import Synchronization
import TestSeeds
import Time

/// The clock and the chance of one history: time moves where somebody waits, and everything random comes from the seed.
final class VirtualTime: Sendable {
    private struct State {
        var now: Moment
        var uptime = Span.hours(1)
        var random: SeededGenerator
    }

    private let state: Mutex<State>

    init(_ now: Moment, seed: UInt64) {
        state = Mutex(State(now: now, random: SeededGenerator(seed: seed)))
    }

    var now: Moment { state.withLock { $0.now } }
    var uptime: Span { state.withLock { $0.uptime } }

    /// Lets time pass.
    func pass(_ span: Span) {
        state.withLock {
            $0.now += span
            $0.uptime = $0.uptime + span
        }
    }

    /// Sets the clock of the day, which the waiting does not notice.
    func jump(_ span: Span) { state.withLock { $0.now += span } }

    /// The system that the runs see, with a disk.
    func system(_ disk: any Disk) -> SystemEnvironment {
        var system = SystemEnvironment(
            now: { self.now },
            uptime: { self.uptime },
            randomBytes: { count throws(CryptoError) in
                self.state.withLock { state in
                    (0..<count).map { _ in UInt8(truncatingIfNeeded: state.random.next()) }
                }
            }
        )
        system.disk = disk
        return system
    }
}
