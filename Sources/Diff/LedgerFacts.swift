public import JSON
public import Time

/// The facts of a whole ledger; the key of the digests in saved plans is none of them.
public struct LedgerFacts: Hashable, Sendable {
    /// The name of the ledger and its copies, and of no other.
    public var lineage: Text
    /// The ledger's own counter.
    public var step: Step
    /// The number of the last launch.
    public var launchSequence: Int64
    /// The moment it was found to be restored from a backup; `nil` once that is accepted.
    public var restoredAt: Moment?
    /// The clock's time when APNs last took a push.
    public var confirmedAt: Moment?
    /// The Git commit whose state a run committed last.
    public var appliedCommit: Text?
    /// The index of the source files that may be used.
    public var index: Text?
    /// A name of the directory and key that the published files were last written with.
    public var publishedPlace: Text?

    /// The facts of a ledger that nothing was done with yet.
    public init(lineage: Text) {
        self.lineage = lineage
        step = .zero
        launchSequence = 0
    }

    /// The time that APNs confirmed last.
    public var clock: ConfirmedTime { ConfirmedTime(confirmedAt) }

    /// Notes a time that needs no confirmation: the clock went on from a confirmed one without a leap.
    public mutating func confirmClock(_ now: Moment) {
        if clock.isCertain(now) { confirmedAt = now }
    }
}

extension LedgerChanges {
    /// Changes facts of the ledger, which are `before`.
    public mutating func change(_ before: LedgerFacts, _ body: (inout LedgerFacts) -> Void) {
        var after = before
        body(&after)
        facts = RowChange(before: before, after: after)
    }

    /// Changes a run, which is `before`.
    public mutating func change(_ before: RunRecord, _ body: (inout RunRecord) -> Void) {
        var after = before
        body(&after)
        runs.append(RowChange(before: before, after: after))
    }
}

/// A template version as it was first applied.
public struct TemplateRecord: Hashable, Sendable {
    /// `name@version`.
    public var name: Text
    /// SHA-256 of the contract, as hex digits.
    public var digest: Text
    /// The file.
    public var document: Value
    /// The moment a declaration that names it was first applied.
    public var appliedAt: Moment

    /// A version of a template.
    public init(name: Text, digest: Text, document: Value, appliedAt: Moment) {
        self.name = name
        self.digest = digest
        self.document = document
        self.appliedAt = appliedAt
    }
}

/// A `reload` with an idempotency key.
public struct ReloadRequestRecord: Hashable, Sendable {
    /// The key.
    public var key: Text
    /// The addressed subscribers.
    public var subscribers: Value
    /// The results; `nil` while the first call is not over.
    public var results: Value?
    /// The moment of the first call.
    public var at: Moment

    /// A request to reload.
    public init(key: Text, subscribers: Value, results: Value?, at: Moment) {
        self.key = key
        self.subscribers = subscribers
        self.results = results
        self.at = at
    }
}

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

    /// A run as it begins.
    public init(id: RunID, command: Text, host: Text, user: Text, pid: Int64, startedAt: Moment) {
        self.id = id
        self.command = command
        self.host = host
        self.user = user
        self.pid = pid
        self.startedAt = startedAt
    }
}

/// A report line whose time lay ahead of the clock: it counts as of its first ingestion.
public struct EarlyReport: Hashable, Sendable {
    /// SHA-256 of the canonical line, as hex digits.
    public var digest: Text
    /// The moment of its first ingestion.
    public var at: Moment

    /// A report of the future.
    public init(digest: Text, at: Moment) {
        self.digest = digest
        self.at = at
    }
}
