internal import Diff
internal import JSON
internal import Ledger
internal import Time

/// Writes what a plan decided, in batches of owners: a batch is one transaction and one step.
///
/// A first pass found the owners that have something to write. Each of them is read and decided again in the
/// transaction that writes the decision, so that a pause, a revocation or `quota use` beside the run is never undone.
struct Commit {
    let ledger: any Session
    let run: RunID
    let environment: RunEnvironment
    /// The capacity that pushes reserve; `nil` without a quota.
    let book: QuotaBook?

    /// The number of owners that are committed together.
    private static let batch = 500

    /// The counts of a commit.
    struct Outcome {
        /// Declarations that were committed.
        var declarations = 0
        /// Pushes that found no room in the day's quota though there was some when they were planned.
        var refused = 0
    }

    /// One owner's part of a step.
    private struct Decision {
        var transition: Transition
        var receipts: [Receipt] = []
        var declarations = 0
    }

    /// Commits the plans of some owners.
    ///
    /// - Parameters:
    ///   - planner: The planner of the first pass.
    ///   - owners: Those who had something to write in the first pass, in their order.
    ///   - receipts: Takes a receipt for each write, once it is on the disk.
    /// - Returns: The counts; a run that is to stop leaves the rest to the next one.
    /// - Throws: ``LedgerError``, ``IllegalMove``, and what `receipts` throws.
    func run(_ planner: Planner, _ owners: OwnerList, receipts: (Receipt) throws -> Void) throws -> Outcome {
        try write(planner, owners, receipts: receipts) { pass, sides, step in
            let (plan, desired) = pass.plan(sides)
            guard plan.isWriting else { return nil }
            var transition = Transition(sides.recorded)
            let written = try PlanCommit(of: plan, desired).write(to: &transition, in: &step)
            return Decision(transition: transition, receipts: written, declarations: plan.changes.count)
        }
    }

    /// Records the declared states of some owners as applied, without a push.
    ///
    /// - Parameters:
    ///   - planner: The planner of the first pass.
    ///   - owners: Those of whom something was to be recorded in the first pass, in their order.
    /// - Throws: ``LedgerError``, ``IllegalMove``.
    func adopt(_ planner: Planner, _ owners: OwnerList) throws {
        _ = try write(planner, owners, receipts: { _ in }) { pass, sides, step in
            let (plan, desired) = pass.plan(sides)
            let adoption = Adoption(of: plan, desired: desired, recorded: sides.recorded)
            guard !adoption.isEmpty else { return nil }
            var transition = Transition(sides.recorded)
            try adoption.write(to: &transition, desired: desired, in: &step)
            return Decision(transition: transition)
        }
    }

    private func write(
        _ planner: Planner,
        _ owners: OwnerList,
        receipts: (Receipt) throws -> Void,
        decide: (PlanPass, PlanPass.Sides, inout StepContext) throws -> Decision?
    ) throws -> Outcome {
        var outcome = Outcome()
        var book = book
        let pass = try PlanPass(planner, ledger)
        try owners.each(Self.batch) { batch in
            guard environment.stopped() == nil else { return false }
            let written = try ledger.step(run, in: environment, book: &book) { step, changes in
                try pass.renewScopes()
                var receipts: [Receipt] = []
                try pass.take(batch) { sides in
                    guard let decision = try decide(pass, sides, &step) else { return }
                    changes.add(decision.transition)
                    receipts += decision.receipts
                    outcome.declarations += decision.declarations
                }
                return receipts
            }
            for receipt in written { try receipts(receipt) }
            return true
        }
        outcome.refused = book?.refused ?? 0
        return outcome
    }
}

extension OwnerPlan {
    /// True where there is anything to write for it.
    var isWriting: Bool {
        !changes.isEmpty || !adjustments.isEmpty || actions.contains { $0.status == .send && $0.write != .none }
    }
}
