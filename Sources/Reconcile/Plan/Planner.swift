internal import Diff
internal import JSON
internal import Ledger
internal import Source
internal import Time

/// Pairs desired and recorded state owner by owner and decides what closes the difference.
///
/// Plan and apply share it: what one shows is what the other does. It holds one owner at a time.
struct Planner {
    /// The declarations of the files.
    let desired: DesiredStore
    /// The records of the ledger; `nil` where nothing was ever sent.
    var recorded: (any Snapshot)?
    /// The template versions that instances run with.
    var running = TemplateBook([])
    /// The targets that the run is restricted to.
    let selection: Selection
    var context: DiffContext
    /// The permissions of the run beyond the limits.
    let overrides: SafetyOverrides
    /// The places of a declaration that are no reason to push.
    var ignored = PointerRules()
    /// The pushes that find room in the day's quota.
    var allocation = Allocation()
    /// The saved plan whose lines alone are carried out; `nil` for everything.
    var approval: Approval?
    /// The owners that are looked at, in their order; `nil` for all.
    var owners: [Owner]?

    /// Calls `body` for each owner that has something to commit, send, note or show, in owner order.
    ///
    /// - Returns: The counts of the whole plan.
    func run(_ body: (OwnerPlan, Desired?, Recorded) throws -> Void) throws -> Summary {
        var summary = Summary(allowedProtected: overrides.protected)
        summary.declarations = desired.count
        try each { pass, sides in
            summary.selected += 1
            summary.ignored += sides.settled
            let (plan, desired) = pass.plan(sides)
            guard !plan.isEmpty else { return }
            summary.count(plan)
            try body(plan, desired, sides.recorded)
        }
        return summary
    }

    /// Calls `body` for each owner that is looked at, in owner order.
    private func each(_ body: (PlanPass, PlanPass.Sides) throws -> Void) throws {
        let pass = try PlanPass(self, recorded)
        if let owners {
            var rest = owners[...]
            while !rest.isEmpty {
                let batch = Array(rest.prefix(PlanPass.batch))
                rest = rest.dropFirst(batch.count)
                try pass.take(batch) { try body(pass, $0) }
            }
        } else {
            try pass.takeAll { try body(pass, $0) }
        }
    }

    /// Calls `body` for each owner that does not rest for ever, with the time from which on it has to be
    /// looked at again.
    func restless(_ body: (Owner, Moment) throws -> Void) throws {
        try each { _, sides in
            let plan = OwnerPlan(desired: sides.desired, recorded: sides.recorded, context: context)
            // Ignored differences are counted by each run.
            let due = plan.isEmpty && sides.settled == 0 ? sides.recorded.restsUntil() ?? .never : .never
            if due < .distantFuture { try body(sides.recorded.owner, due) }
        }
    }

    /// Holds each line of the saved plan against what is so now; writes nothing.
    ///
    /// - Returns: The verdicts on the lines, and the number of things that are due besides.
    /// - Throws: ``StalePlan/moved(_:)`` where a line's basis moved; errors of the ledger.
    func reviewed(_ approval: Approval) throws -> PlanReview {
        var review = PlanReview(id: approval.plan.header.id)
        try each { _, sides in
            let everything = OwnerPlan(desired: sides.desired, recorded: sides.recorded, context: context)
            let part = approval.part(
                of: sides.entries,
                desired: sides.desired,
                recorded: sides.recorded,
                context: context
            )
            for (entry, verdict) in part.judged { review.count(entry, verdict) }
            review.others += max(0, everything.dueCount - part.plan.dueCount)
        }
        guard review.conflictCount == 0 else { throw StalePlan.moved(review) }
        return review
    }

    /// The same planner with what finds no room in the day's quota waiting.
    ///
    /// A first pass counts what is claimed; only where that is more than there is, a second one puts the claims of the
    /// rank at which it runs out in order.
    ///
    /// - Parameters:
    ///   - left: The number of pushes that there is room for.
    ///   - until: The time at which there is room again.
    /// - Returns: A planner of the same plan.
    /// - Throws: Errors of the ledger.
    func allocated(left: Int, until: Moment) throws -> Planner {
        var demand = Demand()
        _ = try run { plan, _, recorded in
            for claim in plan.claims(recorded) { demand.count(claim) }
        }
        guard let shortage = demand.shortage(left: left) else { return self }
        let claims = try ClaimStore()
        _ = try run { plan, _, recorded in
            for claim in plan.claims(recorded) where claim.rank == shortage.rank { try claims.add(claim) }
        }
        var planner = self
        planner.allocation = Allocation(firstRefused: try claims.claim(after: shortage.granted), until: until)
        return planner
    }
}

extension OwnerPlan {
    /// Commits and pushes that are due now.
    fileprivate var dueCount: Int { changes.count + actions.count { $0.status == .send } }
}
