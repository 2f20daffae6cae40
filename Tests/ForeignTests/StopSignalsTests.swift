import Foundation
import Foreign
import Testing

/// Signals raised here go to the thread that raises them, which is the one that holds them back.
@Suite struct StopSignalsTests {
    @Test(arguments: [(SIGINT, StopSignal.interrupt), (SIGTERM, .terminate), (SIGHUP, .terminate)])
    func theFirstSignalIsKept(signal: Int32, expected: StopSignal) {
        let signals = StopSignals()
        #expect(signals.received == nil)
        raise(signal)
        #expect(signals.received == expected)
        #expect(signals.received == expected)
    }

    @Test func theSignalsActAsEverAfterTheFirst() {
        let signals = StopSignals()
        #expect(blocked() == [SIGINT, SIGTERM, SIGHUP])
        raise(SIGTERM)
        _ = signals.received
        #expect(blocked().isEmpty)
    }

    @Test func theSignalsActAsEverWhenItIsGone() {
        do { _ = StopSignals() }
        #expect(blocked().isEmpty)
    }

    /// Which of the three this thread holds back.
    private func blocked() -> [Int32] {
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        return [SIGINT, SIGTERM, SIGHUP].filter { sigismember(&mask, $0) == 1 }
    }
}
