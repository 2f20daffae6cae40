public import Diff
public import JSON
public import Time

/// A run that took the lock.
public struct RunRecord: Hashable, Sendable {
    /// Its id.
    public var id: RunID
    /// The command.
    public var command: Text
    /// The machine.
    public var host: Text
    /// The user.
    public var user: Text
    /// The process.
    public var pid: Int64
    /// The Git commit that it applied; `nil` where it read the disk, or none yet.
    public var sourceCommit: Text?
    /// The moment it took the lock.
    public var startedAt: Moment
    /// The moment it ended; `nil` while it runs, or when it was killed.
    public var endedAt: Moment?
    /// Its exit status.
    public var exitStatus: Int64?
}
