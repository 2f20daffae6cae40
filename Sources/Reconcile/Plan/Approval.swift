internal import Diff
internal import JSON

/// The part of a fresh plan that a saved one approves: its lines and nothing else.
struct Approval {
    /// The saved plan.
    let plan: SavedPlan
    /// The seal that its digests were made with.
    let seal: Seal

    /// One owner's part.
    struct Part {
        /// The plan that is carried out.
        var plan: OwnerPlan
        /// The declared state that it was decided on.
        var desired: Desired?
        /// The saved lines, each with its verdict.
        var judged: [(entry: PlanEntry, verdict: Verdict)]
    }

    /// Restricts one owner to its lines in the saved plan.
    ///
    /// - Parameters:
    ///   - entries: The lines.
    ///   - desired: The declarations of the files.
    ///   - recorded: The records of the ledger.
    ///   - context: The facts of the run.
    /// - Returns: The plan that may be carried out, and a verdict on each line.
    func part(
        of entries: [PlanEntry],
        desired: Desired?,
        recorded: Recorded,
        context: DiffContext
    ) -> Part {
        let ground = Ground(desired: desired, recorded: recorded, seal: seal)
        let named = Set(entries.filter { $0.push?.isToBeSent ?? true }.compactMap(Declared.init))
        let restricted = recorded.desired(by: desired, changing: named)
        let fresh = OwnerPlan(desired: restricted, recorded: recorded, context: context)
        let verdicts = ground.verdicts(on: entries, fresh)
        let approved = zip(entries, verdicts).filter { $0.1 == .apply }.map(\.0)
        return Part(
            plan: fresh.restricted(to: approved),
            desired: restricted,
            judged: zip(entries, verdicts).map { ($0, $1) }
        )
    }

    /// A declaration that a line names.
    fileprivate struct Declared: Hashable {
        var kind: PlanEntry.Kind
        var name: Text

        init(_ kind: PlanEntry.Kind, _ name: Text) {
            (self.kind, self.name) = (kind, name)
        }

        init?(_ entry: PlanEntry) {
            guard let name = entry.name else { return nil }
            self.init(entry.kind, name)
        }
    }
}

extension Recorded {
    /// The committed declarations with only the named ones changed to what the files say: what else they say waits for
    /// another plan.
    fileprivate func desired(by files: Desired?, changing named: Set<Approval.Declared>) -> Desired {
        var desired = Desired(owner: owner)
        desired.widgets = (files?.widgets ?? []).filter { named.contains(.init(.widget, $0.name)) }
        desired.activities = (files?.activities ?? []).filter { named.contains(.init(.liveActivity, $0.name)) }
        desired.widgets += widgets.map(\.declaration).filter { !named.contains(.init(.widget, $0.name)) }
        desired.activities += activities.filter { !$0.isRemoved }.map(\.declaration)
            .filter { !named.contains(.init(.liveActivity, $0.name)) }
        desired.widgets.sort { $0.name < $1.name }
        desired.activities.sort { $0.name < $1.name }
        return desired
    }
}

extension OwnerPlan {
    /// The part of it that some lines ask for; what it notes without a push stays.
    fileprivate func restricted(to entries: [PlanEntry]) -> OwnerPlan {
        var plan = self
        plan.changes.removeAll { change in
            !entries.contains { $0.push == nil && $0.kind == change.kind && $0.name == change.name }
        }
        plan.actions.removeAll { action in !entries.contains { $0.push?.isFor(action, $0.name) ?? false } }
        return plan
    }
}
