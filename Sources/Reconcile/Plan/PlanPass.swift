internal import Diff
internal import JSON
internal import Ledger
internal import Source

/// One way through the owners of a plan, in their order, with what the files declare, what a ledger holds, and the lines of a
/// saved plan side by side.
final class PlanPass {
    /// One owner as the diff gets it.
    struct Sides {
        /// The lines of the saved plan.
        var entries: [PlanEntry]
        /// The declarations of the files, as far as they are selected.
        var desired: Desired?
        /// The records of the ledger, as far as they are selected.
        var recorded: Recorded
        /// Counts the declarations that differ in ignored places only.
        var settled = 0
    }

    private let planner: Planner
    private let ledger: (any Snapshot)?
    private var context: DiffContext
    private let declared: DesiredCursor
    private let saved: SavedLines?

    /// The number of owners whose records are read at once.
    static let batch = 256

    /// A way through the owners that a planner looks at.
    ///
    /// - Parameters:
    ///   - planner: The planner.
    ///   - ledger: The records; `nil` where there are none.
    /// - Throws: ``SQLiteError``.
    init(_ planner: Planner, _ ledger: (any Snapshot)?) throws {
        self.planner = planner
        self.ledger = ledger
        context = planner.context
        declared = try planner.desired.cursor(planner.selection.range)
        saved = try planner.approval?.plan.cursor()
    }

    /// Takes all owners of the planner's selection, in their order.
    func takeAll(_ body: (Sides) throws -> Void) throws {
        let range = planner.selection.range
        var batch: ArraySlice<Recorded> = []
        var last: Owner?
        var isAtEnd = ledger == nil
        while true {
            if batch.isEmpty, !isAtEnd, let ledger {
                batch = try ledger.recorded(in: range, after: last, limit: Self.batch)[...]
                last = batch.last?.owner
                isAtEnd = batch.count < Self.batch
            }
            let next = [declared.owner, batch.first?.owner, saved?.owner].compactMap(\.self).min()
            guard let owner = next else { return }
            let recorded = batch.first?.owner == owner ? batch.removeFirst() : Recorded(owner: owner)
            if let sides = try take(recorded) { try body(sides) }
        }
    }

    /// Takes some owners, which come in their order from one call to the next; those between them cost nothing.
    func take(_ owners: [Owner], _ body: (Sides) throws -> Void) throws {
        for recorded in try ledger?.recorded(owners) ?? owners.map({ Recorded(owner: $0) }) {
            if let sides = try take(recorded) { try body(sides) }
        }
    }

    /// Looks again at what was paused or revoked.
    func renewScopes() throws {
        if let ledger { context.scopes = try ledger.scopes() }
    }

    /// Puts the sides of one owner together, ready for the diff; `nil` where nothing of the owner is selected.
    private func take(_ recorded: Recorded) throws -> Sides? {
        let owner = recorded.owner
        let all = (try declared.take(owner), recorded)
        var sides = Sides(entries: try saved?.take(owner) ?? [], desired: nil, recorded: Recorded(owner: owner))
        if let selected = planner.selection.restricted(all.0, all.1) {
            (sides.desired, sides.recorded) = selected
        } else if sides.entries.isEmpty {
            return nil
        }
        if let desired = sides.desired { planner.desired.select(desired) }
        sides.settled = sides.desired?.settle(planner.ignored, sides.recorded) ?? 0
        try findMismatches(&sides)
        return sides
    }

    /// Notes which instances run with another template version than the declared one, and cannot show what is declared.
    private func findMismatches(_ sides: inout Sides) throws {
        guard let desired = sides.desired else { return }
        for index in sides.recorded.instances.indices where sides.recorded.instances[index].phase.isOpen {
            let instance = sides.recorded.instances[index]
            guard let activity = desired.activities.first(where: { $0.name == instance.name }) else { continue }
            sides.recorded.instances[index].isMismatched = try planner.running.isMismatched(instance, with: activity)
        }
    }

    /// Decides about one owner.
    ///
    /// - Parameter sides: The sides that ``take(_:)`` gave.
    /// - Returns: The plan, and the declarations that it was decided on.
    func plan(_ sides: Sides) -> (plan: OwnerPlan, desired: Desired?) {
        var (plan, desired) = (OwnerPlan(owner: sides.recorded.owner), sides.desired)
        if let approval = planner.approval {
            // Without a line of its own, an owner is left alone.
            if !sides.entries.isEmpty {
                let part = approval.part(
                    of: sides.entries,
                    desired: sides.desired,
                    recorded: sides.recorded,
                    context: context
                )
                (plan, desired) = (part.plan, part.desired)
            }
        } else {
            plan = OwnerPlan(desired: sides.desired, recorded: sides.recorded, context: context)
        }
        plan.wait(for: planner.allocation, sides.recorded)
        return (plan, desired)
    }
}
