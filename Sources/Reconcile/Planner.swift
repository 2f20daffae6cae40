internal import Diff
internal import JSON

/// Pairs desired and recorded state owner by owner and decides what closes the difference.
///
/// Plan and apply share it: what one shows is what the other does. It holds one owner at a time.
struct Planner {
    /// What the files declare.
    let desired: DesiredStore
    /// What the ledger holds; `nil` where nothing was ever sent.
    let recorded: Ledger?
    /// Which targets the run is restricted to.
    let selection: Selection
    let context: DiffContext
    /// What the run may do beyond the limits.
    let overrides: SafetyOverrides
    /// Which pushes find room in the day's quota.
    var allocation = Allocation()

    /// Calls `body` for each owner that has something to commit, send, note or show, in owner order.
    ///
    /// - Returns: The counts of the whole plan.
    func run(_ body: (OwnerPlan, Desired?, Recorded) throws -> Void) throws -> Summary {
        var summary = Summary(allowedProtected: overrides.protected)
        summary.declarations = desired.count
        let declared = try desired.cursor(selection.range)
        let ledger = try recorded.map { try RecordedCursor($0, range: selection.range) }
        while let owner = [declared.owner, ledger?.owner].compactMap(\.self).min() {
            let all = (try declared.take(owner), try ledger?.take(owner) ?? Recorded(owner: owner))
            guard let (desired, recorded) = selection.restricted(all.0, all.1) else { continue }
            summary.selected += 1
            var plan = OwnerPlan(desired: desired, recorded: recorded, context: context)
            plan.wait(for: allocation, recorded)
            guard !plan.isEmpty else { continue }
            summary.count(plan)
            try body(plan, desired, recorded)
        }
        return summary
    }

    /// The same planner with what finds no room in the day's quota waiting.
    ///
    /// A first pass counts what is claimed; only where that is more than there is, a second one puts the claims of the
    /// rank at which it runs out in order.
    ///
    /// - Parameters:
    ///   - left: How many pushes there is room for.
    ///   - until: When there is room again, in milliseconds since 1970.
    /// - Returns: A planner of the same plan.
    /// - Throws: Errors of the ledger.
    func allocated(left: Int, until: Int64) throws -> Planner {
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
