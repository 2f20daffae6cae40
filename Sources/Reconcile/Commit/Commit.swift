internal import Diff
internal import JSON
internal import Time

/// Writes what a plan decided, in batches of owners: a batch is one transaction with one commit number.
struct Commit {
    let ledger: Ledger
    let run: RunID
    let now: () -> Moment
    /// The capacity that pushes reserve; `nil` without a quota.
    let reservations: Reservations?
    /// Whether the run is to stop: what is committed stays so, and the rest is left to the next run.
    let isStopped: () -> Bool

    /// How many owners are committed together.
    private static let batch = 500

    private struct Entry {
        var plan: OwnerPlan
        var desired: Desired?
        var recorded: Recorded
    }

    /// The run is to stop.
    private struct Stopped: Error {}

    /// Commits a plan as it is made again, owner by owner.
    ///
    /// - Returns: How many declarations were committed.
    func run(_ planner: Planner, receipts: (Receipt) throws -> Void) throws -> Int {
        var count = 0
        var entries: [Entry] = []
        func flush() throws {
            guard !entries.isEmpty else { return }
            if isStopped() { throw Stopped() }
            let written = try ledger.transaction {
                let now = now()
                try reservations?.begin(at: now)
                let context = CommitContext(
                    step: try ledger.nextStep(),
                    run: run,
                    now: now,
                    isTimeCertain: try ledger.isCertain(now),
                    reservations: reservations
                )
                var written: [Receipt] = []
                for entry in entries {
                    written += try ledger.commit(
                        entry.plan,
                        desired: entry.desired,
                        recorded: entry.recorded,
                        context
                    )
                }
                return written
            }
            count += entries.reduce(0) { $0 + $1.plan.changes.count }
            entries.removeAll(keepingCapacity: true)
            for receipt in written { try receipts(receipt) }
        }
        do {
            _ = try planner.run { plan, desired, recorded in
                guard plan.isWriting else { return }
                entries.append(Entry(plan: plan, desired: desired, recorded: recorded))
                if entries.count >= Self.batch { try flush() }
            }
            try flush()
        } catch is Stopped {}
        return count
    }
}

extension OwnerPlan {
    /// Whether there is anything to write for it.
    fileprivate var isWriting: Bool {
        !changes.isEmpty || !adjustments.isEmpty || actions.contains { $0.status == .send && $0.write != .none }
    }
}
