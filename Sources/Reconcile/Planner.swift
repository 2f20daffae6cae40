internal import Diff
internal import JSON
internal import Time

/// Pairs desired and recorded state owner by owner and decides what closes the difference.
///
/// Plan and apply share it: what one shows is what the other does. It holds one owner at a time.
struct Planner {
    /// What the files declare.
    let desired: DesiredStore
    /// What the ledger holds; `nil` where nothing was ever sent.
    var recorded: Ledger?
    /// Which targets the run is restricted to.
    let selection: Selection
    var context: DiffContext
    /// What the run may do beyond the limits.
    let overrides: SafetyOverrides
    /// What of a declaration is no reason to push.
    var ignored = PointerRules()
    /// Which pushes find room in the day's quota.
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
        try each { entries, desired, recorded, settled in
            summary.selected += 1
            summary.ignored += settled
            var (plan, desired) = (OwnerPlan(owner: recorded.owner), desired)
            if let approval {
                // Without a line of its own, an owner is left alone.
                if !entries.isEmpty {
                    let part = approval.part(entries, desired, recorded, context)
                    (plan, desired) = (part.plan, part.desired)
                }
            } else {
                plan = OwnerPlan(desired: desired, recorded: recorded, context: context)
            }
            plan.wait(for: allocation, recorded)
            guard !plan.isEmpty else { return }
            summary.count(plan)
            try body(plan, desired, recorded)
        }
        return summary
    }

    /// Calls `body` for each owner with its lines of the saved plan, what the files declare, what the ledger holds, and how
    /// many declarations differ in ignored places only.
    private func each(_ body: ([PlanEntry], Desired?, Recorded, Int) throws -> Void) throws {
        let declared = try desired.cursor(selection.range)
        let ledger = try recorded.map { try RecordedCursor($0, range: owners == nil ? selection.range : .only("")) }
        if let owners {
            for owner in owners {
                try ledger?.seek(.only(owner.subscriber))
                try compare([], try declared.take(owner), try ledger?.take(owner) ?? Recorded(owner: owner), body)
            }
            return
        }
        let saved = try approval?.plan.cursor()
        while let owner = [declared.owner, ledger?.owner, saved?.owner].compactMap(\.self).min() {
            let all = (try declared.take(owner), try ledger?.take(owner) ?? Recorded(owner: owner))
            let entries = try saved?.take(owner) ?? []
            let nothing = entries.isEmpty ? nil : (Desired?.none, Recorded(owner: owner))
            guard let (desired, recorded) = selection.restricted(all.0, all.1) ?? nothing else { continue }
            try compare(entries, desired, recorded, body)
        }
    }

    /// Prepares the two sides of an owner for the diff.
    private func compare(
        _ entries: [PlanEntry],
        _ desired: Desired?,
        _ recorded: Recorded,
        _ body: ([PlanEntry], Desired?, Recorded, Int) throws -> Void
    ) throws {
        var (desired, recorded) = (desired, recorded)
        if let desired { self.desired.templates.select(desired) }
        let settled = desired?.settle(ignored, recorded) ?? 0
        try findMismatches(desired, in: &recorded)
        try body(entries, desired, recorded, settled)
    }

    /// Calls `body` for each owner that does not rest for ever, with the time from which on it has to be
    /// looked at again.
    func restless(_ body: (Owner, Moment) throws -> Void) throws {
        try each { _, desired, recorded, settled in
            let plan = OwnerPlan(desired: desired, recorded: recorded, context: context)
            // What is ignored is counted by each run.
            let due = plan.isEmpty && settled == 0 ? recorded.restsUntil() ?? .distantPast : .distantPast
            if due < .distantFuture { try body(recorded.owner, due) }
        }
    }

    /// Holds each line of the saved plan against what is so now; writes nothing.
    ///
    /// - Returns: What becomes of the lines, and how much else is due.
    /// - Throws: ``StalePlan/moved(_:)`` where a line's basis moved; errors of the ledger.
    func reviewed(_ approval: Approval) throws -> PlanReview {
        var review = PlanReview(id: approval.plan.header.id)
        try each { entries, desired, recorded, _ in
            let everything = OwnerPlan(desired: desired, recorded: recorded, context: context)
            let part = approval.part(entries, desired, recorded, context)
            for (entry, verdict) in part.judged { review.count(entry, verdict) }
            review.others += max(0, everything.dueCount - part.plan.dueCount)
        }
        guard review.conflictCount == 0 else { throw StalePlan.moved(review) }
        return review
    }

    /// Notes which instances run with another template version than the declared one, and cannot show what is declared.
    private func findMismatches(_ desired: Desired?, in owner: inout Recorded) throws {
        guard let desired, let recorded else { return }
        for index in owner.instances.indices where owner.instances[index].phase.isOpen {
            let instance = owner.instances[index]
            guard let activity = desired.activities.first(where: { $0.name == instance.name }),
                activity.template != instance.template, let template = try recorded.template(instance.template)
            else { continue }
            owner.instances[index].isMismatched = !template.takes(activity)
        }
    }

    /// The same planner with what finds no room in the day's quota waiting.
    ///
    /// A first pass counts what is claimed; only where that is more than there is, a second one puts the claims of the
    /// rank at which it runs out in order.
    ///
    /// - Parameters:
    ///   - left: How many pushes there is room for.
    ///   - until: When there is room again.
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
