import Glibc
public import Time

/// The kernel's lock on a file: one process at a time, and free as soon as the holder is gone, however it went.
///
/// The file stays when the lock goes; whether it is locked is what the kernel says, never what the file says. Who holds
/// it is written into it for people.
@safe public struct FileLock: ~Copyable {
    private let descriptor: Int32

    /// Takes the lock, or throws: at once, or when the time to wait is over.
    ///
    /// - Parameters:
    ///   - path: The lock file; made where it is missing.
    ///   - holder: The holder, for those who find it taken.
    ///   - span: The time to wait for another process that holds it.
    ///   - system: The clock of that wait.
    ///   - waits: Called once where that is necessary, with who holds it where that could be read.
    /// - Throws: ``FileLockError/held(path:by:)`` where another process holds it, else one of the system.
    public init(
        path: String,
        holder: LockHolder,
        waiting span: Span = .zero,
        _ system: SystemEnvironment,
        waits: (LockHolder?) -> Void = { _ in }
    ) throws(FileLockError) {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .failed("open", path: path, code: errno) }
        let end = system.uptime() + span
        var isWaiting = false
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            guard code == EWOULDBLOCK, system.uptime() < end else {
                let other = LockHolder(text: FileLock.text(of: descriptor))
                close(descriptor)
                throw code == EWOULDBLOCK ? .held(path: path, by: other) : .failed("lock", path: path, code: code)
            }
            if !isWaiting { waits(LockHolder(text: FileLock.text(of: descriptor))) }
            isWaiting = true
            usleep(FileLock.pause)
        }
        self.descriptor = descriptor
        write(holder.text)
    }

    /// The wait between two attempts, in microseconds; a lock that is asked for has no time-out of its own.
    private static let pause: UInt32 = 50_000

    /// Frees the lock; the file is left empty, so that nobody reads of a holder who has gone.
    deinit {
        ftruncate(descriptor, 0)
        close(descriptor)
    }

    /// The lock holds whether or not this can be written, so a full disk stops nobody.
    private func write(_ text: String) {
        ftruncate(descriptor, 0)
        let bytes = Array(text.utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    private static func text(of descriptor: Int32) -> String {
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4096) { bytes in
            let count = unsafe pread(descriptor, bytes.baseAddress, bytes.count, 0)
            return unsafe String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }
    }
}

/// A ``FileLock`` that could not be had.
public enum FileLockError: Error, Equatable, CustomStringConvertible {
    /// Another process holds it; who that is, where it could be read.
    case held(path: String, by: LockHolder?)
    /// The file could not be opened or locked: the call that failed, and its `errno`.
    case failed(String, path: String, code: Int32)

    /// Says who holds it, and what to do.
    public var description: String {
        switch self {
        case .held(let path, let holder?): "\(path) is locked by \(holder); wait until it ends, or stop it"
        case .held(let path, nil): "\(path) is locked by another process; wait until it ends, or stop it"
        case .failed(let call, let path, let code): "\(call) \(path): \(errorText(code))"
        }
    }
}
