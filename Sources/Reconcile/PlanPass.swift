internal import Diff
internal import JSON
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
    private let ledger: Ledger?
    private var context: DiffContext
    private let declared: DesiredCursor
    private let recorded: RecordedCursor?
    private let saved: OwnerRows<PlanEntry>?
    /// True where owners are looked up one by one.
    private let seeks: Bool

    /// A way through the owners that a planner looks at.
    ///
    /// - Parameters:
    ///   - planner: What is planned.
    ///   - ledger: What is recorded; `nil` where nothing is.
    ///   - seeks: True where owners are asked for by name, so that those between them cost nothing.
    /// - Throws: ``SQLiteError``.
    init(_ planner: Planner, _ ledger: Ledger?, seeks: Bool) throws {
        self.planner = planner
        self.ledger = ledger
        self.seeks = seeks
        context = planner.context
        declared = try planner.desired.cursor(planner.selection.range)
        recorded = try ledger.map { try RecordedCursor($0, range: seeks ? .only("") : planner.selection.range) }
        saved = try planner.approval?.plan.cursor()
    }

    /// The first owner that is not taken yet, of one that does not seek; `nil` at the end.
    var owner: Owner? { [declared.owner, recorded?.owner, saved?.owner].compactMap(\.self).min() }

    /// Looks again at what was paused or revoked.
    func renewScopes() throws {
        if let ledger { context.scopes = try ledger.scopes() }
    }

    /// Takes one owner; owners have to be asked for in order.
    ///
    /// - Returns: The two sides, ready for the diff; `nil` where nothing of the owner is selected.
    func take(_ owner: Owner) throws -> Sides? {
        if seeks { try recorded?.seek(.only(owner.subscriber)) }
        let all = (try declared.take(owner), try recorded?.take(owner) ?? Recorded(owner: owner))
        var sides = Sides(entries: try saved?.take(owner) ?? [], desired: nil, recorded: Recorded(owner: owner))
        if let selected = planner.selection.restricted(all.0, all.1) {
            (sides.desired, sides.recorded) = selected
        } else if sides.entries.isEmpty {
            return nil
        }
        if let desired = sides.desired { planner.desired.templates.select(desired) }
        sides.settled = sides.desired?.settle(planner.ignored, sides.recorded) ?? 0
        try findMismatches(&sides)
        return sides
    }

    /// Notes which instances run with another template version than the declared one, and cannot show what is declared.
    private func findMismatches(_ sides: inout Sides) throws {
        guard let desired = sides.desired, let ledger else { return }
        for index in sides.recorded.instances.indices where sides.recorded.instances[index].phase.isOpen {
            let instance = sides.recorded.instances[index]
            guard let activity = desired.activities.first(where: { $0.name == instance.name }) else { continue }
            sides.recorded.instances[index].isMismatched = try ledger.isMismatched(instance, with: activity)
        }
    }

    /// Decides about one owner.
    ///
    /// - Parameter sides: What ``take(_:)`` gave.
    /// - Returns: The plan, and the declarations that it was decided on.
    func plan(_ sides: Sides) -> (plan: OwnerPlan, desired: Desired?) {
        var (plan, desired) = (OwnerPlan(owner: sides.recorded.owner), sides.desired)
        if let approval = planner.approval {
            // Without a line of its own, an owner is left alone.
            if !sides.entries.isEmpty {
                let part = approval.part(sides.entries, sides.desired, sides.recorded, context)
                (plan, desired) = (part.plan, part.desired)
            }
        } else {
            plan = OwnerPlan(desired: sides.desired, recorded: sides.recorded, context: context)
        }
        plan.wait(for: planner.allocation, sides.recorded)
        return (plan, desired)
    }
}
