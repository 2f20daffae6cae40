internal import CLinux
import Glibc

/// A request to stop, as a signal brings it.
public enum StopSignal: Sendable, Equatable {
    /// SIGINT: a person pressed Ctrl-C.
    case interrupt
    /// SIGTERM, or SIGHUP: the system or a supervisor asks, or the terminal is gone.
    case terminate
}

/// Turns SIGINT, SIGTERM and SIGHUP into something that a loop can ask for, as long as it lives.
///
/// The first signal only sets ``received``, so that what is in flight can finish and be recorded. From then on, and once
/// this object is gone, signals act as ever: a second one stops the process at once. Lockstep loses nothing by that,
/// because it may be killed at any instruction.
///
/// Make it on the main thread, before others exist: the signals are blocked in it and in threads that it starts.
public final class StopSignals {
    private var signals = sigset_t()
    private var isBlocking = true
    private var first: StopSignal?

    /// A file descriptor that is ready to read once a signal has come, for ``Poller``; it belongs to this object.
    public let descriptor: Int32

    /// Begins to hold the signals back.
    public init() {
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGINT)
        unsafe sigaddset(&signals, SIGTERM)
        if !StopSignals.ignoresHangup { unsafe sigaddset(&signals, SIGHUP) }
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        descriptor = unsafe signalfd(-1, &signals, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
    }

    /// True where the process is to outlive its terminal, as nohup(1) starts it.
    private static var ignoresHangup: Bool {
        var action = sigaction()
        guard unsafe sigaction(SIGHUP, nil, &action) == 0 else { return false }
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }

    deinit {
        close(descriptor)
        release()
    }

    /// The first signal that has come; asking costs one system call.
    public var received: StopSignal? {
        if first == nil { first = next() }
        return first
    }

    private func next() -> StopSignal? {
        var noWait = timespec(tv_sec: 0, tv_nsec: 0)
        let signal = isBlocking ? unsafe sigtimedwait(&signals, nil, &noWait) : -1
        guard signal > 0 else { return nil }
        release()
        return signal == SIGINT ? .interrupt : .terminate
    }

    private func release() {
        guard isBlocking else { return }
        isBlocking = false
        // Also where whoever started the process had them blocked: nobody could end it otherwise.
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }
}
